package explorer

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// A colour that a style sheet takes from a variable is there: else what it is for is
// drawn in the colour of all the rest, and nobody is told. --tone comes with a class
// of the element.
func TestStylesUseWhatIsDefined(t *testing.T) {
	sheets, err := fs.Glob(static, "static/*.css")
	if err != nil || len(sheets) == 0 {
		t.Fatalf("%d style sheets, error %v", len(sheets), err)
	}
	text := make(map[string]string)
	defined := make(map[string]bool)
	for _, sheet := range sheets {
		content, err := fs.ReadFile(static, sheet)
		if err != nil {
			t.Fatal(err)
		}
		text[sheet] = string(content)
		for _, m := range regexp.MustCompile(`(--[a-z-]+):`).FindAllStringSubmatch(text[sheet], -1) {
			defined[m[1]] = true
		}
	}
	for sheet, content := range text {
		for _, m := range regexp.MustCompile(`var\((--[a-z-]+)`).FindAllStringSubmatch(content, -1) {
			if !defined[m[1]] {
				t.Errorf("%s: %s is not defined", strings.TrimPrefix(sheet, "static/"), m[1])
			}
		}
	}
}
