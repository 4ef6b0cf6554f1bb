package tablebase

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
	"paika/tablebase/internal/textfile"
)

// What these tests have in common: whatever happens to the files of a store,
// nobody who opens it takes away more, and what is lost is told.

var bothMetrics = []bitboard.Metric{bitboard.WDL, bitboard.DTW}

// A build that has nothing to do opens a store to write. It must not cut the value
// log short where a byte was changed.
func TestAWriterDestroysNothingOfADamagedStore(t *testing.T) {
	random := rand.New(rand.NewPCG(51, 1))
	changes := 4 // of each file
	if testing.Short() {
		changes = 1
	}
	sol := graphgame.New(51, 1, 30_000).Solve()
	stored := takeSnapshot(t, storedTest(t, sol, bothMetrics...))
	for name, file := range stored {
		if name == closedFile { // without it, the store counts as that of a killed writer
			continue
		}
		for range changes {
			damaged := stored.flipped(name, random.IntN(len(file.data)))
			dir := damaged.write(t)
			s, err := Open(dir, testIdentity, Options{Version: "test"})
			if err == nil {
				err = s.Close()
			}
			if err == nil && filepath.Ext(name) == ".vlog" {
				err = ErrDamaged // it may be opened, if it loses nothing
				wantListed(t, dir, sol, 0)
			} else {
				damaged.unchanged(t, dir)
			}
			wantError(t, err, ErrDamaged)
		}
	}
}

// A store whose identity is gone is a damaged one, not a folder without tables, to
// readers and to writers.
func TestALostIdentityIsDamage(t *testing.T) {
	sol := graphgame.New(52, 1, 3_000).Solve()
	for _, closed := range []bool{true, false} {
		dir := storedTest(t, sol, bitboard.WDL)
		lost := []string{identityFile}
		if !closed {
			lost = append(lost, closedFile)
		}
		for _, name := range lost {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		for _, readOnly := range []bool{true, false} {
			_, err := Open(dir, testIdentity, Options{ReadOnly: readOnly})
			wantError(t, err, ErrDamaged)
		}
	}
}

// Chunks that are whole, and are not those that the manifest lists, are no table: those of a slice
// that was stored before, say.
func TestOtherChunksAreDamage(t *testing.T) {
	sol := graphgame.New(54, 1, 30_000).Solve()
	for _, m := range bothMetrics {
		s := openTest(t, t.TempDir(), Options{})
		saveAll(t, s, sol, m)
		listed := s.manifests[m]
		other := sol.Table(m, 1)
		if m == bitboard.WDL {
			other.WDL.Set(0, (other.WDL.At(0)+1)%3)
		} else {
			other.DTW[0] = bitboard.MakeDepth(bitboard.Win, 7)
		}
		tables, into := s.Tables(m, sol.Game), bitboard.NewTable(m, 1, sol.Game.Indices(1))
		if err := tables.Save(t.Context(), other, sol.Summary(m, 1)); err != nil {
			t.Fatal(err)
		}
		if err := tables.Load(t.Context(), into); err != nil {
			t.Errorf("%v: beside the manifest of its own: %v", m, err)
		}
		s.manifests[m] = listed
		var slice *SliceError
		if err := tables.Load(t.Context(), into); !errors.Is(err, ErrDamaged) || !errors.As(err, &slice) || slice.Slice != sol.Game.SliceName(1) {
			t.Errorf("%v: %v", m, err)
		}
		into = bitboard.NewTable(m, 0, sol.Game.Indices(0))
		if err := tables.Load(t.Context(), into); err != nil {
			t.Errorf("%v: the other slice: %v", m, err)
		}
	}
}

// wantListed fails unless a store lists every slice of a solution, and reads those
// that are not damaged as they are, which are all but a few.
func wantListed(t *testing.T, dir string, sol *graphgame.Solution, damaged int) {
	t.Helper()
	s := openTest(t, dir, Options{Version: "test"})
	defer s.Close()
	lost := 0
	for _, m := range bothMetrics {
		tables := s.Tables(m, sol.Game)
		for slice := range bitboard.Slice(len(sol.Depths)) {
			if !tables.Has(slice) {
				t.Errorf("%v %d is not listed any more", m, slice)
				continue
			}
			got, want := bitboard.NewTable(m, slice, sol.Game.Indices(slice)), sol.Table(m, slice)
			if err := tables.Load(context.Background(), got); err != nil {
				lost++
				if lost > damaged {
					t.Errorf("%v %d: %v", m, slice, err)
				}
			} else if !slices.Equal(got.WDL, want.WDL) || !slices.Equal(got.DTW, want.DTW) {
				t.Errorf("%v %d reads otherwise", m, slice)
			}
		}
	}
}

// A store whose writer was killed loses nothing that it lists, or says so.
func TestAChangedLogOfAKilledStoreLosesNothingInSilence(t *testing.T) {
	random := rand.New(rand.NewPCG(52, 1))
	sol := graphgame.New(52, 1, 30_000).Solve()
	killed := killedTest(t, sol, bothMetrics...)
	wantListed(t, killed.write(t), sol, 0)
	for _, name := range []string{killed.first(t, ".mem"), killed.first(t, ".vlog"), "MANIFEST"} {
		for range 12 {
			at := random.IntN(len(killed[name].data))
			damaged := killed.flipped(name, at)
			dir := damaged.write(t)
			s, err := Open(dir, testIdentity, Options{Version: "test"})
			if err == nil {
				s.Close()
				wantListed(t, dir, sol, 0)
				continue
			}
			wantError(t, err, ErrDamaged)
			damaged.unchanged(t, dir)
		}
	}
}

// After a power cut the copy of a manifest may be a slice behind. Put in the place
// of the manifest of a killed store, it must not hide that slice, and where nothing
// else is left, the slice is told as lost.
func TestACopyOfAManifestIsNoManifest(t *testing.T) {
	sol := graphgame.New(53, 1, 3_000).Solve()
	killed := killedTest(t, sol, bothMetrics...)
	for _, m := range bothMetrics {
		dir := killed.write(t)
		path := manifestPath(dir, m)
		whole, err := readManifestFile(path, testIdentity, m)
		if err != nil {
			t.Fatal(err)
		}
		behind, err := newManifest(testIdentity, m, whole.slices[1:])
		if err != nil {
			t.Fatal(err)
		}
		if err := textfile.Write(path+copySuffix, behind.text); err != nil {
			t.Fatal(err)
		}
		wantListed(t, takeSnapshot(t, dir).write(t), sol, 0) // the manifest alone counts
		if err := os.Rename(path+copySuffix, path); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(dir, testIdentity, Options{Version: "test"}); err == nil {
			s.Close()
			t.Errorf("%v: the copy was taken for the manifest", m)
		} else {
			wantError(t, err, ErrDamaged)
		}
		if err := os.Rename(path, path+copySuffix); err != nil {
			t.Fatal(err)
		}
		into, lost := salvage(t, dir, sol)
		if kept := wantKept(t, into, sol); kept != 3 || lost != 1 {
			t.Errorf("%v: %d slices are kept and %d lost, want 3 and 1", m, kept, lost)
		}
	}
}

// A reader changes nothing, whatever it finds.
func TestReadersChangeNothing(t *testing.T) {
	sol := graphgame.New(53, 1, 30_000).Solve()
	stored := takeSnapshot(t, storedTest(t, sol, bothMetrics...))
	killed := killedTest(t, sol, bothMetrics...)
	unclosed := without(stored, closedFile)
	cutShort := without(unclosed, "MANIFEST")
	list := stored["MANIFEST"].data
	cutShort = cutShort.with("MANIFEST", list[:len(list)-1])
	foreign := stored.with("000999.sst", []byte("not a table"))
	for name, c := range map[string]struct {
		files snapshot
		want  error
	}{
		"closed":                          {stored, nil},
		"killed":                          {killed, ErrUnclean},
		"closed, but CLOSED is missing":   {unclosed, ErrUnclean},
		"the same, with MANIFEST cut":     {cutShort, ErrUnclean},
		"closed, but CLOSED is broken":    {stored.flipped(closedFile, 40), ErrUnclean},
		"a table that was not there then": {foreign, ErrDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			dir := c.files.write(t)
			s, err := Open(dir, testIdentity, Options{ReadOnly: true})
			if err == nil {
				err = s.Close()
			}
			if !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			c.files.unchanged(t, dir)
		})
	}
}

func without(s snapshot, name string) snapshot {
	other := s.with(name, nil)
	delete(other, name)
	return other
}

// A file that is none of the store's own may come, change and go.
func TestFilesOfOthersAreOfNoAccount(t *testing.T) {
	sol := graphgame.New(54, 1, 1000).Solve()
	dir := t.TempDir()
	notes := []string{".DS_Store", "Thumbs.db", "note.txt", "000001.vlog.bak", "backup/000001.vlog"}
	s := openTest(t, dir, Options{})
	saveAll(t, s, sol, bitboard.WDL)
	for _, name := range notes {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte("mine"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range notes {
		path := filepath.Join(dir, name)
		if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	openTest(t, dir, Options{ReadOnly: true}).Close()
	openTest(t, dir, Options{}).Close()
}

// A list of files as an earlier program left it, with a note in it that is gone.
func TestANoteInTheListOfFilesIsNotMissed(t *testing.T) {
	sol := graphgame.New(55, 1, 1000).Solve()
	dir := storedTest(t, sol, bitboard.WDL)
	path := filepath.Join(dir, closedFile)
	text, err := textfile.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	note := `, {"name": ".DS_Store", "size": 6148, "sum": "0123456789abcdef"}]`
	if err := textfile.Write(path, append(bytes.TrimSuffix(bytes.TrimSpace(text), []byte("]")), note...)); err != nil {
		t.Fatal(err)
	}
	openTest(t, dir, Options{ReadOnly: true}).Close()
	openTest(t, dir, Options{}).Close()
}

// A small store takes about as much as its chunks do.
func TestSmallStoresAreSmall(t *testing.T) {
	dir := storedTest(t, graphgame.New(56, 1, 1000).Solve(), bothMetrics...)
	s := openTest(t, dir, Options{ReadOnly: true})
	got, err := s.DiskBytes()
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(bytesIn(t, dir)); got != want {
		t.Errorf("%d bytes told, %d taken", got, want)
	}
	if got > 16<<10 {
		t.Errorf("%d bytes for four chunks", got)
	}
}
