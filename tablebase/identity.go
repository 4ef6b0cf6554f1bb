package tablebase

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// formatVersion is raised by every change after which an older program would
// misread a store.
const formatVersion = 2

const identityFile = "paika.json"

// Identity is what the positions of a store mean. Two stores with the same
// identity hold the same values.
type Identity struct {
	Game  string `json:"game"`  // "fanorona"
	Board string `json:"board"` // "9x5"
	Rules string `json:"rules"` // the rule options in canonical form; "" for the defaults
}

func (id Identity) String() string {
	return strings.TrimSpace(id.Game + " " + id.Board + " " + id.Rules)
}

type identityRecord struct {
	Format int `json:"format"`
	Identity
}

// readIdentity checks that dir holds a store of id. Its error wraps
// fs.ErrNotExist where there is no identity file.
func readIdentity(dir string, id Identity) error {
	text, err := os.ReadFile(filepath.Join(dir, identityFile))
	if err != nil {
		return err
	}
	var rec identityRecord
	if err := json.Unmarshal(text, &rec); err != nil {
		return fmt.Errorf("%s: %w: %s: %w", dir, ErrDamaged, identityFile, err)
	}
	switch {
	case rec.Format > formatVersion:
		return fmt.Errorf("%s: %w: format %d, this program reads up to %d", dir, ErrNewerFormat, rec.Format, formatVersion)
	case rec.Format < 1:
		return fmt.Errorf("%s: %w: %s: format %d", dir, ErrDamaged, identityFile, rec.Format)
	case rec.Identity != id:
		return &IdentityError{Dir: dir, Stored: rec.Identity, Wanted: id}
	}
	return nil
}

// createIdentity makes dir, which must be empty, a store of id. The record is
// on disk when it returns nil.
func createIdentity(dir string, id Identity) error {
	if err := checkEmpty(dir); err != nil {
		return err
	}
	text, err := json.MarshalIndent(identityRecord{formatVersion, id}, "", "  ")
	if err != nil {
		return err
	}
	return writeFileSynced(dir, identityFile, append(text, '\n'))
}

// checkEmpty allows for what a creation that was killed leaves, and for the
// lock file that some systems need.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != identityFile+temporary && e.Name() != lockFile {
			return fmt.Errorf("%s: %w (%s)", dir, ErrForeignFiles, e.Name())
		}
	}
	return nil
}

const temporary = ".tmp"

// lockFile is what processes lock where a folder itself cannot be locked.
const lockFile = "LOCK"

// writeFileSynced puts a file there whole or not at all, and returns once it
// would survive a power cut.
func writeFileSynced(dir, name string, text []byte) error {
	path := filepath.Join(dir, name)
	f, err := os.Create(path + temporary)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(path+temporary, path); err != nil {
		return err
	}
	return syncFolder(dir)
}
