package prover

import (
	"context"
	"errors"
	"slices"

	"paika/bitboard"
	"paika/bitboard/ranking"
	"paika/proofs"
	"paika/tablebase"
)

// hints are tables in a folder, each in memory as long as completing may ask it. They are
// a complete.Hints.
type hints[P comparable] struct {
	*Shelf[P]
	dir     string
	workers int
	groups  []bitboard.Group                // that have tables, in the game's order
	all     map[bitboard.Slice]proofs.Table // of these
	most    uint64                          // bytes of those that are in memory at a time
}

// newHints picks the tables that tell how to go on from some. Errors: *MemoryError where
// they would not fit, and those of pickBelow. None is loaded yet.
func newHints[P comparable](of Subject[P], dir string, tables []proofs.Table, wins bool, o CompleteOptions) (*hints[P], error) {
	h := &hints[P]{Shelf: NewShelf(of), dir: dir, workers: o.Workers, all: make(map[bitboard.Slice]proofs.Table)}
	h.watch = o.Watch
	named, err := pickBelow(of, dir, tables, wins)
	if err != nil || len(named) == 0 {
		return h, err
	}
	var held []bitboard.Slice
	for _, t := range named {
		slice, err := of.Game.ParseSlice(t.Slice)
		if err != nil {
			return nil, err
		}
		h.all[slice] = t
		held = append(held, slice)
	}
	groups, err := of.Game.Groups()
	if err != nil {
		return nil, err
	}
	h.groups = bitboard.Closure(groups, held)
	if h.most = h.peak(); h.most+CompleteBytes > o.Memory {
		return nil, &MemoryError{h.most, h.most + CompleteBytes, o.Memory}
	}
	h.room = o.Memory - h.most - CompleteBytes
	return h, nil
}

// peak is the most memory that tables take when all groups are made ready in turn.
func (h *hints[P]) peak() (most uint64) {
	loaded := make(map[bitboard.Slice]bool)
	for at, g := range slices.Backward(h.groups) {
		for _, slice := range h.from(g) {
			loaded[slice] = true
		}
		bytes := uint64(0)
		for _, slice := range slicesOf(h.groups[:at+1]) {
			if loaded[slice] {
				bytes = ranking.Sum(bytes, h.tableBytes(h.all[slice]))
			}
		}
		most = max(most, bytes)
	}
	return most
}

// from is the slices of a group, and of all that follows: a table may have been stored
// without what another tells.
func (h *hints[P]) from(g bitboard.Group) []bitboard.Slice {
	return slicesOf(bitboard.Closure(h.groups, g.Slices))
}

func slicesOf(groups []bitboard.Group) (held []bitboard.Slice) {
	for _, g := range groups {
		held = append(held, g.Slices...)
	}
	return held
}

// Has tells whether there is a table of a slice.
func (h *hints[P]) Has(slice bitboard.Slice) bool {
	_, has := h.all[slice]
	return has
}

// Ready loads the tables of a group, and of all that follows, and gives those back that
// no group needs any more. Errors are those of opening the folder and of loading.
func (h *hints[P]) Ready(ctx context.Context, g bitboard.Group) (err error) {
	at := slices.IndexFunc(h.groups, func(have bitboard.Group) bool { return have.Slices[0] == g.Slices[0] })
	if at < 0 {
		return nil
	}
	h.keepSlices(slicesOf(h.groups[:at+1])) // others no later group needs
	for _, slice := range h.from(g) {
		if t := h.all[slice]; !slices.Contains(h.named, t) {
			h.named = append(h.named, t)
		}
	}
	if len(h.named) == len(h.tables) {
		return nil
	}
	store, err := tablebase.Open(h.dir, h.of.Identity, tablebase.Options{ReadOnly: true, Workers: h.workers})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return h.fill(ctx, store, h.workers)
}

// Hint is what the tables that are ready say of a position, if they know it.
func (h *hints[P]) Hint(p P) (bitboard.Outcome, bool) {
	slice := h.of.Game.SliceOf(p)
	for _, table := range [...]*bitboard.Table{h.places[bitboard.DTW][slice], h.places[bitboard.WDL][slice]} {
		if table != nil {
			_, index := h.of.Game.Rank(p)
			return table.Outcome(index), true
		}
	}
	return bitboard.Outcome{}, false
}
