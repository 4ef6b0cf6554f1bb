//go:build unix

package badgerdir

import (
	"errors"
	"io/fs"
	"math"
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

// partsToLock are the folder itself, which leaves nothing behind and can be locked where nothing
// may be written, and a file in it: by NFS, the lock of a folder keeps out nobody on another
// machine, and that of a file does. Whoever has the first on this machine asks for the second.
func partsToLock(dir string) []lockPart {
	return []lockPart{
		{path: dir, open: func(path string, _ lasting.LockMode) (*os.File, error) { return os.Open(path) }},
		{path: filepath.Join(dir, LockFile), open: openLockFile, spared: true},
	}
}

// openLockFile opens that file. Who is beside others makes none. A lock that keeps out all others
// wants a file that is open to be written, by NFS: elsewhere one that may only be read will do. No
// link is followed to make or to write it.
func openLockFile(path string, mode lasting.LockMode) (*os.File, error) {
	if mode == lasting.Shared {
		return openRegular(path, os.O_RDONLY)
	}
	f, err := openRegular(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW)
	if err == nil || errors.Is(err, ErrNotFile) {
		return f, err
	}
	switch f, readErr := openRegular(path, os.O_RDONLY); {
	case readErr == nil:
		return f, nil
	case errors.Is(readErr, fs.ErrNotExist) && (errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS)):
		return nil, nil
	}
	return nil, Named(err)
}

// openRegular opens a file, and waits for no pipe that has its name.
func openRegular(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|unix.O_NONBLOCK, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notFile(path, info.Mode())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// removeCleared removes a folder in which there is nothing but the lock file. That loses its name
// while it is locked, so that nobody has it afterwards. Then it is closed: NFS keeps a file that is
// open under another name in the folder.
func (f *Folder) removeCleared() error {
	if err := lasting.Remove(filepath.Join(f.dir, LockFile)); err != nil {
		return err
	}
	err := f.locks[1:].Close()
	f.locks = f.locks[:1]
	return errors.Join(err, os.Remove(f.dir))
}

// TakeAccess lets those use a folder who may use another one, as far as it can (accessMode).
func TakeAccess(dir, from string) error {
	other, err := os.Stat(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	group, known := groupOf(other)
	own, _ := groupOf(info)
	mode := accessMode(other.Mode(), !known || own == group || os.Chown(dir, -1, group) == nil)
	if info.Mode() == mode { // somebody else may have made it so
		return nil
	}
	return os.Chmod(dir, mode)
}

// accessMode is that of a folder for those who may use one of the mode other. The owner may write
// in it. Where it could not be given to the group of the other one, all may do there what both that
// group and all others may do in the other one: who is of that group is one of all here.
func accessMode(other fs.FileMode, sameGroup bool) fs.FileMode {
	mode := fs.ModeDir | other&(fs.ModePerm|fs.ModeSetgid|fs.ModeSticky) | 0o700
	if !sameGroup {
		all := mode & (mode >> 3) & 0o007
		mode = mode&^(fs.ModeSetgid|0o077) | all<<3 | all
	}
	return mode
}

// groupOf is the group of a file.
func groupOf(info fs.FileInfo) (group int, known bool) {
	st, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(st.Gid), true
}

// freeSpace is the number of bytes that the user may still write below dir.
func freeSpace(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return uint64(st.Bavail) * uint64(st.Bsize), nil
}

// isNoMemory tells errors of memory that is not given.
func isNoMemory(err error) bool { return errors.Is(err, unix.ENOMEM) }

// tryMap asks for so many bytes of memory to map files into, and gives them back.
func tryMap(n uint64) error {
	if n == 0 {
		return nil
	}
	if n > math.MaxInt {
		return ErrNoMemory
	}
	memory, err := unix.Mmap(-1, 0, int(n), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return os.NewSyscallError("mmap", err)
	}
	return os.NewSyscallError("munmap", unix.Munmap(memory))
}

// diskBytes is what a file takes on disk: a log that is open has holes.
func diskBytes(info fs.FileInfo) uint64 {
	size := uint64(info.Size())
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return min(size, uint64(st.Blocks)*512)
	}
	return size
}
