package retrograde_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/retrograde"
)

const plenty = 1 << 32

func newGame(t testing.TB, board string, rules fanorona.Rules) *fanorona.Game {
	t.Helper()
	b, err := bitboard.ParseBoard(board)
	if err != nil {
		t.Fatal(err)
	}
	g, err := fanorona.New(b, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func groups(t testing.TB, g *fanorona.Game, pieces int) []bitboard.Group {
	t.Helper()
	all, err := bitboard.GroupsWithin(g, pieces)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func build(t testing.TB, g *fanorona.Game, pieces int, opts retrograde.Options) *memory {
	t.Helper()
	m := newMemory()
	if _, err := retrograde.Build(context.Background(), g, groups(t, g, pieces), m, opts); err != nil {
		t.Fatal(err)
	}
	return m
}

// The counts and longest lines of FACTS.md, section Fanorona: win, loss and draw
// for the side to move, stalemate a loss, no symmetry taken out.
func TestCountsAndLongestLinesOnTsivy(t *testing.T) {
	g := newGame(t, "9x5", fanorona.Rules{})
	m := build(t, g, 4, retrograde.Options{Metric: bitboard.DTW, Workers: 2, Memory: plenty})
	for name, want := range map[string]bitboard.Summary{
		"1v1": {Win: 592, Loss: 100, Draw: 1288, LongestWin: 7, LongestLoss: 6},
		"1v2": {Win: 2822, Loss: 26982, Draw: 12766, LongestWin: 9, LongestLoss: 30},
		"2v1": {Win: 40996, Loss: 24, Draw: 1550, LongestWin: 29, LongestLoss: 8},
		"2v2": {Win: 509777, Loss: 69240, Draw: 314953, LongestWin: 49, LongestLoss: 50},
		"1v3": {Win: 16682, Loss: 516112, Draw: 63186, LongestWin: 9, LongestLoss: 30},
	} {
		s, err := g.ParseSlice(name)
		if err != nil {
			t.Fatal(err)
		}
		got := m.summaries[s]
		want.Slice, want.Inside = s, got.Inside
		if got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

// The same source: both orders of a class added.
func TestCountsOnDimy(t *testing.T) {
	g := newGame(t, "5x5", fanorona.Rules{})
	m := build(t, g, 4, retrograde.Options{Workers: 2, Memory: plenty})
	for _, c := range []struct {
		slices          []string
		win, draw, loss uint64
	}{
		{[]string{"1v1"}, 348, 184, 68},
		{[]string{"1v2", "2v1"}, 7982, 1830, 3988},
		{[]string{"2v2"}, 53558, 14644, 7698},
	} {
		var win, draw, loss uint64
		for _, name := range c.slices {
			s, err := g.ParseSlice(name)
			if err != nil {
				t.Fatal(err)
			}
			sum := m.summaries[s]
			win, draw, loss = win+sum.Win, draw+sum.Draw, loss+sum.Loss
		}
		if win != c.win || draw != c.draw || loss != c.loss {
			t.Errorf("%v: %d win, %d draw, %d loss; want %d, %d, %d", c.slices, win, draw, loss, c.win, c.draw, c.loss)
		}
	}
}

// The same source: the whole of 3x3.
func TestWholeOfTelo(t *testing.T) {
	g := newGame(t, "3x3", fanorona.Rules{})
	m := build(t, g, bitboard.AllPieces, retrograde.Options{Metric: bitboard.DTW, Workers: 1, Memory: plenty})
	var win, loss, draw uint64
	longest := 0
	for _, sum := range m.summaries {
		win, loss, draw = win+sum.Win, loss+sum.Loss, draw+sum.Draw
		longest = max(longest, sum.LongestWin, sum.LongestLoss)
	}
	if win != 11113 || loss != 7181 || draw != 366 || longest != 14 {
		t.Errorf("%d win, %d loss, %d draw, longest %d; want 11113, 7181, 366, 14", win, loss, draw, longest)
	}
}

// However the work is cut and shared, however tight the memory and whichever
// groups come from the storage, the tables are the same.
func TestTablesDoNotDependOnHowTheWorkIsDone(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		want := build(t, g, 6, retrograde.Options{Metric: metric, Workers: 1, Memory: plenty})
		for _, workers := range workerCounts() {
			tight := largestNeed(t, g, 6, metric, workers)
			base := retrograde.Options{Metric: metric, Workers: workers, Memory: plenty}
			narrow := base
			narrow.Memory = tight
			for name, opts := range map[string]retrograde.Options{
				"default":           base,
				"small blocks":      base.WithGrain(64, 32, 3, 1<<16, 128),
				"odd batches":       base.WithGrain(1<<12, 96, 17, 1<<16, 1<<12),
				"lists drop":        base.WithGrain(1<<10, 1<<8, 64, 8, 1<<14),
				"lists fill":        base.WithGrain(1<<10, 1<<8, 64, 1<<11, 1<<14),
				"blocks fill lists": base.WithGrain(1<<12, 1<<8, 64, 1<<9, 1<<14),
				"tight memory":      narrow,
			} {
				t.Run(fmt.Sprintf("%v/%d workers/%s", metric, workers, name), func(t *testing.T) {
					got := build(t, g, 6, opts)
					if !got.same(want) {
						t.Error("the tables differ from those of one worker")
					}
					if opts.Memory == tight && got.loads == 0 {
						t.Error("nothing was loaded again: the memory was not tight")
					}
				})
			}
		}
	}
}

// A kernel may take up positions in portions that have nothing to do with words or blocks.
func TestTablesDoNotDependOnPortionsOfSettling(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	opts := retrograde.Options{Workers: 2, Memory: plenty}.WithGrain(32, 32, 64, 1<<16, 128)
	got, _ := buildGroups(t, inPortions{g}, groups(t, g, 5), opts)
	if !got.same(build(t, g, 5, opts)) {
		t.Error("the tables differ from those of large portions")
	}
}

// inPortions is a game that takes up 77 positions at a time.
type inPortions struct{ *fanorona.Game }

func (g inPortions) Settler(s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed, room []uint64) (bitboard.Settler, bool) {
	settler, fits := g.Game.Settler(s, known, room)
	return portion{settler}, fits
}

type portion struct{ bitboard.Settler }

func (p portion) Ready(lo uint64, run bitboard.Run) (hi uint64, err error) {
	hi, err = p.Settler.Ready(lo, run)
	return min(hi, lo+77), err
}

// largestNeed is the least memory with which the groups can be built.
func largestNeed(t *testing.T, g *fanorona.Game, pieces int, metric bitboard.Metric, workers int) uint64 {
	for memory := uint64(1); ; {
		_, err := retrograde.Build(context.Background(), g, groups(t, g, pieces), newMemory(),
			retrograde.Options{Metric: metric, Workers: workers, Memory: memory})
		var short *retrograde.MemoryError
		if !errors.As(err, &short) {
			if err != nil {
				t.Fatal(err)
			}
			return memory
		}
		if short.Have != memory || short.Need <= memory {
			t.Fatalf("with %d bytes: %v", memory, short)
		}
		memory = short.Need
	}
}

func TestAMetricThatThereIsNotIsRefused(t *testing.T) {
	g := newGame(t, "3x3", fanorona.Rules{})
	storage := newMemory()
	result, err := retrograde.Build(t.Context(), g, groups(t, g, 4), storage, retrograde.Options{Metric: bitboard.MetricCount, Memory: plenty})
	if err == nil || err.Error() != "unknown metric 2: want wdl or dtw" || len(storage.tables) > 0 {
		t.Errorf("%+v, %v, %d tables", result, err, len(storage.tables))
	}
}

func TestTooLittleMemoryIsRefusedBeforeWorkStarts(t *testing.T) {
	g := newGame(t, "5x5", fanorona.Rules{})
	m := newMemory()
	need := largestNeed(t, g, 5, bitboard.WDL, 1)
	for _, c := range []struct{ memory, overhead uint64 }{{1, 0}, {need - 1, 0}, {need, 1}, {need + 1<<10, 1<<10 + 1}} {
		_, err := retrograde.Build(context.Background(), g, groups(t, g, 5), m, retrograde.Options{Workers: 1, Memory: c.memory, Overhead: c.overhead})
		var short *retrograde.MemoryError
		// What is told is what all groups need, not the first that does not fit.
		if !errors.As(err, &short) || short.Need != need+c.overhead || len(m.tables) != 0 {
			t.Errorf("%d bytes, %d of them for the rest: error %v with %d slices built; want one that tells %d bytes, and none", c.memory, c.overhead, err, len(m.tables), need+c.overhead)
		}
	}
}

// A build that is stopped anywhere goes on where it was.
func TestStoppedBuildsGoOn(t *testing.T) {
	g, pieces := newGame(t, "5x3", fanorona.Rules{}), repeatedPieces()
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		want := build(t, g, pieces, retrograde.Options{Metric: metric, Workers: 2, Memory: plenty})
		got := newMemory()
		stops := 0
		for looks := 1; ; looks += 1 + looks/2 {
			_, err := retrograde.Build(stopAfter(context.Background(), looks), g, groups(t, g, pieces), got, retrograde.Options{Metric: metric, Workers: 2, Memory: plenty})
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			stops++
		}
		if stops == 0 || !got.same(want) {
			t.Errorf("%v: after %d stops the tables are those of an undisturbed build: %v", metric, stops, got.same(want))
		}
	}
}

// With checkpoints, work on a group goes on inside it: each run may do a little
// more than the one before, and none starts the group anew.
func TestCheckpointsTakeUpAGroup(t *testing.T) {
	g, pieces := newGame(t, "5x3", fanorona.Rules{}), repeatedPieces()
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		opts := retrograde.Options{Metric: metric, Workers: 2, Memory: plenty}
		want := build(t, g, pieces, opts)
		opts = opts.WithGrain(256, 64, 16, 64, 1024).WithCheckpoints(1)
		got := &checkpoints{memory: newMemory()}
		for stops := 0; ; stops++ {
			ctx := stopAfter(context.Background(), 20+stops)
			_, err := retrograde.Build(ctx, g, groups(t, g, pieces), got, opts)
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		if got.taken < 20 || !got.same(want) {
			t.Errorf("%v: checkpoints taken up %d times, tables those of an undisturbed build: %v", metric, got.taken, got.same(want))
		}
		if got.text != nil {
			t.Errorf("%v: a checkpoint is left", metric)
		}
	}
}

// What a storage leaves out is completed: builds that begin with the slices of the one
// before come to the same tables as one that has all in memory. What they needed is
// stored whole by then. Progress counts that work, and ends where it said.
func TestSparseTablesAreCompleted(t *testing.T) {
	g := newGame(t, "3x3", fanorona.Rules{})
	all := groups(t, g, bitboard.AllPieces)
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		opts := retrograde.Options{Metric: metric, Workers: 2, Memory: plenty}
		want := build(t, g, bitboard.AllPieces, opts)
		got := &sparse{memory: newMemory(), game: g, whole: make(map[bitboard.Slice]bool)}
		var last retrograde.Progress
		completing := false
		opts.Progress = func(p retrograde.Progress) { last = p }
		opts.Entered = func(_, phase string) { completing = completing || phase == retrograde.Completing }
		for n := range all {
			work := work(g, got, all[n])
			completing = false
			if _, err := retrograde.Build(context.Background(), g, all[:n+1], got, opts); err != nil {
				t.Fatal(err)
			}
			if last.Done != work || last.Total != work || completing != (work > indices(g, all[n].Slices)) {
				t.Errorf("%v: group %d ended at %d of %d, want %d; something was completed: %v", metric, n, last.Done, last.Total, work, completing)
			}
		}
		if (got.lost > 0) != (metric == bitboard.WDL) || !got.same(want) {
			t.Errorf("%v: %d values lost, tables as without loading: %v", metric, got.lost, got.same(want))
		}
		if metric == bitboard.WDL {
			for _, s := range neededBy(all) {
				if got.LeavesOut(s) {
					t.Errorf("slice %s still lacks values that others follow from", g.SliceName(s))
				}
			}
			_, err := retrograde.Build(context.Background(), g, all[len(all)-1:], &sparse{memory: without(got.memory, all[len(all)-1]), game: g}, opts)
			if err == nil || !strings.Contains(err.Error(), "values left out") {
				t.Errorf("a list without the group of a sparse slice: error %v", err)
			}
		}
	}
}

// work is the indices of a group, and half of those that are completed before it.
func work(g *fanorona.Game, storage *sparse, group bitboard.Group) uint64 {
	var completed []bitboard.Slice
	for _, s := range group.Needs {
		if storage.LeavesOut(s) {
			completed = append(completed, s)
		}
	}
	return indices(g, group.Slices) + indices(g, completed)/2
}

// indices is how many some slices have.
func indices(g *fanorona.Game, slices []bitboard.Slice) (n uint64) {
	for _, s := range slices {
		n += g.Indices(s)
	}
	return n
}

// neededBy lists what groups need.
func neededBy(groups []bitboard.Group) (needs []bitboard.Slice) {
	for _, g := range groups {
		needs = append(needs, g.Needs...)
	}
	return needs
}

// without is a memory that lacks a group.
func without(m *memory, g bitboard.Group) *memory {
	less := newMemory()
	maps.Copy(less.tables, m.tables)
	for _, s := range g.Slices {
		delete(less.tables, s)
	}
	return less
}

// countdown is a context that is cancelled when its error has been asked for a
// number of times.
type countdown struct {
	context.Context
	left atomic.Int64
}

func stopAfter(ctx context.Context, asked int) context.Context {
	c := &countdown{Context: ctx}
	c.left.Store(int64(asked))
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestErrorsOfTheStorageNameTheGroup(t *testing.T) {
	g := newGame(t, "3x3", fanorona.Rules{})
	m := newMemory()
	m.failSave = errors.New("disk full")
	_, err := retrograde.Build(context.Background(), g, groups(t, g, 3), m, retrograde.Options{Workers: 1, Memory: plenty})
	if !errors.Is(err, m.failSave) || err.Error() != "solving 1v1: disk full" {
		t.Errorf("got %v", err)
	}
}

// Both metrics agree on every position, under every rule set.
func TestMetricsAgree(t *testing.T) {
	for _, rules := range []fanorona.Rules{
		{},
		{StalemateDraws: true},
		{Direction: fanorona.NoRepeatOrReverse},
		{Direction: fanorona.NeverTwice, StalemateDraws: true},
	} {
		g := newGame(t, "5x3", rules)
		wdl := build(t, g, repeatedPieces(), retrograde.Options{Metric: bitboard.WDL, Workers: 2, Memory: plenty})
		dtw := build(t, g, repeatedPieces(), retrograde.Options{Metric: bitboard.DTW, Workers: 2, Memory: plenty})
		for s, table := range wdl.tables {
			g.Walk(s, 0, g.Indices(s), func(i uint64, p fanorona.Position, _ int) bool {
				if v, d := table.WDL.At(i), dtw.tables[s].DTW[i].Value(); v != d {
					t.Fatalf("%v, slice %s, index %d: wdl says %v, dtw %v", rules, g.SliceName(s), i, v, d)
				}
				return true
			})
		}
	}
}

func TestClosurePicksWhatASliceNeeds(t *testing.T) {
	g := newGame(t, "9x5", fanorona.Rules{})
	s, err := g.ParseSlice("3v1")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, group := range bitboard.Closure(groups(t, g, 6), []bitboard.Slice{s}) {
		for _, s := range group.Slices {
			names = append(names, g.SliceName(s))
		}
	}
	if got, want := fmt.Sprint(names), "[1v1 2v1 1v2 3v1 1v3]"; got != want {
		t.Errorf("3v1 needs %s, want %s", got, want)
	}
}

func TestProgressEndsAtTheTotal(t *testing.T) {
	g := newGame(t, "5x5", fanorona.Rules{})
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		var last retrograde.Progress
		build(t, g, 5, retrograde.Options{Metric: metric, Workers: 2, Memory: plenty, Progress: func(p retrograde.Progress) { last = p }})
		if last.Total == 0 || last.Done != last.Total {
			t.Errorf("%v: ended at %d of %d", metric, last.Done, last.Total)
		}
	}
}

// Whoever asks is told of each group what is done to it, from the first phase to the last.
func TestPhasesAreTold(t *testing.T) {
	g := newGame(t, "5x5", fanorona.Rules{})
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		told := make(map[string][]string) // phases of a group, each once in a row
		build(t, g, 5, retrograde.Options{Metric: metric, Workers: 2, Memory: plenty, Entered: func(group, phase string) {
			if phases := told[group]; len(phases) == 0 || phases[len(phases)-1] != phase {
				told[group] = append(phases, phase)
			}
		}})
		want := []string{retrograde.Loading, retrograde.Settling, retrograde.Sweeping, retrograde.Propagating, retrograde.Counting, retrograde.Saving}
		if phases := told["3v2 2v3"]; !slices.Equal(phases, want) {
			t.Errorf("%v: 3v2 and 2v3 go through %v, want %v", metric, phases, want)
		}
		if len(told) != 6 {
			t.Errorf("%v: told of %d groups, want 6", metric, len(told))
		}
	}
}

// repeatedPieces bounds the boards of builds that are made many times; the race
// detector, with -short, has fewer.
func repeatedPieces() int {
	if testing.Short() {
		return 6
	}
	return 7
}

// workerCounts are those that tables are compared under; the race detector, with
// -short, has one that makes races.
func workerCounts() []int {
	if testing.Short() {
		return []int{2}
	}
	return []int{1, 2, 8}
}

// Complete finds all values that were lost, with room to be fast and with none.
func TestCompleteFindsWhatIsLeftOut(t *testing.T) {
	g := newGame(t, "9x5", fanorona.Rules{})
	built := build(t, g, 4, retrograde.Options{Workers: 2, Memory: plenty})
	lossy := &sparse{memory: built, game: g, whole: make(map[bitboard.Slice]bool)}
	roomy := 0
	for s, whole := range built.tables {
		least, most := g.SettleRoom(s)
		if most > 0 {
			roomy++
		}
		for _, room := range []uint64{0, 8*max(1, least) - 1, 8 * least, 4 * (least + most), 8 * most} {
			got := bitboard.NewTable(bitboard.WDL, s, g.Indices(s))
			if err := lossy.Load(t.Context(), got); err != nil {
				t.Fatal(err)
			}
			if err := retrograde.Complete(t.Context(), g, got, built.tables, retrograde.CompleteOptions{Workers: 2, Room: room}); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.WDL, whole.WDL) {
				t.Errorf("slice %s with %d bytes of room: other values", g.SliceName(s), room)
			}
		}
	}
	if lossy.lost == 0 || roomy == 0 {
		t.Errorf("%d values were left out, and %d slices make use of room", lossy.lost, roomy)
	}
}
