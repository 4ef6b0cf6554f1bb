//go:build unix

package badgerdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"paika/internal/lasting"
)

// A reader makes no lock file, and keeps writers out by the lock of the folder.
func TestAReaderMakesNoLockFile(t *testing.T) {
	dir := filled(t, 1)
	path := filepath.Join(dir, LockFile)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l, err := lockFolder(dir, lasting.Shared, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a reader has made it, %v", err)
	}
	if _, err := lockFolder(dir, lasting.Exclusive, 0); !errors.Is(err, ErrLocked) {
		t.Errorf("a writer beside a reader: %v", err)
	}
}

// A lock file that may only be read is locked all the same, and one that may not be made is gone
// without.
func TestLockingWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("all may be written here")
	}
	for _, there := range []bool{true, false} {
		dir := filled(t, 1)
		path := filepath.Join(dir, LockFile)
		if err := os.Chmod(path, 0o444); err != nil {
			t.Fatal(err)
		}
		if !there {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		l, err := lockFolder(dir, lasting.Exclusive, 0)
		if err != nil {
			t.Errorf("the lock file there %v: %v", there, err)
		}
		if err := errors.Join(l.Close(), os.Chmod(dir, 0o777)); err != nil {
			t.Error(err)
		}
	}
}

// No lock file is made where a link in its place leads.
func TestNoLockFileBehindALink(t *testing.T) {
	dir, target := filled(t, 1), filepath.Join(t.TempDir(), "target")
	path := filepath.Join(dir, LockFile)
	if err := errors.Join(os.Remove(path), os.Symlink(target, path)); err != nil {
		t.Fatal(err)
	}
	if l, err := lockFolder(dir, lasting.Exclusive, 0); err == nil {
		l.Close()
		t.Error("it is locked")
	}
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
}

// A folder that is removed has its lock file no more, and whoever waits for that finds none.
func TestARemovedFolderIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	if err := Make(dir); err != nil {
		t.Fatal(err)
	}
	f, err := Lock(dir, Writing, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := os.Open(filepath.Join(dir, LockFile))
	if err != nil {
		t.Fatal(err)
	}
	defer waiting.Close()
	if err := errors.Join(f.Remove(func(string) bool { return false }), f.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there: %v", err)
	}
	if err := lasting.TryLock(waiting, lasting.Exclusive); err != nil {
		t.Error(err)
	}
	if err := wantAt(waiting, filepath.Join(dir, LockFile)); !errors.Is(err, errMoved) {
		t.Errorf("the lock file has its name still; error %v", err)
	}
}
