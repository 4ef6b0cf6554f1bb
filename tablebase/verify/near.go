package verify

import (
	"context"

	"paika/bitboard"
	"paika/internal/parallel"
)

// walksNear tells whether what is held of a whole slice is derived in the order of a
// bitboard.NearWalker: where it is pending, and nothing else is.
func (t *team[P]) walksNear(s bitboard.Slice) bool {
	return t.near != nil && t.turnValuer != nil && t.chooser != nil && t.heldPending[s] && t.pending[s] != nil && t.near.NearParts(s) > 0
}

// shareNear is share for such a slice. Who walks by, and when, makes no difference to what is
// found: a bit that is still on says no more than that a value is not grounded yet. A position
// that the walk passed by would be missing in the number of quiet ones.
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

// deriveNear derives a position that is pending, and leaves its bit on if it is not grounded.
func (w *deriver[P]) deriveNear(i uint64, p P, weight int) {
	if pending := bitset(w.pending[w.slice]); pending.has(i) && w.value(i, p, weight) {
		pending.remove(i)
	}
}
