package badgerdir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4"
	"github.com/zeebo/xxh3"

	"paika/internal/lasting"
	"paika/internal/usage"
	"paika/tablebase/internal/textfile"
)

// closedFile lists what a writer left behind when it closed the folder, and is
// there only between writers. With it, files that were cut short or removed
// are told from those that a killed writer left, and Badger, which deletes
// what its MANIFEST does not name, never opens a damaged database.
const closedFile = "CLOSED"

type leftFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"`          // bytes
	Sum  string `json:"sum,omitempty"` // XXH3 in hex; none for the value log, whose chunks have their own
}

// errNotClosed says that the last writer did not come to its end.
var errNotClosed = errors.New("not closed")

// markClosed records the files of a database that was closed just now.
func (f *Folder) markClosed() error {
	left, err := f.listFiles()
	if err != nil {
		return err
	}
	if err := writeClosed(f.dir, left); err != nil {
		return err
	}
	return shareRead(f.dir)
}

// shareRead lets all read the files that Badger keeps to its user, who may read the list of
// files: nothing in them is secret where nothing is encrypted.
func shareRead(dir string) error {
	list, err := os.Stat(filepath.Join(dir, closedFile))
	if err != nil {
		return err
	}
	for _, name := range [...]string{badger.ManifestFilename, badger.KeyRegistryFileName} {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if mode := info.Mode().Perm() | list.Mode().Perm()&0o444; mode != info.Mode().Perm() {
			if err := os.Chmod(path, mode); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeClosed(dir string, left []leftFile) error {
	text, err := json.MarshalIndent(left, "", " ")
	if err != nil {
		return err
	}
	return textfile.Write(filepath.Join(dir, closedFile), text)
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
func (f *Folder) checkClosed() error {
	left, err := f.readClosed()
	if err != nil {
		return err
	}
	if err := checkLeft(f.dir, left); err != nil {
		return err
	}
	more, err := newFiles(f.dir, left)
	if err == nil && len(more) > 0 {
		err = fmt.Errorf("%s: %w: %s: not there when the tables were last closed", f.dir, ErrDamaged, filepath.Base(more[0]))
	}
	return err
}

// readClosed reads the record. It answers errNotClosed as checkClosed does.
func (f *Folder) readClosed() ([]leftFile, error) {
	text, err := textfile.Read(filepath.Join(f.dir, closedFile))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, textfile.ErrChanged):
		return nil, errNotClosed
	case err != nil:
		return nil, ReadError(f.dir, err)
	}
	left, err := f.parseClosed(text)
	if err != nil {
		return nil, errNotClosed
	}
	return left, nil
}

// closeAgain records what the last writer left once more, where the database could not be opened
// after that record was removed. It does so where all of that is as it was. What Badger has made
// meanwhile holds nothing then, and goes: it would be taken for what somebody else put there.
func (f *Folder) closeAgain() error {
	left := f.left
	f.left = nil
	if left == nil || checkLeft(f.dir, left) != nil || f.CheckPlace() != nil {
		return nil
	}
	made, err := newFiles(f.dir, left)
	if err != nil {
		return err
	}
	for _, path := range made {
		if err := lasting.Remove(path); err != nil {
			return err
		}
	}
	return errors.Join(dropDiscards(f.dir), writeClosed(f.dir, left))
}

// checkLeft wants files to be as they were left.
func checkLeft(dir string, left []leftFile) error {
	for _, want := range left {
		if err := checkFile(dir, want); err != nil {
			return err
		}
	}
	return nil
}

// LeftWith tells whether the last writer left a file with these contents, as its record says. It
// tells no where there is no record. The file itself may be gone.
func (f *Folder) LeftWith(name string, data []byte) bool {
	text, err := textfile.Read(filepath.Join(f.dir, closedFile))
	if err != nil {
		return false
	}
	left, err := f.parseClosed(text)
	return err == nil && slices.Contains(left, describe(name, data))
}

// parseClosed reads a list of files. Those that are none of the folder's were
// recorded once, and are of no account.
func (f *Folder) parseClosed(text []byte) ([]leftFile, error) {
	var left []leftFile
	if err := json.Unmarshal(text, &left); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(left, func(left leftFile) bool { return !f.recorded(left.Name) }), nil
}

func checkFile(dir string, want leftFile) error {
	is, err := describeFile(dir, want.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = ErrGone
	case errors.Is(err, textfile.ErrChanged): // it is far too large
	case err != nil:
		return ReadError(dir, err)
	case is.Size != want.Size:
		err = fmt.Errorf("%s, %s when the tables were last closed", usage.Bytes(uint64(is.Size)), usage.Grouped(fmt.Sprint(want.Size)))
	case is != want:
		err = errors.New("changed since the tables were last closed")
	default:
		return nil
	}
	return DamagedFile(dir, want.Name, err)
}

// newFiles are those, beside the ones that were left, that Badger would take for its own: it would
// remove them, or read them in place of those that it wrote.
func newFiles(dir string, left []leftFile) (paths []string, err error) {
	for _, suffix := range numberedSuffixes {
		files, err := numberedFiles(dir, suffix)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			name := filepath.Base(file.path)
			if !slices.ContainsFunc(left, func(left leftFile) bool { return left.Name == name }) {
				paths = append(paths, file.path)
			}
		}
	}
	return paths, nil
}

func (f *Folder) listFiles() ([]leftFile, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	var left []leftFile
	for _, e := range entries {
		if !e.Type().IsRegular() || !f.recorded(e.Name()) {
			continue
		}
		file, err := describeFile(f.dir, e.Name())
		if err != nil {
			return nil, err
		}
		left = append(left, file)
	}
	return left, nil
}

// numberedSuffixes are those of Badger's files that are many.
var numberedSuffixes = [...]string{valueLogSuffix, memtableSuffix, treeSuffix}

// recorded tells the files that CLOSED lists, by their names: Badger's and those that
// the owner names.
func (f *Folder) recorded(name string) bool {
	return isBadgers(name) || f.opts.Recorded(name)
}

// isBadgers tells the files that a database is made of.
func isBadgers(name string) bool {
	return name == badger.ManifestFilename || name == badger.KeyRegistryFileName || isNumbered(name)
}

// isNumbered tells those of its files that are many.
func isNumbered(name string) bool {
	return slices.ContainsFunc(numberedSuffixes[:], func(suffix string) bool {
		_, ok := fileNumber(name, suffix)
		return ok
	})
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
	data, err := textfile.ReadWhole(path)
	if err != nil {
		return leftFile{}, err
	}
	return describe(name, data), nil
}

// describe is what the list says of a file with these contents.
func describe(name string, data []byte) leftFile {
	return leftFile{Name: name, Size: int64(len(data)), Sum: fmt.Sprintf("%016x", xxh3.Hash(data))}
}
