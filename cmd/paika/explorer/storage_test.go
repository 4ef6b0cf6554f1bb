//go:build !browserless

package explorer

import (
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// A page and a frame show the board where the browser denies storage, or has there what cannot be
// read: it holds what another version of the page put there, too.
func TestAPageNeedsNoStorage(t *testing.T) {
	for what, script := range map[string]string{
		"denied":   `Object.defineProperty(window, 'sessionStorage', {get() { throw new DOMException('denied', 'SecurityError'); }});`,
		"unparsed": `for (const name of ['found', 'records', 'top']) sessionStorage.setItem(name, '{');`,
		"another":  `for (const name of ['found', 'records', 'top']) sessionStorage.setItem(name, '[1]');`,
	} {
		t.Run(what, func(t *testing.T) {
			p := tab(t, serve(t, unhurried()))
			call(p, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
			p.visit(at("fanorona", "5x5", open2v1))
			p.take(slips)
			p.says("#record", "a5-a4")
			p.do(chromedp.Navigate(p.url + "/embed" + at("fanorona", "5x5", open2v1)))
			p.wait(`document.querySelector('#whole')?.href.includes('game=fanorona') === true`)
		})
	}
}
