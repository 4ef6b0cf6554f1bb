//go:build !browserless

package explorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Where browserVariable is set, a missing browser fails the tests instead of
// skipping them. Where pictureVariable names a folder, tests leave pictures of
// the page there.
const (
	browserVariable = "PAIKA_BROWSER_TESTS"
	pictureVariable = "PAIKA_PICTURES"
)

// browserTime bounds a browser test, which takes about a second on a quiet machine.
const browserTime = 5 * time.Minute

// windowless is where Debian has Chromium's shell without windows, which shows pages in
// the same way for less than half of the processor time. The script of that name would
// be ended in its place, and leave it running.
const windowless = "/usr/lib/chromium/chromium-headless-shell"

// browser finds Chromium, or skips the test.
func browser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests are left out with -short")
	}
	for _, name := range []string{windowless, "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv(browserVariable) != "" {
		t.Fatalf("no Chromium is installed, and $%s is set", browserVariable)
	}
	t.Skip("no Chromium is installed: the page is not tested in a browser")
	return ""
}

// chromium is a running browser, whose tabs the tests use one after the other.
var chromium context.Context

// startBrowser starts Chromium where it does not run yet. It ends with the tests.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	path := browser(t)
	if chromium != nil {
		return chromium
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(filepath.Join(scratch, "browser")), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1200, 900),
		chromedp.Flag("renderer-process-limit", "1"), // which has the page's scripts compiled
	)
	allocated, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stopBrowser := chromedp.NewContext(allocated)
	stopChromium = func() { stopBrowser(); stopAllocator() }
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	chromium = ctx
	return ctx
}

// page is a tab that shows the explorer.
type page struct {
	t   *testing.T
	ctx context.Context
	url string
}

// open shows the explorer at an address in a tab of its own, with the small tables
// and those given.
func open(t *testing.T, query string, more ...Table) *page {
	t.Helper()
	return openAt(t, serve(t, unhurried(), more...), query)
}

// openAt shows what a query names in a new tab for the explorer of a server.
func openAt(t *testing.T, url, query string) *page {
	t.Helper()
	p := tab(t, url)
	p.visit(query)
	return p
}

// tab is a new tab for the explorer that is served at an address.
func tab(t *testing.T, url string) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(startBrowser(t))
	t.Cleanup(cancel)
	p := &page{t: t, ctx: ctx, url: url}
	if err := chromedp.Listen(ctx, p.complain); err != nil {
		t.Fatal(err)
	}
	p = p.during(t)
	call(p, log.Enable, cdp.Empty{})
	call(p, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: counting})
	p.do(chromedp.EmulateViewport(1200, 860))
	return p
}

// during is the tab as a test, or a part of one, uses it. What the page itself
// complains of is told by the test that opened the tab.
func (p *page) during(t *testing.T) *page {
	ctx, cancel := context.WithTimeout(p.ctx, browserTime)
	t.Cleanup(cancel)
	return &page{t: t, ctx: ctx, url: p.url}
}

// visit goes to an address of the explorer.
func (p *page) visit(query string) {
	p.t.Helper()
	p.do(chromedp.Navigate(p.url + "/" + query))
	p.settled()
}

// complain fails the test for errors that the page throws and for anything that
// its policy forbids. Answers that are problems are logged by the browser too,
// and are none.
func (p *page) complain(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		what := e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			what += " " + thrown.Description
		}
		p.t.Errorf("the page threw %s", what)
	case *log.EventEntryAdded:
		if e.Entry.Source != log.EntrySourceNetwork {
			p.t.Errorf("the page logged %s: %s", e.Entry.Source, e.Entry.Text)
		}
	}
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// run gives what an action finds, call what a command of the browser answers.
func run[T any](p *page, action chromedp.Action[T]) T {
	p.t.Helper()
	result, err := chromedp.Run(p.ctx, action)
	if err != nil {
		p.t.Fatal(err)
	}
	return result
}

func call[P, R any](p *page, command cdp.Command[P, R], parameters P) R {
	p.t.Helper()
	result, err := chromedp.Call(p.ctx, command, parameters)
	if err != nil {
		p.t.Fatal(err)
	}
	return result
}

// wait waits until an expression is true. The browser's own polling is built on
// what the page's policy forbids.
func (p *page) wait(expression string) {
	p.t.Helper()
	for end := time.Now().Add(long); !p.holds(expression); time.Sleep(15 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("still not: %s; the verdict is %q at %s", expression, p.text("#verdict"), p.get("location.href"))
		}
	}
}

// leaving is what the browser says of an expression that it was at when the page went
// to another address.
const leaving = "Inspected target navigated or closed"

// holds tells whether an expression is true now. On a page that is being left none is.
func (p *page) holds(expression string) bool {
	p.t.Helper()
	held, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](expression))
	var told *cdproto.Error
	if errors.As(err, &told) && told.Message == leaving {
		return false
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return held
}

// counting has a page count the answers that it waits for, and has not drawn yet. The
// answer of a search, which comes in pieces, is none of them.
const counting = `(() => {
	const real = fetch, later = setTimeout, drawn = () => later(() => { window.asking--; }); // behind all that the page does now
	window.asking = 0;
	window.uncounted = real;
	window.fetch = async (path, options) => {
		if (String(path).includes('/search')) return real(path, options);
		window.asking++;
		try {
			const answer = await real(path, options), read = answer.json.bind(answer);
			answer.json = () => read().finally(drawn);
			return answer;
		} catch (error) {
			drawn();
			throw error;
		}
	};
})()`

// rest waits until the page has drawn all that it asked for, however long the answers
// take: who clicks earlier may miss what moves, or is drawn anew, while the button is down.
func (p *page) rest() {
	p.t.Helper()
	p.wait(`window.asking === 0`)
}

// settled waits for the first answer.
func (p *page) settled() { p.wait(`document.querySelector('#verdict')?.textContent > ''`) }

// get evaluates an expression that gives a string.
func (p *page) get(expression string) string {
	p.t.Helper()
	return run(p, chromedp.Evaluate[string](expression))
}

func (p *page) text(selector string) string {
	p.t.Helper()
	return p.get(fmt.Sprintf("document.querySelector(%q).textContent", selector))
}

// says waits until an element's text has words in it.
func (p *page) says(selector, words string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("document.querySelector(%q).textContent.includes(%q)", selector, words))
}

// shows waits until the position is shown.
func (p *page) shows(position string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("document.querySelector('#position').value === %q", position))
}

func spot(place string) string { return fmt.Sprintf("[data-place=%q]", place) }

// where is the middle of each element on the screen, with the first brought into view: to
// bring in another would move it again.
func (p *page) where(selectors ...string) (middles [][2]float64) {
	p.t.Helper()
	list, err := json.Marshal(selectors)
	if err != nil {
		p.t.Fatal(err)
	}
	p.wait(fmt.Sprintf(`window.asking === 0 && %s.every(e => document.querySelector(e)?.checkVisibility({visibilityProperty: true}))`, list))
	return run(p, chromedp.Evaluate[[][2]float64](fmt.Sprintf(`(() => {
		const all = %s.map(e => document.querySelector(e));
		all[0].scrollIntoView({block: 'center'});
		return all.map(e => {
			const r = (e.querySelector('.reach') ?? e).getBoundingClientRect();
			return [r.x + r.width / 2, r.y + r.height / 2];
		});
	})()`, list)))
}

// clickAt goes to a point with the mouse, and clicks there. Where it came from may be drawn
// anew when it leaves.
func (p *page) clickAt(at [2]float64, options ...chromedp.MouseOption) {
	p.t.Helper()
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]), chromedp.MouseClickXY(at[0], at[1], options...))
}

// press goes to a point with the mouse and holds its button down there, letGo lets it go.
func (p *page) press(at [2]float64) {
	p.t.Helper()
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]), chromedp.MouseEvent(chromedp.MousePressed, at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

func (p *page) letGo(at [2]float64) {
	p.t.Helper()
	p.do(chromedp.MouseEvent(chromedp.MouseReleased, at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

// click clicks on places with the mouse, one after the other.
func (p *page) click(places ...string) {
	p.t.Helper()
	for _, place := range places {
		p.push(spot(place))
	}
}

// drag moves the mouse from a place to another with its button down.
func (p *page) drag(from, to string) {
	p.t.Helper()
	middles := p.where(spot(from), spot(to))
	x1, y1, x2, y2 := middles[0][0], middles[0][1], middles[1][0], middles[1][1]
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, x1, y1), chromedp.MouseEvent(chromedp.MousePressed, x1, y1, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, (x1+x2)/2, (y1+y2)/2, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, x2, y2, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, x2, y2, chromedp.ButtonLeft))
}

// push clicks on an element.
func (p *page) push(selector string) {
	p.t.Helper()
	p.clickAt(p.where(selector)[0])
}

// picture leaves a picture of what the window shows, where it is wanted.
func (p *page) picture(name string) {
	p.t.Helper()
	folder := os.Getenv(pictureVariable)
	if folder == "" {
		return
	}
	p.do(chromedp.Evaluate[chromedp.Void](`scrollTo(0, 0)`))
	time.Sleep(100 * time.Millisecond) // for the fonts
	png := run(p, chromedp.CaptureScreenshot())
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// scheme has the page believe that the system is light or dark.
func (p *page) scheme(name string) {
	p.t.Helper()
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

func at(game, board, position string) string {
	return "?" + url.Values{"game": {game}, "board": {board}, "p": {position}}.Encode()
}

// keys presses keys, one after the other.
func (p *page) keys(keys ...string) {
	p.t.Helper()
	p.rest()
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}
