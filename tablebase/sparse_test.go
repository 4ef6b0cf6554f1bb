package tablebase

import (
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/graphgame"
)

// sparseTest is a store of three pairs of slices that are saved group by group.
type sparseTest struct {
	*testing.T
	store  *Store
	sol    *graphgame.Solution
	groups []bitboard.Group
}

func newSparseTest(t *testing.T) *sparseTest {
	game := graphgame.New(111, 3, 3_000)
	groups, err := game.Groups()
	if err != nil {
		t.Fatal(err)
	}
	return &sparseTest{t, openTest(t, t.TempDir(), Options{}), game.Solve(), groups}
}

func (t *sparseTest) tables() *Tables { return t.store.Tables(bitboard.WDL, t.sol.Game) }

// save stores group n as a build of the first groups does.
func (t *sparseTest) save(n, groups int) {
	t.Helper()
	tables := t.tables().ForBuild(t.groups[:groups])
	for _, s := range t.groups[n].Slices {
		if err := tables.Save(t.Context(), t.sol.Table(bitboard.WDL, s), t.sol.Summary(bitboard.WDL, s)); err != nil {
			t.Fatal(err)
		}
	}
}

// complete stores group n whole.
func (t *sparseTest) complete(n int) {
	t.Helper()
	for _, s := range t.groups[n].Slices {
		if err := t.tables().SaveWhole(t.Context(), t.sol.Table(bitboard.WDL, s)); err != nil {
			t.Fatal(err)
		}
	}
}

// check wants these groups to leave values out, and no others, and every position of
// the first groups to be found.
func (t *sparseTest) check(groups int, sparse ...int) {
	t.Helper()
	t.checkBy(NewProber(t.store, t.sol.Game, 0), t.tables(), groups, sparse...)
}

// checkBy is check by a prober and tables that may have been asked before.
func (t *sparseTest) checkBy(prober *Prober[graphgame.Position], tables *Tables, groups int, sparse ...int) {
	t.Helper()
	for n := range groups {
		for _, s := range t.groups[n].Slices {
			if got, want := tables.LeavesOut(s), slices.Contains(sparse, n); got != want {
				t.Errorf("of %d groups, slice %s leaves values out: %v", groups, t.sol.Game.SliceName(s), got)
			}
			for i, d := range t.sol.Depths[s] {
				p, weight := t.sol.Game.Unrank(s, uint64(i))
				if weight == 0 {
					continue
				}
				if got, err := prober.Probe(p); err != nil || got.Value != d.Value() {
					t.Fatalf("%v: %v, %v, want %v", p, got, err, d.Value())
				}
			}
		}
	}
}

// Of a build, the slices that no other needs leave values out. What comes to be needed
// later is whole before other values follow from it.
func TestTheLargestSlicesOfABuildLeaveValuesOut(t *testing.T) {
	test := newSparseTest(t)
	test.save(0, 2)
	test.save(1, 2)
	test.check(2, 1)

	test.save(2, 3) // over values that are left out
	test.check(3, 1)

	test.complete(1)
	test.save(2, 3)
	test.check(3, 2)
}

// Whether a slice leaves values out is read from its chunks once, and again when slices
// are saved.
func TestWhatSlicesLeaveOutIsReadOnce(t *testing.T) {
	test := newSparseTest(t)
	test.save(0, 2)
	test.save(1, 2)
	test.check(2, 1)
	test.complete(1)
	test.check(2)

	tables, leaving := test.tables(), test.groups[1].Slices[0]
	test.save(1, 2)
	if !tables.LeavesOut(leaving) {
		t.Fatal("a slice that no other needs is stored whole")
	}
	if err := test.store.Close(); err != nil { // after which nothing is read
		t.Fatal(err)
	}
	if !tables.LeavesOut(leaving) {
		t.Error("the chunks are asked again")
	}
}

// outage has the chunks of a folder, but for those that can't be read for a time.
type outage struct {
	*badgerdir.Folder
	down func(key []byte) bool
}

var errOutage = errors.New("the disk does not answer")

func (o *outage) copyValue(key []byte, buffer *[]byte) error {
	if o.down(key) {
		return errOutage
	}
	return o.Get(key, buffer)
}

// What could not be read for a time is read as it is afterwards: nothing is concluded from
// chunks that did not tell their kind.
func TestAnOutageIsForgotten(t *testing.T) {
	test := newSparseTest(t)
	test.save(0, 2)
	test.save(1, 2)
	disk := &outage{test.store.folder, func([]byte) bool { return true }}
	test.store.past = disk
	tables, prober := test.tables(), NewProber(test.store, test.sol.Game, 0)
	for _, g := range test.groups[:2] {
		for _, s := range g.Slices {
			if tables.LeavesOut(s) {
				t.Errorf("slice %s, which can't be read, leaves values out", test.sol.Game.SliceName(s))
			}
			for i := range test.sol.Depths[s] {
				p, weight := test.sol.Game.Unrank(s, uint64(i))
				if weight == 0 || len(test.sol.Game.Turns(nil, p)) == 0 {
					continue
				}
				if got, err := prober.Probe(p); !errors.Is(err, errOutage) {
					t.Fatalf("%v: %v, %v, want %v", p, got, err, errOutage)
				}
				break
			}
		}
	}
	disk.down = func([]byte) bool { return false }
	test.checkBy(prober, tables, 2, 1)
}

// A slice that is lost and built again is whole where values follow from it.
func TestWhatStoredSlicesNeedIsWhole(t *testing.T) {
	test := newSparseTest(t)
	for n := range 3 {
		test.save(n, 3)
	}
	test.check(3, 2)
	for _, s := range test.groups[1].Slices {
		if err := test.tables().forget(test.sol.Game.SliceName(s)); err != nil {
			t.Fatal(err)
		}
	}
	test.save(1, 2)
	test.check(3, 2)
}

// Tables that are no build's, and slices whose needs are not stored, are whole.
func TestSlicesAreWholeWhereOneLookAheadFindsNothing(t *testing.T) {
	test := newSparseTest(t)
	test.save(1, 3)
	test.save(2, 3)
	test.save(0, 0)
	test.check(3)
}

// A slice is made whole with the values that it was saved with, or is lost: a repair builds it,
// and keeps nothing of it.
func TestSaveWholeRefusesOtherValues(t *testing.T) {
	test := newSparseTest(t)
	test.save(0, 1)
	other := test.sol.Table(bitboard.WDL, 0)
	for i := range other.WDL {
		other.WDL[i] = 0
	}
	err := test.tables().SaveWhole(t.Context(), other)
	if !errors.Is(err, ErrDamaged) || !errors.Is(err, ErrReplacing) || errors.Is(err, ErrStoredSo) || test.tables().Has(0) {
		t.Errorf("error %v, the slice is there: %v", err, test.tables().Has(0))
	}
	w := openWreck(t, takeSnapshot(t, test.store.dir).write(t), test.sol)
	_, lost, err := w.Check(t.Context(), func(_, _ uint64) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(lost) != 1 || lost[0].Slice != test.sol.Game.SliceName(0) || !errors.Is(lost[0], ErrReplacing) {
		t.Errorf("lost: %v: a repair does not build it", lost)
	}
}

// forgetful is a game that does not know what its slices need.
type forgetful struct{ *graphgame.Game }

func (g forgetful) Groups() ([]bitboard.Group, error) {
	groups, err := g.Game.Groups()
	for i := range groups {
		groups[i].Needs = nil
	}
	return groups, err
}

// saveForgetfully stores all slices as no build does: all leave values out.
func (t *sparseTest) saveForgetfully() {
	t.Helper()
	space := forgetful{t.sol.Game}
	groups, _ := space.Groups()
	tables := t.store.Tables(bitboard.WDL, space).ForBuild(groups)
	for s := range bitboard.Slice(len(t.sol.Depths)) {
		if err := tables.Save(t.Context(), t.sol.Table(bitboard.WDL, s), t.sol.Summary(bitboard.WDL, s)); err != nil {
			t.Fatal(err)
		}
	}
}

// Values that follow from others that are left out are never looked up.
func TestProbesOfWhatTakesTwoLooksAheadFail(t *testing.T) {
	test := newSparseTest(t)
	test.saveForgetfully()
	prober := NewProber(test.store, test.sol.Game, 0)
	for i := range test.sol.Depths[5] {
		p, weight := test.sol.Game.Unrank(5, uint64(i))
		if weight == 0 || len(test.sol.Game.Turns(nil, p)) == 0 {
			continue
		}
		_, err := prober.Probe(p)
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "leaves out") {
			t.Fatalf("%v: error %v", p, err)
		}
		return
	}
}

// That it takes two looks is found where it could not be at first.
func TestLooksAheadAreCheckedAfterAnOutage(t *testing.T) {
	test := newSparseTest(t)
	test.saveForgetfully()
	own := newChunkKeys(bitboard.WDL, test.sol.Game.SliceName(5)).key(nil, 0)
	disk := &outage{test.store.folder, func(key []byte) bool { return !slices.Equal(key, own) }}
	test.store.past = disk
	prober, asked := NewProber(test.store, test.sol.Game, 0), false
	for i, d := range test.sol.Depths[5] {
		p, weight := test.sol.Game.Unrank(5, uint64(i))
		if weight == 0 || len(test.sol.Game.Turns(nil, p)) == 0 || !test.sol.Game.Holds(p) {
			continue
		}
		if got, err := prober.Probe(p); err != nil || got.Value != d.Value() {
			t.Fatalf("%v: %v, %v, want %v", p, got, err, d.Value())
		}
		asked = true
		break
	}
	disk.down = func([]byte) bool { return false }
	for i := range test.sol.Depths[5] {
		p, weight := test.sol.Game.Unrank(5, uint64(i))
		if weight == 0 || len(test.sol.Game.Turns(nil, p)) == 0 {
			continue
		}
		if got, err := prober.Probe(p); !asked || !errors.Is(err, ErrDamaged) {
			t.Fatalf("%v: %v, %v", p, got, err)
		}
	}
}

// A store of the format before is read as it is, and made one of this when it is
// written to.
func TestTheFormatBeforeIsReadAndRaised(t *testing.T) {
	game := graphgame.New(112, 2, 1_000)
	game.Sparse = 1
	dir := storedTest(t, game.Solve(), bitboard.WDL)
	rec, err := readRecord(dir)
	if err != nil {
		t.Fatal(err)
	}
	rec.Format = oldestFormat
	rec.Checksum = rec.checksum()
	if err := lasting.WriteFile(filepath.Join(dir, identityFile), rec.text()); err != nil {
		t.Fatal(err)
	}
	recordAgain(t, filepath.Join(dir, identityFile))

	for _, step := range []struct {
		readOnly bool
		want     int
	}{{true, oldestFormat}, {false, FormatVersion}, {true, FormatVersion}} {
		s := openTest(t, dir, Options{ReadOnly: step.readOnly})
		if !s.Tables(bitboard.WDL, game).LeavesOut(2) {
			t.Error("the values that were left out are not missed")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if rec, err = readRecord(dir); err != nil || rec.Format != step.want {
			t.Errorf("opened to be read: %v; format %d, %v, want %d", step.readOnly, rec.Format, err, step.want)
		}
	}
}

// unseen is a context that has ended, which those who wait for it have not seen yet.
type unseen struct{ context.Context }

func (unseen) Err() error { return context.Canceled }

// TestWhoIsStoppedFindsNoDamage: who could not look how a slice is stored does not take its
// chunks for others.
func TestWhoIsStoppedFindsNoDamage(t *testing.T) {
	test := newSparseTest(t)
	test.save(0, 1)
	slice := test.groups[0].Slices[0]
	if !test.tables().LeavesOut(slice) {
		t.Fatal("no values are left out")
	}
	ctx := unseen{t.Context()}
	if err := test.tables().Load(ctx, test.sol.Table(bitboard.WDL, slice)); !errors.Is(err, context.Canceled) {
		t.Errorf("loading: %v", err)
	}
	info, _ := test.store.Slice(bitboard.WDL, test.sol.Game.SliceName(slice))
	_, err := test.tables().Scan(ctx, info, 1, func(c ScannedChunk) {
		if c.Err != nil {
			t.Errorf("scanning: %v", c.Err)
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("scanning: %v", err)
	}
}

// stopping is chunks of which none can be read, and the first one stops whoever asks.
type stopping struct {
	stop  func()
	asked int
}

func (s *stopping) copyValue([]byte, *[]byte) error {
	s.asked++
	s.stop()
	return errSeal
}

// Who looks for a chunk that tells how a slice is stored can be stopped.
func TestALookForAChunkEnds(t *testing.T) {
	game := graphgame.New(88, 1, 1000)
	ctx, stop := context.WithCancel(t.Context())
	chunks := &stopping{stop: stop}
	s := newStore("", testIdentity, Options{ReadOnly: true, Workers: 1})
	s.past = chunks
	r := s.newSliceReader(ctx, bitboard.WDL, SliceInfo{Name: "2v1", Indices: 1 << 24}, game)
	if !r.unsure || chunks.asked != 1 {
		t.Errorf("it is unsure: %v, when %d chunks were asked for, want 1", r.unsure, chunks.asked)
	}
}

// looked is chunks of which none can be read, and their numbers once they were asked for. Too many
// stop whoever asks.
type looked struct {
	numbers []uint64
	most    int
	stop    func()
}

func (l *looked) copyValue(key []byte, _ *[]byte) error {
	if l.numbers = append(l.numbers, binary.BigEndian.Uint64(key[len(key)-8:])); len(l.numbers) > l.most {
		l.stop()
	}
	return badgerdir.ErrNoKey
}

// A manifest may claim any number of chunks: a few from all over them are looked for, and each where
// there are few.
func TestALookForAChunkIsShort(t *testing.T) {
	game := graphgame.New(88, 1, 1000)
	for _, chunks := range []uint64{1, 100, mostLooks, mostLooks + 1, 1 << 32} {
		ctx, stop := context.WithCancel(t.Context())
		found := &looked{most: mostLooks, stop: stop}
		s := newStore("", testIdentity, Options{ReadOnly: true, Workers: 1})
		s.past = found
		r := s.newSliceReader(ctx, bitboard.WDL, SliceInfo{Name: "2v1", Indices: chunks * chunkIndices(bitboard.WDL)}, game)
		numbers := found.numbers
		last, gap := numbers[len(numbers)-1], (chunks-1)/mostLooks+1
		if !r.unsure || uint64(len(numbers)) != min(chunks, mostLooks) || numbers[0] != 0 || last >= chunks || last+2*gap < chunks || len(slices.Compact(numbers)) != len(found.numbers) {
			t.Errorf("%d chunks: %d are looked for, the last is %d", chunks, len(numbers), last)
		}
	}
}

// replacingTest is a store in which, on a disk with so much room for values, the second group
// leaves values out.
func replacingTest(t *testing.T, room func() uint64) *sparseTest {
	t.Helper()
	system := badgerdir.System{Free: func(string) (uint64, error) { return headroomBytes + room(), nil }, Sync: lasting.SyncFile}
	store, err := open(t.TempDir(), testIdentity, Options{Workers: 1}, system)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	game := graphgame.New(113, 2, 30_000)
	groups, err := game.Groups()
	if err != nil {
		t.Fatal(err)
	}
	test := &sparseTest{t, store, game.Solve(), groups}
	test.save(0, 2)
	test.save(1, 2)
	test.check(2, 1)
	return test
}

// On a disk without room for its chunks a slice is not replaced.
func TestAFullDiskTakesNoSliceAway(t *testing.T) {
	room := uint64(1 << 30)
	test := replacingTest(t, func() uint64 { return room })
	room = 1000
	err := test.tables().SaveWhole(t.Context(), test.sol.Table(bitboard.WDL, test.groups[1].Slices[0]))
	wantError(t, err, ErrDiskFull)
	test.check(2, 1)

	// Room for what the chunks take, compressed, does.
	room = 20_000
	test.complete(1)
	test.check(2)
}

// A slice that is lost while it is replaced is told by name: by the error, and afterwards to all
// who ask, until it is stored again.
func TestASliceThatIsLostWhileItIsReplacedIsTold(t *testing.T) {
	looks := 1 << 20
	test := replacingTest(t, func() uint64 { // there is room, and then somebody takes it
		if looks--; looks < 0 {
			return 0
		}
		return 1 << 30
	})
	slice := test.groups[1].Slices[0]
	name, table := test.sol.Game.SliceName(slice), test.sol.Table(bitboard.WDL, slice)
	looks = 1
	err := test.tables().SaveWhole(t.Context(), table)
	wantError(t, err, ErrDiskFull)
	if !errors.Is(err, ErrReplacing) || !strings.Contains(err.Error(), name) {
		t.Errorf("error %v, want one that tells of the loss of %s", err, name)
	}
	// What a killed writer leaves is the same.
	dir := takeSnapshot(t, test.store.dir).write(t)
	w := openWreck(t, dir, test.sol)
	_, lost, err := w.Check(t.Context(), func(_, _ uint64) {})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	if len(lost) != 1 || lost[0].Slice != name || !errors.Is(lost[0], ErrReplacing) {
		t.Errorf("lost: %v, want %s", lost, name)
	}
	again := &sparseTest{t, openTest(t, dir, Options{}), test.sol, test.groups}
	if got := again.store.Replacing(bitboard.WDL); !slices.Equal(got, []string{name}) {
		t.Errorf("%q are being replaced, want %s", got, name)
	}
	again.save(1, 2)
	if got := again.store.Replacing(bitboard.WDL); len(got) > 0 || strings.Contains(manifestOf(t, again.store, bitboard.WDL), "replacing") {
		t.Errorf("%q are being replaced when all is stored", got)
	}
	again.check(2, 1)
}
