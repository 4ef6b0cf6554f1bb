package explorer

import (
	"mime"
	"testing"
)

// Files of the page have their types whatever the system says of an ending: Windows is told by any
// program that was installed.
func TestTypesAreNotThoseOfTheSystem(t *testing.T) {
	for _, ending := range []string{".css", ".html"} {
		was := mime.TypeByExtension(ending)
		if err := mime.AddExtensionType(ending, "text/plain"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { mime.AddExtensionType(ending, was) })
	}
	all, err := newFiles()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"index.html": "text/html; charset=utf-8", "board.css": "text/css; charset=utf-8"} {
		if got, there := all[name]; there && got.contentType != want {
			t.Errorf("%s is %s, want %s", name, got.contentType, want)
		} else if !there {
			t.Errorf("there is no %s", name)
		}
	}
}
