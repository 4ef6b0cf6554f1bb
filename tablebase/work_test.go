package tablebase

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"paika/bitboard"
)

// TestWorkIsTidied: what is needed stays, and whatever is more than checkpoints.
func TestWorkIsTidied(t *testing.T) {
	space, m := shortSpace, bitboard.WDL
	none := func(Checkpoint) bool { return false }
	first := func(c Checkpoint) bool {
		return c.Metric == m && slices.Equal(c.Slices, []string{space.SliceName(0), space.SliceName(1)}) && time.Since(c.Saved) < time.Hour
	}
	for name, c := range map[string]struct {
		prepare func(dir string) error
		needed  func(Checkpoint) bool
		want    []string // checkpoints
		gone    bool
	}{
		"none is needed": {needed: none, gone: true},
		"one is needed":  {needed: first, want: []string{checkpointPath("", m, 0, 1)}},
		"damaged ones are none": {prepare: func(dir string) error {
			return os.WriteFile(checkpointPath(dir, m, 0, 1), []byte("torn"), 0o666)
		}, needed: func(Checkpoint) bool { return true }, want: []string{checkpointPath("", m, 2, 3)}},
		"a file of others": {prepare: func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "letter"), nil, 0o666)
		}, needed: none},
		"a slice is stored": {prepare: func(dir string) error {
			store, tables := checkpointsOf(t, dir, m, space)
			return errors.Join(tables.Save(t.Context(), space.blank(m, 1)[0], bitboard.Summary{Slice: 1, Draw: space.Indices(1)}), store.Close())
		}, needed: none},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "work")
			store, tables := checkpointsOf(t, dir, m, space)
			saveCheckpoint(t, tables, "first", space.unfinished(m, 1, 0, 1))
			saveCheckpoint(t, tables, "second", space.unfinished(m, 2, 2, 3))
			wantError(t, TidyWork(dir, store.id, c.needed), ErrLocked)
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
			if c.prepare != nil {
				if err := c.prepare(dir); err != nil {
					t.Fatal(err)
				}
			}
			if err := TidyWork(dir, store.id, c.needed); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) != c.gone {
				t.Errorf("the folder: %v, want it gone: %v", err, c.gone)
			}
			left, _ := filepath.Glob(filepath.Join(dir, checkpointFile+"*"))
			for i := range left {
				left[i] = filepath.Base(left[i])
			}
			slices.Sort(c.want)
			if !slices.Equal(left, c.want) {
				t.Errorf("checkpoints %v, want %v", left, c.want)
			}
			if c.gone {
				return
			}
			opened, _ := checkpointsOf(t, dir, m, space)
			if err := opened.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWorkOfOthersIsLeft as it is.
func TestWorkOfOthersIsLeft(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	none := func(Checkpoint) bool { return false }
	store, tables := checkpointsOf(t, dir, bitboard.WDL, shortSpace)
	if err := TidyWork(dir+"-not-there", store.id, none); err != nil {
		t.Error(err)
	}
	letter := filepath.Join(t.TempDir(), "letter")
	if err := errors.Join(os.WriteFile(letter, nil, 0o666), TidyWork(filepath.Dir(letter), store.id, none)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(letter); err != nil {
		t.Error(err)
	}
	saveCheckpoint(t, tables, "text", shortSpace.unfinished(bitboard.WDL, 1, 0))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	other := store.id
	other.Board = "19x19"
	if err := TidyWork(dir, other, none); !errors.As(err, new(*IdentityError)) {
		t.Errorf("error %v, want *IdentityError", err)
	}
	_, tables = checkpointsOf(t, dir, bitboard.WDL, shortSpace)
	wantCheckpoint(t, tables, "text", shortSpace.unfinished(bitboard.WDL, 1, 0))
}
