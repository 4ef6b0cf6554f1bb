//go:build unix

package lasting

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// noFollow has a link not opened.
const noFollow = unix.O_NOFOLLOW

// TryLock locks an open file or, where the system can, a folder. It does not wait,
// but fails with ErrHeld. Closing the file gives the lock back, and so does the end
// of the process.
func TryLock(f *os.File, mode LockMode) error {
	how := unix.LOCK_SH
	if mode == Exclusive {
		how = unix.LOCK_EX
	}
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrHeld
		}
		return err
	}
}

// ownedByUser tells whether a file is this user's.
func ownedByUser(info fs.FileInfo) bool {
	stat, known := info.Sys().(*syscall.Stat_t)
	return known && int(stat.Uid) == os.Geteuid()
}

// Writable tells whether the user may create files in a folder.
func Writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }

// SyncFolder brings the names in a folder to disk. A folder that is gone is no
// error.
func SyncFolder(dir string) error { return SyncFile(dir) }

// SyncFile brings a file to disk. One that is gone is no error.
func SyncFile(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// renameOpen renames a file that is locked, and closes it. It is locked until it
// has the new name, so that nobody takes it for a part that was left.
func renameOpen(f *os.File, name string) error {
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	return f.Close()
}

// removeOpen removes a file while it is locked, so that it is ours, and closes it.
func removeOpen(f *os.File) error { return errors.Join(os.Remove(f.Name()), f.Close()) }

// DiskFull tells whether an error of a write is that there is no room for it.
func DiskFull(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// FileTooLarge tells whether an error is that of a file that would be larger than is allowed.
func FileTooLarge(err error) bool { return errors.Is(err, unix.EFBIG) }

// TooManyFiles tells whether an error is that of an open which is one too many.
func TooManyFiles(err error) bool { return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) }
