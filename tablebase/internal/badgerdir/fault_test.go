package badgerdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/dgraph-io/badger/v4"
)

// What the system refuses says nothing of what a file holds.
func TestErrorsOfTheSystemAreNoDamage(t *testing.T) {
	for _, number := range []syscall.Errno{syscall.EIO, syscall.EINVAL, syscall.ENOMEM, syscall.EMFILE, syscall.EACCES} {
		failed := &fs.PathError{Op: "read", Path: "000001.sst", Err: number}
		if err := tablesError("dir", failed); errors.Is(err, ErrDamaged) || !errors.Is(err, number) {
			t.Errorf("a table that can't be read: %v", err)
		}
		if err := badgersError(failed); errors.Is(err, ErrDamaged) || errors.Is(err, ErrFile) || !errors.Is(err, number) {
			t.Errorf("from Badger: %v", err)
		}
	}
	if err := tablesError("dir", &fs.PathError{Op: "open", Path: "000001.sst", Err: syscall.ENOENT}); !errors.Is(err, ErrDamaged) {
		t.Errorf("a table that is gone: %v", err)
	}
	if err := badgersError(errors.New("input/output error")); errors.Is(err, ErrDamaged) || !errors.Is(err, ErrFile) {
		t.Errorf("a text of Badger's: %v", err)
	}
	if err := badgersError(guardFaults(func() error { panic("no sense") })); !errors.Is(err, ErrDamaged) || errors.Is(err, ErrFile) {
		t.Errorf("a panic of Badger's: %v", err)
	}
	if err := badgersError(nil); err != nil {
		t.Error(err)
	}
}

// A MANIFEST that can't be read is not said to be a bad one. A folder can be opened and not read.
func TestAListOfTablesThatCannotBeRead(t *testing.T) {
	dir := filled(t, 4)
	path := filepath.Join(dir, badger.ManifestFilename)
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o777)); err != nil {
		t.Fatal(err)
	}
	f, err := Lock(dir, Reading, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Open(); err == nil || errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}

// Badger opens no database with a list of keys, or with a log that names a key, that is not as it
// has it, and does not say that this is damage.
func TestWhatNamesKeysIsDamage(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(filled(t, 4), badger.KeyRegistryFileName))
	if err != nil {
		t.Fatal(err)
	}
	changed := append([]byte(nil), whole...)
	changed[len(changed)-1] ^= 1
	for _, text := range [][]byte{nil, whole[:7], whole[:20], changed, append(append([]byte(nil), whole...), 1, 2, 3)} {
		dir := killed(t, 4)
		if err := os.WriteFile(filepath.Join(dir, badger.KeyRegistryFileName), text, 0o666); err != nil {
			t.Fatal(err)
		}
		before := contents(t, dir)
		f, err := Lock(dir, Writing, testOptions())
		if err != nil {
			t.Fatal(err)
		}
		var file *FileError
		if err := f.Prepare(wantedKeys(4)); !errors.Is(err, ErrDamaged) || !errors.As(err, &file) || file.Name != badger.KeyRegistryFileName {
			t.Errorf("keys %q: %v", text, err)
		}
		if err := f.Close(); err != nil || len(contents(t, dir)) != len(before) {
			t.Errorf("keys %q: files were changed, %v", text, err)
		}
	}
	dir := filled(t, 4)
	f := openToWrite(t, dir, 4)
	put(t, f, 4, 6)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	logs, err := numberedFiles(dir, valueLogSuffix)
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range logs {
		text, err := os.ReadFile(log.path)
		if err != nil {
			t.Fatal(err)
		}
		text[logKeyBytes-1] = 7
		if err := os.WriteFile(log.path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := Lock(dir, Reading, testOptions())
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.CheckClosed(), f.Open()); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s names a key: %v", log.path, err)
		}
		text[logKeyBytes-1] = 0
		if err := errors.Join(f.Close(), os.WriteFile(log.path, text, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

// A reader has its answers, and writes nothing, where Badger can't sync the folder behind it.
func TestAReaderClosesAMovedFolder(t *testing.T) {
	dir := filled(t, 4)
	f, err := Lock(dir, Reading, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.CheckClosed(), f.Open()); err != nil {
		t.Fatal(err)
	}
	moved(t, dir, func() error { return nil })
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
