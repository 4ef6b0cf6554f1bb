package lasting

import (
	"errors"
	"io/fs"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// noFollow is nothing here: who opens a link compares its name once more.
const noFollow = 0

// TryLock locks an open file. It does not wait, but fails with ErrHeld. Closing the
// file gives the lock back, and so does the end of the process. What is locked is a
// byte far behind the end, so that the file itself can still be written.
func TryLock(f *os.File, mode LockMode) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if mode == Exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: math.MaxInt32})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrHeld
	}
	return err
}

// ownedByUser is true: each user has a folder for temporary files.
func ownedByUser(fs.FileInfo) bool { return true }

// Writable tells whether the user may create files in a folder. Only a try can say that
// here.
func Writable(dir string) bool {
	f, err := os.CreateTemp(dir, "*.tmp")
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}

// SyncFolder has nothing to do: NTFS keeps names in a journal.
func SyncFolder(string) error { return nil }

// SyncFile brings a file to disk. One that is gone is no error.
func SyncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// renameOpen closes a file and renames it: an open one can't be.
func renameOpen(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// removeOpen closes a file and removes it.
func removeOpen(f *os.File) error { return errors.Join(f.Close(), os.Remove(f.Name())) }

// DiskFull tells whether an error of a write is that there is no room for it.
func DiskFull(err error) bool {
	for _, full := range []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED} {
		if errors.Is(err, full) {
			return true
		}
	}
	return false
}

// FileTooLarge tells whether an error is that of a file that would be larger than is allowed.
func FileTooLarge(err error) bool { return errors.Is(err, windows.ERROR_FILE_TOO_LARGE) }

// TooManyFiles tells whether an error is that of an open which is one too many.
func TooManyFiles(err error) bool { return errors.Is(err, windows.ERROR_TOO_MANY_OPEN_FILES) }
