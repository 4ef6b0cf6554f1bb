package badgerdir

import (
	"errors"
	"fmt"
	"os"
	"time"

	"paika/internal/lasting"
)

// LockFile is what processes lock where a folder itself cannot be locked.
const LockFile = "LOCK"

// lockPoll is how often a process that waits for a lock looks again.
const lockPoll = 20 * time.Millisecond

// lockTries is how many folders are opened one after the other, since each has lost its name
// meanwhile. Some file systems give what has a name and what was opened by it different numbers.
const lockTries = 100

// lockFolder locks dir within about the time given. Closing the file gives the
// lock back, and so does the end of the process.
//
// What is locked is the folder that has the name then: whoever had the lock may have
// put another in the place of the one that was opened.
//
// Badger would lock the same folder. It is told not to, since the lock must
// also cover what is done before Badger opens and after it closes.
func lockFolder(dir string, mode lasting.LockMode, patience time.Duration) (*os.File, error) {
	deadline := time.Now().Add(patience)
	for range lockTries {
		f, err := openToLock(dir)
		if err != nil {
			return nil, err
		}
		if err := lockBy(f, mode, deadline); err != nil {
			f.Close()
			return nil, lockError(dir, mode, err)
		}
		if isAt(f, dir) {
			return f, nil
		}
		f.Close()
	}
	return nil, lockError(dir, mode, errors.New("what is opened by its name is never what has the name"))
}

// lockBy locks an open file, and waits for it up to the deadline.
func lockBy(f *os.File, mode lasting.LockMode, deadline time.Time) error {
	for {
		err := lasting.TryLock(f, mode)
		if !errors.Is(err, lasting.ErrHeld) || time.Now().After(deadline) {
			return err
		}
		time.Sleep(lockPoll)
	}
}

// isAt tells whether what was opened to lock a folder is still there by its name.
func isAt(f *os.File, dir string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(lockPath(dir))
	return err == nil && os.SameFile(opened, named)
}

// lockError names the only process that can be in the way: readers exclude a
// writer, a writer excludes everyone.
func lockError(dir string, mode lasting.LockMode, err error) error {
	if !errors.Is(err, lasting.ErrHeld) {
		return fmt.Errorf("%s: cannot lock the folder: %w", dir, err)
	}
	if mode == lasting.Shared {
		return fmt.Errorf("another paika process is writing to %s (%w)", dir, ErrLocked)
	}
	return fmt.Errorf("another paika process is writing to %s or reading from it (%w)", dir, ErrLocked)
}
