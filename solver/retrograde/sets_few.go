package retrograde

import (
	"context"
	"math/bits"

	"paika/bitboard"
	"paika/internal/parallel"
)

// few goes on where few positions are left that are not decided: it looks at the turns of
// each. To follow all turns by sets takes as long in every round, and the later ones find
// little: of Phutball 5x5, all but one position in 140 are decided in five turns, and
// fourteen more decide the rest.
type few struct {
	*bySets
	list     []uint64         // indices
	verdicts []uint64         // of list: values
	edges    []bitboard.Edges // by worker
}

// areFew tells whether those left are few.
func (s *bySets) areFew() bool {
	left := uint64(0)
	for _, word := range s.open {
		left += uint64(bits.OnesCount64(word))
	}
	return left <= s.game.Positions(s.table.Slice)/s.grain.few
}

// few lists the positions that are left, in the room of sets: these have a word for 64
// positions, and fewer than that are left.
func (s *bySets) few() *few {
	list := s.kernel.Members(s.table.Slice, s.fresh[:0], s.open, 0, uint64(len(s.open)))
	return &few{s, list, s.image[:len(list)], make([]bitboard.Edges, s.workers)}
}

// round is what bySets.round is. It tells how many indices it decides.
func (f *few) round(ctx context.Context, distance int) (decided uint64, err error) {
	f.enterRound(distance)
	if decided, err = f.decideAll(ctx, bitboard.Loss, distance); err != nil || decided == 0 {
		return 0, err
	}
	return f.decideAll(ctx, bitboard.Win, distance+1)
}

// decideAll finds the positions of the list that have a value at a distance, gives it to
// them, and takes them from the list. Then the keeper may save the state.
func (f *few) decideAll(ctx context.Context, v bitboard.Value, distance int) (decided uint64, err error) {
	slice := f.table.Slice
	err = parallel.Blocks(ctx, f.workers, uint64(len(f.list)), uint64(f.grain.batch), func(worker int, lo, hi uint64) {
		e, start := &f.edges[worker], uint32(0)
		f.game.Forward(slice, f.list[lo:hi], e)
		for k, end := range e.Ends {
			var seen bitboard.Values
			for _, r := range e.Refs[start:end] {
				seen |= 1 << f.known(r.Index(), distance)
			}
			f.verdicts[lo+uint64(k)], start = uint64(seen.Verdict()), end
		}
	})
	if err != nil {
		return 0, err
	}
	left := f.list[:0]
	for k, i := range f.list {
		if f.verdicts[k] == uint64(v) {
			f.decide(slice, i, v, distance)
			decided++
		} else {
			left = append(left, i)
		}
	}
	f.list = left
	f.keeper.due()
	return decided, nil
}

// known is the value of an index, if it is decided at less than a distance. In a table that
// was taken up, others may have theirs.
func (f *few) known(index uint64, distance int) bitboard.Value {
	if o := f.table.Outcome(index); o.Distance < distance {
		return o.Value
	}
	return bitboard.Draw
}
