package lasting

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// ErrHeld says that the lock of another open file is in the way.
var ErrHeld = errors.New("held by another process")

// errNoLock says that a file has the name of a lock and is none.
var errNoLock = errors.New("it holds something, and so is no lock of this program: move it away")

// LockMode is what a lock keeps others from.
type LockMode int

const (
	Shared    LockMode = iota // for readers: no writer beside it
	Exclusive                 // for a writer: nobody beside it
)

// LockSuffix is behind the name of the file that stands for a lock, as long as somebody has it.
const LockSuffix = ".lock"

// Lock keeps a file, which need not be there, for the caller until unlock is
// called or the process ends. Another call of unlock does nothing: somebody else may have the
// file by then. It fails with ErrLocked where somebody else has it, by
// whichever name: links are followed, as they are to write the file. A lock is empty: what
// has its name and holds something is another's, and stays, beside an error.
func Lock(path string) (unlock func(), err error) {
	final, err := Follow(path)
	if err != nil {
		return nil, err
	}
	return lockName(final, path)
}

// LockFolder is Lock of a folder that the program makes and removes. It follows no link:
// what stands in the place of such a folder leads to somebody else's.
func LockFolder(dir string) (unlock func(), err error) { return lockName(dir, dir) }

// lockName makes the lock of a name. Errors tell the one that was asked for.
func lockName(name, asked string) (unlock func(), err error) {
	if info, err := os.Lstat(name + LockSuffix); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		return nil, &fs.PathError{Op: "lock", Path: name + LockSuffix, Err: errNoLock}
	}
	file, err := openLocked(name+LockSuffix, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", asked, err)
	}
	return sync.OnceFunc(func() { _ = removeOpen(file) }), nil
}

// mostOwners is how many owners of a file may come and go before somebody else is said to
// have it.
const mostOwners = 100

// openLocked makes a file, and locks it. It does not wait. What was left there goes: that
// may be open to others than the new one is for, or have another name besides. It fails with
// ErrLocked where somebody has that, and with ErrIrregular where it is no file.
func openLocked(path string, mode fs.FileMode) (*os.File, error) {
	for range mostOwners {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			if err := removeLeft(path); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		ours, err := own(file, path)
		if err != nil {
			return nil, err
		}
		if ours {
			return file, nil
		}
	}
	return nil, ErrLocked
}

// removeLeft removes a file that nobody has.
func removeLeft(path string) error {
	info, err := os.Lstat(path)
	if err == nil {
		err = refuse(path, info)
	}
	var file *os.File
	if err == nil {
		file, err = os.OpenFile(path, os.O_RDWR|noFollow, 0)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	ours, err := own(file, path)
	if ours {
		err = removeOpen(file)
	}
	return err
}

// own locks a file that is open, and tells whether it still has its name, which its last
// owner may have taken from it. It closes one that is not the caller's then. It fails with
// ErrLocked where somebody else has it.
func own(file *os.File, path string) (ours bool, err error) {
	err = TryLock(file, Exclusive)
	if err == nil {
		ours, err = StillAt(file, path, os.Lstat)
	}
	switch {
	case ours:
		return true, nil
	case errors.Is(err, ErrHeld):
		err = ErrLocked
	case err != nil:
		err = &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	file.Close()
	return false, err
}
