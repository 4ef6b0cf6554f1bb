package retrograde

import (
	"context"

	"paika/bitboard"
)

// Storage keeps solved slices of one game and one metric. Build calls Has and
// Load from one goroutine, and Save from one too, never two at a time.
type Storage interface {
	// Has tells whether a slice is there, whole.
	Has(s bitboard.Slice) bool

	// Load fills the table of a slice that is there. t.Slice names it, and
	// t.WDL or t.DTW has its full length. Where the storage leaves values out
	// (SparseStorage), what stands in their place means nothing.
	Load(ctx context.Context, t *bitboard.Table) error

	// Save stores a solved slice. When it returns nil the slice survives a
	// crash; before that, the slice counts as absent. Values in t.WDL are Draw,
	// Win or Loss; at gaps, Draw.
	Save(ctx context.Context, t *bitboard.Table, sum bitboard.Summary) error
}

// SparseStorage is a Storage that may leave values out of slices that no other needs,
// where one look ahead finds them (bitboard.Sparse). A slice that another comes to need
// is given back to it whole.
type SparseStorage interface {
	Storage

	// LeavesOut tells whether a slice that is there is stored with values left out.
	LeavesOut(s bitboard.Slice) bool

	// SaveWhole replaces a slice that is stored with values left out by its table,
	// which has them all. Until it returns nil the slice counts as absent.
	SaveWhole(ctx context.Context, t *bitboard.Table) error
}
