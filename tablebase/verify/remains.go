package verify

import (
	"context"
	"fmt"
	"math/bits"

	"paika/bitboard"
)

// What a game derives at once of a slice in wdl takes room, and so do the bits of what is held,
// which remains to be shown. They are not there at the same time: while the one is derived no
// more is kept of the other than a remainder, and when its room is given back the game tells
// again what is held.

// remainder is what of a slice is held, as far as it takes to see that it is the same again: the
// number of indices, and a sum over the words of their bits.
type remainder struct{ indices, sum uint64 }

// note adds the bits of a block.
func (r *remainder) note(held []uint64, lo, hi uint64) {
	for k, word := range held[:(hi-lo+63)/64] {
		if word != 0 {
			r.indices += uint64(bits.OnesCount64(word))
			high, low := bits.Mul64(word^0x9e3779b97f4a7c15, lo/64+uint64(k)|1<<63)
			r.sum += high ^ low
		}
	}
}

// add adds what another worker noted.
func (r *remainder) add(o remainder) {
	r.indices += o.indices
	r.sum += o.sum
}

// allNoted is the remainder that the workers noted.
func (t *team[P]) allNoted() (all remainder) {
	for _, w := range t.workers {
		all.add(w.noted)
	}
	return all
}

// noteAtOnce notes what was derived at once of a slice of the group, and what remains of it.
func (t *team[P]) noteAtOnce(s bitboard.Slice) {
	remains := t.allNoted()
	t.leftOutQuiet[s], t.remains[s] = t.sumUp().Quiet, &remains
}

// keepRemains has shares leave what is not yet grounded of what remains of the group's slices:
// all of one that was not shown at once.
func (t *team[P]) keepRemains(ctx context.Context) error {
	for _, s := range t.group.Slices {
		if t.pending[s] != nil {
			continue // it was traced
		}
		remains := t.remains[s]
		t.heldPending[s] = remains != nil
		if remains != nil && remains.indices == 0 {
			continue
		}
		if err := t.keepAll(s); err != nil {
			return err
		}
		if remains != nil {
			if err := t.keepHeld(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepHeld turns off the bits of a slice but for what is held. That must be what remains, or
// something would not be shown.
func (t *team[P]) keepHeld(ctx context.Context, s bitboard.Slice) error {
	t.startSums()
	err := t.eachBlock(ctx, s, 0, t.game.Indices(s), func(w *deriver[P], lo, hi uint64) {
		w.noteInside(lo, hi)
		w.noted.note(w.held[:], lo, hi)
		bitset(w.pending[s]).replace(lo, hi, &w.held)
	})
	if err == nil && t.allNoted() != *t.remains[s] {
		panic(fmt.Sprintf("verify: what is held of slice %s is not what was left to be derived", t.game.SliceName(s)))
	}
	return err
}
