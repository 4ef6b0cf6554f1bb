package tablebase

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/internal/lasting"
)

// closedFile lists what a writer left behind when it closed the store, and is
// there only between writers. With it, files that were cut short or removed
// are told from those that a killed writer left, and Badger, which deletes
// what its MANIFEST does not name, never opens a damaged store.
const closedFile = "CLOSED"

type leftFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"`          // bytes
	Sum  string `json:"sum,omitempty"` // XXH3 in hex; none for the value log, whose chunks have their own
}

// errNotClosed says that the last writer did not come to its end.
var errNotClosed = errors.New("not closed")

// errGone says that a file is missing.
var errGone = errors.New("the file is gone")

// markClosed records the files of a store that was closed just now.
func markClosed(dir string) error {
	left, err := listFiles(dir)
	if err != nil {
		return err
	}
	return writeClosed(dir, left)
}

func writeClosed(dir string, left []leftFile) error {
	text, err := json.MarshalIndent(left, "", " ")
	if err != nil {
		return err
	}
	return writeText(filepath.Join(dir, closedFile), text)
}

// unmarkClosed is the first thing that a writer does.
func unmarkClosed(dir string) error {
	if err := lasting.Remove(filepath.Join(dir, closedFile)); err != nil {
		return err
	}
	return lasting.SyncFolder(dir)
}

// checkClosed compares the files of dir with the record. It answers
// errNotClosed where there is none, or one that is itself broken.
func checkClosed(dir string) error {
	text, err := readText(filepath.Join(dir, closedFile))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errText):
		return errNotClosed
	case err != nil:
		return fmt.Errorf("%s: %w", dir, named(err))
	}
	left, err := parseClosed(text)
	if err != nil {
		return errNotClosed
	}
	recorded := make(map[string]bool)
	for _, want := range left {
		recorded[want.Name] = true
		if err := checkFile(dir, want); err != nil {
			return err
		}
	}
	return checkNoMore(dir, recorded)
}

// parseClosed reads a list of files. Those that are none of the store's were
// recorded once, and are of no account.
func parseClosed(text []byte) ([]leftFile, error) {
	var left []leftFile
	if err := json.Unmarshal(text, &left); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(left, func(f leftFile) bool { return !recorded(f.Name) }), nil
}

func checkFile(dir string, want leftFile) error {
	is, err := describeFile(dir, want.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = errGone
	case err != nil:
		return fmt.Errorf("%s: %w", dir, named(err))
	case is.Size != want.Size:
		err = fmt.Errorf("%d bytes, %d when the tables were last closed", is.Size, want.Size)
	case is != want:
		err = errors.New("changed since the tables were last closed")
	default:
		return nil
	}
	return fmt.Errorf("%s: %w: %s: %w", dir, ErrDamaged, want.Name, err)
}

// checkNoMore refuses files that Badger would take for its own: it would remove
// them, or read them in place of those that it wrote.
func checkNoMore(dir string, recorded map[string]bool) error {
	for _, suffix := range numberedSuffixes {
		files, err := numberedFiles(dir, suffix)
		if err != nil {
			return err
		}
		for _, file := range files {
			if name := filepath.Base(file.path); !recorded[name] {
				return fmt.Errorf("%s: %w: %s: not there when the tables were last closed", dir, ErrDamaged, name)
			}
		}
	}
	return nil
}

func listFiles(dir string) ([]leftFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var left []leftFile
	for _, e := range entries {
		if !e.Type().IsRegular() || !recorded(e.Name()) {
			continue
		}
		f, err := describeFile(dir, e.Name())
		if err != nil {
			return nil, err
		}
		left = append(left, f)
	}
	return left, nil
}

// numberedSuffixes are those of Badger's files that are many.
var numberedSuffixes = [...]string{valueLogSuffix, memtableSuffix, treeSuffix}

// recorded tells the files that the tables are made of, by their names. A
// checkpoint is none of them: it has checksums of its own, and with it no table is
// lost.
func recorded(name string) bool {
	switch name {
	case identityFile, badger.ManifestFilename, badger.KeyRegistryFileName:
		return true
	}
	for m := range bitboard.Metric(MetricCount) {
		if strings.TrimSuffix(name, copySuffix) == manifestFile+m.String() {
			return true
		}
	}
	for _, suffix := range numberedSuffixes {
		if _, ok := fileNumber(name, suffix); ok {
			return true
		}
	}
	return false
}

func describeFile(dir, name string) (leftFile, error) {
	path := filepath.Join(dir, name)
	if filepath.Ext(name) == valueLogSuffix {
		info, err := os.Stat(path)
		if err != nil {
			return leftFile{}, err
		}
		return leftFile{Name: name, Size: info.Size()}, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return leftFile{}, err
	}
	return leftFile{Name: name, Size: int64(len(data)), Sum: fmt.Sprintf("%016x", xxh3.Hash(data))}, nil
}

// ours tells the files of a store, by their names.
func ours(name string) bool {
	switch name {
	case closedFile, lockFile, discardFile:
		return true
	}
	return recorded(name) || strings.HasPrefix(name, checkpointFile)
}

// tidyParts removes what killed writers left of files that they were writing.
func (s *Store) tidyParts() error {
	paths := []string{filepath.Join(s.dir, identityFile), filepath.Join(s.dir, closedFile)}
	for m := range bitboard.Metric(MetricCount) {
		paths = append(paths, manifestPath(s.dir, m), manifestPath(s.dir, m)+copySuffix, checkpointPath(s.dir, m))
	}
	for _, path := range paths {
		if err := lasting.RemovePart(path); err != nil {
			return fmt.Errorf("%s: %w", s.dir, named(err))
		}
	}
	return lasting.Remove(filepath.Join(s.dir, sizeFile))
}
