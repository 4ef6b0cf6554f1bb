package lasting

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrHeld says that the lock of another open file is in the way.
var ErrHeld = errors.New("held by another process")

// LockMode is what a lock keeps others from.
type LockMode int

const (
	Shared    LockMode = iota // for readers: no writer beside it
	Exclusive                 // for a writer: nobody beside it
)

// LockSuffix is behind the name of the file that stands for a lock, as long as somebody has it.
const LockSuffix = ".lock"

// Lock keeps a file, which need not be there, for the caller until unlock is
// called or the process ends. It fails with ErrLocked where somebody else has it.
func Lock(path string) (unlock func(), err error) {
	file, err := openLocked(path+LockSuffix, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return func() { removeOpen(file) }, nil
}

// mostOwners is how many owners of a file may come and go before somebody else is said to
// have it.
const mostOwners = 100

// openLocked opens a file, which is made where it is missing, and locks it. It
// does not wait, and fails with ErrIrregular where something else has that name: a link
// leads to a file that is not the program's.
func openLocked(path string, mode fs.FileMode) (*os.File, error) {
	for range mostOwners {
		if info, err := os.Lstat(path); err == nil {
			if err := refuse(path, info); err != nil {
				return nil, err
			}
		}
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, mode)
		if err != nil {
			return nil, err
		}
		if err := TryLock(file, Exclusive); err != nil {
			file.Close()
			if errors.Is(err, ErrHeld) {
				return nil, ErrLocked
			}
			return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
		}
		if stillThere(file, path) {
			return file, nil
		}
		file.Close() // renamed or removed by its last owner before it was locked here
	}
	return nil, ErrLocked
}

// stillThere tells whether the open file has that name.
func stillThere(file *os.File, path string) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, named)
}
