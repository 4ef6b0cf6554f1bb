package retrograde_test

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/solver/retrograde"
)

// line is a game of one slice in which play goes from an index to the one below it, and whoever is
// to move at the lowest ends it and wins: at index i the game takes i+1 turns.
type line struct{ length uint64 }

func (g line) SliceName(bitboard.Slice) string { return "line" }

func (g line) Indices(bitboard.Slice) uint64 { return g.length }

func (g line) Positions(bitboard.Slice) uint64 { return g.length }

func (g line) Settle(_ bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	e.Reset()
	for i := lo; i < hi; i++ {
		fate := bitboard.Open
		if i == 0 {
			fate = bitboard.Won
		}
		e.Fates, e.Ends = append(e.Fates, fate), append(e.Ends, 0)
	}
}

func (g line) Weights(dst []uint8, _ bitboard.Slice, lo, hi uint64) []uint8 {
	for range hi - lo {
		dst = append(dst, 1)
	}
	return dst
}

func (g line) Forward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	e.Reset()
	for _, i := range indices {
		e.Refs = append(e.Refs, bitboard.MakeRef(s, i-1))
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

func (g line) Backward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	e.Reset()
	for _, i := range indices {
		if i+1 < g.length {
			e.Refs = append(e.Refs, bitboard.MakeRef(s, i+1))
		}
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

// lineOfSets is a line that follows sets.
type lineOfSets struct{ line }

func (g lineOfSets) Parts(bitboard.Slice) uint64 { return 1 }

func (g lineOfSets) Sets(bitboard.Slice) (set, room uint64) { return (g.length + 63) / 64, 1 }

func (g lineOfSets) Collect(_ bitboard.Slice, set []uint64, lo, hi uint64, chosen func(index uint64) bool) {
	for k := lo; k < hi; k++ {
		set[k] = 0
		for i := 64 * k; i < min(64*k+64, g.length); i++ {
			if chosen(i) {
				set[k] |= 1 << (i % 64)
			}
		}
	}
}

func (g lineOfSets) FillAll(s bitboard.Slice, set []uint64, lo, hi uint64) {
	g.Collect(s, set, lo, hi, func(uint64) bool { return true })
}

func (g lineOfSets) Wins(_ bitboard.Slice, dst, _ []uint64, _ bitboard.Run) error {
	clear(dst)
	dst[0] = 1
	return nil
}

func (g lineOfSets) Before(_ bitboard.Slice, dst, set, _ []uint64, _ bitboard.Run) error {
	carried := uint64(0)
	for k, word := range set {
		dst[k], carried = word<<1|carried, word>>63
	}
	if rest := g.length % 64; rest != 0 {
		dst[len(dst)-1] &= 1<<rest - 1
	}
	return nil
}

func (g lineOfSets) Members(_ bitboard.Slice, dst, set []uint64, lo, hi uint64) []uint64 {
	for k := lo; k < hi; k++ {
		for word := set[k]; word != 0; word &= word - 1 {
			dst = append(dst, 64*k+uint64(bits.TrailingZeros64(word)))
		}
	}
	return dst
}

// A distance that no table holds is an error, and none is stored as another. Sets are given up some
// turns before.
func TestDistancesThatNoTableHoldsAreErrors(t *testing.T) {
	group := []bitboard.Group{{Slices: []bitboard.Slice{0}}}
	for _, c := range []struct {
		name  string
		game  func(length uint64) retrograde.Game
		holds uint64 // turns
	}{
		{"by index", func(length uint64) retrograde.Game { return line{length} }, bitboard.MaxDistance - 1},
		{"by sets", func(length uint64) retrograde.Game { return lineOfSets{line{length}} }, bitboard.MaxDistance - 3},
	} {
		opts := retrograde.Options{Metric: bitboard.DTW, Workers: 1, Memory: plenty}.WithFew(1 << 40)
		m, _ := buildGroups(t, c.game(c.holds), group, opts)
		for i, d := range m.tables[0].DTW {
			want := bitboard.MakeDepth(bitboard.Win, i+1)
			if i%2 == 1 {
				want = bitboard.MakeDepth(bitboard.Loss, i+1)
			}
			if d != want {
				t.Fatalf("%s, index %d: %v, want %v", c.name, i, d.Outcome(), want.Outcome())
			}
		}
		for _, length := range []uint64{bitboard.MaxDistance, bitboard.MaxDistance + 1, bitboard.MaxDistance + 100} {
			m := newMemory()
			_, err := retrograde.Build(t.Context(), c.game(length), group, m, opts)
			if err == nil || !strings.Contains(err.Error(), "can't be stored") || len(m.tables) > 0 {
				t.Errorf("%s, %d turns: %v, %d slices stored", c.name, length, err, len(m.tables))
			}
		}
	}
}

// stoppedAtTheEnd builds a group of one slice up to where its values are counted, and has its last
// checkpoint.
func stoppedAtTheEnd(t *testing.T, game retrograde.Game, group []bitboard.Group, opts retrograde.Options) *checkpoints {
	t.Helper()
	kept := &checkpoints{memory: newMemory()}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	opts.Entered = func(_, phase string) {
		if phase == retrograde.Counting {
			stop()
		}
	}
	if _, err := retrograde.Build(ctx, game, group, kept, opts); !errors.Is(err, context.Canceled) || kept.text == nil {
		t.Fatalf("%v, checkpoint %s", err, kept.text)
	}
	return kept
}

// The longest games that tables hold are gone on with from their last checkpoints. From one that
// has gone farther than any, work begins anew: no build could do anything else with it.
func TestCheckpointsGoAsFarAsTables(t *testing.T) {
	group := []bitboard.Group{{Slices: []bitboard.Slice{0}}}
	const far = bitboard.MaxDistance
	for _, c := range []struct {
		game   retrograde.Game
		forged []string
	}{
		{line{far - 1}, []string{
			fmt.Sprintf(`{"Settled":[%d],"Quiet":[0],"Swept":true,"Longest":%d}`, far-1, far),
			fmt.Sprintf(`{"Settled":[%d],"Quiet":[0],"Swept":true,"Longest":%d,"Distance":%d}`, far-1, far-1, far+1),
		}},
		{lineOfSets{line{far - 3}}, []string{
			fmt.Sprintf(`{"Settled":[0],"Quiet":[0],"BySets":true,"Rounds":%d}`, far/2),
			fmt.Sprintf(`{"Settled":[0],"Quiet":[0],"BySets":true,"Rounds":%d}`, 1<<62),
		}},
	} {
		opts := retrograde.Options{Metric: bitboard.DTW, Workers: 1, Memory: plenty}.WithFew(1 << 40).WithCheckpoints(1)
		for i, text := range append([]string{""}, c.forged...) {
			kept := stoppedAtTheEnd(t, c.game, group, opts)
			if i > 0 {
				kept.text = []byte(text)
			}
			var notices []string
			opts := opts
			opts.Notice = func(text string) { notices = append(notices, text) }
			result, err := retrograde.Build(t.Context(), c.game, group, kept, opts)
			if err != nil || (result.Before > 0) != (i == 0) || len(notices) != min(i, 1) {
				t.Errorf("%T, forged %q: %v, told %q", c.game, text, err, notices)
			}
		}
	}
}

// stairs is a line below slices of one position each, from which the one turn leads to the highest
// index of the slice below.
type stairs struct{ line }

func (g stairs) SliceName(s bitboard.Slice) string { return fmt.Sprint(s) }

func (g stairs) Indices(s bitboard.Slice) uint64 {
	if s == 0 {
		return g.length
	}
	return 1
}

func (g stairs) Positions(s bitboard.Slice) uint64 { return g.Indices(s) }

func (g stairs) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	if s == 0 {
		g.line.Settle(s, lo, hi, e)
		return
	}
	e.Reset()
	e.Fates, e.Ends = append(e.Fates, bitboard.ByEdges), append(e.Ends, 1)
	e.Refs = append(e.Refs, bitboard.MakeRef(s-1, g.Indices(s-1)-1))
}

// Turns out of a group come to distances that no table holds as well as those that stay in it.
func TestSettledDistancesThatNoTableHoldsAreErrors(t *testing.T) {
	const most = bitboard.MaxDistance - 1
	var groups []bitboard.Group
	for s := range bitboard.Slice(5) {
		g := bitboard.Group{Slices: []bitboard.Slice{s}}
		if s > 0 {
			g.Needs = []bitboard.Slice{s - 1}
		}
		groups = append(groups, g)
	}
	opts := retrograde.Options{Metric: bitboard.DTW, Workers: 1, Memory: plenty}
	for _, below := range []uint64{0, 1, 2, 3} { // turns that the line lacks
		g, m := stairs{line{most - below}}, newMemory()
		_, err := retrograde.Build(t.Context(), g, groups, m, opts)
		if want := fmt.Sprintf("slice %d: a distance of %d turns or more can't be stored", below+1, most+1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a line of %d turns: %v, want %s", g.length, err, want)
		}
		for s := range bitboard.Slice(len(m.tables)) {
			depths := m.tables[s].DTW
			if last, want := depths[len(depths)-1].Outcome(), int(g.length)+int(s); last.Distance != want || s > bitboard.Slice(below) {
				t.Errorf("a line of %d turns, slice %d: %v, want %d turns", g.length, s, last, want)
			}
		}
	}
}
