package tablebase

import (
	"errors"
	"slices"
	"testing"
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

// buildWithin builds what is missing on a disk that has room for Badger and so
// many bytes of values, of which each look at it takes some.
func buildWithin(dir string, space noiseSpace, left uint64) error {
	free := func(string) (uint64, error) {
		now := left + headroomBytes
		left -= min(left, 50_000)
		return now, nil
	}
	s, err := open(dir, testIdentity, Options{Version: "test"}, free)
	if err != nil {
		return err
	}
	return errors.Join(space.build(s), s.Close())
}
