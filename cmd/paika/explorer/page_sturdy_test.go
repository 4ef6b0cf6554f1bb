//go:build !browserless

package explorer

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// mortal serves the small tables until dead is set, and again when it is no longer.
func mortal(t *testing.T) (url string, dead *atomic.Bool) {
	t.Helper()
	handler, dead := newServer(t, unhurried()).Handler(), new(atomic.Bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if dead.Load() {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, dead
}

// open2v1 is a position of the tables with some turns.
const open2v1 = "B..../...../...../.W.../..W.. w"

func TestBackAgainstTheTablesLeadsToTheOwnTurn(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	p.do(chromedp.SetValue("#opponent", "1"))
	p.stopClock()
	answered := func() {
		t.Helper()
		p.wait(`window.due.length === 1`)
		p.strike()
		p.wait(`document.querySelectorAll('#record .path').length === 2`)
	}
	p.click("b2", "b3")
	answered()
	p.push("#back")
	p.shows("B..../...../.W.../...../..W.. b")
	p.says("#resume", "Let Black move")
	if due := p.get(`String(due.length)`); due != "0" {
		t.Errorf("the page waits with %s turns", due)
	}
	p.push("#back")
	p.shows(open2v1)
	p.click("c1", "c2") // another turn, which is answered
	answered()
	p.push("#back")
	p.shows("B..../...../...../.WW../..... b")
	p.push("#resume")
	answered()
}

func TestDoubleClickInTheListPlaysOneTurn(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	middle := p.where("#turns .turn")[0]
	p.clickAt(middle)
	p.wait(`document.querySelectorAll('#record .path').length === 1`)
	p.rest()
	p.clickAt(middle, chromedp.ClickCount(2))
	p.rest()
	p.wait(`document.querySelectorAll('#record .path').length === 1`)
	p.says("#verdict", "Black to move")
}

func TestRemarksHaveAPlaceOfTheirOwn(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.says("#verdict", "Draw \u2013 White to move")
	p.click("e1")
	p.says("#remark", "No turn begins at e1.")
	p.says("#verdict", "Draw \u2013 White to move")
	p.keys(kb.Escape)
	p.wait(`document.querySelector('#remark').hidden`)
	p.click("e1")
	p.says("#remark", "No turn begins at e1.")
	p.do(chromedp.Focus("#position"))
	p.keys(kb.Escape) // from a field, too
	p.wait(`document.querySelector('#remark').hidden`)
	p.click("e1")
	p.says("#remark", "No turn begins at e1.")
	p.click("b3") // by a step, too
	p.wait(`document.querySelector('#remark').hidden`)
}

// A button says for a moment that it has copied, however often it is used, and only where
// it has.
func TestCopyButtonsSayWhatTheyDid(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.stopClock()
	button := func() string { return p.text("#copy") + p.get(`document.activeElement.id`) }
	p.get(`(() => {
		navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
		document.execCommand = () => window.copies;
		window.copies = true;
		return '';
	})()`)
	p.push("#copy")
	p.says("#copy", "Copied")
	p.push("#copy")
	p.rest()
	if got := button(); got != "Copiedcopy" {
		t.Errorf("after two clicks: %s", got)
	}
	p.strike()
	p.says("#copy", "Copy position")
	p.get(`String(window.copies = false)`)
	p.push("#copy")
	p.says("#copy", "Not copied")
	p.strike()
	p.says("#copy", "Copy position")
}

func TestWrongTextsLeaveThePosition(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.do(chromedp.SetValue("#position", "nonsense"))
	p.push("#text button")
	p.says("#remark", "nonsense")
	p.says("#verdict", "Draw \u2013 White to move")
	p.wait(`document.querySelectorAll('#board .piece').length === 4 && document.querySelector('#position').value === 'nonsense'`)
	p.click("b3", "c3", "d3", "c4")
	p.shows("...../..W../B..../...../..... b")
}

func TestDeadServersLeaveThePosition(t *testing.T) {
	url, dead := mortal(t)
	p := tab(t, url)
	p.visit(at("fanorona", "5x5", chain))
	p.says("#verdict", "Draw \u2013 White to move")
	dead.Store(true)
	p.click("b3", "c3", "d3", "c4")
	p.says("#remark", "The server does not answer.")
	p.says("#verdict", "Draw \u2013 White to move")
	p.wait(`document.querySelectorAll('#board .piece').length === 4`)
	dead.Store(false)
	p.push("#remark .again")
	p.shows("...../..W../B..../...../..... b")
	p.wait(`document.querySelector('#remark').hidden`)
	dead.Store(true)
	p.push("#back")
	p.says("#remark", "The server does not answer.")
	dead.Store(false)
	p.push("#remark .again")
	p.shows(chain)
}

// After a Back that failed, the turns played are still those of the position shown.
func TestPlayGoesOnAfterABackThatFailed(t *testing.T) {
	url, dead := mortal(t)
	p := tab(t, url)
	p.visit(at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	p.click("b2", "b3")
	p.says("#verdict", "Black to move")
	dead.Store(true)
	p.push("#back")
	p.says("#remark", "The server does not answer.")
	dead.Store(false)
	p.click("a5", "a4")
	p.shows("...../B..../.W.../...../..W.. w")
	p.wait(`[...document.querySelectorAll('#record .path > button')].map(b => b.textContent).join() === 'b2-b3,a5-a4'`)
	p.push("#back")
	p.shows(open2v1)
	p.push("#forward")
	p.shows("...../B..../.W.../...../..W.. w")
	p.wait(`document.querySelectorAll('#record .path').length === 2`)
}

func TestDeadServersAtTheBeginning(t *testing.T) {
	handler := newServer(t, unhurried()).Handler()
	var dead atomic.Bool
	dead.Store(true)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if dead.Load() && len(r.URL.Path) > 4 && r.URL.Path[:4] == "/api" {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p := tab(t, server.URL)
	p.do(chromedp.Navigate(server.URL + "/" + at("fanorona", "5x5", chain)))
	p.says("#remark", "The server does not answer.")
	dead.Store(false)
	p.push("#remark .again")
	p.shows(chain)
}

func TestChangedRulesLeaveThePosition(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.push("#rules summary")
	p.do(chromedp.SetValue("#rule-stalemate", "nonsense"))
	p.says("#remark", "nonsense")
	p.shows(chain)
	p.wait(`document.querySelector('#rule-stalemate').value === 'loss' && document.querySelectorAll('#board .piece').length === 4`)
	p.do(chromedp.Focus("#rule-stalemate"))
	p.keys("x") // half of a word is still there when something else goes wrong
	p.do(chromedp.SetValue("#position", "nonsense"))
	p.get(`(document.querySelector('#text button').click(), '')`)
	p.says("#remark", "nonsense")
	p.rest()
	p.wait(`document.activeElement.id === 'rule-stalemate' && document.activeElement.value.includes('x')`)
	p.do(chromedp.SetValue("#rule-stalemate", "draw"))
	p.wait(`location.search.includes('rules=stalemate=draw')`)
	p.shows(chain)
}

func TestSetUpIsUndone(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.push("#setup")
	p.wait(`document.querySelector('.undo').disabled`)
	p.push("[aria-label='black stone']")
	p.click("e1")
	p.shows("..B../...../BW.B./...../....B w")
	p.push("#palette .clear")
	p.shows("...../...../...../...../..... w")
	p.push("#palette .undo")
	p.shows("..B../...../BW.B./...../....B w")
	p.push("#palette .undo")
	p.shows(chain)
	p.wait(`document.querySelector('.undo').disabled`)
}

// An edit builds on the position that is asked for, though its answer is on the way: that of an
// Undo, too, of which one can go on with another.
func TestEditsBuildOnAnUndoOnItsWay(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	const empty = "...../...../...../...../..... w"
	p.push("#setup")
	p.push("#palette .clear")
	p.shows(empty)
	p.hold("turns?")
	p.push("#palette .undo")
	p.wait(`window.release !== undefined`)
	p.push("#palette button[aria-pressed=false]") // Black to move
	p.wait(`document.querySelector('#position').value.endsWith(' b')`)
	p.release()
	p.shows(strings.Replace(chain, " w", " b", 1))
	p.push("#palette .clear")
	p.shows(strings.Replace(empty, " w", " b", 1))
	p.get(`(delete window.release, window.taken = false, '')`)
	p.hold("turns?")
	p.push("#palette .undo")
	p.wait(`window.release !== undefined`)
	p.push("#palette .undo")
	p.shows(chain)
	p.wait(`document.querySelector('.undo').disabled`)
	p.release()
	p.shows(chain)
}

// A game that was played stays in the browser's history, though what is set up after it is undone
// before it is there.
func TestAnEarlyUndoLeavesTheGame(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	const after = "B..../...../.W.../...../..W.. b"
	p.click("b2", "b3")
	p.shows(after)
	p.push("#setup")
	p.hold("turns?")
	p.push("#palette .clear")
	p.wait(`window.release !== undefined`)
	p.push("#palette .undo")
	p.wait(`document.querySelector('.undo').disabled`)
	p.release()
	p.rest()
	p.push("#back")
	p.wait(`document.querySelectorAll('#record .path').length === 1`)
	p.shows(after)
}

// What an edit or an Undo that failed would have changed is not undone, and not lost.
func TestUndoAfterAFailure(t *testing.T) {
	url, dead := mortal(t)
	p := tab(t, url)
	p.visit(at("fanorona", "5x5", chain))
	black := strings.Replace(chain, " w", " b", 1)
	fails := func(button string) {
		t.Helper()
		dead.Store(true)
		p.push(button)
		p.says("#remark", "The server does not answer.")
		dead.Store(false)
		p.shows(black)
	}
	p.push("#setup")
	p.push("#palette button[aria-pressed=false]")
	p.shows(black)
	fails("#palette .clear")
	p.push("#remark .again") // and so it is done after all
	p.shows("...../...../...../...../..... b")
	p.push("#palette .undo")
	p.shows(black)
	fails("#palette .undo")
	fails("#palette .clear")
	p.push("#palette .undo")
	p.shows(chain)
	p.wait(`document.querySelector('.undo').disabled`)
}

// What a search finds is in the headline and the list, comes back with the position,
// and is still there after a reload.
func TestSearchesAreRemembered(t *testing.T) {
	const uncovered = "B.B../..B../...../.W.../...B. w"
	p := open(t, at("fanorona", "5x5", uncovered))
	p.says("#uncovered", "No table")
	p.says("#verdict", "White to move")
	p.wait(`!document.querySelector('#verdict').textContent.includes('wins')`)
	p.push("#search")
	p.says("#verdict", "Black wins \u2013 White to move")
	first := p.get(`document.querySelector('#turns .name').textContent`)
	p.push("#turns .turn")
	p.says("#record", first)
	p.push("#search")
	p.says("#verdict", "Black wins \u2013 Black to move")
	p.push("#back")
	p.says("#verdict", "Black wins \u2013 White to move")
	p.says("#searched", "positions in")
	p.wait(`[...document.querySelectorAll('#turns .turn.loss .name')].some(name => name.textContent === '` + first + `')`)
	p.do(chromedp.Reload())
	p.says("#verdict", "Black wins \u2013 White to move")
}

func TestTheSearchPlaysWhereThereAreNoTables(t *testing.T) {
	p := open(t, at("fanorona", "5x5", "B.B../..B../...../.W.../...B. w"))
	p.do(chromedp.SetValue("#opponent", "0"))
	p.says("#verdict", "Black to move")
	p.wait(`document.querySelectorAll('#record .path').length === 1`)
}

// An opponent that can decide nothing says that its turn is any.
func TestAGuessIsCalledOne(t *testing.T) {
	limits := unhurried()
	limits.SearchNodes = 5000
	p := openAt(t, serve(t, limits), at("fanorona", "9x5", "start"))
	p.do(chromedp.SetValue("#opponent", "0"))
	p.says("#verdict", "Black to move")
	p.says("#thinking", "Not decided: White played the first turn whose value is not known.")
}

func TestMessagesInTheDarkAndOnAPhone(t *testing.T) {
	url, dead := mortal(t)
	p := tab(t, url)
	p.scheme("dark")
	p.do(chromedp.EmulateViewport(360, 740))
	p.visit(at("fanorona", "5x5", chain))
	dead.Store(true)
	p.click("b3", "c3", "d3", "c4")
	p.says("#remark", "The server does not answer.")
	p.wait(`document.documentElement.scrollWidth <= innerWidth`)
	p.picture("dead")
	dead.Store(false)
	p.do(chromedp.Focus("#remark .again"))
	p.keys(kb.Enter)
	p.shows("...../..W../B..../...../..... b")
}
