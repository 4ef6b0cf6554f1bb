package verify

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"paika/bitboard"
	"paika/tablebase"
	"paika/tablebase/internal/graphgame"
)

// harmless tells whether a store whose files were tampered with either says so
// or reads as it did before. It must never read otherwise.
func harmless(t *testing.T, dir string, sol *graphgame.Solution, readOnly bool) (noticed bool) {
	t.Helper()
	s, err := tablebase.Open(dir, testIdentity, tablebase.Options{ReadOnly: readOnly, Version: "test"})
	if err != nil {
		return true
	}
	defer s.Close()
	report := verify(t, s, sol.Game, Options{})
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		for slice := range bitboard.Slice(len(sol.Depths)) {
			tables := s.Tables(m, sol.Game)
			got, want := bitboard.NewTable(m, slice, sol.Game.Indices(slice)), sol.Table(m, slice)
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
	sol := graphgame.New(31, 1, 30_000).Solve()
	stored := storedTest(t, sol, bitboard.WDL, bitboard.DTW)
	for _, path := range files(t, stored) {
		name := filepath.Base(path)
		for round := range 8 {
			dir := copyFolder(t, stored)
			flipByte(t, random, filepath.Join(dir, name))
			if harmless(t, dir, sol, round%2 == 0) || name == "CLOSED" || filepath.Ext(name) == ".vlog" {
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

// Damage to a store that was not closed must not end the process, which Badger
// does for some of it.
func TestDamageAfterACrashIsAnError(t *testing.T) {
	if testing.Short() {
		t.Skip("opens many stores one after the other")
	}
	random := rand.New(rand.NewPCG(33, 1))
	sol := graphgame.New(33, 1, 5_000).Solve()
	stored := storedTest(t, sol, bitboard.WDL, bitboard.DTW)
	for _, path := range files(t, stored) {
		name := filepath.Base(path)
		for range 10 {
			dir := copyFolder(t, stored)
			if err := os.Remove(filepath.Join(dir, "CLOSED")); err != nil {
				t.Fatal(err)
			}
			if name == "CLOSED" {
				continue
			}
			flipByte(t, random, filepath.Join(dir, name))
			harmless(t, dir, sol, true)
		}
	}
}

// Tables that were whole when they were looked through, and can't be read any more when they are
// to be derived, are found, and no record has them.
func TestDamageMeanwhileIsFound(t *testing.T) {
	game := graphgame.New(34, 3, 20_000)
	dir := storedTest(t, game.Solve(), bitboard.WDL)
	s := openTest(t, dir, toRead)
	scan := uint64(0)
	for _, info := range s.Slices(bitboard.WDL) {
		scan += info.Indices
	}
	var once sync.Once
	report := verify(t, s, game, Options{Workers: 1, Progress: func(done, _ uint64) {
		if done >= scan {
			once.Do(func() { overwrite(t, dir) })
		}
	}})
	if !finds(report, "values") || report.Derived >= report.Slices {
		t.Errorf("%d of %d slices derived: %v", report.Derived, report.Slices, report.Findings)
	}
}

// overwrite overwrites most of each large file of a folder in its place.
func overwrite(t *testing.T, dir string) {
	for _, path := range files(t, dir) {
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if size := info.Size(); size > 4096 {
			_, err = file.WriteAt(make([]byte, size*3/4), size/8)
		}
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
	}
}
