package tablebase

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockPoll is how often a process that waits for a lock looks again.
const lockPoll = 20 * time.Millisecond

// lockFolder takes flock(2) on dir, shared or exclusive, within about the time
// given. Closing the file gives the lock back.
//
// Badger would lock the same folder. It is told not to, since the lock must
// also cover what is done before Badger opens and after it closes.
func lockFolder(dir string, how int, patience time.Duration) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(lockPoll) {
		err := flock(f, how|unix.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) || time.Now().After(deadline) {
			f.Close()
			return nil, lockError(dir, how, err)
		}
	}
}

func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// lockError names the only process that can be in the way: readers exclude a
// writer, a writer excludes everyone.
func lockError(dir string, how int, err error) error {
	if !errors.Is(err, unix.EWOULDBLOCK) {
		return fmt.Errorf("%s: cannot lock the folder: %w", dir, err)
	}
	if how == unix.LOCK_SH {
		return fmt.Errorf("another paika process is writing to %s (%w)", dir, ErrLocked)
	}
	return fmt.Errorf("another paika process is writing to %s or reading from it (%w)", dir, ErrLocked)
}
