//go:build !browserless

package explorer

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// slips is a game in which White gives the win away, and might have won sooner.
const slips = `[Game "fanorona"]
[Board "5x5"]
[White "Rabe"]
[Position "B..../...../...../.W.../..W.. w"]

{An ending.} 1. b2-a1 {Away from it.} (1. b2-b3 2. a5-b5) 2. a5-a4 3. c1-b1`

// take has the page take in a record.
func (p *page) take(record string) {
	p.t.Helper()
	p.push("#record-io summary")
	p.wait(`document.querySelector('#record-text').value.startsWith('[Game')`)
	p.do(chromedp.SetValue("#record-text", record))
	p.push("#record-take")
}

// parts is what the record shows: turns, and marks of what they gave away.
const parts = `[...document.querySelectorAll('#record button')].map(b => b.getAttribute('aria-label')).join('; ')`

func TestAnotherTurnMakesAVariationAndNothingIsLost(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	p.click("b2", "b3")
	p.says("#verdict", "Black to move")
	p.push("#back")
	p.shows(open2v1)
	p.click("c1", "c2")
	p.says("#verdict", "Black to move")
	p.wait(`document.querySelectorAll('#record > li').length === 1 && document.querySelectorAll('#record .variation > li').length === 1`)
	p.says("#record", "b2-b3")
	p.says("#record .variation", "c1-c2")
	p.wait(`document.querySelector('#record [aria-current]')?.textContent === 'c1-c2'`)

	// The browser's history leads back and forth, and a reload keeps the tree.
	p.push("#back")
	p.shows(open2v1)
	p.says("#record .variation", "c1-c2")
	p.push("#forward")
	p.wait(`document.querySelector('#record [aria-current]')?.textContent === 'c1-c2'`)
	p.do(chromedp.Reload())
	p.wait(`document.querySelector('#record .variation')?.textContent.includes('c1-c2') === true`)
	p.push("#record button")
	p.shows("B..../...../.W.../...../..W.. b")
}

// Turns that led here are clicked on like those of variations.
func TestTheRecordLeadsBack(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.click("b2", "b3", "a5", "a4")
	p.wait(`document.querySelectorAll('#record .path').length === 2`)
	p.push("#record button")
	p.shows("B..../...../.W.../...../..W.. b")
}

func TestARecordIsTakenInJudgedAndGivenOut(t *testing.T) {
	p := open(t, at("konane", "4x4", "start"))
	p.settled()
	p.take(slips)
	p.shows("B..../...../...../.W.../..W.. w")
	p.says("title", "Fanorona 5x5")
	p.says("#record", "An ending.")
	p.says("#record", "Away from it.")
	p.wait(`document.querySelectorAll('#record li:not(.comment)').length === 5`)
	p.wait(parts + `.includes('gave away')`)
	p.wait(`document.querySelector('#record .gave')?.textContent.includes('→') === true`)

	// Arrow keys walk through it: no history is made on the way.
	p.get(`(document.activeElement.blur(), 'left')`)
	states := p.get(`String(history.length)`)
	p.keys(kb.ArrowRight, kb.ArrowRight)
	p.wait(`document.querySelector('#record [aria-current]')?.textContent === 'a5-a4'`)
	p.keys(kb.ArrowLeft)
	p.wait(`document.querySelector('#record [aria-current]')?.textContent === 'b2-a1'`)
	if got := p.get(`String(history.length)`); got != states {
		t.Errorf("%s states of the history, want %s", got, states)
	}

	// What it gives out is what it took in.
	p.wait(`document.querySelector('#record-text').value.includes('(1. b2-b3 2. a5-b5) 2. a5-a4')`)
	p.wait(`document.querySelector('#record-text').value.includes('[White "Rabe"]')`)
	p.do(chromedp.SetValue("#record-text", "[Position \"B..../...../...../.W.../..W.. w\"] 1. b2-a1\n2. zz"))
	p.push("#record-take")
	p.says("#record-trouble", "line 2, column 4: turn 2, zz")
	p.says("#record", "An ending.")
}

// The graph is one control: a screen reader is told each point in words.
func TestTheGraphOfTheGame(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.settled()
	p.take(slips)
	p.wait(`document.querySelectorAll('.graph .point, .graph .slip').length === 4`)
	if got := p.get(`(() => {
		const now = document.querySelector('.graph .now').getBoundingClientRect();
		return [...document.querySelectorAll('.graph .side')].filter(s => {
			const r = s.getBoundingClientRect();
			return r.left < now.right && r.right > now.left && r.top + 1 < now.bottom && r.bottom - 1 > now.top;
		}).map(s => s.textContent).join(' ');
	})()`); got != "" {
		t.Errorf("the mark is drawn over %s", got)
	}
	p.do(chromedp.Focus(".graph"))
	p.keys(kb.End)
	p.wait(`document.querySelector('.graph').getAttribute('aria-valuetext').startsWith('turn 3, White: c1-b1')`)
	// A point that is asked for in vain is not gone past by the next key.
	p.get(`(() => {
		const real = fetch;
		window.fetch = () => Promise.reject(new TypeError('no answer'));
		window.alive = () => { window.fetch = real; };
		return '';
	})()`)
	p.keys(kb.ArrowLeft)
	p.says("#remark", "The server does not answer.")
	p.get(`(alive(), '')`)
	p.keys(kb.ArrowLeft)
	p.wait(`document.querySelector('.graph').getAttribute('aria-valuenow') !== '3'`)
	p.rest()
	if at := p.get(`document.querySelector('.graph').getAttribute('aria-valuenow')`); at != "2" {
		t.Errorf("from turn 3 to the left is %s", at)
	}
	p.keys(kb.ArrowRight)
	p.wait(`document.querySelector('.graph').getAttribute('aria-valuenow') === '3'`)
	p.wait(`document.activeElement.classList.contains('graph')`)
	p.keys(kb.Home, kb.ArrowRight)
	p.wait(`document.querySelector('.graph').getAttribute('aria-valuetext').startsWith('turn 1, White: b2-a1')`)
	p.keys(kb.ArrowDown) // to the variation
	p.wait(`document.querySelector('.graph').getAttribute('aria-valuetext').startsWith('turn 1, White: b2-b3, White wins in')`)
	p.do(chromedp.EmulateViewport(1200, 1150))
	p.picture("record")
	p.rest()
	right := run(p, chromedp.Evaluate[[2]float64](`(() => {
		const r = document.querySelector('.graph').getBoundingClientRect();
		return [r.right - 2, r.top + 9];
	})()`))
	p.clickAt(right)
	p.wait(`document.querySelector('#record [aria-current]')?.textContent === 'a5-b5'`) // the end of the variation
	p.wait(`Math.abs(document.querySelector('.graph').clientWidth - document.querySelector('.graph').clientHeight * 320 / 96) < 5`)
	p.scheme("dark")
	p.do(chromedp.EmulateViewport(360, 1150))
	p.wait(`document.documentElement.scrollWidth <= innerWidth`)
	p.picture("record-dark")
}

func TestALineIsFollowedByAClick(t *testing.T) {
	p := open(t, at("fanorona", "5x5", won))
	p.wait(`document.querySelectorAll('#line button').length > 2`)
	third := p.get(`document.querySelectorAll('#line button')[2].textContent`)
	p.push("#line button:nth-of-type(3)")
	p.wait(`document.querySelectorAll('#record .path').length === 3`)
	p.says("#record [aria-current]", third)
	p.push("#back")
	p.shows(won)
}

// A link carries the record and where one was in it.
func TestALinkCarriesTheRecord(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.settled()
	p.take(slips)
	p.says("#record", "a5-a4")
	p.get(`(document.activeElement.blur(), 'left')`)
	p.keys(kb.ArrowRight)
	p.wait(`document.querySelector('#record [aria-current]')?.textContent === 'b2-a1'`)
	p.get(`(navigator.clipboard.writeText = async text => { document.body.dataset.copied = text; }, document.querySelector('#link').click(), 'asked')`)
	p.wait(`document.body.dataset.copied?.includes('#record=') === true`)
	link := p.get(`document.body.dataset.copied`)
	p.get(`(sessionStorage.clear(), 'cleared')`)
	_, fragment, _ := strings.Cut(link, "#")
	p.visit("#" + fragment)
	p.wait(`document.querySelector('#record [aria-current]')?.textContent === 'b2-a1'`)
	p.wait(`document.querySelectorAll('#record li:not(.comment)').length === 5 && !location.hash`)

	// Behind a link there is nothing to go forward to, whatever was played before.
	p.push("#turns .turn")
	p.wait(`!document.querySelector('#back').disabled`)
	p.visit("?game=fanorona#" + fragment)
	p.wait(`document.querySelector('#record [aria-current]')?.textContent === 'b2-a1'`)
	if !p.holds(`document.querySelector('#forward').disabled`) {
		t.Error("there is a way forward")
	}

	p.visit("?game=fanorona#record=nonsense")
	p.wait(`document.querySelector('#remark')?.textContent.includes('The record in the address was not taken in') === true`)
	p.says("#verdict", "to move")
}
