package flat

import (
	"context"
	"fmt"

	"paika/bitboard"
	"paika/tablebase"
)

// ErrOtherValues says that tables have a slice with other values than a file. One of
// the two is wrong.
var ErrOtherValues = fmt.Errorf("%w: the tables have other values", tablebase.ErrDamaged)

// Import looks at every value of the file, and stores its slice if it is not stored yet:
// the same tables as if they had been built with these groups, byte for byte. The header
// must fit the game. It takes the memory of the slice in its metric and so many goroutines, at
// least one, and tells watch, if there is one, how many indices are loaded.
//
// Errors: *FileError, *tablebase.SliceError, which wraps ErrOtherValues where the slice
// is stored otherwise, those of Tables.Save, and that of ctx.
func (f *File) Import(ctx context.Context, game Game, store *tablebase.Store, groups []bitboard.Group, workers int, watch func(indices uint64)) (stored bool, err error) {
	h := f.Header
	slice, err := h.Fits(game)
	if err != nil {
		return false, f.failed(err)
	}
	table := bitboard.NewTable(h.Metric, slice, h.Indices)
	if err := f.Load(ctx, table, workers, watch); err != nil {
		return false, err
	}
	sum, err := f.Count(ctx, game, table, workers)
	if err != nil {
		return false, err
	}
	if info, there := store.Slice(h.Metric, h.Slice); there {
		if info.Fingerprint != h.Fingerprint {
			err = &tablebase.SliceError{Metric: h.Metric, Slice: h.Slice, Err: fmt.Errorf("%w than %s, fingerprint %s", ErrOtherValues, f.path, info.Fingerprint)}
		}
		return false, err
	}
	return true, store.Tables(h.Metric, game).ForBuild(groups).Save(ctx, table, sum)
}
