package tablebase

import (
	"context"

	"paika/bitboard"
)

// complete derives the values that a slice was stored without, and puts them
// where they were left out. In a slice of the group, they alone are no longer
// pending.
func (d *derivation[P]) complete(ctx context.Context, s bitboard.Slice) error {
	if d.verifier.complete[s] {
		d.progress.add(d.game.Indices(s))
		return nil
	}
	d.verifier.complete[s] = true
	table := d.tables[s].WDL
	return d.eachBlock(ctx, s, func(w *deriver[P], lo, hi uint64) {
		clear(w.left[:])
		w.game.Walk(s, lo, hi, func(i uint64, p P, _ int) bool {
			if w.holder.Holds(p) {
				w.left[(i-lo)/64] |= 1 << (i % 64)
			} else {
				table.Set(i, w.lookAhead(p))
			}
			return true
		})
		if pending := w.pending[s]; pending != nil {
			pending.replace(lo, hi, &w.left)
		}
		d.progress.add(hi - lo)
	})
}

// lookAhead derives a value that was left out. What it follows from must be held
// or over, or the game is no bitboard.Sparse.
func (w *deriver[P]) lookAhead(p P) bitboard.Value {
	w.turns = w.game.Turns(w.turns[:0], p)
	w.refs = w.refs[:0]
	best := bitboard.Loss
	for k, q := range w.turns {
		w.rankTo(k)
		s := w.refs[k].Slice()
		var reply bitboard.Value
		if t := w.tables[s]; t == nil {
			reply = w.ended(q).Reply()
		} else {
			reply = t.WDL.At(w.refs[k].Index()).Reply()
			if w.partial[s] && !w.holder.Holds(q) {
				w.findings.add(Finding{
					Metric: w.metric, Slice: w.game.SliceName(w.slice), What: "successor",
					Position: w.game.Format(q, 0), Stored: "no value", Derived: "a turn from a position that is left out",
				})
			}
		}
		if reply == bitboard.Win {
			return bitboard.Win
		}
		if reply == bitboard.Draw {
			best = bitboard.Draw
		}
	}
	return best
}

// leftOut tells whether the value of a position of the slice in hand is not
// stored in wdl.
func (w *deriver[P]) leftOut(p P) bool { return w.holder != nil && !w.holder.Holds(p) }
