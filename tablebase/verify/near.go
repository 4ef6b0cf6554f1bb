package verify

import (
	"context"

	"paika/bitboard"
	"paika/internal/parallel"
)

// walksNear tells whether what is held of a whole slice is derived in the order of a
// bitboard.NearWalker: where nothing else is to be derived.
func (t *team[P]) walksNear(s bitboard.Slice) bool {
	return t.near != nil && t.turnValuer != nil && t.chooser != nil && t.holder != nil && t.remains[s] != nil && t.remains[s].indices > 0 && t.near.NearParts(s) > 0
}

// shareNear is share for such a slice. Who walks by, and when, makes no difference to what is
// found. A position that the walk passed by would be missing in the number of quiet ones.
func (t *team[P]) shareNear(ctx context.Context, s bitboard.Slice, moved func(indices uint64)) (Sums, error) {
	t.startSums()
	err := t.eachNear(ctx, s, moved, (*deriver[P]).deriveNear)
	if err != nil {
		return Sums{}, err
	}
	err = t.eachBlock(ctx, s, 0, t.game.Indices(s), func(w *deriver[P], lo, hi uint64) { w.tally(lo, hi) })
	return t.sumUp(), err
}

// eachNear hands the positions of such a slice to the workers, in that order.
func (t *team[P]) eachNear(ctx context.Context, s bitboard.Slice, moved func(indices uint64), do func(w *deriver[P], i uint64, p P, weight int)) error {
	for _, w := range t.workers {
		w.slice = s
	}
	parts, indices := t.near.NearParts(s), t.game.Indices(s)
	moved(indices % parts)
	return parallel.Each(ctx, len(t.workers), parts, func(_ context.Context, worker int, part uint64) error {
		w := t.workers[worker]
		t.near.WalkNear(s, part, func(i uint64, p P, weight int) { do(w, i, p, weight) })
		moved(indices / parts)
		return nil
	})
}

// deriveNear derives a position that is held.
func (w *deriver[P]) deriveNear(i uint64, p P, weight int) {
	if w.holder.Holds(p) && !(w.settled && w.tables[w.slice].WDL.At(i) != bitboard.Draw) {
		w.value(i, p, weight)
	}
}
