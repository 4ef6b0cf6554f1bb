package lasting

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestWhatWasOpenedIsStillAtItsName(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	write(t, path, "")
	write(t, filepath.Join(dir, "other"), "")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	want := func(what, name string, look func(string) (fs.FileInfo, error), want bool) {
		t.Helper()
		if got, err := StillAt(file, name, look); got != want || err != nil {
			t.Errorf("%s: %t, %v, want %t", what, got, err, want)
		}
	}
	want("as it was opened", path, os.Lstat, true)
	want("another file", filepath.Join(dir, "other"), os.Lstat, false)
	want("nothing", filepath.Join(dir, "none"), os.Lstat, false)
	if err := os.Symlink(path, link); err == nil {
		want("a link to it", link, os.Stat, true)
		want("the link itself", link, os.Lstat, false)
	}
	refused := errors.New("refused")
	if there, err := StillAt(file, path, func(string) (fs.FileInfo, error) { return nil, refused }); there || !errors.Is(err, refused) {
		t.Errorf("a name that can't be looked at: %t, %v", there, err)
	}
	file.Close()
	if there, err := StillAt(file, path, os.Lstat); there || err == nil {
		t.Errorf("a file that is closed: %t, %v", there, err)
	}
}
