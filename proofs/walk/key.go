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

// LoadKey gives the key of a folder of indexes. It makes the folder and the key, for
// their owner alone, where they are missing. A new key makes the indexes that are
// there worthless: each is made anew when it is asked for.
func LoadKey(folder string) (key Key, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return key, err
	}
	path := filepath.Join(folder, keyFile)
	text, err := os.ReadFile(path)
	if err == nil && len(text) == len(key) {
		copy(key[:], text)
		return key, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if _, err := rand.Read(key[:]); err != nil {
		return key, err
	}
	return key, lasting.WriteSecret(path, key[:])
}
