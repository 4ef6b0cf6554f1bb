package tablebase

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paika/bitboard"
)

// harmless tells whether a store whose files were tampered with either says so
// or reads as it did before. It must never read otherwise.
func harmless(t *testing.T, dir string, sol *solution, readOnly bool) (noticed bool) {
	t.Helper()
	s, err := Open(dir, testIdentity, Options{ReadOnly: readOnly, Version: "test"})
	if err != nil {
		return true
	}
	defer s.Close()
	report := verify(t, s, sol.game, VerifyOptions{})
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		for slice := range bitboard.Slice(len(sol.depths)) {
			tables := s.Tables(m, sol.game)
			got, want := newTable(m, slice, sol.game.Indices(slice)), sol.table(m, slice)
			err := tables.Load(context.Background(), got)
			switch {
			case err == nil && slices.Equal(got.WDL, want.WDL) && slices.Equal(got.DTW, want.DTW):
			case err == nil:
				t.Fatalf("%s: %v %d reads otherwise", dir, m, slice)
			case report.OK() && tables.Has(slice):
				t.Fatalf("%s: %v %d cannot be read, and Verify has no finding: %v", dir, m, slice, err)
			default:
				noticed = true
			}
		}
	}
	return noticed || !report.OK()
}

func TestChangedBytesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("opens many stores one after the other")
	}
	random := rand.New(rand.NewPCG(31, 1))
	sol := newGraphGame(31, 1, 30_000).solve()
	stored := storedTest(t, sol, bitboard.WDL, bitboard.DTW)
	for _, path := range files(t, stored) {
		name := filepath.Base(path)
		for round := range 8 {
			dir := copyFolder(t, stored)
			flipByte(t, random, filepath.Join(dir, name))
			if harmless(t, dir, sol, round%2 == 0) || name == closedFile || filepath.Ext(name) == ".vlog" {
				continue
			}
			t.Errorf("a change of %s went unnoticed", name)
		}
	}
}

func flipByte(t *testing.T, random *rand.Rand, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[random.IntN(len(data))] ^= 1 << random.IntN(8)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestCutAndMissingFilesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("opens many stores one after the other")
	}
	sol := newGraphGame(32, 1, 30_000).solve()
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

// Damage to a store that was not closed must not end the process, which Badger
// does for some of it.
func TestDamageAfterACrashIsAnError(t *testing.T) {
	if testing.Short() {
		t.Skip("opens many stores one after the other")
	}
	random := rand.New(rand.NewPCG(33, 1))
	sol := newGraphGame(33, 1, 5_000).solve()
	stored := storedTest(t, sol, bitboard.WDL, bitboard.DTW)
	for _, path := range files(t, stored) {
		name := filepath.Base(path)
		for range 10 {
			dir := copyFolder(t, stored)
			if err := os.Remove(filepath.Join(dir, closedFile)); err != nil {
				t.Fatal(err)
			}
			if name == closedFile {
				continue
			}
			flipByte(t, random, filepath.Join(dir, name))
			harmless(t, dir, sol, true)
		}
	}
}
