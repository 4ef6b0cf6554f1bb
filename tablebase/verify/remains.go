package verify

import (
	"math/bits"

	"paika/bitboard"
)

// What a game derives at once of a slice in wdl leaves what is held, which remains to be shown. Of
// that no more is kept than a remainder: the game tells again what is held when its turn comes.

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

// noteAtOnce notes what was derived at once of a slice of the group, and what remains of it. Of
// what dtw completes nothing does: its own depths are derived.
func (t *team[P]) noteAtOnce(s bitboard.Slice) {
	t.leftOutQuiet[s] = t.sumUp().Quiet
	if t.metric == bitboard.WDL {
		remains := t.allNoted()
		t.remains[s] = &remains
	}
}
