package tablebase

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/graphgame"
)

// snapshot is the files of a folder as they were at one moment, by name. The lock file, which is
// empty, is none of them. The logs of a store that is open are half a GiB, most of it zeros: those at
// the end of a file are not kept.
type snapshot map[string]snapshotFile

type snapshotFile struct {
	data []byte
	size int64
}

// zerosAtEnd is how many zeros in a row count as the rest of a log.
const zerosAtEnd = 1 << 20

// takeSnapshot reads a folder. Where Badger works in it, its MANIFEST may come to name a
// table that was not there when the folder was listed: then all is read again.
func takeSnapshot(t testing.TB, dir string) snapshot {
	t.Helper()
	for {
		before, _ := os.ReadFile(filepath.Join(dir, "MANIFEST")) // none at first
		s := readFolder(t, dir)
		if after, _ := os.ReadFile(filepath.Join(dir, "MANIFEST")); bytes.Equal(before, after) {
			return s
		}
	}
}

func readFolder(t testing.TB, dir string) snapshot {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := make(snapshot)
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() == badgerdir.LockFile {
			continue
		}
		file, err := readSnapshotFile(filepath.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) { // a table that was just merged into another
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s[e.Name()] = file
	}
	return s
}

func readSnapshotFile(path string) (s snapshotFile, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return s, err
	}
	s.size = info.Size()
	block := make([]byte, zerosAtEnd)
	for {
		n, err := io.ReadFull(f, block)
		if len(bytes.TrimRight(block[:n], "\x00")) == 0 {
			break
		}
		s.data = append(s.data, block[:n]...)
		if err != nil {
			break
		}
	}
	s.data = bytes.TrimRight(s.data, "\x00")
	return s, nil
}

// write makes a folder of the files.
func (s snapshot) write(t testing.TB) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, file := range s {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, file.data, 0o666), os.Truncate(path, file.size)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// with is the same files, but for one.
func (s snapshot) with(name string, data []byte) snapshot {
	other := maps.Clone(s)
	other[name] = snapshotFile{data, max(int64(len(data)), s[name].size)}
	return other
}

// flipped is the same files, with one bit of one changed.
func (s snapshot) flipped(name string, at int) snapshot {
	data := bytes.Clone(s[name].data)
	data[at] ^= 1 << (at % 8)
	return s.with(name, data)
}

// first is the first file in the order of names with that ending.
func (s snapshot) first(t testing.TB, ending string) string {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if filepath.Ext(name) == ending {
			return name
		}
	}
	t.Fatalf("no file %s among %v", ending, slices.Sorted(maps.Keys(s)))
	return ""
}

// unchanged fails where a folder no longer holds just these files.
func (s snapshot) unchanged(t *testing.T, dir string) {
	t.Helper()
	now := takeSnapshot(t, dir)
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if file, there := now[name]; !there {
			t.Errorf("%s is gone", name)
		} else if file.size != s[name].size || !bytes.Equal(file.data, s[name].data) {
			t.Errorf("%s was changed: %d bytes, %d before", name, file.size, s[name].size)
		}
	}
	for name := range now {
		if _, before := s[name]; !before {
			t.Errorf("%s was made", name)
		}
	}
}

// zerosKept is how many zeros at the end of a log are enough for a test: reading
// half a GiB of them takes long.
const zerosKept = 100_000

// killedTest is what is left of a store whose writer is killed after it saved a
// solution.
func killedTest(t testing.TB, sol *graphgame.Solution, metrics ...bitboard.Metric) snapshot {
	t.Helper()
	dir := t.TempDir()
	s := openTest(t, dir, Options{Version: "test"})
	for _, m := range metrics {
		saveAll(t, s, sol, m)
	}
	killed := takeSnapshot(t, dir)
	for name, file := range killed {
		file.size = min(file.size, int64(len(file.data))+zerosKept)
		killed[name] = file
	}
	return killed
}
