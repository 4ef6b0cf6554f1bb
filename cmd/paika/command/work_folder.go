package command

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"

	"paika/internal/lasting"
)

// workPrefix begins the names of folders of workers. Who has the lock of one is at it.
const workPrefix = "paika-work-"

// workFolder makes a folder for what a worker has not sent yet, and removes those that
// killed workers left beside it. The function removes it.
func workFolder(parent string) (dir string, remove func(), err error) {
	entries, _ := os.ReadDir(parent) // one that can't be listed may be written to all the same
	for _, entry := range entries {
		if name, lock := strings.CutSuffix(entry.Name(), lasting.LockSuffix); lock && strings.HasPrefix(name, workPrefix) {
			removeLeft(filepath.Join(parent, name))
		}
	}
	dir = filepath.Join(parent, workPrefix+rand.Text())
	unlock, err := lasting.LockFolder(dir) // before it is there, so that nobody takes it for one that was left
	if err != nil {
		return "", nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		unlock()
		return "", nil, err
	}
	return dir, func() { os.RemoveAll(dir); unlock() }, nil
}

// removeLeft removes a worker's folder if nobody is at it, and with it the lock.
func removeLeft(dir string) {
	if unlock, err := lasting.LockFolder(dir); err == nil {
		os.RemoveAll(dir)
		unlock()
	}
}
