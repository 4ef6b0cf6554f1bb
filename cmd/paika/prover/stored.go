package prover

import (
	"context"
	"slices"

	"paika/bitboard"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// asStored is the tables of a shelf that lacks values, as the store has them.
type asStored[P comparable] struct {
	*Shelf[P]
	wdl *proofnumber.Memory[P] // looks ahead
}

// Stored is the tables on the shelf for a check that takes the store's word for what they are
// named: values that they lack are found by a look one turn ahead. That is for the parts of a
// proof, of which somebody checks the whole with tables whose fingerprints are computed. The
// shelf must not change meanwhile.
func (s *Shelf[P]) Stored() proofs.NamedTables[P] {
	if s.sparse == nil {
		return s
	}
	tables := slices.DeleteFunc(slices.Clone(s.sparse.below), func(t *bitboard.Table) bool { return t.WDL == nil })
	game := s.of.Game.(proofnumber.Sparse[P]) // fillAhead has seen to it
	return &asStored[P]{s, proofnumber.NewSparseMemory(game, tables, s.sparse.lack, tables)}
}

// ProbeAll looks positions up that lie in tables on the shelf.
func (t *asStored[P]) ProbeAll(ctx context.Context, metric bitboard.Metric, positions []P, outcomes []bitboard.Outcome) error {
	if metric != bitboard.WDL {
		return t.Shelf.ProbeAll(ctx, metric, positions, outcomes)
	}
	values := make([]bitboard.Value, len(positions))
	t.wdl.Probe(positions, values)
	for i, v := range values {
		outcomes[i] = bitboard.Outcome{Value: v, Distance: bitboard.UnknownDistance}
	}
	return nil
}
