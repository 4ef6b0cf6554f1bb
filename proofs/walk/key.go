package walk

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"paika/internal/lasting"
)

// Key seals indexes: only who has it can make one that is opened.
type Key [sha256.Size]byte

// keyFile is the name of the key's file in the folder of indexes.
const keyFile = "key"

// ErrForeign says that a folder of indexes belongs to another user, who could put any key there.
var ErrForeign = errors.New("the folder belongs to another user")

// LoadKey gives the key of a folder of indexes. It makes the folder and the key, for
// their owner alone, where they are missing; a folder that others may write to, it closes to
// them, and a key that is another user's, or that others may read, it replaces. A new key makes
// the indexes that are there worthless: each is made anew when it is asked for. Errors are
// ErrForeign, and the system's. Only Unix tells whose a file is.
func LoadKey(folder string) (key Key, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return key, err
	}
	if err := closeFolder(folder); err != nil {
		return key, err
	}
	path := filepath.Join(folder, keyFile)
	info, err := os.Lstat(path)
	if err == nil && info.Mode().IsRegular() && info.Size() == int64(len(key)) && own(info) && !shared(info, 0o077) {
		text, err := os.ReadFile(path)
		copy(key[:], text)
		return key, err
	}
	if err == nil && !info.IsDir() {
		err = os.Remove(path) // what a link leads to stays
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if _, err := rand.Read(key[:]); err != nil {
		return key, err
	}
	return key, lasting.WriteSecret(path, key[:])
}

// closeFolder sees to it that only the user may write to a folder.
func closeFolder(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return err
	case !own(info):
		return &fs.PathError{Op: "open", Path: folder, Err: ErrForeign}
	case shared(info, 0o022):
		return os.Chmod(folder, 0o700)
	}
	return nil
}
