//go:build !browserless

package explorer

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// breaking serves the small tables. The first answer about turns of Black ends before its
// length.
func breaking(t *testing.T) string {
	t.Helper()
	handler, broken := newServer(t, unhurried()).Handler(), new(atomic.Bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/turns") && strings.HasSuffix(r.URL.Query().Get("p"), " b") && !broken.Swap(true) {
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("{"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A turn past a corner, which wins at once, has its place beside the board.
func TestTheBallGoesPastACorner(t *testing.T) {
	p := open(t, at("phutball", "3x5", onCorner)+"&rules=corner-exit=true")
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	p.click("B4", "<6")
	p.shows("@<6 .../.../.../.../... eks")
	p.wait(`document.querySelector('[data-place="<6"] .piece.ball') !== null`)
}

// A board may be named as people name it.
func TestAnAddressMayNameABoard(t *testing.T) {
	p := open(t, at("fanorona", "tsivy", "start"))
	p.wait(`document.querySelectorAll('#turns .turn').length > 0`)
	p.wait(`document.querySelectorAll('#board .piece').length === 44`)
	p.push("#turns .turn")
	p.says("#verdict", "Black to move")
	p.wait(`new URLSearchParams(location.search).get('board') === '9x5'`)
}

// A record that is taken in replaces the one from the same start. What was known of turns that
// are in both stays known.
func TestARecordThatIsTakenInIsAllThereIs(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	p.get(`(document.querySelector('#record-io').open = true, '')`)
	take := func(text, shown string) {
		t.Helper()
		p.get("(document.querySelector('#record-text').value = `" + text + "`, document.querySelector('#record-take').click(), '')")
		p.says("#record", shown)
	}
	const head = "[Game \"fanorona\"]\n[Board \"5x5\"]\n"
	const start = "[Position \"" + open2v1 + "\"]\n"
	take(head+start+"[White \"Rasoa\"]\n{a quiet start} 1. b2-b3 {slow}", "slow")
	take(head+start+"[Black \"Rabe\"]\n1. c1-c2 {other}", "other")
	p.wait(`document.querySelector('#record-text').value.includes('[Black "Rabe"]')`)
	for _, gone := range []string{"Rasoa", "quiet", "b2-b3", "slow"} {
		if p.holds("document.querySelector('#record-text').value.includes('" + gone + "')") {
			t.Errorf("%s is still there", gone)
		}
	}
	p.push("#record-new")
	p.wait(`document.querySelectorAll('#record li').length === 0`)
	p.wait(`!document.querySelector('#record-text').value.includes('Rabe')`)
	p.shows(open2v1)
	p.visit(at("fanorona", "5x5", open2v1))
	p.rest()
	if p.holds(`document.querySelectorAll('#record li').length > 0`) {
		t.Error("a record that was left came back")
	}
}

// Who asks for nothing is asked what for, and a record that names no game is told as which it
// was read.
func TestTroubleIsToldInWordsOfThePage(t *testing.T) {
	p := open(t, at("konane", "4x4", "start"))
	p.wait(`document.querySelectorAll('#turns .turn').length > 0`)
	p.do(chromedp.SetValue("#position", " "))
	p.push("#text button")
	p.says("#remark", "Which position?")
	p.get(`(document.querySelector('#record-io').open = true, '')`)
	p.do(chromedp.SetValue("#record-text", "1. a1-b2A"))
	p.push("#record-take")
	p.says("#record-trouble", "Read as Konane 4x4")
}

// A frame has the icon of the page, and asks for no other.
func TestTheFrameHasAnIcon(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.visit("embed" + at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelector('link[rel=icon]')?.href.endsWith('favicon.svg') === true`)
}

// An answer that breaks off is told as none, and the page goes on.
func TestAnswersThatBreakOffAreTold(t *testing.T) {
	p := tab(t, breaking(t))
	p.visit(at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	p.click("b2", "b3")
	p.says("#remark", "The server does not answer.")
	p.push("#remark .again")
	p.shows("B..../...../.W.../...../..W.. b")
}

// The computer makes no turn while a position is set up, and offers one where another
// position was asked for in vain.
func TestTheOpponentRestsWhileAPositionIsSetUp(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	p.stopClock()
	p.do(chromedp.SetValue("#opponent", "0"))
	p.wait(`window.due.length === 1`)
	p.push("#setup")
	p.strike()
	p.rest()
	p.shows(open2v1)
	p.push("#setup")
	p.wait(`window.due.length === 1`)
	p.do(chromedp.SetValue("#position", "nonsense"))
	p.push("#text button")
	p.says("#remark", "nonsense")
	p.says("#resume", "Let White move")
}
