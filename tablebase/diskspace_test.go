package tablebase

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
)

func TestFullDiskIsAnErrorAndALaterBuildGoesOn(t *testing.T) {
	space := noiseSpace{slices: 4, indices: 40_000}
	want := t.TempDir()
	if err := buildWithin(want, space, 1<<40); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	refused := 0
	for left := uint64(0); ; left += 150_000 {
		err := buildWithin(dir, space, left)
		if err == nil {
			break
		}
		wantError(t, err, ErrDiskFull)
		refused++
	}
	if refused < 3 {
		t.Errorf("refused %d times: the test should fill the disk more often", refused)
	}
	if got, whole := manifests(t, dir), manifests(t, want); !slices.Equal(got, whole) {
		t.Errorf("%s\nwant\n%s", got, whole)
	}
	space.checkFolder(t, dir)
}

// A disk without room for tables gets no empty store, which would say whose the folder is:
// the next build there may be of another board.
func TestAFullDiskGetsNoStore(t *testing.T) {
	space := noiseSpace{slices: 1, indices: 1000}
	dir := t.TempDir()
	full := func(string) (uint64, error) { return headroomBytes - 1, nil }
	_, err := open(dir, testIdentity, Options{}, badgerdir.System{Free: full, Sync: lasting.SyncFile})
	wantError(t, err, ErrDiskFull)
	if want := fmt.Sprintf("%d MiB are free, and writing needs %d MiB", headroomBytes>>20-1, headroomBytes>>20); !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	other := testIdentity
	other.Board = "another"
	s, err := Open(dir, other, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(space.save(s, bitboard.WDL, 0), s.Close()); err != nil {
		t.Error(err)
	}
}

// A slice that is saved again, as by a build after one that was stopped before it
// could list it, takes no more space.
func TestWhatIsThereIsNotWrittenAgain(t *testing.T) {
	space := noiseSpace{slices: 2, indices: 400_000}
	dir := t.TempDir()
	var sizes []int64
	for range 3 {
		s := openTest(t, dir, Options{})
		if err := errors.Join(space.save(s, bitboard.DTW, 1), s.Close()); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, bytesIn(t, dir))
	}
	if sizes[0] < 100_000 || sizes[1] > sizes[0]*11/10 || sizes[2] > sizes[0]*12/10 {
		t.Errorf("%d bytes after a save, %d and %d after two more of the same", sizes[0], sizes[1], sizes[2])
	}
	space.checkFolder(t, dir)
}

// bytesIn is the size of a folder's files.
func bytesIn(t *testing.T, dir string) (sum int64) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		sum += info.Size()
	}
	return sum
}

// buildWithin builds what is missing on a disk that has room for Badger and so
// many bytes of values, of which each look at it takes some.
func buildWithin(dir string, space noiseSpace, left uint64) error {
	free := func(string) (uint64, error) {
		now := left + headroomBytes
		left -= min(left, 50_000)
		return now, nil
	}
	s, err := open(dir, testIdentity, Options{Version: "test"}, badgerdir.System{Free: free, Sync: lasting.SyncFile})
	if err != nil {
		return err
	}
	return errors.Join(space.build(s), s.Close())
}
