package command

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/catalogue"
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
	dir, aside := putAside(t)
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
	if status != done || !strings.Contains(stdout, ": 3 slices, nothing is wrong") {
		t.Errorf("exit status %d, %q, %q", status, stdout, stderr)
	}
	for _, there := range []string{dir, aside} {
		if _, err := os.Stat(there); err != nil {
			t.Error(err)
		}
	}
}

// putAside makes tables as a repair leaves them that is stopped between its two renames, and
// tells where the damaged ones are.
func putAside(t *testing.T) (dir, aside string) {
	t.Helper()
	dir, telo := builtTelo(t)
	w, err := tablebase.OpenWreck(t.Context(), dir, telo.Identity(), gameOfTelo(t), tablebase.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	beside, err := w.BeginReplacement()
	if err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := runQuietly(t, "build", "--board", "telo", "--pieces", "3", "--db", beside); status != done {
		t.Fatal(stderr)
	}
	aside, err = w.PutAside()
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return dir, aside
}

func gameOfTelo(t *testing.T) *fanorona.Game {
	t.Helper()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return game
}

// A slice that was lost on the way to be stored anew is told, and built where it was: nothing
// is damaged that would have to be copied and kept.
func TestARepairBuildsWhatWasBeingReplaced(t *testing.T) {
	dir := lostWhileReplaced(t)
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

// lostWhileReplaced makes tables as a build leaves them that fails where it stores 2v1 anew.
func lostWhileReplaced(t *testing.T) (dir string) {
	t.Helper()
	dir, telo := builtTelo(t)
	game := gameOfTelo(t)
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
	return dir
}

// TestAStoppedRepairSaysWhetherItChangedTheFolder: at whatever moment it is stopped.
func TestAStoppedRepairSaysWhetherItChangedTheFolder(t *testing.T) {
	aside, _ := putAside(t)
	for name, was := range map[string]string{"lost while it was replaced": lostWhileReplaced(t), "put aside": aside, "damaged": damagedTelo(t)} {
		t.Run(name, func(t *testing.T) { stopRepairs(t, filepath.Dir(was), filepath.Base(was)) })
	}
}

// damagedTelo makes tables of which a chunk is damaged.
func damagedTelo(t *testing.T) (dir string) {
	t.Helper()
	dir, _ = builtTelo(t)
	log := filepath.Join(dir, "000001.vlog")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 0xff
	if err := os.WriteFile(log, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestARepairTellsWhatItCounts: chunks are checked and slices built by the index, and copied whole.
func TestARepairTellsWhatItCounts(t *testing.T) {
	telo, err := catalogue.Games()[0].Open("telo", nil)
	if err != nil {
		t.Fatal(err)
	}
	units := make(map[string]string)
	_, err = telo.Repair(t.Context(), damagedTelo(t), catalogue.RepairOptions{
		Workers: 1, Memory: 1 << 30, Version: ownVersion(),
		Progress: func(doing, unit string, _, _ uint64) {
			first, _, _ := strings.Cut(doing, " ")
			units[first] = unit
		},
	})
	if want := map[string]string{"checking": "index", "copying": "slice", "building": "index"}; err != nil || !maps.Equal(units, want) {
		t.Errorf("%v, want %v; %v", units, want, err)
	}
}

// A repair that fails says what was wrong all the same. Where memory does not do, it has copied nothing.
func TestARepairThatFailsSaysWhatItFound(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "4GiB") // so that --memory is not told to this process
	dir := damagedTelo(t)
	status, stdout, stderr := runQuietly(t, "repair", "--board", "telo", "--db", dir, "--memory", "64M")
	if status != undecided || stdout != "" || !strings.Contains(stderr, ": the tables are damaged: ") || !strings.Contains(stderr, "of memory, and 64 MiB are allowed") {
		t.Errorf("exit status %d, %q, %q", status, stdout, stderr)
	}
	if beside, err := filepath.Glob(dir + "?*"); err != nil || len(beside) > 0 {
		t.Errorf("it left %v; %v", beside, err)
	}
}

// stopRepairs repairs tables, in a copy of the folder above, to the end, and then stops that at
// some moments, and at each of the last ones.
func stopRepairs(t *testing.T, above, name string) {
	const most, last = 1 << 20, 4
	whole := newCountdown(t.Context(), most)
	if status := repairCopy(t, whole, above, name); status != done {
		t.Fatalf("exit status %d", status)
	}
	all := most - whole.left.Load()
	for asked := int64(0); asked < all; asked++ {
		repairCopy(t, newCountdown(t.Context(), asked), above, name)
		if asked < all-last {
			asked += min(all/4, all-last-asked)
		}
	}
}

func repairCopy(t *testing.T, ctx context.Context, above, name string) (status int) {
	t.Helper()
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS(above)); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(work, name)
	before := filesOf(t, dir)
	var stdout, stderr bytes.Buffer
	status = Run(ctx, []string{"repair", "--board", "telo", "--db", dir, "--workers", "1"}, strings.NewReader(""), &stdout, &stderr)
	goOn := "; go on with: paika repair "
	none := strings.HasPrefix(stderr.String(), "paika: nothing was changed in "+dir+goOn)
	some := strings.HasPrefix(stderr.String(), "paika: what was done in "+dir+" is kept"+goOn)
	if changed := !maps.Equal(before, filesOf(t, dir)); status == stopped && (none == some || none && changed) {
		t.Errorf("changed %t, and it says %q", changed, &stderr)
	}
	return status
}

// filesOf is what the files of a folder hold, by their names; nothing where the folder is not there.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(text)
	}
	return files
}
