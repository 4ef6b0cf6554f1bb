package gametest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"paika/bitboard"
)

// settled is a game whose slices are settled.
type settled interface {
	bitboard.Kernel
	Indices(bitboard.Slice) uint64
	SliceName(bitboard.Slice) string
}

// CompareSettler compares what a settler comes to with what the kernel's Settle does, at
// up to five thousand indices of a slice from lo on. An error tells where they differ. fits is
// false where the kernel has no settler.
func CompareSettler(game interface {
	settled
	bitboard.BestSettler
}, s bitboard.Slice, lo uint64, known *[bitboard.MaxSlices]bitboard.Packed, room []uint64) (fits bool, err error) {
	settler, fits := game.Settler(s, known, room)
	if !fits {
		return false, nil
	}
	hi := min(lo+5000, game.Indices(s))
	first := lo &^ 31
	got := make(bitboard.Packed, bitboard.PackedWords(hi-first))
	inside, err := inPortions(settler.Ready, lo, hi, func(from, to uint64) uint64 {
		return settler.Settle(got[(from-first)/32:], from, to)
	})
	if err != nil {
		return true, err
	}
	return true, compareSettled(game, s, lo, hi, inside, func(k int, e *bitboard.Edges) error {
		if got, want := got.At(lo-first+uint64(k)), settledValue(e, k, known); got != want {
			return fmt.Errorf("%v, want %v", got, want)
		}
		return nil
	})
}

// CompareDepthSettler is CompareSettler for a DepthSettler.
func CompareDepthSettler(game interface {
	settled
	bitboard.DepthKernel
}, s bitboard.Slice, lo uint64, known *[bitboard.MaxSlices][]bitboard.Depth, room []uint64) (fits bool, err error) {
	settler, fits := game.DepthSettler(s, known, room)
	if !fits {
		return false, nil
	}
	hi := min(lo+5000, game.Indices(s))
	got := make([]bitboard.Depth, hi-lo)
	for i := range got {
		got[i] = ^bitboard.Depth(0)
	}
	inside, err := inPortions(settler.Ready, lo, hi, func(from, to uint64) uint64 {
		return settler.Settle(got[from-lo:to-lo], from, to)
	})
	if err != nil {
		return true, err
	}
	return true, compareSettled(game, s, lo, hi, inside, func(k int, e *bitboard.Edges) error {
		if got, want := got[k], settledDepth(e, k, known); got != want {
			return fmt.Errorf("%+v, want %+v", got.Outcome(), want.Outcome())
		}
		return nil
	})
}

// inPortions settles indices [lo, hi) in several calls, no two of which share a word.
func inPortions(ready func(uint64, bitboard.Run) (uint64, error), lo, hi uint64, settle func(lo, hi uint64) uint64) (inside uint64, err error) {
	for lo < hi {
		to, err := ready(lo, RunInOrder)
		if err != nil {
			return 0, err
		}
		for to = min(to, hi); lo < to; {
			next := min(lo&^31+2048, to)
			inside += settle(lo, next)
			lo = next
		}
	}
	return inside, nil
}

// compareSettled asks for each index, by its place in the kernel's answer, how a settler
// differs, and compares the number of positions inside.
func compareSettled(game settled, s bitboard.Slice, lo, hi, inside uint64, differs func(k int, e *bitboard.Edges) error) error {
	var e bitboard.Edges
	game.Settle(s, lo, hi, &e)
	weights := game.Weights(nil, s, lo, hi)
	counted := uint64(0)
	for k, fate := range e.Fates {
		if err := differs(k, &e); err != nil {
			return fmt.Errorf("slice %s, index %d: %w", game.SliceName(s), lo+uint64(k), err)
		}
		if fate == bitboard.Open || fate == bitboard.Lost || fate == bitboard.Drawn {
			counted += uint64(weights[k])
		}
	}
	if inside != counted {
		return fmt.Errorf("slice %s from index %d on: %d positions inside, want %d", game.SliceName(s), lo, inside, counted)
	}
	return nil
}

// RunInOrder is a bitboard.Run by one worker.
func RunInOrder(parts uint64, do func(part uint64)) error {
	for part := range parts {
		do(part)
	}
	return nil
}

// RandomValues is a table of wins, losses and draws.
func RandomValues(random *rand.Rand, indices uint64) bitboard.Packed {
	table := make(bitboard.Packed, bitboard.PackedWords(indices))
	for i := range indices {
		table.Set(i, bitboard.Value(random.IntN(3)))
	}
	return table
}

// RandomDepths is a table of wins, losses and draws, in at most longest turns: who makes the
// last one has won.
func RandomDepths(random *rand.Rand, indices uint64, longest int) []bitboard.Depth {
	table := make([]bitboard.Depth, indices)
	for i := range table {
		switch distance := random.IntN(longest + 1); {
		case random.IntN(3) == 0:
		case distance%2 == 0:
			table[i] = bitboard.MakeDepth(bitboard.Loss, distance)
		default:
			table[i] = bitboard.MakeDepth(bitboard.Win, distance)
		}
	}
	return table
}

// EdgesOf is a copy of the references of an entry, in order.
func EdgesOf(e *bitboard.Edges, k int) []bitboard.Ref {
	start := uint32(0)
	if k > 0 {
		start = e.Ends[k-1]
	}
	return slices.Sorted(slices.Values(e.Refs[start:e.Ends[k]]))
}

// settledValue says what the fate of an entry and its edges come to.
func settledValue(e *bitboard.Edges, k int, known *[bitboard.MaxSlices]bitboard.Packed) bitboard.Value {
	switch e.Fates[k] {
	case bitboard.Won:
		return bitboard.Win
	case bitboard.Lost:
		return bitboard.Loss
	case bitboard.Open:
		return bitboard.Draw
	case bitboard.ByEdges:
		verdict := bitboard.Loss
		for _, ref := range EdgesOf(e, k) {
			switch known[ref.Slice()].At(ref.Index()) {
			case bitboard.Loss:
				return bitboard.Win
			case bitboard.Draw:
				verdict = bitboard.Settled
			}
		}
		return verdict
	}
	return bitboard.Settled
}

// settledDepth says what the fate of an entry and its edges come to.
func settledDepth(e *bitboard.Edges, k int, known *[bitboard.MaxSlices][]bitboard.Depth) bitboard.Depth {
	switch e.Fates[k] {
	case bitboard.Won:
		return bitboard.MakeDepth(bitboard.Win, 1)
	case bitboard.Lost:
		return bitboard.MakeDepth(bitboard.Loss, 0)
	case bitboard.Open:
		return bitboard.OpenDepth
	case bitboard.ByEdges:
		var after []bitboard.Depth
		for _, ref := range EdgesOf(e, k) {
			after = append(after, known[ref.Slice()][ref.Index()])
		}
		verdict, _ := bitboard.VerdictDepth(after)
		return verdict
	}
	return 0
}
