package prover

import (
	"context"

	"paika/bitboard"
	"paika/proofs"
)

// asStored is the tables of a shelf as the store has them, a proofs.NamedTables.
type asStored[P comparable] struct {
	*Shelf[P]
	holds func(P) bool                        // whether a table has the value; nil where all have
	lack  [bitboard.MaxSlices]bool            // whose tables in wdl lack values
	below [bitboard.MaxSlices]*bitboard.Table // in wdl, where turns from these lead to
}

// Stored is the tables on the shelf for a check that takes the store's word for what they are
// named: values that they lack are found by a look one turn ahead. That is for the parts of a
// proof, of which somebody checks the whole with tables whose fingerprints are computed. The
// shelf must not change meanwhile.
func (s *Shelf[P]) Stored() proofs.NamedTables[P] {
	t := &asStored[P]{Shelf: s}
	if s.sparse == nil {
		return t
	}
	t.holds = s.of.Game.(bitboard.Sparse[P]).Holds // fillAhead has seen to it
	for _, slice := range s.sparse.lack {
		t.lack[slice] = true
	}
	for _, table := range s.sparse.below {
		if table.WDL != nil {
			t.below[table.Slice] = table
		}
	}
	return t
}

// ProbeAll looks positions up that lie in tables on the shelf.
func (t *asStored[P]) ProbeAll(_ context.Context, metric bitboard.Metric, positions []P, outcomes []bitboard.Outcome) error {
	var turns []P
	for i, p := range positions {
		slice, index := t.of.Game.Rank(p)
		if metric != bitboard.WDL || !t.lacks(slice, p) {
			outcomes[i] = t.places[metric][slice].Outcome(index)
			continue
		}
		turns = t.of.Game.Turns(turns[:0], p)
		outcomes[i] = bitboard.Outcome{Value: t.verdict(turns), Distance: bitboard.UnknownDistance}
	}
	return nil
}

// lacks tells whether the table of a slice lacks the value of a position in it.
func (t *asStored[P]) lacks(s bitboard.Slice, p P) bool { return t.lack[s] && !t.holds(p) }

// verdict is the value of a position whose turns lead to these.
func (t *asStored[P]) verdict(turns []P) bitboard.Value {
	var seen bitboard.Values
	for _, q := range turns {
		seen |= 1 << t.value(q)
	}
	return seen.Verdict()
}

// value is that of a position in a table below. Where there is none the game is over.
func (t *asStored[P]) value(q P) bitboard.Value {
	slice := t.of.Game.SliceOf(q)
	switch table := t.below[slice]; {
	case table == nil:
		return t.of.Game.Ended(q)
	case t.lacks(slice, q):
		return t.verdict(t.of.Game.Turns(nil, q))
	default:
		_, index := t.of.Game.Rank(q)
		return table.WDL.At(index)
	}
}
