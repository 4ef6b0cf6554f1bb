package command

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/tablebase"
)

// A dry run only reads, and so it goes beside others who read. A repair does not.
func TestADryRunOfARepairIsBesideReaders(t *testing.T) {
	dir, telo := builtTelo(t)
	tables, err := telo.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	status, stdout, stderr := runQuietly(t, "repair", "--board", "telo", "--db", dir, "--dry-run")
	if status != done || !strings.Contains(stdout, "nothing is wrong") {
		t.Errorf("a dry run: exit status %d, %q, %q", status, stdout, stderr)
	}
	status, _, stderr = runQuietly(t, "repair", "--board", "telo", "--db", dir)
	if status != unavailable || !strings.Contains(stderr, "writing to "+dir+" or reading from it") {
		t.Errorf("a repair: exit status %d, %q", status, stderr)
	}
}

// A repair that was stopped between its two renames is told by all who find no tables, and
// finished by the next, also where the folder is named by a link.
func TestARepairThatWasStoppedBetweenItsRenames(t *testing.T) {
	dir, telo := builtTelo(t)
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := tablebase.OpenWreck(t.Context(), dir, telo.Identity(), game, tablebase.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	beside, err := w.BeginReplacement()
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(beside, telo.Identity(), tablebase.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	aside, err := w.PutAside()
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{"build", "--pieces", "2"}, {"query", ".../.W./..B w"}, {"stats"}, {"repair", "--dry-run"}} {
		args = append(args, "--board", "telo", "--db", link)
		status, _, stderr := runQuietly(t, args...)
		if want := "repair them with: paika repair fanorona --board telo --db " + link; status != unavailable || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit status %d, %q", args, status, stderr)
		}
	}
	status, stdout, stderr := runQuietly(t, "repair", "--board", "telo", "--db", link)
	if status != done || !strings.Contains(stdout, ": 0 slices, nothing is wrong") {
		t.Errorf("exit status %d, %q, %q", status, stdout, stderr)
	}
	for _, there := range []string{dir, aside} {
		if _, err := os.Stat(there); err != nil {
			t.Error(err)
		}
	}
}

// A slice that was lost on the way to be stored anew is told, and built where it was: nothing
// is damaged that would have to be copied and kept.
func TestARepairBuildsWhatWasBeingReplaced(t *testing.T) {
	dir, telo := builtTelo(t)
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	slice, err := game.ParseSlice("2v1")
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(dir, telo.Identity(), tablebase.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	table := bitboard.NewTable(bitboard.WDL, slice, game.Indices(slice))
	table.WDL[0] = ^uint64(0) // no values, at which it stops
	err = store.Tables(bitboard.WDL, game).Save(t.Context(), table, bitboard.Summary{Slice: slice, Win: game.Positions(slice)})
	if !errors.Is(err, tablebase.ErrReplacing) || store.Close() != nil {
		t.Fatal(err)
	}
	tables := []string{"--board", "telo", "--db", dir}
	status, stdout, stderr := runQuietly(t, append(tables, "verify")...)
	if status != failed || !strings.Contains(stdout, "wdl 2v1: unfinished build: it was stored, and is lost") {
		t.Errorf("verify: exit status %d, %q, %q", status, stdout, stderr)
	}
	status, stdout, stderr = runQuietly(t, append(tables, "repair")...)
	if status != done || !strings.Contains(stdout, ", 1 slice built anew") {
		t.Errorf("repair: exit status %d, %q, %q", status, stdout, stderr)
	}
	if beside, _ := filepath.Glob(dir + ".*"); len(beside) > 0 {
		t.Errorf("%q are beside the tables", beside)
	}
	if status, stdout, stderr = runQuietly(t, append(tables, "verify")...); status != done {
		t.Errorf("verify: exit status %d, %q, %q", status, stdout, stderr)
	}
}
