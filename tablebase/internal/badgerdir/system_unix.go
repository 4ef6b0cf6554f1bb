//go:build unix

package badgerdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"paika/internal/lasting"
)

// What the store asks of the operating system: free space, permissions,
// and what files take.

// MovesOpen tells that a folder can be renamed whose files are open.
const MovesOpen = true

// lockPath is what is locked: the folder itself.
func lockPath(dir string) string { return dir }

// openToLock opens that.
func openToLock(dir string) (*os.File, error) { return os.Open(lockPath(dir)) }

// removeCleared removes a folder in which there is nothing but the lock file of another system.
func (f *Folder) removeCleared() error {
	if err := lasting.Remove(filepath.Join(f.dir, LockFile)); err != nil {
		return err
	}
	return os.Remove(f.dir)
}

// freeSpace is the number of bytes that the user may still write below dir.
func freeSpace(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return uint64(st.Bavail) * uint64(st.Bsize), nil
}

// isDiskFull tells errors of a write that found no space.
func isDiskFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)
}

// isFileTooLarge tells errors of a file that would be larger than is allowed.
func isFileTooLarge(err error) bool { return errors.Is(err, unix.EFBIG) }

// isTooManyFiles tells errors of an open that is one too many.
func isTooManyFiles(err error) bool {
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE)
}

// diskBytes is what a file takes on disk: a log that is open has holes.
func diskBytes(info fs.FileInfo) uint64 {
	size := uint64(info.Size())
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return min(size, uint64(st.Blocks)*512)
	}
	return size
}
