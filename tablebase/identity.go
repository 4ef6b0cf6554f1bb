package tablebase

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/zeebo/xxh3"

	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/textfile"
)

// FormatVersion is that of the stores that are written. It is raised by every change
// after which an older program would misread a store, or take it for damaged.
//
// Stores of format 2 are read as well: there, Fanorona's slices of seven stones alone
// leave values out, where from format 3 on any slice may. A writer makes them stores
// of this format.
const FormatVersion = 3

const oldestFormat = 2

const identityFile = "paika.json"

// Identity is what the positions of a store mean. Two stores with the same
// identity hold the same values.
type Identity struct {
	Game  string `json:"game"`  // "fanorona"
	Board string `json:"board"` // "9x5"
	Rules string `json:"rules"` // every rule option, in canonical form; "" for a game that has none
}

func (id Identity) String() string {
	return strings.TrimSpace(id.Game + " " + id.Board + " " + id.Rules)
}

type identityRecord struct {
	Format int `json:"format"`
	Identity
	Checksum string `json:"checksum"` // XXH3 of the rest, in hex; not in format 1
}

// checksum is what the record ought to have.
func (r identityRecord) checksum() string {
	return fmt.Sprintf("%016x", xxh3.HashString(fmt.Sprintf("%d %q %q %q", r.Format, r.Game, r.Board, r.Rules)))
}

// readIdentity checks that dir holds a store of id. Its error wraps
// fs.ErrNotExist where there is no store.
func readIdentity(dir string, id Identity) error {
	rec, err := readRecord(dir)
	switch {
	case err != nil:
		return err
	case rec.Format > FormatVersion:
		return fmt.Errorf("%s: %w: format %d, this program reads format %d", dir, ErrNewerFormat, rec.Format, FormatVersion)
	case rec.Format < oldestFormat:
		return fmt.Errorf("%s: %w: format %d, this program reads format %d: build the tables anew in another folder", dir, ErrOlderFormat, rec.Format, FormatVersion)
	case rec.Identity != id:
		return &IdentityError{Dir: dir, Stored: rec.Identity, Wanted: id}
	}
	return nil
}

// Exists tells whether a folder has a store in it, whole or not. Where that can't be
// told, as the folder can't be read, it has.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, identityFile))
	return !errors.Is(err, fs.ErrNotExist) || badgerdir.HoldsDatabase(dir)
}

// readRecord reads the identity file of dir.
func readRecord(dir string) (identityRecord, error) {
	text, err := textfile.ReadWhole(filepath.Join(dir, identityFile))
	if errors.Is(err, fs.ErrNotExist) && badgerdir.HoldsDatabase(dir) {
		return identityRecord{}, badgerdir.DamagedFile(dir, identityFile, badgerdir.ErrGone)
	}
	var rec identityRecord
	if err == nil {
		rec, err = parseIdentity(text)
	}
	switch {
	case errors.Is(err, textfile.ErrChanged):
		err = badgerdir.DamagedFile(dir, identityFile, err)
	case badgerdir.IsSystems(err):
		err = badgerdir.ReadError(dir, err)
	}
	return rec, err
}

// raiseFormat makes a store of an older format one of this. The caller has opened it
// to write.
func (s *Store) raiseFormat() error {
	rec, err := readRecord(s.dir)
	if err != nil || rec.Format == FormatVersion {
		return err
	}
	return s.folder.WriteError(writeIdentity(s.dir, s.id))
}

// parseIdentity reads a record. One of a format that is read must be as it was written.
func parseIdentity(text []byte) (rec identityRecord, err error) {
	if json.Unmarshal(text, &rec) != nil {
		return rec, textfile.ErrChanged
	}
	if rec.Format < 1 || rec.Format >= oldestFormat && rec.Format <= FormatVersion && rec.Checksum != rec.checksum() {
		return rec, textfile.ErrChanged
	}
	return rec, nil
}

// create makes the folder, which is empty, a store. It is one once its
// identity is on disk, and is none where a disk has no room for tables: the folder would
// be that of one board for good.
func (s *Store) create() error {
	if err := s.folder.CheckSpace(0); err != nil {
		return err
	}
	if err := s.createManifests(); err != nil {
		return s.folder.WriteError(err)
	}
	return s.folder.WriteError(writeIdentity(s.dir, s.id))
}

func writeIdentity(dir string, id Identity) error {
	rec := identityRecord{Format: FormatVersion, Identity: id}
	rec.Checksum = rec.checksum()
	return lasting.WriteFile(filepath.Join(dir, identityFile), rec.text())
}

// text is what the file holds.
func (r identityRecord) text() []byte {
	text, _ := json.MarshalIndent(r, "", "  ") // of texts and a number
	return append(text, '\n')
}

// checkEmpty allows for what a creation that was killed leaves, for the lock file, and for what is
// said of a replacement. A folder that got an identity meanwhile is no longer one without a store.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var foreign string
	for _, e := range entries {
		switch name := e.Name(); {
		case name == identityFile:
			return nil
		case name == badgerdir.LockFile, strings.TrimSuffix(name, lasting.PartSuffix) == replacesFile, name == identityFile+lasting.PartSuffix, strings.HasPrefix(name, manifestFile):
		default:
			foreign = cmp.Or(foreign, name)
		}
	}
	if foreign != "" {
		return fmt.Errorf("%s: %w (%s)", dir, ErrForeignFiles, foreign)
	}
	return nil
}
