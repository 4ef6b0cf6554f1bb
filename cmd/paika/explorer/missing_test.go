package explorer

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// What a browser sends for a page that somebody goes to.
const browserAccepts = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// Who reads gets a page that leads on, a program the object that it always gets.
func TestWhatIsNotThereIsToldInAPage(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for path, top := range map[string]string{
		"/nosuch": "./", "/doc/nosuch": "./../", "/doc/index": "./../", "/doc/tables/x": "./../../", "/assets/nosuch.js": "./../",
		"/doc/": "./../", "/facts/": "./../", "//": "./../", "/doc/<b>": "./../", "/doc/a%2fb": "./../",
	} {
		w := get(h, path, "Accept", browserAccepts)
		body := w.Body.String()
		if w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: status %d, type %s, want 404 and HTML", path, w.Code, w.Header().Get("Content-Type"))
			continue
		}
		if want := `href="` + top + `doc"`; !strings.Contains(body, want) {
			t.Errorf("%s: no link %s:\n%s", path, want, body)
		}
		if strings.Contains(body, "<b>") {
			t.Errorf("%s: what the address has is markup:\n%s", path, body)
		}
		if got := w.Header().Get("Cache-Control"); got != notStored {
			t.Errorf("%s: Cache-Control %s: it may come to be there", path, got)
		}
		if got := w.Header().Get("Content-Security-Policy"); got != policy+noFrame {
			t.Errorf("%s: policy %s", path, got)
		}
	}
	if body := get(h, "/"+strings.Repeat("x", 5000), "Accept", browserAccepts).Body; body.Len() > 2000 {
		t.Errorf("a long path is told whole: %d bytes", body.Len())
	}
	for _, c := range []struct{ method, path, accept string }{
		{http.MethodGet, "/doc/nosuch", ""}, {http.MethodGet, "/doc/nosuch", "*/*"}, {http.MethodGet, "/doc/nosuch", "application/json"},
		{http.MethodGet, "/api/v1/nosuch", browserAccepts}, {http.MethodPost, "/nosuch", browserAccepts},
	} {
		w := send(h, c.method, c.path, "", "Accept", c.accept)
		var p problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%v: status %d, type %s, %v: want 404 and a problem", c, w.Code, w.Header().Get("Content-Type"), err)
		}
		if !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Accept") {
			t.Errorf("%v: Vary is %v", c, w.Header().Values("Vary"))
		}
	}
}
