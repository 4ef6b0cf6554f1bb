package badgerdir

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// moved gives a folder another name, and makes one that has its name: with a database of somebody
// else's, or with nothing, or none.
func moved(t testing.TB, dir string, replace func() error) (to string) {
	t.Helper()
	if !MovesOpen {
		t.Skip("no folder is renamed whose files are open")
	}
	to = dir + "-moved"
	if err := os.Rename(dir, to); err != nil {
		t.Fatal(err)
	}
	if err := replace(); err != nil {
		t.Fatal(err)
	}
	return to
}

// What is written goes by names. Where the folder was moved, they are those of somebody else's files.
func TestAMovedFolderIsNotWritten(t *testing.T) {
	for name, replace := range map[string]func(dir string) error{
		"gone":     func(string) error { return nil },
		"replaced": func(dir string) error { return os.Mkdir(dir, 0o777) },
		"another's": func(dir string) error {
			return os.CopyFS(dir, os.DirFS(filled(t, 3)))
		},
	} {
		for what, do := range map[string]func(f *Folder) error{
			"put":   func(f *Folder) error { return f.Put([]Entry{{key(5), value(5)}}) },
			"sync":  (*Folder).Sync,
			"clear": func(f *Folder) error { return f.Clear(func(string) bool { return true }) },
			"close": (*Folder).Close,
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				dir := filled(t, 4)
				f := openToWrite(t, dir, 4)
				put(t, f, 4, 5)
				to := moved(t, dir, func() error { return replace(dir) })
				want := placed(t, dir)
				if err := do(f); !errors.Is(err, ErrMoved) {
					t.Errorf("%s: %v", what, err)
				}
				if err := f.Close(); what != "close" && !errors.Is(err, ErrMoved) {
					t.Errorf("close: %v", err)
				}
				if got := placed(t, dir); !maps.Equal(got, want) {
					t.Errorf("in its place are %d files, were %d, or others", len(got), len(want))
				}
				if _, err := os.Stat(filepath.Join(to, closedFile)); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("the record of a writer that has not closed the folder: %v", err)
				}
			})
		}
	}
}

// placed is what is in a folder that may not be there.
func placed(t *testing.T, dir string) map[string]string {
	t.Helper()
	if _, err := os.Stat(dir); err != nil {
		return nil
	}
	return contents(t, dir)
}

// A folder that is moved before the database is open stays as it was.
func TestAMovedFolderIsNotOpened(t *testing.T) {
	dir := filled(t, 4)
	f, err := Lock(dir, Writing, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	to := moved(t, dir, func() error { return os.CopyFS(dir, os.DirFS(dir+"-moved")) })
	for _, place := range []string{dir, to} {
		want := contents(t, place)
		if err := f.Prepare(wantedKeys(4)); !errors.Is(err, ErrMoved) {
			t.Errorf("prepared: %v", err)
		}
		if err := f.Open(); !errors.Is(err, ErrMoved) {
			t.Errorf("opened: %v", err)
		}
		if got := contents(t, place); !maps.Equal(got, want) {
			t.Errorf("%s: was changed", place)
		}
	}
}
