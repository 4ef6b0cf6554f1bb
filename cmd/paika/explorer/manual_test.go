package explorer

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The manual is served with the policy of the other pages: nothing inline, nothing from
// elsewhere, in no frame.
func TestTheManualIsServed(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for path, kind := range map[string]string{
		"/doc": "text/html", "/doc/tables": "text/html", "/doc/manual.css": "text/css", "/doc/fanorona.png": "image/png",
	} {
		w := get(h, path)
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) {
			t.Errorf("%s: status %d, type %s, want %s", path, w.Code, w.Header().Get("Content-Type"), kind)
		}
		if got := w.Header().Get("Content-Security-Policy"); got != policy+noFrame {
			t.Errorf("%s: policy %s", path, got)
		}
		if again := get(h, path, "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
			t.Errorf("%s: status %d when it is asked for again", path, again.Code)
		}
	}
	for _, path := range []string{"/doc/", "/doc/nothing", "/doc/index", "/doc/tables.md", "/doc/tables/x"} {
		if w := get(h, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, w.Code)
		}
	}
	if !strings.Contains(get(h, "/").Body.String(), `href="doc"`) {
		t.Error("the page has no link to the manual")
	}
}

// The manual has the explorer's colours, by day and by night.
func TestTheManualHasTheSameColours(t *testing.T) {
	of := func(file string) map[string][]string {
		sheet, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		colours := make(map[string][]string)
		for _, m := range regexp.MustCompile(`(--[a-z-]+): (#[0-9a-f]+)`).FindAllStringSubmatch(string(sheet), -1) {
			colours[m[1]] = append(colours[m[1]], m[2])
		}
		return colours
	}
	theirs := of("static/style.css")
	ours := of("../manual/manual.css")
	if len(ours) < 6 {
		t.Fatalf("%d colours in the manual's sheet: the search went wrong", len(ours))
	}
	for name, values := range ours {
		if strings.Join(values, " ") != strings.Join(theirs[name], " ") {
			t.Errorf("%s is %v in the manual and %v in the explorer", name, values, theirs[name])
		}
	}
}
