package badgerdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"

	"paika/internal/lasting"
)

// What the store asks of the operating system: free space, permissions,
// and what files take.

// MovesOpen tells that a folder can be renamed whose files are open.
const MovesOpen = false

// partsToLock is a file in the folder, as that itself can't be locked.
func partsToLock(dir string) []lockPart {
	return []lockPart{{path: filepath.Join(dir, LockFile), open: openLockFile}}
}

// openLockFile opens that.
// Readers who may not write in the folder need it to be there.
func openLockFile(path string, _ lasting.LockMode) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if errors.Is(err, fs.ErrPermission) {
		return os.Open(path)
	}
	return f, err
}

// removeCleared removes a folder in which there is nothing but the lock file, which can't be
// removed while it is open. Whoever locks the folder in between has it open, and it stays.
func (f *Folder) removeCleared() error {
	err := f.locks.Close()
	f.locks = nil
	if err == nil {
		err = os.Remove(filepath.Join(f.dir, LockFile))
	}
	if err == nil {
		err = os.Remove(f.dir)
	}
	return err
}

// TakeAccess has nothing to do: who may use a folder is told by the one above it.
func TakeAccess(dir, from string) error { return nil }

// freeSpace is the number of bytes that the user may still write below dir.
func freeSpace(dir string) (free uint64, err error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	}
	if err != nil {
		return 0, &os.PathError{Op: "GetDiskFreeSpaceEx", Path: dir, Err: err}
	}
	return free, nil
}

// isNoMemory tells errors of memory that is not given.
func isNoMemory(err error) bool {
	return errors.Is(err, windows.ERROR_NOT_ENOUGH_MEMORY) || errors.Is(err, windows.ERROR_COMMITMENT_LIMIT)
}

// tryMap has nothing to ask: no user's address space is bounded there.
func tryMap(uint64) error { return nil }

// diskBytes is what a file takes on disk.
func diskBytes(info fs.FileInfo) uint64 { return uint64(info.Size()) }
