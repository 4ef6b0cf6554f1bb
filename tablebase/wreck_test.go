package tablebase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/graphgame"
)

// salvage copies what is whole of a wreck into a new store, and tells how many
// slices are lost.
func salvage(t *testing.T, dir string, sol *graphgame.Solution) (into *Store, lost int) {
	t.Helper()
	w, err := OpenWreck(t.Context(), dir, testIdentity, sol.Game, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	whole, errs, err := w.Check(t.Context(), func(_, _ uint64) {})
	if err != nil {
		t.Fatal(err)
	}
	into = openTest(t, t.TempDir(), Options{Version: "test"})
	for _, s := range whole {
		if err := w.Copy(t.Context(), into, s); err != nil {
			t.Fatal(err)
		}
	}
	return into, len(errs)
}

// Whatever one changed byte there is, in a closed store or in that of a killed
// writer: at most the slice whose chunk it is in is lost, and the others read as
// before.
func TestAWreckKeepsWhatIsWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("opens many stores one after the other")
	}
	random := rand.New(rand.NewPCG(91, 1))
	sol := graphgame.New(91, 1, 30_000).Solve()
	for _, files := range []snapshot{takeSnapshot(t, storedTest(t, sol, bothMetrics...)), killedTest(t, sol, bothMetrics...)} {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if len(files[name].data) == 0 {
				continue
			}
			for range 3 {
				damaged := files.flipped(name, random.IntN(len(files[name].data)))
				dir := damaged.write(t)
				into, lost := salvage(t, dir, sol)
				most := 0
				if filepath.Ext(name) == valueLogSuffix {
					most = 1
				}
				if lost > most {
					t.Errorf("a byte of %s: %d slices are lost, want at most %d", name, lost, most)
				}
				if kept := wantKept(t, into, sol); kept+lost != 4 {
					t.Errorf("a byte of %s: %d slices are kept and %d lost, want 4", name, kept, lost)
				}
				damaged.unchanged(t, dir)
			}
		}
	}
}

// wantKept counts the slices of a store, each of which must be right.
func wantKept(t *testing.T, s *Store, sol *graphgame.Solution) (kept int) {
	t.Helper()
	for _, m := range bothMetrics {
		for slice := range bitboard.Slice(len(sol.Depths)) {
			if !s.Tables(m, sol.Game).Has(slice) {
				continue
			}
			kept++
			got, want := bitboard.NewTable(m, slice, sol.Game.Indices(slice)), sol.Table(m, slice)
			if err := s.Tables(m, sol.Game).Load(context.Background(), got); err != nil {
				t.Error(err)
			} else if !slices.Equal(got.WDL, want.WDL) || !slices.Equal(got.DTW, want.DTW) {
				t.Errorf("%v %d reads otherwise", m, slice)
			}
		}
	}
	return kept
}

// Nothing but the value log and a manifest is needed.
func TestAWreckNeedsLittle(t *testing.T) {
	sol := graphgame.New(92, 1, 30_000).Solve()
	stored := takeSnapshot(t, storedTest(t, sol, bothMetrics...))
	for _, name := range []string{identityFile, closedFile, "manifest-wdl", "manifest-dtw.copy", "MANIFEST", "KEYREGISTRY", stored.first(t, treeSuffix)} {
		delete(stored, name)
	}
	into, lost := salvage(t, stored.write(t), sol)
	if kept := wantKept(t, into, sol); kept != 4 || lost != 0 {
		t.Errorf("%d slices are kept and %d lost, want 4 and 0", kept, lost)
	}
}

func TestOpenWreckRefuses(t *testing.T) {
	game := graphgame.New(93, 1, 100)
	dir := storedTest(t, game.Solve(), bitboard.WDL)
	_, err := OpenWreck(t.Context(), t.TempDir(), testIdentity, game, Options{Workers: 1})
	wantError(t, err, ErrNoStore)
	_, err = OpenWreck(t.Context(), filepath.Join(dir, "none"), testIdentity, game, Options{Workers: 1})
	wantError(t, err, ErrNoStore)
	openTest(t, dir, Options{ReadOnly: true})
	_, err = OpenWreck(t.Context(), dir, testIdentity, game, Options{Workers: 1})
	wantError(t, err, ErrLocked)
}

// Who only looks at a wreck does so beside readers, and not beside a writer.
func TestAWreckIsLookedAtBesideReaders(t *testing.T) {
	sol := graphgame.New(93, 1, 100).Solve()
	dir := storedTest(t, sol, bitboard.WDL)
	look := func() (whole []StoredSlice, err error) {
		w, err := OpenWreck(t.Context(), dir, testIdentity, sol.Game, Options{ReadOnly: true, Workers: 1})
		if err != nil {
			return nil, err
		}
		defer w.Close()
		whole, _, err = w.Check(t.Context(), func(_, _ uint64) {})
		return whole, err
	}
	reader := openTest(t, dir, Options{ReadOnly: true})
	whole, err := look()
	if err != nil || len(whole) != len(reader.Slices(bitboard.WDL)) {
		t.Errorf("beside a reader: %v whole, %v", whole, err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	openTest(t, dir, Options{Version: "test"})
	_, err = look()
	wantError(t, err, ErrLocked)
}

// Where no manifest says what slices hold, those that have chunks are told as lost.
func TestAWreckWithoutManifestsTellsWhatIsLost(t *testing.T) {
	sol := graphgame.New(94, 1, 1000).Solve()
	stored := takeSnapshot(t, storedTest(t, sol, bothMetrics...))
	for _, name := range []string{"manifest-wdl", "manifest-wdl.copy"} {
		delete(stored, name)
	}
	into, lost := salvage(t, stored.write(t), sol)
	if kept := wantKept(t, into, sol); kept != 2 || lost != 2 {
		t.Errorf("%d slices are kept and %d lost, want those of dtw kept and those of wdl lost", kept, lost)
	}
}

// They are told in the order of slices.
func TestLostSlicesAreToldInTheirOrder(t *testing.T) {
	space, dir := noiseSpace{slices: 12, indices: 10}, t.TempDir()
	s := openTest(t, dir, Options{})
	for slice := range space.slices {
		if err := space.save(s, bitboard.WDL, space.slices-1-slice); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.Close(), os.Remove(manifestPath(dir, bitboard.WDL)), os.Remove(manifestPath(dir, bitboard.WDL)+copySuffix)); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWreck(t.Context(), dir, testIdentity, space, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	_, lost, err := w.Check(t.Context(), func(_, _ uint64) {})
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, e := range lost {
		got = append(got, e.Slice)
	}
	for slice := range space.slices {
		want = append(want, space.SliceName(slice))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// vast is a game whose slices have more indices than its tables.
type vast struct{ *graphgame.Game }

const vastIndices = 1 << 38

func (vast) Indices(bitboard.Slice) uint64 { return vastIndices }

// What a manifest claims takes no memory where its chunks are not there.
func TestAWreckTakesMemoryByWhatIsThere(t *testing.T) {
	sol := graphgame.New(96, 1, 100).Solve()
	dir := storedTest(t, sol, bothMetrics...)
	list := []SliceInfo{{Name: sol.Game.SliceName(0), Indices: vastIndices, Chunks: ChunkCount(bitboard.DTW, vastIndices), Bytes: ChunkCount(bitboard.DTW, vastIndices) * leastChunkBytes}}
	claimed, err := newManifest(testIdentity, bitboard.DTW, list)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeManifestFile(dir, bitboard.DTW, claimed.text); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w, err := OpenWreck(t.Context(), dir, testIdentity, vast{sol.Game}, Options{ReadOnly: true, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	whole, lost, err := w.Check(t.Context(), func(_, _ uint64) {})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > list[0].Chunks {
		t.Errorf("%d bytes of memory for %d chunks that are not there", took, list[0].Chunks)
	}
	at := slices.IndexFunc(lost, func(e *SliceError) bool { return e.Metric == bitboard.DTW })
	if len(whole) > 0 || at < 0 || lost[at].Err.Error() != "chunk 1: the chunk is missing" {
		t.Errorf("%v whole, %v lost", whole, lost)
	}
}

// A file that is not as it was left is told once, by its name.
func TestAWreckTellsOfAFileOnce(t *testing.T) {
	sol := graphgame.New(95, 1, 100).Solve()
	stored := takeSnapshot(t, storedTest(t, sol, bothMetrics...))
	const longer = "%s: %d bytes, %d when the tables were last closed"
	for _, name := range []string{identityFile, "manifest-wdl", "manifest-dtw", "MANIFEST"} {
		wantFaults(t, without(stored, name), sol, name+": the file is gone")
		size, extended := stored[name].size, maps.Clone(stored)
		extended[name] = snapshotFile{append(slices.Clone(stored[name].data), 'x'), size + 1}
		wantFaults(t, extended, sol, fmt.Sprintf(longer, name, size+1, size))
	}
	both := without(without(stored, "manifest-wdl"), "manifest-wdl.copy")
	wantFaults(t, both, sol, "manifest-wdl: the file is gone", "manifest-wdl.copy: the file is gone")
}

func wantFaults(t *testing.T, files snapshot, sol *graphgame.Solution, want ...string) {
	t.Helper()
	dir := files.write(t)
	w, err := OpenWreck(t.Context(), dir, testIdentity, sol.Game, Options{ReadOnly: true, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var got []string
	for _, fault := range w.Faults() {
		got = append(got, strings.TrimPrefix(fault.Error(), dir+": the tables are damaged: "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("faults %q, want %q", got, want)
	}
}

// A manifest that no store can have is none, though its text is whole; nor can a slice have more bytes
// than there are.
func TestAWreckBelievesNoManifestThatNoStoreHas(t *testing.T) {
	sol := graphgame.New(96, 1, 100).Solve()
	dir := storedTest(t, sol, bitboard.WDL)
	stored := takeSnapshot(t, dir)
	list, err := readManifestFile(manifestPath(dir, bitboard.WDL), testIdentity, bitboard.WDL)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bytes  uint64
		faults int // the manifest and its copy
	}{{0, 2}, {9_000_000_000, 0}} {
		forged := slices.Clone(list.slices)
		forged[0].Bytes = c.bytes
		next, err := newManifest(testIdentity, bitboard.WDL, forged)
		if err != nil {
			t.Fatal(err)
		}
		dir := without(stored, closedFile).write(t)
		if err := writeManifestFile(dir, bitboard.WDL, next.text); err != nil {
			t.Fatal(err)
		}
		w, err := OpenWreck(t.Context(), dir, testIdentity, sol.Game, Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		faults := slices.DeleteFunc(slices.Clone(w.Faults()), func(err error) bool { return !strings.Contains(err.Error(), "manifest-wdl") })
		_, lost, err := w.Check(t.Context(), func(_, _ uint64) {})
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		if len(faults) != c.faults || !slices.ContainsFunc(lost, func(e *SliceError) bool { return e.Slice == forged[0].Name }) {
			t.Errorf("a slice of %d bytes: faults %v, lost %v", c.bytes, faults, lost)
		}
	}
}

// What a link leads to that has the name of a checkpoint is none of the store, and is not copied.
func TestAWreckCopiesNoLinks(t *testing.T) {
	sol := graphgame.New(97, 1, 100).Solve()
	dir := storedTest(t, sol, bitboard.WDL)
	const name, loop = checkpointFile + "wdl-0123456789abcdef", checkpointFile + "wdl-fedcba9876543210"
	private := filepath.Join(t.TempDir(), "private")
	if err := errors.Join(os.WriteFile(private, []byte("letter"), 0o600), os.Symlink(private, filepath.Join(dir, name)), os.Symlink(loop, filepath.Join(dir, loop))); err != nil {
		t.Skip(err) // where links are not for everyone
	}
	w, err := OpenWreck(t.Context(), dir, testIdentity, sol.Game, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	into := openTest(t, t.TempDir(), Options{Version: "test"})
	if err := w.CopyCheckpoints(t.Context(), into, func(_, _ uint64) {}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{name, loop} {
		if _, err := os.Lstat(filepath.Join(into.dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Slices that would take two looks ahead are lost, as no build leaves them so: a repair builds
// them anew, and has whole what they follow from.
func TestAWreckLosesWhatTakesTwoLooksAhead(t *testing.T) {
	test := newSparseTest(t)
	test.saveForgetfully()
	if err := test.store.Close(); err != nil {
		t.Fatal(err)
	}
	into, lost := salvage(t, test.store.dir, test.sol)
	if lost != 4 {
		t.Errorf("%d slices are lost, want 4", lost)
	}
	if got := into.Slices(bitboard.WDL); len(got) != 2 {
		t.Errorf("%v are kept, want those that follow from no others", got)
	}
}

// Where the manifest is lost and its copy is known to be the same, nothing that it does not list
// counts as lost: chunks of a build that was stopped are no slice yet.
func TestAWreckTakesNoUnfinishedBuildForLost(t *testing.T) {
	sol := graphgame.New(97, 1, 100_000).Solve()
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	if err := saveOne(t.Context(), s, sol, bitboard.WDL, 0); err != nil {
		t.Fatal(err)
	}
	key := newChunkKeys(bitboard.WDL, sol.Game.SliceName(1)).key(nil, 0)
	if err := errors.Join(s.folder.Put([]badgerdir.Entry{{Key: key, Value: make([]byte, 100)}}), s.Close()); err != nil {
		t.Fatal(err)
	}
	stored := without(takeSnapshot(t, dir), "manifest-wdl")
	for _, c := range []struct {
		files snapshot
		lost  int
	}{{stored, 0}, {without(stored, closedFile), 1}} {
		into, lost := salvage(t, c.files.write(t), sol)
		if kept := wantKept(t, into, sol); kept != 1 || lost != c.lost {
			t.Errorf("%d slices are kept and %d lost, want 1 and %d", kept, lost, c.lost)
		}
	}
}

// A slice that is copied is listed once its chunks are on disk, and not where they can't be brought
// there.
func TestACopiedSliceIsOnDiskBeforeItIsListed(t *testing.T) {
	sol := graphgame.New(65, 1, 30_000).Solve()
	for _, m := range bothMetrics {
		w, err := OpenWreck(t.Context(), storedTest(t, sol, m), testIdentity, sol.Game, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		dir, copying, synced, fails := t.TempDir(), false, 0, error(nil)
		into, err := open(dir, testIdentity, Options{}, badgerdir.System{Free: badgerdir.RealSystem().Free, Sync: func(path string) error {
			list, err := readManifestFile(manifestPath(dir, m), testIdentity, m)
			if copying && (err == nil && len(list.slices) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)) {
				t.Errorf("%v: while it is brought to disk %d slices are listed, %v", m, len(list.slices), err)
			}
			synced++
			return errors.Join(fails, lasting.SyncFile(path))
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer into.Close()
		of := StoredSlice{Metric: m, Slice: sol.Game.SliceName(0)}
		copying, fails = true, errors.New("the disk fails")
		if err := w.Copy(t.Context(), into, of); !errors.Is(err, fails) || len(into.Slices(m)) > 0 {
			t.Errorf("%v: %v, %d slices are listed", m, err, len(into.Slices(m)))
		}
		synced, fails = 0, nil
		if err := w.Copy(t.Context(), into, of); err != nil || synced == 0 || len(into.Slices(m)) != 1 {
			t.Errorf("%v: %v, %d files brought to disk, %d slices are listed", m, err, synced, len(into.Slices(m)))
		}
		copying = false
	}
}

// A slice that is copied in the place of another leaves that where the disk is full, and else tells
// that it is lost where it fails.
func TestACopyReplacesWithCare(t *testing.T) {
	space, dir := noiseSpace{slices: 1, indices: 1000}, t.TempDir()
	from := openTest(t, dir, Options{})
	if err := errors.Join(space.save(from, bitboard.WDL, 0), from.Close()); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWreck(t.Context(), dir, testIdentity, space, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	system := badgerdir.RealSystem()
	free, fails := uint64(1<<40), error(nil)
	system.Free = func(string) (uint64, error) { return free, nil }
	system.Sync = func(path string) error { return errors.Join(fails, lasting.SyncFile(path)) }
	into, err := open(t.TempDir(), testIdentity, Options{}, system)
	if err != nil {
		t.Fatal(err)
	}
	defer into.Close()
	other := noiseSpace{slices: 1, indices: 1000, other: 1}
	if err := other.save(into, bitboard.WDL, 0); err != nil {
		t.Fatal(err)
	}
	of := StoredSlice{Metric: bitboard.WDL, Slice: space.SliceName(0)}
	free = 0
	if err := w.Copy(t.Context(), into, of); !errors.Is(err, ErrDiskFull) || errors.Is(err, ErrReplacing) {
		t.Errorf("a full disk: %v", err)
	}
	if !into.Tables(bitboard.WDL, other).Has(0) {
		t.Error("a full disk has cost the slice that was there")
	}
	other.check(t, into)
	free, fails = 1<<40, errors.New("the disk fails")
	if err := w.Copy(t.Context(), into, of); !errors.Is(err, fails) || !errors.Is(err, ErrReplacing) {
		t.Errorf("a disk that fails: %v", err)
	}
	fails = nil
	if err := w.Copy(t.Context(), into, of); err != nil {
		t.Error(err)
	}
	space.check(t, into)
}
