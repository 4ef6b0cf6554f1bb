package badgerdir

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"paika/internal/lasting"
)

// Who waits for a folder gets the one that has the name when the lock is free: a repair puts
// another in its place, here or on another machine.
func TestWhoWaitsLocksWhatHasTheName(t *testing.T) {
	for name, c := range map[string]struct {
		waitFor string // what the reader opens and can't lock
		repair  func(dir string) io.Closer
	}{
		"here": {".", func(dir string) io.Closer {
			repair, err := Lock(dir, Salvaging, testOptions())
			if err != nil {
				t.Fatal(err)
			}
			return repair
		}},
		"elsewhere": {LockFile, func(dir string) io.Closer { return elsewhere(t, dir, lasting.Exclusive) }},
	} {
		t.Run(name, func(t *testing.T) {
			above, err := filepath.EvalSymlinks(t.TempDir()) // as the system lists it
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(above, "tables")
			if err := Make(dir); err != nil {
				t.Fatal(err)
			}
			repair := c.repair(dir)
			type locked struct {
				folder *Folder
				err    error
			}
			reader := make(chan locked, 1)
			go func() {
				f, err := Lock(dir, Reading, testOptions())
				reader <- locked{f, err}
			}()
			for opened(t, filepath.Join(dir, c.waitFor)) < 2 && len(reader) == 0 {
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
		})
	}
}

// opened counts how often the process has what has that name open.
func opened(t *testing.T, name string) (n int) {
	t.Helper()
	all, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(all) == 0 {
		t.Skip("the system does not list open files")
	}
	for _, fd := range all {
		if path, err := os.Readlink(fd); err == nil && path == name {
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
