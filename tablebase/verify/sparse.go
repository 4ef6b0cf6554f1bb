package verify

import (
	"context"

	"paika/bitboard"
)

// complete derives the values that a slice was stored without, and puts them
// where they were left out, and draws at gaps. In a slice of the group, they alone
// are no longer pending. The slice is whole then, and has its fingerprint.
func (d *derivation[P]) complete(ctx context.Context, s bitboard.Slice) error {
	if d.verifier.complete[s] {
		d.progress.Add(d.game.Indices(s))
		return nil
	}
	d.verifier.complete[s] = true
	table, own := d.tables[s].WDL, d.inGroup[s]
	d.startTally()
	err := d.eachBlock(ctx, s, func(w *deriver[P], lo, hi uint64) {
		clear(w.left[:])
		clear(w.walked[:])
		w.game.Walk(s, lo, hi, func(i uint64, p P, weight int) bool {
			bit := uint64(1) << (i % 64)
			w.walked[(i-lo)/64] |= bit
			if w.holder.Holds(p) {
				w.left[(i-lo)/64] |= bit
				return true
			}
			table.Set(i, w.lookAhead(p))
			if own && w.quiet() {
				w.tally.quiet += uint64(weight)
			}
			return true
		})
		w.eachGap(lo, hi, func(i uint64) { table.Set(i, bitboard.Draw) })
		if pending := w.pending[s]; pending != nil {
			pending.replace(lo, hi, &w.left)
		}
		d.progress.Add(hi - lo)
	})
	if err != nil {
		return err
	}
	d.leftOutQuiet[s] = d.sumUp().quiet
	return d.compareFingerprint(ctx, bitboard.WDL, d.tables[s])
}

// compareFingerprint holds the manifest against a table that has every value.
func (d *derivation[P]) compareFingerprint(ctx context.Context, m bitboard.Metric, t *bitboard.Table) error {
	info := d.listed[m][t.Slice]
	got, err := d.store.Tables(m, d.game).Fingerprint(ctx, t)
	if err != nil {
		return err
	}
	if got != info.Fingerprint {
		d.findings.add(Finding{Metric: m, Slice: info.Name, What: "fingerprint", Stored: info.Fingerprint, Derived: got})
	}
	return nil
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
			reply = w.game.Ended(q).Reply()
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
func (w *deriver[P]) leftOut(p P) bool { return w.leavesOut[w.slice] && !w.holder.Holds(p) }
