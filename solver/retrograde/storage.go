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
	// t.WDL or t.DTW has its full length. For a bitboard.Sparse game, what
	// stands at an index that is left out means nothing.
	Load(ctx context.Context, t *bitboard.Table) error

	// Save stores a solved slice. When it returns nil the slice survives a
	// crash; before that, the slice counts as absent. Values in t.WDL are Draw,
	// Win or Loss; at gaps, Draw.
	Save(ctx context.Context, t *bitboard.Table, sum bitboard.Summary) error
}
