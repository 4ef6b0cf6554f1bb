//go:build !browserless

package explorer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestPageBeginsWithTheServersChoice(t *testing.T) {
	p := open(t, "")
	p.says("#verdict", "White wins in 19 turns \u2013 White to move")
	p.wait(`location.search.startsWith('?game=fanorona&board=5x5&p=')`)
	p.visit(at("fanorona", "5x5", "start"))
	p.shows("BBBBB/BBBBB/BW.BW/WWWWW/WWWWW w")
	p.says("title", "Fanorona 5x5")
	p.says("#verdict", "White to move")
	if got := p.get(`document.querySelector('[data-place="b3"]').getAttribute('aria-label')`); !strings.HasPrefix(got, "b3, white stone, ") {
		t.Errorf("b3 is named %q", got)
	}
	if got := p.get(`document.querySelector('[data-place="c3"]').getAttribute('aria-label')`); !strings.HasPrefix(got, "c3, vacant, strong point") {
		t.Errorf("c3 is named %q", got)
	}
	p.wait(`location.search === '?game=fanorona&board=5x5&p=BBBBB/BBBBB/BW.BW/WWWWW/WWWWW+w'`)
}

func TestChainByClicksWithTheChoiceOfApproach(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.says("#verdict", "Draw \u2013 White to move")
	p.says("#turns", "b3-c3A-c4Adraw")
	p.says("#turns", "b3-c3Wloss2")
	p.click("b3", "c3")
	p.says("#choice", "By approach: d3")
	p.says("#choice", "By withdrawal: a3")
	p.click("d3") // a stone to be captured chooses the way
	p.says("#choice", "Stop here: b3-c3A")
	p.wait(`document.querySelector('[data-place="d3"]').classList.contains('taken')`)
	p.click("c4")
	p.shows("...../..W../B..../...../..... b")
	p.says("#verdict", "Draw \u2013 Black to move")
	p.says("#turns", "a3-a2loss4") // other values than before
	p.says("#record", "b3-c3A-c4A")
}

func TestWithdrawalAndStop(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.click("b3", "c3")
	p.says("#choice", "By withdrawal: a3")
	p.push("[data-way=w]")
	p.says("#choice", "Stop here: b3-c3W")
	p.push(".stop")
	p.shows("..B../...../..WB./...../..... b")
	p.says("#verdict", "Black to move")
	p.push("#back")
	p.shows(chain)
	p.wait(`document.querySelector('#back').disabled && !document.querySelector('#forward').disabled`)
	p.push("#forward")
	p.shows("..B../...../..WB./...../..... b")
}

func TestSecondClickStopsAndEscapeTakesBack(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.click("b3", "c3", "a3")
	p.says("#choice", "Stop here: b3-c3W")
	p.keys(kb.Escape)
	p.wait(`document.querySelector('#choice').textContent === ''`)
	p.click("b3", "c3", "a3", "c3")
	p.shows("..B../...../..WB./...../..... b")
}

func TestTurnsArePlayedFromTheListAndByDrag(t *testing.T) {
	p := open(t, at("fanorona", "5x5", "B..../...../...../.W.../..W.. w"))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	first := p.get(`document.querySelector('#turns .name').textContent`)
	p.push("#turns .turn")
	p.says("#record", first)
	p.says("#verdict", "Black to move")
	p.visit(at("fanorona", "5x5", "B..../...../...../.W.../..W.. w"))
	p.drag("b2", "b3")
	p.shows("B..../...../.W.../...../..W.. b")
}

// Whoever presses a place and lets go of it has clicked on it, though the board was drawn
// anew meanwhile; once, whatever the browser tells; and not on another place.
func TestClicksOutlastTheDrawing(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.wait(`document.querySelectorAll('#turns .turn').length > 1`)
	stone := p.where(spot("b3"))[0]
	press := func(at [2]float64, drawn bool) {
		p.press(at)
		if drawn {
			p.get(`(document.querySelector('#values').click(), '')`)
		}
	}
	held := func(want bool) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.querySelector('[data-place=b3]').classList.contains('held') === %t`, want))
	}
	for range 2 {
		press(stone, true)
		p.letGo(stone)
		held(true)
		press(stone, false)
		p.letGo(stone)
		held(false)
	}
	press(stone, true)
	p.letGo([2]float64{stone[0] + 200, stone[1]})
	held(false)
	press(stone, true)
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, stone[0]+200, stone[1], chromedp.ButtonLeft)) // a drag
	held(true)
}

// The same of buttons that are drawn anew: turns of the list, of best play and of the
// record, and what can be done with a turn that is begun.
func TestButtonsOutlastTheDrawing(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	push := func(selector, meanwhile string) {
		middle := p.where(selector)[0]
		p.press(middle)
		p.get("(" + meanwhile + ", '')")
		p.letGo(middle)
	}
	const drawn = `document.querySelector('#values').click(), document.querySelector('#values').click()`
	p.click("b3", "c3")
	push("[data-way=w]", drawn)
	push("#choice .stop", drawn)
	p.shows("..B../...../..WB./...../..... b")
	p.visit(at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelectorAll('#line button').length > 1`)
	push("#turns li:nth-child(2) .turn", drawn)
	p.wait(`document.querySelectorAll('#record .path').length === 1`)
	p.get(`document.body.style.paddingBottom = '100vh'`) // so that nothing moves where less is shown
	push("#line button:nth-of-type(2)", drawn)
	p.wait(`document.querySelectorAll('#record .path').length === 3`)
	push("#record button", drawn)
	p.wait(`document.querySelectorAll('#record .path').length === 1 && document.querySelectorAll('#record li').length === 3`)
	first := p.where("#turns .turn")[0]
	p.press(first)
	p.get(`(document.querySelector('#back').click(), '')`)
	p.wait(`document.querySelectorAll('#record .path').length === 3`) // where the first button means another turn
	p.rest()
	p.letGo(first)
	p.rest()
	p.wait(`document.querySelectorAll('#record .path').length === 3`)
}

func TestSetUpByClickAndDrag(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.push("#setup")
	p.push("[aria-label='black stone']")
	p.click("e1")
	p.shows("..B../...../BW.B./...../....B w")
	p.says("#uncovered", "paika build fanorona 5x5 --slices 1v4")
	p.click("e1") // the same piece again takes it away
	p.shows(chain)
	p.drag("d3", "e5")
	p.shows("..B.B/...../BW.../...../..... w")
	p.drag("e5", "c5")
	p.shows("..B../...../BW.../...../..... w")
	p.push("#palette button[aria-pressed=false]")
	p.shows("..B../...../BW.../...../..... b")
	// By the keyboard one chooses a piece as one does among radio buttons, and stays in the palette.
	p.do(chromedp.Focus("#palette [aria-checked=true]"))
	p.get(`(window.focused = 0, addEventListener('focusin', () => { focused++; }), '')`)
	p.keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowLeft)
	p.wait(`focused === 3`) // each piece is read out once, and no other
	p.wait(`document.activeElement.getAttribute('aria-label').startsWith('nothing') && document.activeElement.ariaChecked === 'true'`)
	p.wait(`document.querySelectorAll('#palette [role=radio][tabindex="0"]').length === 1`)
	p.do(chromedp.Focus("#palette button[aria-pressed=false]"))
	p.keys(kb.Enter)
	p.shows("..B../...../BW.../...../..... w")
	p.wait(`document.activeElement.textContent === 'White to move'`)
	p.do(chromedp.Focus("#palette .undo"))
	p.keys(kb.Enter)
	p.shows("..B../...../BW.../...../..... b")
	p.wait(`document.activeElement.className === 'undo'`)
	p.push("#setup")
	p.says("#verdict", "Black to move")
}

func TestSetUpSaysWhatIsWrong(t *testing.T) {
	p := open(t, at("phutball", "3x5", "start"))
	p.push("#setup")
	p.push("[aria-label^='nothing']")
	p.click("B3")
	p.says("#verdict", "0 balls: want one @")
	p.push("[aria-label='ball']")
	p.click("B2")
	p.shows(".../.../.../.@./... ohs")
	p.says("#verdict", " in ")
}

func TestAddressIsShared(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.click("b3", "c3", "a3", "c3")
	p.shows("..B../...../..WB./...../..... b")
	address := p.get("location.search")
	p.do(chromedp.Navigate("about:blank"))
	p.visit(address)
	p.shows("..B../...../..WB./...../..... b")
	p.says("#verdict", "Black to move")
}

func TestValuesCanBeHidden(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.says("#verdict", "Draw")
	p.push("#values")
	p.wait(`document.querySelector('#verdict').textContent === 'White to move' && document.querySelectorAll('.win, .draw, .loss').length === 0`)
}

func TestUncoveredPositionsAreSearched(t *testing.T) {
	limits := unhurried()
	limits.SearchNodes = 1 << 40 // so that the last search ends when it is stopped
	p := openAt(t, serve(t, limits), at("fanorona", "5x5", "start"))
	p.says("#uncovered", "No table here covers this position: slice 12v12 is not stored")
	p.push("#search")
	p.says("#searched", "It is a draw (")
	p.says("#searched", "positions in")
	p.visit(at("fanorona", "9x5", "start"))
	p.says("#uncovered", "no tables can hold it")
	p.do(chromedp.SetValue("#nodes", fmt.Sprint(limits.SearchNodes)))
	p.push("#search")
	p.says("#sofar", " position")
	if said := p.text("#searched"); said != "Searching\u2026" { // which is read out
		t.Errorf("while it goes on, a search says %q", said)
	}
	p.push("#stop")
	p.says("#searched", "Stopped after about ")
}

func TestSlicesGivePositions(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.wait(`!document.querySelector('#slices').hidden`)
	p.do(chromedp.SetValue("#slice", "2v2"))
	p.wait(`document.querySelector('#slice').selectedOptions[0].textContent === '2 stones to move against 2'`)
	p.wait(`document.querySelector('#slice-details').textContent.startsWith('Slice 2v2, metric dtw, ')`)
	p.push("#longest")
	p.says("#verdict", "White wins in ")
	longest := p.get(`document.querySelector('#position').value`)
	p.push("#random")
	p.wait(`document.querySelector('#position').value !== '` + longest + `'`)
	p.wait(`[...document.querySelector('#position').value].filter(c => c === 'W').length === 2`)
}

func TestTablesAnswerTurns(t *testing.T) {
	p := open(t, at("fanorona", "5x5", "B..../...../...../.W.../..W.. w"))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	p.do(chromedp.SetValue("#opponent", "1"))
	p.click("b2", "b3")
	p.wait(`document.querySelectorAll('#record .path').length === 2`)
	p.says("#verdict", "White to move")
}

func TestKonaneIsPlayed(t *testing.T) {
	p := open(t, at("konane", "4x4", "start"))
	p.says("#verdict", "Second player wins")
	p.click("b2")
	p.says("#verdict", "Second player to move")
	p.click("c2")
	p.shows("oxox/xoxo/o..x/xoxo b")
	p.says("#verdict", "White wins in 4 turns")
	p.drag("b4", "b2")
	p.shows("o.ox/x.xo/ox.x/xoxo w")
	p.says("#verdict", "White wins in 3 turns")
}

// Before the first stone is gone nobody has a colour, and so the headline has none; a removal has
// that of who wins behind it. The graph keeps to the side of who wins, and calls players what the
// headline calls them.
func TestWhoRemovesAStoneHasItsColour(t *testing.T) {
	p := open(t, at("konane", "4x4", "start"))
	said := func(words, class string) {
		t.Helper()
		p.says("#verdict", words)
		p.rest()
		if got := p.get(`document.querySelector('#verdict').className.trim()`); got != class {
			t.Errorf("%s: the headline's class is %q, want %q", words, got, class)
		}
	}
	for winner, wrong := range map[string]string{"black": "> 48", "white": "< 48"} { // half of the graph
		p.visit(at("konane", "4x4", "start"))
		said("Second player wins in 10 turns", "loss")
		if got := p.get(`[...document.querySelectorAll('#turns .turn')].filter(t => {
			const [, file, rank] = t.firstChild.textContent, black = ('abcd'.indexOf(file) + Number(rank) - 1) % 2 === 0;
			return !t.classList.contains(black ? 'tone-white' : 'tone-black');
		}).map(t => t.textContent).join()`); got != "" {
			t.Errorf("in another colour than that of the other stones: %s", got)
		}
		p.wait(`document.querySelectorAll('.chip.tone-white').length === 8 && document.querySelectorAll('.chip.tone-black').length === 8`)
		p.picture("opening")
		first := p.get("document.querySelector('#turns .tone-" + winner + " .name').textContent")
		p.push("#turns .tone-" + winner)
		said("Second player wins in 9 turns", "win tone-"+winner)
		p.push("#turns .turn")
		p.says("#verdict", " wins in 8 turns")
		p.wait(`document.querySelectorAll('.graph .point').length === 3`)
		p.picture("opening-" + winner)
		if got := p.get(`[...document.querySelectorAll('.graph .point')].filter(c => c.getAttribute('cy') ` + wrong + `).length + ' points'`); got != "0 points" {
			t.Errorf("%s: on the wrong side of the graph are %s", first, got)
		}
		p.do(chromedp.Focus(".graph"))
		for _, words := range []string{"turn 1, First player: " + first + ", Second player wins in 9 turns", "the beginning, Second player wins in 10 turns"} {
			p.keys(kb.ArrowLeft)
			p.wait(`document.querySelector('.graph').getAttribute('aria-valuetext') === '` + words + `'`)
		}
	}
	p.visit("embed" + at("konane", "4x4", "start"))
	said("Second player wins in 10 turns", "loss")
}

// The computer begins with a stone of the side that it plays, and leaves the other to its opponent.
func TestTheComputerRemovesAStoneOfItsSide(t *testing.T) {
	p := open(t, at("konane", "4x4", "start"))
	p.says("#line", "-b1") // a white one
	p.stopClock()
	p.do(chromedp.SetValue("#opponent", "0"))
	p.wait(`window.due.length === 1`)
	p.strike()
	p.says("#verdict", "Second player wins in 9 turns")
	p.rest()
	if got := p.get(`document.querySelector('#position').value + ' ' + due.length`); got != "oxox/xoxo/oxox/xo.o w 0" {
		t.Errorf("the position, and what is to come, are %s", got)
	}
}

func TestPhutballIsPlayed(t *testing.T) {
	p := open(t, at("phutball", "3x5", "start"))
	p.says("#verdict", "Ohs wins in 3 turns")
	p.click("B4")
	p.says("#verdict", "Ohs wins in 2 turns \u2013 Eks to move")
	p.click("A1")
	p.shows(".../.*./.@./.../*.. ohs")
	p.push("#win-in-one")
	p.says("#one-answer", "Yes, in 1 jump: B3-B5")
	p.wait(`document.querySelector('.arrow.win') !== null`)
	p.click("B3", "B5")
	p.says("#verdict", "The game is over: Ohs wins")
}

func TestPhutballChainOffTheBoard(t *testing.T) {
	p := open(t, at("phutball", "15x19", "ball=H10 men=H11,H13,H15,H17,H19 to=ohs"))
	p.wait(`document.querySelectorAll('#turns .turn').length > 100`)
	p.click("H10", "H12")
	p.says("#choice", "Stop here: H10-H12")
	p.click("H14")
	p.says("#choice", "Stop here: H10-H12-H14")
	p.wait(`document.querySelector('[data-place="H11"]').classList.contains('taken')`)
	p.push("#choice button:last-child")
	p.push("#shortest")
	p.push("#win-in-one")
	p.says("#one-answer", "Yes, in 5 jumps, and in no fewer: H10-H12-H14-H16-H18-H20")
	// What is not known of the shortest is said, and what it was that did not suffice.
	for answer, words := range map[string]string{
		`{win: null, series: null, limit: 'memory'}`:                                         "Not decided in the memory allowed.",
		`{win: true, series: 'H10-H12', jumps: 4, shortest: false, least: 2, limit: 'time'}`: "Yes, in 4 jumps (no series of fewer than 2 does; what lies between was not decided in the time allowed): H10-H12",
		`{over: true, winner: 'ohs', win: false, series: null}`:                              "The game is over: ohs has won.",
	} {
		p.get(`(() => {
			const real = fetch;
			window.fetch = async (path, options) => {
				if (!path.includes('/win-in-one?')) return real(path, options);
				window.fetch = real;
				return new Response(JSON.stringify(` + answer + `));
			};
			return '';
		})()`)
		p.push("#win-in-one")
		p.wait(`!document.querySelector('#one-answer').textContent.startsWith('Looking')`)
		if said := p.text("#one-answer"); said != words {
			t.Errorf("%s: %s", answer, said)
		}
	}
	p.click("H10", "H12", "H14", "H16", "H18", "H20")
	p.says("#verdict", "The game is over: Ohs wins")
	p.wait(`new URLSearchParams(location.search).get('p').startsWith('@H20 ')`)
}

// A game that the page was never told of but by its look.
func TestBreakthroughIsPlayed(t *testing.T) {
	p := open(t, at("breakthrough", "3x5", "start"))
	p.says("title", "Breakthrough 3x5")
	p.says("#verdict", "White to move")
	p.wait(`document.querySelectorAll('#board .square').length === 15 && document.querySelectorAll('#board .piece').length === 12`)
	if got := p.get(`document.querySelector('[data-place="a2"]').getAttribute('aria-label')`); !strings.HasPrefix(got, "a2, white pawn, can move") {
		t.Errorf("a2 is named %q", got)
	}
	p.click("a2", "b3")
	p.shows("BBB/BBB/.W./.WW/WWW b")
	p.drag("c4", "b3")
	p.shows("BBB/BB./.B./.WW/WWW w")
	p.says("#record", "c4xb3")
	p.push("#setup")
	p.push("[aria-label='black pawn']")
	p.click("a3")
	p.shows("BBB/BB./BB./.WW/WWW w")
}

func TestPhoneWidth(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.do(chromedp.EmulateViewport(360, 740))
	for _, query := range []string{at("fanorona", "9x5", "start"), at("konane", "8x8", "start"), at("phutball", "15x19", "start"), at("fanorona", "5x5", chain)} {
		p.visit(query)
		p.wait(`document.documentElement.scrollWidth <= innerWidth`)
	}
	p.click("b3", "c3", "d3", "c4")
	p.shows("...../..W../B..../...../..... b")
}

func TestKeyboardAlone(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	for range 40 {
		p.keys(kb.Tab)
		if p.get(`document.activeElement.dataset?.place ?? ''`) != "" {
			break
		}
	}
	if got := p.get(`document.activeElement.dataset.place`); got != "a5" {
		t.Fatalf("Tab leads to %q, want the board's a5", got)
	}
	p.keys(kb.ArrowDown, kb.ArrowDown, kb.ArrowRight, kb.Enter)
	p.wait(`document.activeElement.dataset.place === 'b3' && document.activeElement.classList.contains('held')`)
	p.keys(kb.ArrowRight, " ")
	p.says("#choice", "By approach")
	p.keys("w")
	p.says("#choice", "Stop here: b3-c3W")
	p.keys(kb.Enter)
	p.shows("..B../...../..WB./...../..... b")
	p.keys("u")
	p.shows(chain)
	p.rest()
	for _, place := range []string{"b3", "c3"} { // without the mouse: the page still scrolls after the keys
		p.get(fmt.Sprintf(`(document.querySelector('[data-place=%s]').dispatchEvent(new MouseEvent('click', {bubbles: true})), '')`, place))
	}
	// What can be done with a turn is drawn anew while one stands on it.
	p.says("#choice", "By withdrawal")
	p.get(`(document.querySelector('#choice [data-way=w]').focus(), '')`)
	p.get(`(document.querySelector('#values').click(), '')`)
	p.wait(`document.activeElement.dataset.way === 'w'`)
	p.keys(kb.Enter, kb.Enter) // the way, and to stop there, which comes first then
	p.shows("..B../...../..WB./...../..... b")
	p.wait(`document.activeElement.dataset.place !== undefined`)
	p.keys("u")
	p.shows(chain)
	p.do(chromedp.Focus(spot("c3")))
	p.keys("f")
	p.wait(`document.querySelector('#flip').getAttribute('aria-pressed') === 'true'`)
	p.keys(kb.ArrowUp)
	p.wait(`document.activeElement.dataset.place === 'c2'`)
}

// Keys that are a letter can be turned off, for whoever speaks to the machine, or slips. Others stay.
func TestLettersAreNoKeysWhereOneWants(t *testing.T) {
	p := open(t, at("fanorona", "5x5", chain))
	p.get(`(document.querySelector('#letters').click(), document.activeElement.blur(), '')`)
	p.visit(at("fanorona", "5x5", chain)) // it is remembered
	p.wait(`!document.querySelector('#letters').checked`)
	p.keys("f")
	p.click("b3")
	p.wait(`document.querySelector('.held') !== null`)
	p.keys(kb.Escape)
	p.wait(`document.querySelector('.held') === null`)
	if got := p.get(`document.querySelector('#flip').getAttribute('aria-pressed')`); got != "false" {
		t.Error("f flips the board")
	}
	p.get(`(document.querySelector('#letters').click(), document.activeElement.blur(), '')`)
	p.keys("f")
	p.wait(`document.querySelector('#flip').getAttribute('aria-pressed') === 'true'`)
}

func TestBadAddressesAreExplained(t *testing.T) {
	for query, words := range map[string]string{
		at("fanorona", "5x5", "<b>x</b> w"): "unknown letter",
		at("fanorona", "99x5", "start"):     "want 3 to 9 files",
		at("fanorona", "4x4", "start"):      "no start position",
	} {
		p := open(t, query)
		p.says("#verdict", words)
	}
}

// What can be done with a board cannot be pushed before there is one.
func TestWithoutABoardThereIsNothingToFlipOrSetUp(t *testing.T) {
	p := open(t, at("fanorona", "99x5", "start"))
	p.wait(`['flip', 'setup'].every(id => document.getElementById(id).disabled)`)
	p.do(chromedp.SetValue("#size", "5x5"))
	p.push("#other button")
	p.wait(`['flip', 'setup'].every(id => !document.getElementById(id).disabled)`)
}
