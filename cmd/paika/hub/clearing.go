package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/ledger"
	"paika/internal/lasting"
)

// Clear removes the folder of a hub that is stopped if it holds nothing of worth: no question was
// taken up, nothing was found, and no other file lies there. It tells whether the folder is gone.
// Errors are those of files, and lasting.ErrLocked where a hub has it.
func Clear(dir string) (gone bool, err error) { return remove(dir, holdsNothing) }

// Remove removes the folder of a hub that is stopped, with all that a hub without keys has there. Where
// anything else lies in it, all stays. Errors are those of Clear.
func Remove(dir string) error {
	_, err := remove(dir, func(string) (bool, error) { return true, nil })
	return err
}

// remove removes a folder in which an embedded hub alone has anything, if it may go, and tells whether
// it is gone. Others may make a lock there
// when the own one has gone: then all begins anew, and fails where they still have it.
func remove(dir string, may func(dir string) (bool, error)) (gone bool, err error) {
	for range mostCleared {
		if gone, err = removeOnce(dir, may); !errors.Is(err, errInUse) {
			return gone, err
		}
	}
	return gone, err
}

// errInUse says that a folder could not be removed once it was empty.
var errInUse = errors.New("it is in use")

// removeOnce has the lock of the ledger until nothing else is in the folder: a hub that starts
// meanwhile finds it held. The lock itself goes last, as an open file can't be removed everywhere.
func removeOnce(dir string, may func(dir string) (bool, error)) (gone bool, err error) {
	if ours, err := embedded(dir); !ours || err != nil { // before anything is written
		return false, err
	}
	unlock, err := lasting.Lock(filepath.Join(dir, ledgerName))
	if errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	gone, err = may(dir)
	if gone && err == nil {
		err = empty(dir)
	}
	unlock()
	if !gone || err != nil {
		return false, err
	}
	err = lasting.RemoveEmpty(dir)
	if err == nil || errors.Is(err, os.ErrNotExist) { // who waited for the lock was quicker
		return true, nil
	}
	return false, fmt.Errorf("%w: %w", errInUse, err)
}

// embedded tells whether all that is in a folder is what an embedded hub has there, which makes no
// keys.
func embedded(dir string) (bool, error) {
	if keys.In(dir).There() {
		return false, nil
	}
	if err := CheckFolder(dir); err != nil {
		if errors.Is(err, ErrForeign) {
			err = nil
		}
		return false, err
	}
	if _, err := os.Lstat(filepath.Join(dir, foundFolder)); err == nil { // a disk, which stays
		return false, nil
	}
	other, err := foreign(dir)
	return other == "", err
}

// ledgerLock is the name of the lock of the ledger.
const ledgerLock = ledgerName + lasting.LockSuffix

// empty removes all that is in a folder but the lock of its ledger.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == ledgerLock {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// holdsNothing tells whether the folder of an embedded hub holds nothing of worth.
func holdsNothing(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		switch e.Name() {
		case partsFolder, proofsFolder, builtFolder:
			if holds, err := holdsFiles(filepath.Join(dir, e.Name())); holds || err != nil {
				return false, err
			}
		case WorkFolder:
			return false, nil
		}
	}
	worth, err := tells(filepath.Join(dir, ledgerName))
	return !worth, err
}

// errFile ends a walk at a file.
var errFile = errors.New("there is a file")

// holdsFiles tells whether there is any file in a folder, however deep.
func holdsFiles(dir string) (bool, error) {
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			return errFile
		}
		return err
	})
	if errors.Is(err, errFile) {
		return true, nil
	}
	return false, err
}

// tells tells whether a ledger has a line that is of more than a start, or is not whole.
func tells(path string) (worth bool, err error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	torn, err := ledger.Read(file, func(e ledger.Entry) { worth = worth || e.Start == nil })
	return worth || torn > 0, err
}
