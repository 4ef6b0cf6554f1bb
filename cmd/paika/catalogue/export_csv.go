package catalogue

import (
	"context"
	"errors"
	"fmt"
	"io"

	"paika/bitboard"
)

// ExportFormat is what files tables are exported as.
type ExportFormat string

const (
	FlatFormat ExportFormat = "flat" // for programs that look positions up: tablebase/FORMAT.md
	CSVFormat  ExportFormat = "csv"  // for tables of figures: a row a position
)

// ErrTooManyRows says that a slice is too large for a file of rows.
var ErrTooManyRows = errors.New("too many rows")

// mostRows bounds the indices of a slice that is written in rows.
const mostRows = 1 << 24

// csvHeading names the columns. Images is the number of positions that a row stands
// for, its own among them: those that symmetries take to each other.
const csvHeading = "index,position,images,value,distance\n"

// writeCSV writes a row for each index that is no gap, with its canonical position. The
// distance is empty for draws and without dtw.
func (n *instance[P]) writeCSV(ctx context.Context, w io.Writer, t *bitboard.Table, watch func(indices uint64)) error {
	if _, err := io.WriteString(w, csvHeading); err != nil {
		return err
	}
	const step = 1 << 14
	for lo, all := uint64(0), n.game.Indices(t.Slice); lo < all; lo += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+step, all)
		var failed error
		n.game.Walk(t.Slice, lo, hi, func(index uint64, p P, images int) bool {
			distance := ""
			found := t.Outcome(index)
			if found.Distance != bitboard.UnknownDistance {
				distance = fmt.Sprint(found.Distance)
			}
			_, failed = fmt.Fprintf(w, "%d,%s,%d,%v,%s\n", index, n.game.Format(p, firstSide), images, found.Value, distance)
			return failed == nil
		})
		if failed != nil {
			return failed
		}
		watch(hi)
	}
	return nil
}

// checkRows refuses slices that nobody wants in rows.
func (e *exporter[P]) checkRows() error {
	for _, one := range e.chosen {
		if e.options.Format == CSVFormat && one.info.Indices > mostRows {
			return fmt.Errorf("slice %s has %d indices: %w: want at most %d, or the format %s", one.info.Name, one.info.Indices, ErrTooManyRows, mostRows, FlatFormat)
		}
	}
	return nil
}
