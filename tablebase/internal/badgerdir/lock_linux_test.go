package badgerdir

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Who waits for a folder gets the one that has the name when the lock is free: a repair puts
// another in its place.
func TestWhoWaitsLocksWhatHasTheName(t *testing.T) {
	above, err := filepath.EvalSymlinks(t.TempDir()) // as the system lists it
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(above, "tables")
	if err := Make(dir); err != nil {
		t.Fatal(err)
	}
	repair, err := Lock(dir, Salvaging, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	type locked struct {
		folder *Folder
		err    error
	}
	reader := make(chan locked, 1)
	go func() {
		f, err := Lock(dir, Reading, testOptions())
		reader <- locked{f, err}
	}()
	for opened(t, dir) < 2 && len(reader) == 0 {
		runtime.Gosched()
	}
	if err := os.Rename(dir, dir+".damaged"); err != nil {
		t.Fatal(err)
	}
	if err := Make(dir); err != nil {
		t.Fatal(err)
	}
	if err := repair.Close(); err != nil {
		t.Fatal(err)
	}
	got := <-reader
	if got.err != nil {
		t.Fatal(got.err)
	}
	defer got.folder.Close()
	if f, err := Lock(dir, Writing, testOptions()); err == nil {
		f.Close()
		t.Error("a writer comes beside the reader: it has the lock of another folder")
	}
}

// opened counts how often the process has a folder open.
func opened(t *testing.T, dir string) (n int) {
	t.Helper()
	all, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(all) == 0 {
		t.Skip("the system does not list open files")
	}
	for _, fd := range all {
		if path, err := os.Readlink(fd); err == nil && path == dir {
			n++
		}
	}
	return n
}

func TestMountsAreNotMoved(t *testing.T) {
	if !isMount("/proc") {
		t.Skip("the kernel does not tell")
	}
	if err := CheckMovable("/proc"); !errors.Is(err, ErrNotMovable) {
		t.Errorf("/proc: error %v, want %v", err, ErrNotMovable)
	}
	if err := CheckMovable(t.TempDir()); err != nil {
		t.Error(err)
	}
}
