package retrograde_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/bitboard/phutball"
	"paika/solver/retrograde"
)

// A kernelOnly is a game that follows turns one by one.
type kernelOnly struct{ retrograde.Game }

func newPhutball(t *testing.T, board string, rules phutball.Rules) (*phutball.Game, []bitboard.Group) {
	t.Helper()
	b, err := bitboard.ParseBoard(board)
	if err != nil {
		t.Fatal(err)
	}
	g, err := phutball.New(b, rules)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := g.Groups()
	if err != nil {
		t.Fatal(err)
	}
	return g, groups
}

func buildGroups(t *testing.T, g retrograde.Game, groups []bitboard.Group, opts retrograde.Options) (*memory, retrograde.Result) {
	t.Helper()
	m := newMemory()
	r, err := retrograde.Build(context.Background(), g, groups, m, opts)
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

func TestSetsGiveTheTablesThatSingleTurnsGive(t *testing.T) {
	for _, c := range []struct {
		board string
		rules phutball.Rules
	}{
		{"1x3", phutball.Rules{}},
		{"1x9", phutball.Rules{ReturnFromOff: true}},
		{"2x6", phutball.Rules{}},
		{"3x3", phutball.Rules{GoalStop: true}},
		{"3x5", phutball.Rules{}},
		{"4x3", phutball.Rules{CornerExit: true, ReturnFromOff: true}},
		{"5x3", phutball.Rules{}},
	} {
		g, groups := newPhutball(t, c.board, c.rules)
		for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			want, _ := buildGroups(t, kernelOnly{g}, groups, retrograde.Options{Metric: metric, Workers: 1, Memory: plenty})
			for _, workers := range workerCounts() {
				got, _ := buildGroups(t, g, groups, retrograde.Options{Metric: metric, Workers: workers, Memory: plenty})
				if !got.same(want) {
					t.Errorf("%s, %v, %v, %d workers: by sets the table is another", c.board, c.rules, metric, workers)
				}
			}
		}
	}
}

// forwards counts how many positions were asked for their turns, one by one.
type forwards struct {
	*phutball.Game
	asked *atomic.Int64
}

func (g forwards) Forward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	g.asked.Add(int64(len(indices)))
	g.Game.Forward(s, indices, e)
}

// The table is the same whenever sets are left: never, in the last rounds, early.
func TestFewPositionsAreLookedAtOneByOne(t *testing.T) {
	g, groups := newPhutball(t, "3x6", phutball.Rules{})
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		var want *memory
		before := int64(-1)
		for _, few := range []uint64{1 << 40, 1 << 12, 1 << 9, 128, 64} {
			asked := new(atomic.Int64)
			for _, workers := range workerCounts() {
				asked.Store(0)
				opts := retrograde.Options{Metric: metric, Workers: workers, Memory: plenty}.WithFew(few)
				got, _ := buildGroups(t, forwards{g, asked}, groups, opts)
				if want == nil {
					want = got
				}
				if !got.same(want) {
					t.Errorf("%v, one in %d, %d workers: the table is another", metric, few, workers)
				}
			}
			if asked.Load() <= before {
				t.Errorf("%v, one in %d: %d positions were asked for, and %d with fewer left to it", metric, few, asked.Load(), before)
			}
			before = asked.Load()
		}
	}
}

func TestSetsAreLeftWhereMemoryIsTooLittleForThem(t *testing.T) {
	g, groups := newPhutball(t, "3x5", phutball.Rules{})
	opts := retrograde.Options{Workers: 2, Memory: plenty}.WithGrain(1<<12, 1<<10, 1<<9, 1<<10, 1<<14)
	want, rich := buildGroups(t, g, groups, opts)
	opts.Memory = rich.Memory - 1
	got, poor := buildGroups(t, g, groups, opts)
	if poor.Memory >= rich.Memory || !got.same(want) {
		t.Errorf("%d and %d bytes, the same tables: %v", poor.Memory, rich.Memory, got.same(want))
	}
}

// Work by sets goes on where it was stopped, if it goes on by sets.
func TestSetsAreTakenUp(t *testing.T) {
	g, groups := newPhutball(t, "3x5", phutball.Rules{})
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		t.Run(fmt.Sprint(metric), func(t *testing.T) {
			opts := retrograde.Options{Metric: metric, Workers: 2, Memory: plenty}
			want, _ := buildGroups(t, g, groups, opts)
			opts = opts.WithGrain(256, 64, 16, 64, 1024).WithCheckpoints(1)
			got := &checkpoints{memory: newMemory()}
			for stops := 0; ; stops++ {
				game := retrograde.Game(g)
				if stops%8 == 7 {
					game = kernelOnly{g}
				}
				_, err := retrograde.Build(stopAfter(context.Background(), 40*stops), game, groups, got, opts)
				if err == nil {
					break
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
			}
			if got.taken < 5 || !got.same(want) {
				t.Errorf("taken up %d times, the same tables: %v", got.taken, got.same(want))
			}
		})
	}
}

// stopOnceSaved stops builds, each a little later than the one before, until there is a checkpoint.
func stopOnceSaved(t *testing.T, g retrograde.Game, groups []bitboard.Group, to *checkpoints, opts retrograde.Options) {
	t.Helper()
	for looks := 60; to.text == nil; looks++ {
		if _, err := retrograde.Build(stopAfter(t.Context(), looks), g, groups, to, opts); !errors.Is(err, context.Canceled) {
			t.Fatalf("without a checkpoint: %v", err)
		}
	}
}

// A group goes on as it was begun, whatever memory there is by then. Where that does not do, its
// checkpoint is not replaced, and it is told what would.
func TestAGroupGoesOnAsItWasBegun(t *testing.T) {
	g, groups := newPhutball(t, "3x5", phutball.Rules{})
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		opts := retrograde.Options{Metric: metric, Workers: 2, Memory: plenty, Overhead: 1 << 20}.WithGrain(256, 64, 16, 64, 1024).WithCheckpoints(1)
		want, rich := buildGroups(t, g, groups, opts)
		enough, little := rich.Memory+opts.Overhead, rich.Memory+opts.Overhead-1
		for begun, other := range map[uint64]uint64{enough: little, little: enough} {
			got := &checkpoints{memory: newMemory()}
			opts.Memory = begun
			stopOnceSaved(t, g, groups, got, opts)
			saved := string(got.text)
			opts.Memory = other
			_, err := retrograde.Build(t.Context(), g, groups, got, opts)
			if begun == enough {
				var memory *retrograde.MemoryError
				if !errors.As(err, &memory) || memory.Need != enough || memory.Have != little || string(got.text) != saved {
					t.Fatalf("%v: begun by sets, without memory for them: %v, checkpoint %s", metric, err, got.text)
				}
				opts.Memory = memory.Need
				_, err = retrograde.Build(t.Context(), g, groups, got, opts)
			}
			if err != nil || got.taken == 0 || !got.same(want) {
				t.Errorf("%v, begun with %d bytes, of which %d are enough for sets: %v, taken up %d times, the same tables: %v", metric, begun, enough, err, got.taken, got.same(want))
			}
		}
	}
}

// A storage may have the work begin anew, and tells so itself.
func TestWorkBeginsAnewWhereItsCheckpointIsKeptElsewhere(t *testing.T) {
	g, groups := newPhutball(t, "3x5", phutball.Rules{})
	opts := retrograde.Options{Workers: 2, Memory: plenty}.WithGrain(256, 64, 16, 64, 1024).WithCheckpoints(1)
	want, rich := buildGroups(t, g, groups, opts)
	got := &checkpoints{memory: newMemory()}
	stopOnceSaved(t, g, groups, got, opts)
	var why error
	var told []string
	got.refused = func(w error) error { why = w; return nil }
	opts.Memory, opts.Notice = rich.Memory-1, func(text string) { told = append(told, text) }
	result, err := retrograde.Build(t.Context(), g, groups, got, opts)
	if err != nil || why == nil || told != nil || result.Before != 0 || !got.same(want) {
		t.Errorf("%v, refused %v, told %q, %v s before, the same tables: %v", err, why, told, result.Before, got.same(want))
	}
}

// Where work by sets was stopped in the middle of a round, some positions of that round have
// their values. What goes on by index must not take them for known yet.
func TestFewPositionsAreTakenUpFromSets(t *testing.T) {
	g, groups := newPhutball(t, "3x6", phutball.Rules{})
	stops := 50
	if testing.Short() {
		stops = 10
	}
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		opts := retrograde.Options{Metric: metric, Workers: 1, Memory: plenty}.WithGrain(1<<12, 1<<8, 64, 64, 1<<14).WithCheckpoints(1)
		whole := &countdown{Context: context.Background()}
		whole.left.Store(1 << 40)
		want := newMemory()
		if _, err := retrograde.Build(whole, g, groups, want, opts.WithFew(1<<40)); err != nil {
			t.Fatal(err)
		}
		asked := 1<<40 - int(whole.left.Load())
		for stop := asked / 2; stop < asked; stop += asked / stops {
			got := &checkpoints{memory: newMemory()}
			if _, err := retrograde.Build(stopAfter(context.Background(), stop), g, groups, got, opts.WithFew(1<<40)); err == nil {
				t.Fatalf("%v: not stopped after %d of %d", metric, stop, asked)
			}
			if _, err := retrograde.Build(context.Background(), g, groups, got, opts.WithFew(64)); err != nil {
				t.Fatal(err)
			}
			if !got.same(want) {
				t.Errorf("%v: stopped after %d of %d, the table is another", metric, stop, asked)
			}
		}
	}
}

// TestWorkBySetsIsSavedOnceThereIsSome: who is stopped before has nothing to go on from, is told so, and
// was told how far it was. From then on what was done before counts at once, and as that.
func TestWorkBySetsIsSavedOnceThereIsSome(t *testing.T) {
	g, groups := newPhutball(t, "3x5", phutball.Rules{})
	opts := retrograde.Options{Metric: bitboard.WDL, Workers: 1, Memory: plenty}.WithGrain(256, 64, 16, 64, 1024).WithCheckpoints(1)
	var last retrograde.Progress
	opts.Progress = func(p retrograde.Progress) { last = p }
	within := false // it was told how far settling was
	for stops := 1; ; stops++ {
		got := &checkpoints{memory: newMemory()}
		var stopped *retrograde.StoppedError
		if _, err := retrograde.Build(stopAfter(context.Background(), stops), g, groups, got, opts); !errors.As(err, &stopped) {
			continue // before the group was begun
		}
		if stopped.Kept == stopped.Early || stopped.Kept != (got.saved > 0) {
			t.Fatalf("after %d looks: %+v, saved %d times", stops, stopped, got.saved)
		}
		if stopped.Early {
			within = within || last.Done > 0 && last.Done < last.Total
			continue
		}
		if strings.Contains(string(got.text), `"Rounds":0`) {
			t.Errorf("saved: %s", got.text)
		}
		for again := 1; last.Phase != retrograde.TakingUp; again++ {
			if _, err := retrograde.Build(stopAfter(context.Background(), again), g, groups, got, opts); err == nil {
				t.Fatal("it was never stopped while it took the checkpoint up")
			}
		}
		if last.Earlier == 0 || last.Done != last.Earlier {
			t.Errorf("taken up: %+v", last)
		}
		break
	}
	if !within {
		t.Error("settling was never told to be done in part")
	}
}
