package verify

import (
	"math/bits"

	"paika/bitboard"
)

// quiet tells whether turns inside the group decide the position whose turns are
// in hand: there are none, or one stays in the group and none ends the game and
// wins it.
//
// It looks at every turn, whatever the derivation of the value needed, and so it
// is here that a turn is found which leads out of all tables and is not the last.
func (w *deriver[P]) quiet() bool {
	inside, wins := len(w.turns) == 0, false
	for k := range w.turns {
		s := w.sliceAfter(k)
		switch {
		case w.inGroup[s]:
			inside = true
		case w.tables[s] == nil && w.ends(k):
			wins = true
		}
	}
	return inside && !wins
}

// sliceAfter is the slice of the position after a turn.
func (w *deriver[P]) sliceAfter(k int) bitboard.Slice {
	if k < len(w.refs) {
		return w.refs[k].Slice()
	}
	return w.game.SliceOf(w.turns[k])
}

// ends tells whether a turn that leads out of all tables, where the game must be
// over, wins.
func (w *deriver[P]) ends(k int) (wins bool) {
	q := w.turns[k]
	if w.after = w.game.Turns(w.after[:0], q); len(w.after) > 0 {
		w.findings.add(Finding{
			Metric: w.metric, Slice: w.game.SliceName(w.slice), What: "successor",
			Position: w.game.Format(q, 0), Stored: "no value", Derived: "a turn that leads there",
		})
		return false
	}
	return w.game.Ended(q) == bitboard.Loss
}

// eachGap calls f for the indices of a block that were not walked.
func (w *deriver[P]) eachGap(lo, hi uint64, f func(i uint64)) {
	for from := lo; from < hi; from += 64 {
		gaps := ^w.walked[(from-lo)/64]
		if hi-from < 64 {
			gaps &= 1<<(hi-from) - 1
		}
		for ; gaps != 0; gaps &= gaps - 1 {
			f(from + uint64(bits.TrailingZeros64(gaps)))
		}
	}
}

// gaps counts the indices without a position at which a table has anything but a
// draw, in a block that was walked.
func (w *deriver[P]) gaps(t *bitboard.Table, lo, hi uint64) (filled uint64) {
	w.eachGap(lo, hi, func(i uint64) {
		if t.DTW != nil && t.DTW[i] != 0 || t.DTW == nil && t.WDL.At(i) != bitboard.Draw {
			filled++
		}
	})
	return filled
}
