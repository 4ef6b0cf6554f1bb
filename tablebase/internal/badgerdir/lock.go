package badgerdir

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"paika/internal/lasting"
)

// LockFile is an empty file in a folder, which processes lock.
const LockFile = "LOCK"

// lockPart is one of the things that are locked of a folder, one after the other.
type lockPart struct {
	path string

	// open opens it. It gives no file and no error where the user may not make one: the lock is then
	// that of the other parts.
	open func(path string, mode lasting.LockMode) (*os.File, error)

	// spared tells that a reader goes without where it can't be opened or locked.
	spared bool
}

// locks are the files that are open to keep a folder.
type locks []*os.File

// Close gives them back, the last one first.
func (l locks) Close() (err error) {
	for _, file := range slices.Backward(l) {
		err = errors.Join(err, file.Close())
	}
	return err
}

// lockPoll is how often a process that waits for a lock looks again.
const lockPoll = 20 * time.Millisecond

// lockTries is how many folders are opened one after the other, since each has lost its name
// meanwhile. Some file systems give what has a name and what was opened by it different numbers.
const lockTries = 100

// errMoved says that what was locked has lost its name meanwhile.
var errMoved = errors.New("what is opened by its name is never what has the name")

// lockFolder locks dir within about the time given. Closing the files gives the
// locks back, and so does the end of the process.
//
// What is locked is the folder that has the name then: whoever had the lock may have
// put another in the place of the one that was opened.
//
// Badger would lock the same folder. It is told not to, since the lock must
// also cover what is done before Badger opens and after it closes.
func lockFolder(dir string, mode lasting.LockMode, patience time.Duration) (l locks, err error) {
	deadline := time.Now().Add(patience)
	for range lockTries {
		if l, err = lockParts(dir, mode, deadline); !errors.Is(err, errMoved) {
			break
		}
	}
	return l, err
}

// lockParts locks all that is locked of a folder once, or nothing of it.
func lockParts(dir string, mode lasting.LockMode, deadline time.Time) (l locks, err error) {
	for _, part := range partsToLock(dir) {
		f, err := part.lock(mode, deadline)
		switch {
		case err == nil && f != nil:
			l = append(l, f)
		case err != nil && !part.spares(mode, err):
			l.Close()
			return nil, lockError(dir, mode, err)
		}
	}
	return l, nil
}

// lock opens the part and locks it. It fails with errMoved where that has its name no more.
func (p lockPart) lock(mode lasting.LockMode, deadline time.Time) (*os.File, error) {
	f, err := p.open(p.path, mode)
	if f == nil || err != nil {
		return nil, err
	}
	if err = lockBy(f, mode, deadline); err == nil {
		err = wantAt(f, p.path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// wantAt fails with errMoved where what was opened has its name no more.
func wantAt(f *os.File, path string) error {
	there, err := lasting.StillAt(f, path, os.Stat)
	if err == nil && !there {
		err = errMoved
	}
	return err
}

// spares tells whether the part is gone without, where locking it fails so.
func (p lockPart) spares(mode lasting.LockMode, err error) bool {
	return p.spared && mode == lasting.Shared && !errors.Is(err, lasting.ErrHeld) && !errors.Is(err, errMoved)
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

// CheckPlace wants what is locked to be there still by its name. All that is written in a folder
// goes by that: where the folder was moved, and another has its name, that is somebody else's.
// Nothing has to be written after it fails. Errors: ErrMoved, and those of looking.
func (f *Folder) CheckPlace() error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.checkPlace()
}

// checkPlace is CheckPlace for one who holds f.mu. What is no more locked is nowhere.
func (f *Folder) checkPlace() error {
	if len(f.locks) == 0 {
		return nil
	}
	err := wantAt(f.locks[0], f.locks[0].Name())
	if errors.Is(err, errMoved) {
		return fmt.Errorf("%s: %w", f.dir, ErrMoved)
	}
	return ReadError(f.dir, err)
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
