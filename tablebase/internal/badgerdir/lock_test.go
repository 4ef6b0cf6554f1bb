package badgerdir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"paika/internal/lasting"
)

// elsewhere locks the file LOCK of a folder alone: that is all that is seen here of a process on
// another machine, which has the folder by NFS.
func elsewhere(t *testing.T, dir string, mode lasting.LockMode) *os.File {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, LockFile), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := lasting.TryLock(f, mode); err != nil {
		t.Fatal(err)
	}
	return f
}

// A network file system keeps the locks of folders to each machine, and tells all of those of files.
func TestOneWriterOrManyReadersOnTwoMachines(t *testing.T) {
	for _, c := range []struct {
		there, here lasting.LockMode
		want        error
	}{
		{lasting.Exclusive, lasting.Exclusive, ErrLocked},
		{lasting.Exclusive, lasting.Shared, ErrLocked},
		{lasting.Shared, lasting.Exclusive, ErrLocked},
		{lasting.Shared, lasting.Shared, nil},
	} {
		dir := filled(t, 1)
		there := elsewhere(t, dir, c.there)
		l, err := lockFolder(dir, c.here, 0)
		if !errors.Is(err, c.want) {
			t.Errorf("a lock of mode %d there, and one of mode %d here: error %v, want %v", c.there, c.here, err, c.want)
		}
		if err := errors.Join(l.Close(), there.Close()); err != nil {
			t.Error(err)
		}
		if l, err = lockFolder(dir, lasting.Exclusive, 0); err != nil { // nothing is left of either
			t.Error(err)
		}
		l.Close()
	}
}

// What is here keeps out who is elsewhere.
func TestAWriterLocksTheFileAsWell(t *testing.T) {
	dir := filled(t, 1)
	f, err := Lock(dir, Writing, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	there, err := os.Open(filepath.Join(dir, LockFile))
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	if err := lasting.TryLock(there, lasting.Shared); !errors.Is(err, lasting.ErrHeld) {
		t.Errorf("error %v, want %v", err, lasting.ErrHeld)
	}
}
