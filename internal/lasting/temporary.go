package lasting

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// TemporaryFolder makes a folder, for its user alone, for what a process needs as long as it works,
// and removes those of the same prefix that killed processes of that user left beside it. Who has the
// lock of one, a file beside it, is at it. Where parent is empty it is the system's folder for temporary
// files. The function removes the folder.
func TemporaryFolder(parent, prefix string) (dir string, remove func() error, err error) {
	if parent == "" {
		parent = os.TempDir()
	}
	removeLeftFolders(parent, prefix)
	dir, unlock, err := lockNewName(parent, prefix) // before it is there, so that nobody takes it for one that was left
	if err != nil {
		return "", nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		unlock()
		return "", nil, err
	}
	return dir, func() error { defer unlock(); return os.RemoveAll(dir) }, nil
}

// lockNewName locks a name that nobody has. Whoever looks for folders that were left may lock the
// file of a new name before the one who has made it: then another name is taken.
func lockNewName(parent, prefix string) (dir string, unlock func(), err error) {
	for range mostOwners {
		dir = filepath.Join(parent, prefix+rand.Text())
		unlock, err = LockFolder(dir)
		if !errors.Is(err, ErrLocked) {
			break
		}
	}
	return dir, unlock, err
}

// removeLeftFolders removes folders with a prefix, and their locks, at which nobody is. All may write to
// the one that they are in: what is another user's stays, and no link is followed.
func removeLeftFolders(parent, prefix string) {
	entries, _ := os.ReadDir(parent) // one that can't be listed may be written to all the same
	for _, entry := range entries {
		name, lock := strings.CutSuffix(entry.Name(), LockSuffix)
		if !lock || !strings.HasPrefix(name, prefix) || !isOwn(filepath.Join(parent, entry.Name())) {
			continue
		}
		dir := filepath.Join(parent, name)
		unlock, err := LockFolder(dir)
		if err != nil {
			continue
		}
		if isOwn(dir) {
			os.RemoveAll(dir)
		}
		unlock()
	}
}

// isOwn tells whether a file, folder or link is this user's.
func isOwn(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && ownedByUser(info)
}
