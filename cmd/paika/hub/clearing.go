package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/ledger"
)

// Clear removes the folder of a hub that is stopped if it holds nothing of worth: no question was
// taken up, nothing was found, and no other file lies there. It tells whether the folder is gone.
// Errors are those of files, and lasting.ErrLocked where a hub has it.
func Clear(dir string) (gone bool, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		switch e.Name() {
		case "ledger", "incoming", "tables", "nats", keys.CredentialsFile:
		case "parts", "proofs", "built":
			if holds, err := holdsFiles(filepath.Join(dir, e.Name())); holds || err != nil {
				return false, err
			}
		default:
			return false, nil
		}
	}
	if worth, err := tells(filepath.Join(dir, "ledger")); worth || err != nil {
		return false, err
	}
	return true, os.RemoveAll(dir)
}

// errFile ends a walk at a file.
var errFile = errors.New("there is a file")

// holdsFiles tells whether there is any file in a folder, however deep.
func holdsFiles(dir string) (bool, error) {
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			return errFile
		}
		return err
	})
	if errors.Is(err, errFile) {
		return true, nil
	}
	return false, err
}

// tells tells whether a ledger has a line that is of more than a start, or is not whole.
func tells(path string) (worth bool, err error) {
	l, err := ledger.Open(path)
	if err != nil {
		return false, err
	}
	defer l.Close()
	torn, err := l.Each(func(e ledger.Entry) { worth = worth || e.Start == nil })
	return worth || torn > 0, err
}
