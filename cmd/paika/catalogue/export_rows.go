package catalogue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase"
	"paika/tablebase/flat"
)

// ExportFormat is what files tables are exported as.
type ExportFormat string

const (
	FlatFormat    ExportFormat = "flat"    // for programs that look positions up: tablebase/FORMAT.md
	CSVFormat     ExportFormat = "csv"     // for tables of figures: a row a position
	ParquetFormat ExportFormat = "parquet" // the same rows for databases and data frames, by columns
)

// ExportFormats are the names of all there are.
func ExportFormats() []string {
	return []string{string(FlatFormat), string(CSVFormat), string(ParquetFormat)}
}

// inRows tells whether a file of a format has a row for each position.
func (f ExportFormat) inRows() bool { return f == CSVFormat || f == ParquetFormat }

// begins tells whether a text begins like the files of a format.
func (f ExportFormat) begins(text io.Reader) bool {
	first := flat.FirstWord
	switch f {
	case CSVFormat:
		first = csvHeading
	case ParquetFormat:
		first = parquetMagic
	}
	head := make([]byte, len(first))
	_, err := io.ReadFull(text, head)
	return err == nil && string(head) == first
}

// parquetMagic begins every file of Apache Parquet.
const parquetMagic = "PAR1"

// RowsFile is the name of the file that tells of which game, board and rules the rows beside it
// are. Readers that take all files of a folder pass by a name that begins like this.
const RowsFile = "_rows.json"

// mostRowsOf is more than that file takes, in bytes.
const mostRowsOf = 1 << 16

// writeRowsOf tells of whom the rows in a folder are. It comes before them: rows of a folder
// that an export left half done are nobody else's.
func writeRowsOf(folder string, id tablebase.Identity) error {
	text, err := json.Marshal(id)
	if err != nil {
		return err
	}
	return lasting.WriteFile(filepath.Join(folder, RowsFile), append(text, '\n'))
}

// checkRowsOf fails where the rows in a folder are of another game, board or rules, with a
// *tablebase.IdentityError, or where that can't be told, with ErrUnknownRows.
func checkRowsOf(folder string, id tablebase.Identity) error {
	path := filepath.Join(folder, RowsFile)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	var stored tablebase.Identity
	if !info.Mode().IsRegular() || info.Size() > mostRowsOf {
		return unknownRows(path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if json.Unmarshal(text, &stored) != nil || stored.Game == "" {
		return unknownRows(path)
	}
	if stored != id {
		return &tablebase.IdentityError{Dir: folder, Stored: stored, Wanted: id}
	}
	return nil
}

func unknownRows(path string) error {
	return fmt.Errorf("%s: %w: name another folder", path, ErrUnknownRows)
}

// ErrUnknownRows says that RowsFile is none of an export's.
var ErrUnknownRows = errors.New("it does not tell of which game the rows are")

// ErrTooManyRows says that a slice is too large for a file of rows.
var ErrTooManyRows = errors.New("too many rows")

// mostRows bounds the indices of a slice that is written in rows.
const mostRows = 1 << 24

// row is what a file has of an index that is no gap, with its canonical position. Images is the
// number of positions that it stands for, its own among them: those that symmetries take to each
// other. There is no distance for draws and without dtw.
type row struct {
	Index    int64  `parquet:"index,delta"`
	Position string `parquet:"position"`
	Images   int32  `parquet:"images"`
	Value    string `parquet:"value,dict"`
	Distance *int32 `parquet:"distance,optional"`
}

// rowWriter writes rows as some format has them. What it holds back is written by its end.
type rowWriter interface {
	write(rows []row) error
	end() error
}

// rowsTo is the writer of a format in rows.
func rowsTo(w io.Writer, f ExportFormat) rowWriter {
	if f == ParquetFormat {
		return parquetRows{parquet.NewGenericWriter[row](w, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("paika", "", ""))}
	}
	return &csvRows{w: w}
}

// writeRows writes the rows of a table.
func (n *instance[P]) writeRows(ctx context.Context, to rowWriter, t *bitboard.Table, watch func(indices uint64)) error {
	const step = 1 << 14
	rows := make([]row, 0, step)
	for lo, all := uint64(0), n.game.Indices(t.Slice); lo < all; lo += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+step, all)
		rows = rows[:0]
		n.game.Walk(t.Slice, lo, hi, func(index uint64, p P, images int) bool {
			found := t.Outcome(index)
			r := row{Index: int64(index), Position: n.game.Format(p, firstSide), Images: int32(images), Value: found.Value.String()}
			if found.Distance != bitboard.UnknownDistance {
				distance := int32(found.Distance)
				r.Distance = &distance
			}
			rows = append(rows, r)
			return true
		})
		if err := to.write(rows); err != nil {
			return err
		}
		watch(hi)
	}
	return to.end()
}

// csvRows are lines below a heading. No field has a comma in it.
type csvRows struct {
	w     io.Writer
	begun bool
}

const csvHeading = "index,position,images,value,distance\n"

func (c *csvRows) write(rows []row) error {
	if err := c.end(); err != nil {
		return err
	}
	for _, r := range rows {
		distance := ""
		if r.Distance != nil {
			distance = fmt.Sprint(*r.Distance)
		}
		if _, err := fmt.Fprintf(c.w, "%d,%s,%d,%s,%s\n", r.Index, r.Position, r.Images, r.Value, distance); err != nil {
			return err
		}
	}
	return nil
}

// end writes the heading, where that is all.
func (c *csvRows) end() error {
	if c.begun {
		return nil
	}
	c.begun = true
	_, err := io.WriteString(c.w, csvHeading)
	return err
}

// parquetRows are groups of rows, column by column.
type parquetRows struct{ w *parquet.GenericWriter[row] }

func (p parquetRows) write(rows []row) error {
	_, err := p.w.Write(rows)
	return err
}

func (p parquetRows) end() error { return p.w.Close() }

// checkRows refuses slices that nobody wants in rows.
func (e *exporter[P]) checkRows() error {
	for _, one := range e.chosen {
		if e.options.Format.inRows() && one.info.Indices > mostRows {
			return fmt.Errorf("slice %s has %d indices: %w: want at most %d, or the format %s", one.info.Name, one.info.Indices, ErrTooManyRows, mostRows, FlatFormat)
		}
	}
	return nil
}
