package tablebase

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/graphgame"
)

// openWreck opens a wreck that is closed at the end of the test.
func openWreck(t *testing.T, dir string, sol *graphgame.Solution) *Wreck {
	t.Helper()
	w, err := OpenWreck(t.Context(), dir, testIdentity, sol.Game, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// replaced makes a replacement of one slice beside a store, as far as before the first rename.
func replaced(t *testing.T, dir string, sol *graphgame.Solution) *Wreck {
	t.Helper()
	w := openWreck(t, dir, sol)
	beside, err := w.BeginReplacement()
	if err != nil {
		t.Fatal(err)
	}
	into := openTest(t, beside, Options{})
	err = w.Copy(t.Context(), into, StoredSlice{bitboard.WDL, sol.Game.SliceName(0)})
	if err := errors.Join(err, into.Close()); err != nil {
		t.Fatal(err)
	}
	return w
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// What a repair left that was stopped is gone on with for the same tables, and goes where they
// are others. Whatever else lies there stays.
func TestAReplacementIsOfTheTablesItWasBegunFor(t *testing.T) {
	first, other := graphgame.New(61, 1, 500).Solve(), graphgame.New(62, 1, 500).Solve()
	dir := storedTest(t, first, bitboard.WDL)
	beside := ReplacementFolder(dir)
	if err := replaced(t, dir, first).Close(); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(beside, "mine.txt")
	if err := os.WriteFile(foreign, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	begin := func(sol *graphgame.Solution) {
		w := openWreck(t, dir, sol)
		if _, err := w.BeginReplacement(); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	begin(first)
	if !Exists(beside) {
		t.Error("what was copied of the same tables is gone")
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(storedTest(t, other, bitboard.WDL), dir); err != nil {
		t.Fatal(err)
	}
	begin(other)
	if Exists(beside) || !exists(foreign) {
		t.Errorf("what was copied of other tables is there: %v; a file of somebody else: %v", Exists(beside), exists(foreign))
	}
}

// Tables that are there and are not known for what a repair left stay: somebody put them there.
func TestTablesThatNoRepairMadeStay(t *testing.T) {
	sol := graphgame.New(68, 1, 500).Solve()
	for name, spoil := range map[string]func(replaces string) error{
		"nothing is said of them":    os.Remove,
		"what is said can't be read": func(replaces string) error { return os.Truncate(replaces, 30) },
	} {
		dir := storedTest(t, sol, bitboard.WDL)
		beside := ReplacementFolder(dir)
		w := replaced(t, dir, sol)
		if err := spoil(filepath.Join(beside, replacesFile)); err != nil {
			t.Fatal(err)
		}
		left := takeSnapshot(t, beside)
		_, err := w.BeginReplacement()
		if !errors.Is(err, ErrNoRepair) || !strings.Contains(err.Error(), beside) {
			t.Errorf("%s: error %v, want ErrNoRepair of %s", name, err, beside)
		}
		left.unchanged(t, beside)
	}
}

// A repair that is killed while it removes what one of other tables left is gone on with, for
// either tables, and nothing stays of what was half removed.
func TestARepairThatIsKilledWhileItClearsIsGoneOnWith(t *testing.T) {
	first, other := graphgame.New(72, 1, 500).Solve(), graphgame.New(73, 1, 500).Solve()
	ofFirst, ofOther := storedTest(t, first, bitboard.WDL), storedTest(t, other, bitboard.WDL)
	if err := replaced(t, ofFirst, first).Close(); err != nil {
		t.Fatal(err)
	}
	place := func(tables, dir string) {
		if err := os.CopyFS(dir, os.DirFS(tables)); err != nil {
			t.Fatal(err)
		}
	}
	for kept := 0; ; kept++ {
		for next, sol := range map[string]*graphgame.Solution{ofFirst: first, ofOther: other} {
			dir := filepath.Join(t.TempDir(), "tables")
			place(ReplacementFolder(ofFirst), ReplacementFolder(dir))
			place(ofOther, dir)
			w := openWreck(t, dir, other)
			killed := killedAfter(kept, func(owned func(string) bool) { w.beginReplacement(owned) })
			if err := errors.Join(w.Close(), os.RemoveAll(dir)); err != nil {
				t.Fatal(err)
			}
			if !killed {
				return
			}
			place(next, dir)
			w = openWreck(t, dir, sol)
			if beside, err := w.BeginReplacement(); err != nil || Exists(beside) {
				t.Errorf("killed after %d files: error %v, tables are there: %v", kept, err, Exists(beside))
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// killedAfter runs what is killed once it has asked of so many files whether they are the store's
// own, and they are. It tells whether it was.
func killedAfter(files int, run func(owned func(string) bool)) (killed bool) {
	defer func() { killed = recover() != nil }()
	run(func(name string) bool {
		if owned(name) {
			if files--; files < 0 {
				panic("killed")
			}
			return true
		}
		return false
	})
	return
}

// What somebody else has where a replacement would be made stays as it is.
func TestWhatIsNoRepairsIsNotChanged(t *testing.T) {
	sol := graphgame.New(70, 1, 500).Solve()
	notes := func(folder string) error {
		return errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "notes"), nil, 0o600))
	}
	for name, c := range map[string]struct {
		put  func(beside, elsewhere string) error
		want error
	}{
		"a folder": {func(beside, _ string) error { return notes(beside) }, ErrForeignFiles},
		"a link to a folder": {func(beside, elsewhere string) error {
			return errors.Join(os.Mkdir(elsewhere, 0o700), os.Symlink(elsewhere, beside))
		}, ErrNotFolder},
		"a link to nothing": {func(beside, elsewhere string) error { return os.Symlink(elsewhere, beside) }, ErrNotFolder},
		"a file":            {func(beside, _ string) error { return os.WriteFile(beside, nil, 0o600) }, ErrNotFolder},
	} {
		t.Run(name, func(t *testing.T) {
			dir := storedTest(t, sol, bitboard.WDL)
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			beside, elsewhere := ReplacementFolder(dir), filepath.Join(t.TempDir(), "elsewhere")
			if err := c.put(beside, elsewhere); err != nil {
				t.Skip(err)
			}
			before := tree(beside) + tree(elsewhere)
			_, err := openWreck(t, dir, sol).BeginReplacement()
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), beside) {
				t.Errorf("error %v, want %v of %s", err, c.want, beside)
			}
			if after := tree(beside) + tree(elsewhere); after != before {
				t.Errorf("there is\n%snow, and was\n%s", after, before)
			}
		})
	}
}

// tree lists the names and modes of what is at a path and below.
func tree(path string) string {
	var list strings.Builder
	filepath.WalkDir(path, func(path string, _ fs.DirEntry, _ error) error {
		if info, err := os.Lstat(path); err == nil {
			fmt.Fprintln(&list, info.Mode(), path)
		}
		return nil
	})
	return list.String()
}

// An empty folder will do, and so does what a repair leaves that is killed before it says of which
// tables it is.
func TestAReplacementIsMadeInAnEmptyFolder(t *testing.T) {
	sol := graphgame.New(71, 1, 500).Solve()
	for _, left := range [][]string{nil, {"LOCK"}, {"LOCK", replacesFile + lasting.PartSuffix}} {
		dir := storedTest(t, sol, bitboard.WDL)
		if err := os.Mkdir(ReplacementFolder(dir), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range left {
			if err := os.WriteFile(filepath.Join(ReplacementFolder(dir), name), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := replaced(t, dir, sol).Replace(); err != nil {
			t.Errorf("%q: %v", left, err)
		}
	}
}

// A slice that is there with other values is replaced.
func TestCopyGoesByTheValues(t *testing.T) {
	first, other := graphgame.New(63, 1, 500).Solve(), graphgame.New(64, 1, 500).Solve()
	into := openTest(t, t.TempDir(), Options{})
	slice := StoredSlice{bitboard.WDL, first.Game.SliceName(0)}
	for _, sol := range []*graphgame.Solution{other, first} {
		w := openWreck(t, storedTest(t, sol, bitboard.WDL), sol)
		if err := w.Copy(t.Context(), into, slice); err != nil {
			t.Fatal(err)
		}
		want, _ := w.store.Slice(slice.Metric, slice.Slice)
		if got, _ := into.Slice(slice.Metric, slice.Slice); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// Between the two renames nobody takes the folder for one that was never there, and the repair
// is finished by name, or by a link that leads nowhere meanwhile.
func TestAReplacementIsFinished(t *testing.T) {
	sol := graphgame.New(65, 1, 500).Solve()
	for _, linked := range []bool{false, true} {
		above := t.TempDir()
		dir := filepath.Join(above, "tables")
		if err := os.Rename(storedTest(t, sol, bitboard.WDL), dir); err != nil {
			t.Fatal(err)
		}
		w := replaced(t, dir, sol)
		aside, err := w.PutAside()
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		name := dir
		if linked {
			name = filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(dir, name); err != nil {
				t.Skip(err)
			}
		}
		for _, readOnly := range []bool{true, false} {
			_, err := Open(name, testIdentity, Options{ReadOnly: readOnly})
			wantError(t, err, ErrNotReplaced)
		}
		_, err = OpenWreck(t.Context(), name, testIdentity, sol.Game, Options{})
		wantError(t, err, ErrNotReplaced)

		real, err := RealFolder(name)
		for _, want := range []bool{true, false} {
			finished, wrong := FinishReplacing(real)
			if err := errors.Join(err, wrong); err != nil || finished != want {
				t.Fatal(finished, err)
			}
		}
		s := openTest(t, name, Options{ReadOnly: true})
		if len(s.Slices(bitboard.WDL)) != 1 || !exists(aside) || exists(filepath.Join(dir, replacesFile)) || exists(ReplacementFolder(dir)) {
			t.Errorf("linked %v: the replacement is not in its place, and nothing else", linked)
		}
	}
}

// A replacement that is not whole, or is of other tables than those that were put aside, takes
// nobody's place.
func TestOnlyAWholeReplacementTakesAPlace(t *testing.T) {
	sol := graphgame.New(66, 1, 500).Solve()
	for name, spoil := range map[string]func(t *testing.T, w *Wreck, dir string) error{
		"half made": func(t *testing.T, w *Wreck, dir string) error {
			return errors.Join(w.Close(), os.Rename(dir, dir+asideSuffix))
		},
		"the tables were moved on": func(t *testing.T, w *Wreck, dir string) error {
			aside, err := w.PutAside()
			return errors.Join(err, w.Close(), os.Rename(aside, aside+"-mine"))
		},
		"other tables were put aside": func(t *testing.T, w *Wreck, dir string) error {
			aside, err := w.PutAside()
			other := graphgame.New(67, 1, 500).Solve()
			return errors.Join(err, w.Close(), os.RemoveAll(aside), os.Rename(storedTest(t, other, bitboard.WDL), aside))
		},
		"what is said of it is no more": func(t *testing.T, w *Wreck, dir string) error {
			_, err := w.PutAside()
			return errors.Join(err, w.Close(), os.Truncate(filepath.Join(ReplacementFolder(dir), replacesFile), 30))
		},
		"it names a folder elsewhere": func(t *testing.T, w *Wreck, dir string) error {
			aside, err := w.PutAside()
			if err := errors.Join(err, w.Close()); err != nil {
				return err
			}
			elsewhere := filepath.Join(t.TempDir(), "x")
			named, err := filepath.Rel(filepath.Dir(dir), elsewhere)
			if err := errors.Join(err, os.Rename(aside, elsewhere)); err != nil {
				return err
			}
			return writeReplaces(ReplacementFolder(dir), replacesRecord{Of: manifestsSum(elsewhere), Aside: named})
		},
	} {
		dir := storedTest(t, sol, bitboard.WDL)
		w := replaced(t, dir, sol)
		if err := spoil(t, w, dir); err != nil {
			t.Fatal(name, err)
		}
		if finished, err := FinishReplacing(dir); finished || err != nil || exists(dir) || !exists(ReplacementFolder(dir)) {
			t.Errorf("%s: it took its place, or error %v", name, err)
		}
	}
}

// A folder that nobody can come to is named, as whoever opens it names it.
func TestWhatIsNoRealFolderIsNamed(t *testing.T) {
	top := t.TempDir()
	file, loop := filepath.Join(top, "file"), filepath.Join(top, "loop")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(file, "tables")
	_, err := RealFolder(named)
	wantError(t, err, ErrNotFolder)
	if err == nil || !strings.Contains(err.Error(), named) {
		t.Errorf("%v, want %s in it", err, named)
	}
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip(err)
	}
	named = filepath.Join(loop, "tables")
	var path *fs.PathError
	if _, err := RealFolder(named); !errors.As(err, &path) || !strings.Contains(err.Error(), loop) {
		t.Errorf("%v, want an error about a path, with %s in it", err, loop)
	}
}

// A link that others change meanwhile leads to one place or the other.
func TestARealFolderBehindALinkThatChanges(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no link to a folder is replaced there")
	}
	top := t.TempDir()
	there, link, next := filepath.Join(top, "there"), filepath.Join(top, "link"), filepath.Join(top, "next")
	if err := os.Mkdir(there, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(there, link); err != nil {
		t.Skip(err)
	}
	ends := make(chan struct{})
	var changing sync.WaitGroup
	changing.Go(func() {
		for {
			for _, target := range []string{filepath.Join(top, "nowhere"), there} {
				select {
				case <-ends:
					return
				default:
				}
				if err := errors.Join(os.Symlink(target, next), os.Rename(next, link)); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	named := filepath.Join(link, "tables")
	for range 10_000 {
		if _, err := RealFolder(named); err != nil {
			t.Error(err)
			break
		}
	}
	close(ends)
	changing.Wait()
}
