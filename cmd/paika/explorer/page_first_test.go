//go:build !browserless

package explorer

import (
	"context"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// A person who comes for the first time sees a position with a value, the boards that
// there are, and how the game is played, in words that need no explanation.
func TestFirstScreenTeaches(t *testing.T) {
	p := open(t, "")
	p.says("#verdict", "White wins in 19 turns")
	p.says("#board-size", "5x5, up to 4 stones")
	p.says("#about-title", "How Fanorona is played")
	p.wait(`document.querySelector('#about').open && document.querySelectorAll('#about-rules li').length === 5`)
	p.wait(`document.querySelectorAll('#example .piece').length === 3 && document.querySelectorAll('#example .path').length === 2`)
	p.wait(`[...document.querySelectorAll('#example .path')].every(e => getComputedStyle(e).fill === 'none')`)
	p.says("#legend", "On the board + wins, = draws and \u2212 loses, for the player to move; +5 wins in 5 turns, \u22124 loses in 4; \u2265 is proved to draw at least. In the list ? is not known here.")
	p.says("#legend", "What White wins is blue, what Black wins is orange.")
	if shown := p.get(`document.body.innerText`); strings.Contains(shown, "slice") || strings.Contains(shown, "indices") {
		t.Errorf("the page speaks of slices or indices: %s", shown)
	}
	p.picture("first")
	p.scheme("dark")
	p.picture("first-dark")
	p.scheme("light")
	p.do(chromedp.EmulateViewport(390, 844))
	p.visit("")
	p.wait(`!document.querySelector('#about').open && document.documentElement.scrollWidth <= innerWidth`)
	p.picture("first-phone")
}

func TestBoardsAreChosenFromAMenuOrTyped(t *testing.T) {
	p := open(t, at("konane", "4x4", "start"))
	p.says("#board-size", "4x4, the whole game")
	p.wait(`document.querySelector('#board-size').value === '4x4'`)
	p.do(chromedp.SetValue("#game", "phutball"))
	p.says("title", "Phutball 3x5")
	p.says("#verdict", "Ohs wins in 3 turns")
	p.do(chromedp.SetValue("#game", "fanorona"))
	p.says("title", "Fanorona 5x5")
	p.says("#verdict", "White wins in 19 turns") // not the start, which has no value
	for _, text := range []string{"7x5", "5X5", "7 x 5", "5\u00d75", "tsivy"} {
		p.do(chromedp.SetValue("#size", text))
		p.push("#other button")
		board := strings.NewReplacer("X", "x", " ", "", "\u00d7", "x", "tsivy", "9x5").Replace(text)
		p.says("title", "Fanorona "+board)
		p.wait(`document.querySelector('#board-size').value === '` + board + `'`)
	}
	p.do(chromedp.SetValue("#size", "99x5"))
	p.push("#other button")
	p.says("#remark", "want 3 to 9 files")
	p.says("title", "Fanorona 9x5")
	p.do(chromedp.SetValue("#board-size", "5x5"))
	p.says("#verdict", "White wins in 19 turns")
}

// What an address does not name is that of the first page; what it names counts.
func TestAnAddressMayNameAPart(t *testing.T) {
	p := open(t, "?board=7x5")
	p.says("title", "Fanorona 7x5")
	p.visit("?p=" + url.QueryEscape(open2v1))
	p.says("title", "Fanorona 5x5")
	p.wait(`document.querySelector('#position').value === '` + open2v1 + `'`)
	p.visit("?rules=stalemate=draw")
	p.wait(`new URLSearchParams(location.search).get('rules') === 'stalemate=draw'`)
	p.visit("?game=konane")
	p.says("title", "Konane 8x8")
	p.visit("?game=chess&board=8x8")
	p.says("title", "Fanorona 5x5")
	p.says("#remark", "There is no game \u201cchess\u201d here.")
	p.visit("?board=99x1")
	p.says("#verdict", "want 3 to 9 files") // and nothing says it again
	p.wait(`document.querySelector('#remark').hidden`)
}

func TestBoardsAreChosenByKeyboard(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.do(chromedp.Focus("#game"))
	p.keys(kb.ArrowDown)
	p.says("title", "Konane 4x4")
	p.do(chromedp.Focus("#size"))
	p.keys("5", "x", "6", kb.Enter)
	p.says("title", "Konane 5x6")
}

// Words of people stand first; those of tables are under Details.
func TestMissingTablesAreToldInWords(t *testing.T) {
	p := open(t, at("fanorona", "9x5", "start"))
	p.wait(`!document.querySelector('#uncovered').hidden`)
	p.says("#why", "No table can be made for this position: it would be too large.")
	p.visit(at("fanorona", "5x5", "start"))
	p.says("#why", "There is no table for this position yet. This command makes one")
	p.says("#after", "Stop this server before you build")
	if shown := p.get(`document.querySelector('#uncovered').innerText`); strings.Contains(shown, "slice 12v12") {
		t.Errorf("the page speaks of slices: %s", shown)
	}
	p.push("#uncovered summary")
	p.wait(`document.querySelector('#uncovered').innerText.includes('slice 12v12 is not stored')`)
}

// bare serves what a test adds, and tells that builds cost something.
func bare(t *testing.T, more func() []Table) string {
	t.Helper()
	game, _ := catalogue.Find("fanorona")
	first, err := game.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	config := newServer(t, unhurried()).config
	config.Tables, config.First, config.More = nil, first, more
	config.Build = func(i catalogue.Instance, _ string, slices ...string) BuildHint {
		if len(slices) > 0 && slices[0] == "12v12" {
			return BuildHint{TooMuch: "it takes 194,560 MiB of memory, and 8,192 MiB are allowed", Cost: catalogue.BuildCost{Positions: 777e9}}
		}
		return BuildHint{Command: "paika build " + i.Identity().Game, Cost: catalogue.BuildCost{Positions: 100, Memory: 300 << 20}, Seconds: 40, Disk: 5 << 20}
	}
	config.Hosts = []string{"127.0.0.1"}
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return server.URL
}

func TestGreetingWithoutTables(t *testing.T) {
	p := tab(t, bare(t, nil))
	p.visit("")
	p.says("title", "Fanorona 9x5")
	p.says("#greeting", "Welcome. Tables tell who wins a position and which turns keep the win; built with --metric dtw, also in how many turns.")
	p.says("#greeting", "It takes about 40 seconds, 300 MiB of memory and 5 MiB on disk.")
	p.says("#first-build", "paika build fanorona")
	p.picture("greeting")
	p.visit(at("fanorona", "5x5", "start"))
	p.says("#why", "too much for this machine: it takes 194,560 MiB of memory, and 8,192 MiB are allowed.")
	p.wait(`document.querySelector('#command').hidden`)
	p.visit(at("fanorona", "5x5", chain))
	p.says("#why", "in about 40 seconds, 300 MiB of memory and 5 MiB on disk")
	p.says("#after", "This server finds the new tables by itself.")
}

// Tables that come while the server runs are served without a restart.
func TestTablesThatComeAreServed(t *testing.T) {
	game, _ := catalogue.Find("fanorona")
	instance, err := game.Open("3x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "late")
	var come atomic.Bool
	url := bare(t, func() []Table {
		if !come.Swap(false) {
			return nil
		}
		if _, err := instance.Build(context.Background(), dir, catalogue.BuildOptions{Pieces: bitboard.AllPieces, Workers: 1, Memory: 1 << 30}); err != nil {
			t.Error(err)
		}
		tables, err := instance.Open(dir, 1)
		if err != nil {
			t.Error(err)
		}
		t.Cleanup(func() { tables.Close() })
		return []Table{{instance, tables}}
	})
	p := tab(t, url)
	p.visit(at("fanorona", "3x3", "start"))
	p.says("#why", "There is no table for this position yet.")
	come.Store(true)
	time.Sleep(lookEvery)
	p.push("#look-again")
	p.says("#verdict", "White wins")
	p.wait(`!document.querySelector('#slices').hidden && document.querySelector('#greeting').hidden`)
	p.visit("")
	p.says("title", "Fanorona 3x3")
}
