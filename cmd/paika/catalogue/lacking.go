package catalogue

import (
	"errors"
	"slices"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/proofs"
)

// LackingError adds to a *proofs.NeedError about a table that is not stored which slices
// are to be built, for this and all others that lack.
type LackingError struct {
	Err    error
	Slices []string // others come with these
	Metric string
}

func (e *LackingError) Error() string { return e.Err.Error() }

// Unwrap returns the error about the first table.
func (e *LackingError) Unwrap() error { return e.Err }

// lacking makes an error about a table that certificates name a *LackingError, if it is one
// that the shelf has not. Slices are told of those in the metric of that table.
func (n *instance[P]) lacking(err error, named []proofs.Source, shelf *prover.Shelf[P]) error {
	var need *proofs.NeedError
	if !errors.As(err, &need) {
		return err
	}
	first, is := need.Need.(proofs.Table)
	if !is || slices.Contains(shelf.Named(), first) {
		return err
	}
	var wanted []bitboard.Slice
	for _, t := range proofs.TablesOf(named) {
		slice, wrong := n.game.ParseSlice(t.Slice)
		if wrong == nil && t.Metric == first.Metric && !slices.Contains(shelf.Named(), t) {
			wanted = append(wanted, slice)
		}
	}
	all, none := n.game.Groups()
	if none != nil {
		return err
	}
	return &LackingError{Err: err, Slices: n.largest(all, wanted), Metric: first.Metric}
}

// largest names slices such that a build of these makes all that are wanted.
func (n *instance[P]) largest(all []bitboard.Group, wanted []bitboard.Slice) (names []string) {
	for groups := bitboard.Closure(all, wanted); len(groups) > 0; groups = bitboard.Closure(all, wanted) {
		last := groups[len(groups)-1] // which none of the others needs: one of its slices is wanted
		slice := last.Slices[slices.IndexFunc(last.Slices, func(s bitboard.Slice) bool { return slices.Contains(wanted, s) })]
		names = append(names, n.game.SliceName(slice))
		for _, with := range bitboard.Closure(all, []bitboard.Slice{slice}) {
			wanted = slices.DeleteFunc(wanted, func(s bitboard.Slice) bool { return slices.Contains(with.Slices, s) })
		}
	}
	return names
}
