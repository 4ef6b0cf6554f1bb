package catalogue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"paika/bitboard"
	"paika/tablebase"
	"paika/tablebase/flat"
	"paika/tablebase/lookup"
)

// ImportOptions say within which limits files are taken in.
type ImportOptions struct {
	Workers  int    // goroutines, at least 1
	Memory   uint64 // bytes that the whole program may take
	Progress func(file string, done, total uint64)
}

// Imported is what a folder of flat files held.
type Imported struct {
	Slices  []FlatSlice `json:"slices"`
	Stored  int         `json:"stored"` // of these, those that the tables did not have before
	Files   int         `json:"-"`      // that the folder holds, of as many slices
	Seconds float64     `json:"seconds"`
}

// Import takes the flat files in a folder into a folder of tables, which is made where
// it is missing. It looks at all headers before it stores anything, and at every value
// of a slice before it stores that one; slices stored before an error stay, and come with it
// as what was done. Tables that were not there before are then the same as if they had been
// built, byte for byte.
//
// Whether values follow from the rules is not asked: Verify does.
//
// Errors include *flat.FileError, *tablebase.IdentityError, flat.ErrOtherValues, ErrMemory,
// those of tablebase.Open, and an error that wraps fs.ErrNotExist where there is no
// such file.
func (n *instance[P]) Import(ctx context.Context, dir, from string, o ImportOptions) (done Imported, err error) {
	began := time.Now()
	paths, err := flatFiles(from)
	if err != nil {
		return done, err
	}
	done.Files = len(paths)
	wanted := make(map[bitboard.Metric][]bitboard.Slice)
	var largest uint64
	for _, path := range paths {
		f, err := n.openFlat(ctx, path)
		if err != nil {
			return done, err
		}
		f.file.Close()
		metric := f.Header.Metric
		wanted[metric] = append(wanted[metric], f.slice)
		largest = max(largest, bitboard.TableBytes(metric, f.Header.Indices))
	}
	if err := checkMemory("to import", largest, o.Workers, o.Memory); err != nil {
		return done, err
	}
	groups, err := lookup.GroupsByMetric(n.game, n.board, wanted)
	if err != nil {
		return done, err
	}
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{Workers: o.Workers})
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	done.Slices = []FlatSlice{}
	for _, path := range paths {
		one, stored, err := n.importFlat(ctx, store, groups, path, o)
		if err != nil {
			return done, err
		}
		done.Slices = append(done.Slices, one)
		if stored {
			done.Stored++
		}
	}
	done.Seconds = time.Since(began).Seconds()
	return done, nil
}

// flatFiles lists the flat files in a folder, those of small slices first.
func flatFiles(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, entry := range entries {
		if flat.IsFileName(entry.Name()) {
			paths = append(paths, filepath.Join(folder, entry.Name()))
		}
	}
	if len(paths) == 0 {
		return nil, &noFlatTablesError{folder}
	}
	slices.SortFunc(paths, func(a, b string) int { return tablebase.CompareNames(filepath.Base(a), filepath.Base(b)) })
	return paths, nil
}

// noFlatTablesError says that a folder has no flat tables. It is an fs.ErrNotExist.
type noFlatTablesError struct{ folder string }

func (e *noFlatTablesError) Error() string {
	return fmt.Sprintf("%s: no flat tables are there, which are files SLICE.METRIC%s", e.folder, flat.Suffix)
}

func (e *noFlatTablesError) Is(target error) bool { return target == fs.ErrNotExist }

// flatFile is an open file about a slice of the instance.
type flatFile struct {
	*flat.File
	slice bitboard.Slice
	file  *os.File
	bytes int64
}

// openFlat opens a file, and holds its header against the game.
func (n *instance[P]) openFlat(ctx context.Context, path string) (f flatFile, err error) {
	if info, err := os.Stat(path); err != nil {
		return f, err
	} else if !info.Mode().IsRegular() { // opening a pipe may take for ever
		return f, &flat.FileError{File: path, Err: fmt.Errorf("%w: it is a folder, a pipe or a device", flat.ErrNotFlat)}
	}
	if f.file, err = os.Open(path); err != nil {
		return f, err
	}
	defer func() {
		if err != nil {
			f.file.Close()
		}
	}()
	info, err := f.file.Stat()
	if err != nil {
		return f, err
	}
	f.bytes = info.Size()
	if f.File, err = flat.Read(ctx, path, f.file, f.bytes); err != nil {
		return f, err
	}
	if id := f.Header.Identity; id != n.identity {
		return f, &tablebase.IdentityError{Dir: path, Stored: id, Wanted: n.identity}
	}
	if f.slice, err = f.Header.Fits(n.game); err != nil {
		return f, &flat.FileError{File: path, Err: err}
	}
	return f, nil
}

// importFlat checks one file and stores its slice as a build of its metric's groups does,
// if it is not stored.
func (n *instance[P]) importFlat(ctx context.Context, store *tablebase.Store, groups map[bitboard.Metric][]bitboard.Group, path string, o ImportOptions) (one FlatSlice, stored bool, err error) {
	f, err := n.openFlat(ctx, path)
	if err != nil {
		return one, false, err
	}
	defer f.file.Close()
	h := f.Header
	one = FlatSlice{h.Slice, h.Metric.String(), path, f.bytes, h.Fingerprint}
	watch := func(indices uint64) {
		if o.Progress != nil {
			o.Progress(h.Slice, indices, h.Indices)
		}
	}
	stored, err = f.Import(ctx, n.game, store, groups[h.Metric], o.Workers, watch)
	return one, stored, err
}
