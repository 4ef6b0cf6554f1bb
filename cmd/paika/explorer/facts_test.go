//go:build !browserless

package explorer

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"paika/cmd/paika/catalogue"
)

func TestTheSmallBoardIsPlayed(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.visit("embed" + at("fanorona", "5x5", open2v1))
	p.do(chromedp.EmulateViewport(360, 560))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5`)
	states := p.get(`String(history.length)`)
	p.click("b2", "b3")
	p.wait(`new URLSearchParams(location.search).get('p') === 'B..../...../.W.../...../..W.. b'`)
	p.wait(`location.pathname === '/embed' && document.querySelector('#whole').href.includes('/?game=fanorona')`)
	p.wait(`document.documentElement.scrollWidth <= innerWidth`)
	p.picture("embed")
	p.push("#back")
	p.wait(`new URLSearchParams(location.search).get('p') === '` + open2v1 + `'`)
	if got := p.get(`String(history.length)`); got != states {
		t.Errorf("%s states of the history, want %s: a frame makes none", got, states)
	}
}

// Where the address names no tables, those of the first page are shown, else large ones with
// distances.
func TestFactsAreOfTheServersChoice(t *testing.T) {
	without := ratedTable(t, "konane", "5x4", halfLost)
	without.Tables = counted{without.Tables, []string{"2v2"}}
	p := open(t, at("fanorona", "5x5", open2v1), without)
	p.facts("")
	p.says("#title", "How long wins take: Fanorona 5x5")
	p.wait(`document.querySelector('#tables').selectedOptions[0].textContent === 'Fanorona 5x5'`)
	if !p.holds(`[...document.querySelectorAll('#kinds a')].every(a => !a.href.includes('undefined'))`) {
		t.Errorf("an address is %s", p.get(`document.querySelector('#kinds a').href`))
	}
	p.facts("game=konane")
	p.says("#title", "How long wins take: Konane 4x4")
}

// On a telephone, too, the scale of the bars can be read, and stands beside them.
func TestTheScaleOfBarsIsReadable(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.do(chromedp.EmulateViewport(400, 800))
	p.do(chromedp.Navigate(p.url + "/facts?game=fanorona&board=5x5&kind=distances"))
	p.wait(`document.querySelectorAll('.bars rect').length > 3`)
	p.wait(`document.documentElement.scrollWidth <= innerWidth`)
	if small := p.get(`[...document.querySelectorAll('.bars text')].filter(t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a < 9).map(t => t.textContent).join(' ')`); small != "" {
		t.Errorf("smaller than 9 pixels: %s", small)
	}
	if got := p.get(`[...document.querySelectorAll('.bars .scale')].filter(s => [...document.querySelectorAll('.bars rect')].some(r => r.getBoundingClientRect().left < s.getBoundingClientRect().right)).map(s => s.textContent).join(' ')`); got != "" {
		t.Errorf("below bars: %s", got)
	}
	if got := p.get(`[...document.querySelectorAll('.bars .scale')].filter(s => s.getBoundingClientRect().left < document.querySelector('.bars').getBoundingClientRect().left).map(s => s.textContent).join(' ')`); got != "" {
		t.Errorf("cut off: %s", got)
	}
	p.picture("facts-narrow")
	// A single-digit number of positions ends below the line of ten, ten of them on it.
	p.do(chromedp.Navigate(p.url + "/facts?game=konane&board=4x4&kind=distances"))
	p.wait(`document.querySelectorAll('.bars rect').length > 3`)
	if got := p.get(`(() => {
		const lines = [...document.querySelectorAll('.bars line:not(.zero)')].map(l => 118 - Number(l.getAttribute('y1'))).filter(up => up > 0);
		const all = [...document.querySelectorAll('.bars rect')].map(r => [Number(r.querySelector('title').textContent.replace(/ .*/, '').replaceAll(',', '')), Number(r.getAttribute('height'))]);
		return all.filter(([n, height]) => lines.some((up, i) => (n >= 10 ** (i + 1)) !== (height >= up - 1e-9))).map(([n]) => n).join(' ');
	})()`); got != "" {
		t.Errorf("on the wrong side of a line: %s", got)
	}
}

func TestFactsAboutAllPositions(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	visit := func(address string) {
		p.do(chromedp.Navigate(p.url + "/" + address))
		p.wait(`document.querySelector('#title')?.textContent > ''`)
	}
	visit("facts?game=fanorona&board=5x5&kind=distances")
	p.wait(`document.querySelectorAll('.bars rect').length > 3`)
	p.says("#content", "won")
	p.wait(`document.querySelector('#slice').selectedOptions[0].textContent === '2 stones to move against 2'`) // the largest
	p.picture("facts")
	visit("facts?game=fanorona&board=5x5&kind=zugzwangs&slice=2v2")
	p.wait(`document.querySelectorAll('#content a').length > 0`)
	p.push("#content a")
	p.wait(`document.querySelector('#verdict')?.textContent.includes('to move') === true`)
	visit("facts?game=fanorona&board=5x5&kind=hardest")
	p.push("#content button")
	p.wait(`document.querySelector('#verdict')?.textContent.includes('White wins in ') === true`)

	// What is named and not there is told, and nothing else shown in its place.
	for address, words := range map[string]string{
		"facts?game=fanorona&board=9x9":                         "No tables of Fanorona 9x9 are served here.",
		"facts?game=fanorona&board=5x5&rules=stalemate%3Ddraw":  "No tables of Fanorona 5x5, stalemate=draw are served here.",
		"facts?board=telo&kind=hardest":                         "No tables of Fanorona 3x3 are served here.",
		"facts?game=breakthrough":                               "No tables of Breakthrough are served here.",
		"facts?game=chess":                                      "There is no game \u201cchess\u201d here.",
		"facts?game=fanorona&board=5x5&slice=9v9":               "These tables have no slice \u201c9v9\u201d.",
		"facts?game=fanorona&board=5x5&kind=nonsense&slice=2v2": "There are no facts called \u201cnonsense\u201d.",
	} {
		p.do(chromedp.Navigate(p.url + "/" + address))
		p.wait(`document.querySelector('#trouble')?.textContent > ''`)
		p.rest()
		content := p.text("#content")
		if said := p.text("#trouble"); said != words || content != "" && !strings.HasPrefix(content, "This command makes some.") {
			t.Errorf("%s: %s %s", address, said, content)
		}
	}
	visit("facts?game=konane")
	p.says("#title", "Konane 4x4")

	// An ending with a name is a page of its own, and its hardest win is a record.
	visit("facts?kind=Telo+noho+dimy")
	p.says("#title", "Telo noho dimy")
	p.do(chromedp.EmulateViewport(360, 740))
	p.wait(`document.documentElement.scrollWidth <= innerWidth`)
	p.picture("ending")
	p.push("#content a")
	p.wait(`document.querySelectorAll('#record li:not(.comment)').length === 111`)
	// The record shows the turn that one goes to, and the window stays where it is.
	p.rest()
	p.get(`(scrollTo(0, 0), [...document.querySelectorAll('#record button')].at(-1).click(), '')`)
	p.wait(`document.querySelectorAll('#record .path').length === 111`)
	p.rest()
	p.wait(`scrollY === 0 && document.querySelector('#record').scrollTop > 0`)
	p.get(`(document.querySelector('#record').scrollTop = 0, document.querySelector('#values').click(), '')`)
	p.wait(`document.querySelector('#record').scrollTop === 0`)
	p.wait(`document.documentElement.scrollWidth <= innerWidth`)
}

// A board without tables is not the end of the way: the page names the command that makes some, and leads to
// the board, which can be played without.
func TestFactsOfABoardWithoutTablesLeadOn(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.do(chromedp.EmulateViewport(360, 740), chromedp.Navigate(p.url+"/facts?game=konane&board=8x7"))
	p.says("#content", "This command makes some.")
	if got := p.get(`document.querySelector('#content code').textContent`); got != "paika build konane 8x7" {
		t.Errorf("the command is %q", got)
	}
	p.wait(`document.documentElement.scrollWidth <= innerWidth`)
	p.picture("facts-without-tables")
	p.push("#play")
	p.wait(`document.title.startsWith("Konane 8x7")`)
}

// Where distances are what is missing, the page names the command that builds them.
func TestFactsNameTheCommandForDistances(t *testing.T) {
	table := wdlTable(t)
	h := newServer(t, unhurried(), table).Handler()
	w := get(h, "/api/v1/fanorona/3x3/longest?slice=2v1")
	const want = "paika build fanorona 3x3 --slices 2v1 --metric dtw"
	if got := decode[problem](t, w.Body.Bytes()); w.Code != http.StatusNotFound || got.Code != catalogue.CodeNotFound || got.Build != want || !got.Served {
		t.Errorf("status %d, %+v", w.Code, got)
	}
	p := open(t, at("fanorona", "5x5", open2v1), table)
	for _, kind := range []string{"distances", "hardest"} {
		p.do(chromedp.Navigate(p.url + "/facts?game=fanorona&board=3x3&slice=2v1&kind=" + kind))
		p.wait(`document.querySelector('#content code')?.textContent.startsWith('paika build fanorona 3x3 ') === true`)
		p.says("#content", "--metric dtw")
	}
	p.visit(at("fanorona", "3x3", "start"))
	p.wait(`document.querySelector('#longest').title === 'This table knows no distances'`)
}

// However its rules are spelled, a board is known: in the page's address, and in that of facts.
func TestRulesMayBeSpelledInAnyOrder(t *testing.T) {
	table := tableOf(t, "3x3", map[string]string{"stalemate": "draw", "direction-rule": "never-twice"})
	const canonical = "stalemate=draw,direction-rule=never-twice"
	const spelled = "game=fanorona&board=3x3&rules=direction-rule%3Dnever-twice,stalemate%3Ddraw"
	p := open(t, "?"+spelled, table)
	p.rest()
	if got := p.get(`new URLSearchParams(location.search).get('rules')`); got != canonical {
		t.Fatalf("the address has rules=%s", got)
	}
	p.wait(`!document.querySelector('#slices').hidden`)
	p.wait(`document.querySelector('#board-size').selectedOptions[0].parentElement.label === 'With tables'`)
	p.do(chromedp.Navigate(p.url + "/facts?" + spelled))
	p.wait(`document.querySelector('#title')?.textContent === 'How long wins take: Fanorona 3x3, ` + canonical + `'`)
	p.do(chromedp.Navigate(p.url + "/?game=konane&board=4x4&rules=opening%3Dgap:b1-a1"))
	p.settled()
	p.rest()
	if got := p.get(`new URLSearchParams(location.search).get('rules')`); got != "opening=corner-h" {
		t.Errorf("the address has rules=%s", got)
	}
}

// wdlTable is a table without distances.
func wdlTable(t *testing.T) Table {
	t.Helper()
	return tableOf(t, "telo", nil)
}

// tableOf is a table of few stones of Fanorona, without distances.
func tableOf(t *testing.T, board string, rules map[string]string) Table {
	t.Helper()
	telo, err := catalogue.Games()[0].Open(board, rules)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := telo.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: 3, Workers: 1, Memory: 1 << 30, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	opened, err := telo.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return Table{telo, opened}
}
