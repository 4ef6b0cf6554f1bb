package lasting

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A file is lost that is read while another takes its name, or, before that, the name of its part.
func TestWhatIsReadIsNotWrittenOver(t *testing.T) {
	top := t.TempDir()
	out, part, other := filepath.Join(top, "whole"), filepath.Join(top, "whole"+PartSuffix), filepath.Join(top, "other")
	for _, path := range []string{part, other} {
		write(t, path, "")
	}
	if err := NoInput(out, other, filepath.Join(top, "nothing")); err != nil {
		t.Errorf("nothing is there yet: %v", err)
	}
	wantInput := func(what, path string, inputs ...string) {
		t.Helper()
		if err := NoInput(path, inputs...); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v, want %v", what, err, ErrInput)
		}
	}
	wantInput("the part, of a file that is to come", out, other, part)
	write(t, out, "")
	write(t, part, "") // which was taken for one that a killed process left
	wantInput("the part", out, part)
	wantInput("the file", out, out)
	link := filepath.Join(top, "link")
	if err := os.Symlink(out, link); err != nil {
		t.Skip(err)
	}
	wantInput("the file, by a link", link, out)
	wantInput("its part, by a link", link, part)
	if err := NoInput(link, other); err != nil {
		t.Error(err)
	}
}
