package tablebase

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/zeebo/xxh3"
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

// markClosed records the files of a store that was closed just now.
func markClosed(dir string) error {
	left, err := listFiles(dir)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(left, "", " ")
	if err != nil {
		return err
	}
	sum := fmt.Sprintf("%016x\n", xxh3.Hash(text))
	return writeFileSynced(dir, closedFile, append([]byte(sum), text...))
}

// unmarkClosed is the first thing that a writer does.
func unmarkClosed(dir string) error {
	if err := os.Remove(filepath.Join(dir, closedFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncFolder(dir)
}

// checkClosed compares the files of dir with the record. It answers
// errNotClosed where there is none, or one that is itself broken.
func checkClosed(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, closedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return errNotClosed
	}
	if err != nil {
		return err
	}
	sum, list, _ := bytes.Cut(text, []byte("\n"))
	var left []leftFile
	if string(sum) != fmt.Sprintf("%016x", xxh3.Hash(list)) || json.Unmarshal(list, &left) != nil {
		return errNotClosed
	}
	for _, want := range left {
		if err := checkFile(dir, want); err != nil {
			return fmt.Errorf("%s: %w: %s: %w", dir, ErrDamaged, want.Name, err)
		}
	}
	return nil
}

func checkFile(dir string, want leftFile) error {
	is, err := describeFile(dir, want.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the file is gone")
	case err != nil:
		return err
	case is.Size != want.Size:
		return fmt.Errorf("%d bytes, %d when the tables were last closed", is.Size, want.Size)
	case is != want:
		return errors.New("changed since the tables were last closed")
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
		if !e.Type().IsRegular() || ofNoAccount(e.Name()) {
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

// ofNoAccount tells the files that the record leaves out: itself, the lock, and
// checkpoints, which have checksums of their own and whose loss loses no table.
func ofNoAccount(name string) bool {
	return strings.HasPrefix(name, closedFile) || name == lockFile || strings.HasPrefix(name, checkpointFile)
}

func describeFile(dir, name string) (leftFile, error) {
	path := filepath.Join(dir, name)
	if filepath.Ext(name) == ".vlog" {
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
