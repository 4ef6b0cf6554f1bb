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

// A record that is taken in keeps the comments of one from the same start.
func TestASecondRecordKeepsTheCommentsOfTheFirst(t *testing.T) {
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
	take(head+start+"1. c1-c2 {other}", "other")
	p.says("#record", "slow")
	p.says("#record", "a quiet start")
	p.wait(`document.querySelector('#record-text').value.includes('[White "Rasoa"]')`)
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
