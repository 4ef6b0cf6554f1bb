package tablebase

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

func TestCutAndMissingFilesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("opens many stores one after the other")
	}
	sol := graphgame.New(32, 1, 30_000).Solve()
	stored := storedTest(t, sol, bitboard.WDL, bitboard.DTW)
	for _, path := range files(t, stored) {
		name := filepath.Base(path)
		if name == closedFile { // without it, the store counts as unclean
			continue
		}
		for _, size := range []int64{-1, 0, 10, fileSize(t, path) / 2, fileSize(t, path) - 1} {
			dir := copyFolder(t, stored)
			cut(t, filepath.Join(dir, name), size)
			for _, readOnly := range []bool{true, false} {
				s, err := Open(dir, testIdentity, Options{ReadOnly: readOnly})
				if err == nil {
					s.Close()
				}
				if !errors.Is(err, ErrDamaged) && !(name == identityFile && size < 0) {
					t.Errorf("%s cut to %d bytes: %v", name, size, err)
				}
			}
		}
	}
}

// cut shortens a file, or removes it for a size of -1.
func cut(t *testing.T, path string, size int64) {
	t.Helper()
	if size < 0 {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
