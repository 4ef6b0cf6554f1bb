package prover

import (
	"slices"

	"paika/bitboard"
	"paika/proofs"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// Pick chooses the tables of a store that are to be loaded, and names them by the
// fingerprints that the store has for them.
type Pick func(*tablebase.Store) ([]proofs.Table, error)

// none picks nothing, where there is no store.
func none(*tablebase.Store) ([]proofs.Table, error) { return nil, nil }

// UpTo picks the tables of at most that many pieces, or all with bitboard.AllPieces,
// each slice in the metric that takes less memory.
func UpTo[P comparable](of Subject[P], pieces int) Pick {
	return func(store *tablebase.Store) ([]proofs.Table, error) {
		small := make(map[string]bool)
		if pieces != bitboard.AllPieces {
			groups, err := lookup.GroupsUpTo(of.Game, of.Board, pieces)
			if err != nil {
				return nil, err
			}
			for _, g := range groups {
				for _, s := range g.Slices {
					small[of.Game.SliceName(s)] = true
				}
			}
		}
		var named []proofs.Table
		taken := make(map[string]bool)
		for _, t := range stored(store) {
			if taken[t.Slice] || pieces != bitboard.AllPieces && !small[t.Slice] {
				continue
			}
			taken[t.Slice] = true
			named = append(named, t)
		}
		return named, nil
	}
}

// Wanted picks those of the tables that are stored. That the manifest has another
// fingerprint for a table is a *proofs.NeedError, told before any is loaded; that one is
// missing is for the check to tell.
func Wanted(wanted []proofs.Table) Pick {
	return func(store *tablebase.Store) ([]proofs.Table, error) {
		var named []proofs.Table
		for _, have := range stored(store) {
			for _, want := range wanted {
				if want.Slice != have.Slice || want.Metric != have.Metric {
					continue
				}
				if want != have {
					return nil, &proofs.NeedError{Need: want, Reason: want.Differs(have.Checksum) + ", by the manifest"}
				}
				named = append(named, have)
			}
		}
		return named, nil
	}
}

// Then picks what the first does, and behind it what the second does beside. picked
// is told how many the first has named.
func Then(first, second Pick, picked *int) Pick {
	return func(store *tablebase.Store) ([]proofs.Table, error) {
		named, err := first(store)
		if err != nil {
			return nil, err
		}
		*picked = len(named)
		others, err := second(store)
		for _, t := range others {
			if !slices.Contains(named, t) {
				named = append(named, t)
			}
		}
		return named, err
	}
}

// stored names every table of a store.
func stored(store *tablebase.Store) (all []proofs.Table) {
	for m := range bitboard.MetricCount {
		for _, info := range store.Slices(m) {
			all = append(all, proofs.Table{Slice: info.Name, Metric: m.String(), Checksum: info.Fingerprint})
		}
	}
	return all
}
