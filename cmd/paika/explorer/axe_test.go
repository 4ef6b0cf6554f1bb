//go:build !browserless

package explorer

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// axeVariable names the file axe.min.js of axe-core, which finds what people with
// disabilities would stumble over. Where it is not set, its test is skipped.
const axeVariable = "PAIKA_AXE"

// axeRules are the kinds of rules that are kept: those of WCAG 2.2 to level AA, good
// practice, and what axe-core counts as experimental, such as that a button is called
// what stands on it.
const axeRules = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental']"

// axe is the program, or the test is skipped.
func axe(t *testing.T) string {
	t.Helper()
	path := os.Getenv(axeVariable)
	if path == "" {
		t.Skip("$" + axeVariable + " names no axe.min.js")
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(program)
}

// pageStates are what the pages can show, each by an address and what is done there.
var pageStates = []pageState{
	{"start", "", nil},
	{"values", at("fanorona", "5x5", won), func(p *page) { p.wait(`!document.querySelector('#best').hidden`) }},
	{"turn begun", at("fanorona", "5x5", won), func(p *page) { p.click("b2") }},
	{"turn played", at("fanorona", "5x5", won), func(p *page) {
		p.click("b2", "b3")
		p.says("#record", "b2-b3")
	}},
	{"choice of the way", at("fanorona", "5x5", chain), func(p *page) {
		p.click("b3", "c3")
		p.says("#choice", "By approach")
	}},
	{"chain", at("fanorona", "5x5", chain), func(p *page) {
		p.click("b3", "c3")
		p.keys("w")
		p.says("#choice", "Stop here")
	}},
	{"turn of the list", at("fanorona", "5x5", chain), func(p *page) {
		p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('#turns .turn').focus()`))
		p.wait(`document.querySelector('.arrow.preview') !== null`)
	}},
	{"values hidden", at("fanorona", "5x5", chain), func(p *page) { p.push("#values") }},
	{"set up", at("fanorona", "5x5", chain), func(p *page) {
		p.push("#setup")
		p.wait(`!document.querySelector('#palette').hidden`)
	}},
	{"rules and keys", at("fanorona", "5x5", "start"), func(p *page) {
		p.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll('details').forEach(d => { d.open = true; })`))
	}},
	{"no tables", at("konane", "6x6", "start"), func(p *page) { p.wait(`!document.querySelector('#uncovered').hidden`) }},
	{"crowded", at("fanorona", "9x5", "start"), func(p *page) { p.wait(`document.querySelector('.chip') !== null`) }},
	{"large", at("phutball", "9x11", "start"), func(p *page) { p.wait(`document.querySelectorAll('#turns .turn').length > 90`) }},
	{"too many turns", at("phutball", "15x19", dense()), func(p *page) { p.says("#verdict", "turns") }},
	{"over", at("phutball", "3x5", ".@./.../.../.../... eks"), func(p *page) { p.says("#verdict", "over") }},
	{"error", at("fanorona", "99x5", "start"), func(p *page) { p.says("main", "want 3 to 9 files") }},
	{"message", at("fanorona", "5x5", won), func(p *page) {
		p.click("e5")
		p.says("main", "No turn begins at e5")
		p.keys(kb.Tab)
	}},
	{"record", at("fanorona", "5x5", open2v1), func(p *page) {
		p.take(slips)
		p.wait(`document.querySelectorAll('.graph .point, .graph .slip').length === 4`)
	}},
	{"record with trouble", at("fanorona", "5x5", open2v1), func(p *page) {
		p.take("1. zz")
		p.says("#record-trouble", "zz")
	}},
	{"small board", at("fanorona", "5x5", won), func(p *page) { p.visit("embed" + at("fanorona", "5x5", won)) }},
	{"manual", "", func(p *page) {
		p.do(chromedp.Navigate(p.url + "/doc/tables"))
		p.wait(`document.querySelector('h1')?.textContent === 'Tables'`)
	}},
	{"distances", "", func(p *page) {
		p.facts("kind=distances&game=fanorona&board=5x5")
		p.wait(`document.querySelectorAll('.bars rect').length > 3`)
	}},
	{"hardest wins", "", func(p *page) {
		p.facts("kind=hardest&game=fanorona&board=5x5")
		p.wait(`document.querySelector('#content table') !== null`)
	}},
	{"zugzwangs", "", func(p *page) {
		p.facts("kind=zugzwangs&game=fanorona&board=5x5&slice=2v2")
		p.wait(`document.querySelector('#content table') !== null`)
	}},
	{"named ending", "", func(p *page) {
		p.facts("kind=Telo+noho+dimy")
		p.says("#content", "Play the hardest win")
	}},
}

// pageState is something that a page can show.
type pageState struct {
	name, query string
	show        func(p *page)
}

// facts shows a page of facts.
func (p *page) facts(query string) {
	p.t.Helper()
	p.do(chromedp.Navigate(p.url + "/facts?" + query))
	p.wait(`document.querySelector('#title')?.textContent > ''`)
}

// otherServers are states of the page on servers that serve something else.
var otherServers = []struct {
	pageState
	serve func(t *testing.T) string
}{
	{pageState{"welcome without tables", "", func(p *page) { p.says("#greeting", "Welcome.") }}, func(t *testing.T) string { return bare(t, nil) }},
	{pageState{"extract of a proof", "", func(p *page) {
		p.says("#proof", "This is an extract")
		p.push("#proof summary")
	}}, extractServer},
	{pageState{"proof", at("fanorona", "5x5", "start"), func(p *page) { p.says("#turns", "keeps the draw") }},
		func(t *testing.T) string { return proofServer(t, proven(t)).URL }},
	{pageState{"try again", at("fanorona", "5x5", open2v1), func(p *page) {
		p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
		p.get(`(window.fetch = () => Promise.reject(new TypeError()), 'cut off')`)
		p.click("b2", "b3")
		p.wait(`document.querySelector('#remark .again') !== null`)
	}}, func(t *testing.T) string { return serve(t, unhurried()) }},
}

// Nobody is kept out, whatever the page shows: axe-core finds nothing to complain of,
// by day, in the colours of the night, and on a phone.
func TestNobodyIsKeptOut(t *testing.T) {
	program := axe(t)
	shared := tab(t, serve(t, unhurried(), ratedTable(t, "fanorona", "9x5", far)))
	for _, state := range pageStates {
		t.Run(state.name, func(t *testing.T) {
			p := shared.during(t)
			p.do(chromedp.EmulateViewport(1200, 860))
			p.visit(state.query)
			state.examine(p, program)
			p.get(`(localStorage.clear(), sessionStorage.clear(), 'as before')`)
		})
	}
	for _, state := range otherServers {
		t.Run(state.name, func(t *testing.T) { state.examine(openAt(t, state.serve(t), state.query), program) })
	}
}

// examine has a page show the state, and reports what axe-core complains of.
func (state pageState) examine(p *page, program string) {
	p.t.Helper()
	if state.show != nil {
		state.show(p)
	}
	p.do(chromedp.Evaluate[chromedp.Void](program))
	complaints := func(what, options string) {
		p.t.Helper()
		found := run(p, chromedp.Evaluate[[]string](`axe.run({preload: false, resultTypes: ['violations'], `+options+`}).then(({violations}) =>
			violations.flatMap(v => v.nodes.map(n => v.id + ' at ' + n.target + ': ' + n.failureSummary)))`, chromedp.EvalAwaitPromise))
		for _, complaint := range found {
			p.t.Errorf("%s: %s", what, complaint)
		}
	}
	complaints("by day", "runOnly: "+axeRules)
	p.picture("state-" + state.name)
	p.scheme("dark")
	complaints("by night", "runOnly: ['color-contrast']") // nothing else changes
	p.picture("state-" + state.name + "-dark")
	p.scheme("light")
	p.do(chromedp.EmulateViewport(360, 740))
	complaints("on a phone", "rules: {'color-contrast': {enabled: false}}, runOnly: "+axeRules)
	p.wait(`document.documentElement.scrollWidth <= innerWidth`)
	p.picture("state-" + state.name + "-phone")
}
