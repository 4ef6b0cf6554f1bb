//go:build !browserless

package explorer

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// TestPictures takes the pictures that the manual shows, where they are wanted.
func TestPictures(t *testing.T) {
	if os.Getenv(pictureVariable) == "" {
		t.Skip("$" + pictureVariable + " names no folder")
	}
	fanorona, _ := catalogue.Find("fanorona")
	instance, err := fanorona.Open("9x5", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := instance.Build(t.Context(), dir, catalogue.BuildOptions{Slices: []string{"2v2"}, Metric: bitboard.DTW, Workers: 2, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	large, err := instance.Open(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer large.Close()

	p := open(t, "", Table{instance, large})
	p.do(chromedp.EmulateViewport(1200, 720))
	p.visit(at("fanorona", "9x5", ".......B./B......../........./......W../.W....... w"))
	p.wait(`!document.querySelector('#best').hidden`)
	p.click("b1")
	p.picture("fanorona")
	p.do(chromedp.EmulateViewport(1200, 780))
	p.scheme("dark")
	p.visit(at("phutball", "15x19", "ball=H10 men=H11,J13,J14,H15,G16,E16,D17,D18,C18 to=ohs"))
	p.wait(`document.querySelectorAll('#turns .turn').length > 50`)
	p.push("#win-in-one")
	p.says("#one-answer", "jump")
	p.picture("phutball")
	p.scheme("light")
	p.do(chromedp.EmulateViewport(390, 760))
	p.visit(at("konane", "4x4", "o.ox/x.xo/ox.x/xoxo w"))
	p.says("#verdict", "White wins")
	p.picture("konane")
	p.visit(at("fanorona", "5x5", chain))
	p.click("b3", "c3")
	p.says("#choice", "By approach")
	p.picture("choice")
}
