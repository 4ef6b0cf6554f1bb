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
func (t *team[P]) shareNear(ctx context.Context, s bitboard.Slice) (Sums, error) {
	t.startSums()
	for _, w := range t.workers {
		w.slice = s
	}
	parts, indices := t.near.NearParts(s), t.game.Indices(s)
	t.moved(indices % parts)
	err := parallel.Each(ctx, len(t.workers), parts, func(_ context.Context, worker int, part uint64) error {
		t.near.WalkNear(s, part, t.workers[worker].deriveNear)
		t.moved(indices / parts)
		return nil
	})
	if err != nil {
		return Sums{}, err
	}
	err = t.eachBlock(ctx, s, 0, indices, func(w *deriver[P], lo, hi uint64) { w.tally(lo, hi) })
	return t.sumUp(), err
}

// deriveNear derives a position that is held.
func (w *deriver[P]) deriveNear(i uint64, p P, weight int) {
	if w.holder.Holds(p) {
		w.value(i, p, weight)
	}
}
