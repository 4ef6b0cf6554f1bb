package lasting

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks a byte far behind the end of the file, so that the file itself can
// still be written, without waiting.
func tryLock(f *os.File) error {
	const flags = windows.LOCKFILE_FAIL_IMMEDIATELY | windows.LOCKFILE_EXCLUSIVE_LOCK
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: math.MaxInt32})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errHeld
	}
	return err
}

// SyncFolder has nothing to do: NTFS keeps names in a journal.
func SyncFolder(string) error { return nil }

// renameOpen closes a file and renames it: an open one can't be.
func renameOpen(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// removeOpen closes a file and removes it.
func removeOpen(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}
