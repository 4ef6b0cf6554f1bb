package verify

import (
	"math/bits"

	"paika/bitboard"
)

// outlook is what the turns of a position come to, as far as they were looked at.
type outlook struct {
	turns  int  // looked at
	inside bool // one of them stays in the group
	wins   bool // one of them ends the game and wins it

	lost, drawn bool // a successor is

	quickest, slowest int // loss and win among the successors, in dtw
}

// take takes in the value of a successor, and tells whether to look further. Nothing follows
// from one that is pending, as if it were a draw.
func (o *outlook) take(v bitboard.Value) (further bool) {
	switch v {
	case bitboard.Loss:
		o.lost = true
	case bitboard.Draw, pending:
		o.drawn = true
	}
	return !o.lost
}

// takeDepth takes in the depth of a successor.
func (o *outlook) takeDepth(d bitboard.Depth) {
	switch d.Value() {
	case bitboard.Loss:
		o.quickest = min(o.quickest, d.Distance())
	case bitboard.Win:
		o.slowest = max(o.slowest, d.Distance())
	default:
		o.drawn = true
	}
}

// seenOutlook is the outlook by what a bitboard.TurnValuer has seen.
func seenOutlook(seen bitboard.Values, inside bool) (o outlook) {
	if seen == 0 {
		return o
	}
	return outlook{turns: 1, inside: inside, lost: seen>>bitboard.Loss&1 != 0, drawn: seen&(1<<bitboard.Draw|1<<pending) != 0}
}

// value is what the turns come to.
func (o *outlook) value() bitboard.Value {
	switch {
	case o.lost:
		return bitboard.Win
	case o.drawn:
		return bitboard.Draw
	}
	return bitboard.Loss
}

// lookAt looks at the turns of a position anew.
func (w *deriver[P]) lookAt(p P, look func(q P, at bitboard.Ref) bool) {
	w.outlook = outlook{quickest: bitboard.MaxDistance + 1}
	w.turns = w.turns[:0]
	w.follow(p, look)
}

// followTurns is for games that can't rank turns as they make them.
func (w *deriver[P]) followTurns(p P, look func(q P, at bitboard.Ref) bool) {
	w.turns = w.game.Turns(w.turns, p)
	for _, q := range w.turns {
		s, i := w.game.SliceOf(q), uint64(0)
		if w.tables[s] != nil {
			_, i = w.game.Rank(q)
		}
		if !look(q, bitboard.MakeRef(s, i)) {
			return
		}
	}
}

// quiet tells whether turns inside the group decide the position that was looked at:
// there are none, or one stays in the group and none ends the game and wins it.
//
// Where turns are listed, it looks at all until one wins so, whatever the derivation of the
// value needed. A bitboard.TurnValuer has told.
func (w *deriver[P]) quiet() bool {
	o := &w.outlook
	for ; o.turns < len(w.turns) && !o.wins; o.turns++ {
		q := w.turns[o.turns]
		if s := w.game.SliceOf(q); w.inGroup[s] {
			o.inside = true
		} else if w.tables[s] == nil {
			w.end(q)
		}
	}
	return o.turns == 0 || o.inside && !o.wins
}

// end is the value of a position that is in no table, where the game must be over.
func (w *deriver[P]) end(q P) bitboard.Value {
	if w.after = w.game.Turns(w.after[:0], q); len(w.after) > 0 {
		w.findings.add(Finding{
			Metric: w.metric, Slice: w.game.SliceName(w.slice), What: "successor",
			Position: w.game.Format(q, 0), Stored: "no value", Derived: "a turn that leads there",
		})
		return w.game.Ended(q)
	}
	v := w.game.Ended(q)
	w.outlook.wins = w.outlook.wins || v == bitboard.Loss
	return v
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
