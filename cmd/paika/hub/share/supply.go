package share

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"paika/bitboard"
	"paika/bitboard/ranking"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/internal/progress"
	"paika/proofs"
	"paika/tablebase"
)

// Supply is the tables of another site, the hub's, and where to get their files.
type Supply struct {
	// Tables are all that the site has. What they are named is hearsay, but for those that
	// leave no values out: the site that is made of them computes their fingerprints.
	Tables []proofs.Table

	// Fetch has the file of a table (tablebase.SliceFile) under a path, of at most that many
	// bytes. It goes on with what an earlier call left there, and tells how many bytes of how
	// many it has. Nil where there are no files yet: the folder has to have all tables.
	Fetch func(ctx context.Context, t proofs.Table, path string, most int64, watch func(done, total int64)) error
}

// SupplyOptions are the limits of a supplied site.
type SupplyOptions struct {
	prover.LoadOptions
	Version string            // of the program
	Notice  func(text string) // told in a sentence what the user should know of
}

// ErrLacking says that a folder lacks tables, or that another process has it.
var ErrLacking = errors.New("the folder does not have all tables of the hub")

// fetchSuffix makes the folder of files that come from that of the tables.
const fetchSuffix = ".fetch"

// NewSupplied makes a site with the tables of a supply, and no others. Those that the
// folder lacks are fetched and stored there first, as they come, each file once all of it
// was looked at; the folder is made where it is missing. One process does so at a time: the
// next one finds them there.
//
// Errors: ErrLacking where there is nowhere to fetch them, ErrOther where the folder has a
// table with other values or the supply is of another game, *prover.MemoryError before
// anything is fetched, and those of fetching, of SliceFile.Import, and of NewSite.
func NewSupplied[P comparable](ctx context.Context, of prover.Subject[P], dir string, supply Supply, o SupplyOptions) (Site, error) {
	if len(supply.Tables) == 0 {
		none := prover.NewShelf(of)
		return &site[P]{of: of, shelf: none, checked: none.Stored()}, nil
	}
	s := &stock[P]{of: of, dir: dir, supply: supply, options: o}
	if err := s.admit(); err != nil {
		return nil, err
	}
	whole, err := s.whole()
	switch {
	case err != nil || whole:
	case supply.Fetch == nil:
		return nil, ErrLacking
	default:
		err = s.complete(ctx)
	}
	if err != nil {
		return nil, err
	}
	var made Site
	err = s.inTurn(ctx, tablebase.ErrLocked, func() (err error) {
		made, err = newSite(ctx, of, dir, prover.Wanted(supply.Tables), o.LoadOptions)
		return err
	})
	return made, err
}

// stock is a folder of tables that a supply completes.
type stock[P comparable] struct {
	of      prover.Subject[P]
	dir     string
	supply  Supply
	options SupplyOptions
	waiting bool // the user knows
}

// admit refuses tables that are none of the game, or too large for the memory, which
// bounds what is fetched, too.
func (s *stock[P]) admit() error {
	var bytes uint64
	for _, t := range s.supply.Tables {
		n, err := s.bytes(t)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrOther, err)
		}
		bytes = ranking.Sum(bytes, n)
	}
	if need := ranking.Sum(bytes, s.options.Overhead); need > s.options.Memory {
		return &prover.MemoryError{Tables: bytes, Need: need, Allowed: s.options.Memory}
	}
	return nil
}

// bytes is the memory that a table takes.
func (s *stock[P]) bytes(t proofs.Table) (uint64, error) {
	metric, slice, err := s.parse(t)
	if err != nil {
		return 0, err
	}
	return bitboard.TableBytes(metric, s.of.Game.Indices(slice)), nil
}

// parse reads what a table is called.
func (s *stock[P]) parse(t proofs.Table) (bitboard.Metric, bitboard.Slice, error) {
	slice, err := s.of.Game.ParseSlice(t.Slice)
	if err != nil {
		return 0, 0, err
	}
	if name := s.of.Game.SliceName(slice); name != t.Slice { // it becomes the name of a file
		return 0, 0, fmt.Errorf("a slice %s: want %s", bitboard.Quote(t.Slice), name)
	}
	metric, err := bitboard.ParseMetric(t.Metric)
	return metric, slice, err
}

// whole tells whether the folder has all tables, and may be read now.
func (s *stock[P]) whole() (whole bool, err error) {
	store, err := tablebase.Open(s.dir, s.of.Identity, tablebase.Options{ReadOnly: true, Workers: s.options.Workers})
	switch {
	case errors.Is(err, tablebase.ErrNoStore), errors.Is(err, tablebase.ErrLocked), errors.Is(err, tablebase.ErrUnclean):
		return false, nil
	case err != nil:
		return false, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	lacking, err := s.lacking(store)
	return len(lacking) == 0, err
}

// lacking lists the tables that the store does not have, those with few pieces first.
func (s *stock[P]) lacking(store *tablebase.Store) (lacking []proofs.Table, err error) {
	have, err := prover.Wanted(s.supply.Tables)(store)
	var other *proofs.NeedError
	if errors.As(err, &other) {
		return nil, fmt.Errorf("%w: the hub has %v, and in %s %s", ErrOther, other.Need, s.dir, other.Reason)
	}
	for _, t := range s.supply.Tables {
		if !slices.Contains(have, t) {
			lacking = append(lacking, t)
		}
	}
	slices.SortStableFunc(lacking, func(a, b proofs.Table) int { return tablebase.CompareNames(a.Slice, b.Slice) })
	return lacking, err
}

// complete fetches and stores what is lacking, as the only process that does. The folder
// is opened to be written: one that was killed meanwhile left it for the next one to mend.
func (s *stock[P]) complete(ctx context.Context) (err error) {
	folder := lasting.Beside(s.dir, fetchSuffix)
	if err := lasting.MakeFolder(lasting.FolderOf(folder), 0o777); err != nil {
		return err
	}
	var unlock func()
	err = s.inTurn(ctx, lasting.ErrLocked, func() (err error) {
		unlock, err = lasting.LockFolder(folder)
		return err
	})
	if err != nil {
		return err
	}
	defer unlock()
	var store *tablebase.Store
	err = s.inTurn(ctx, tablebase.ErrLocked, func() (err error) {
		store, err = tablebase.Open(s.dir, s.of.Identity, tablebase.Options{Version: s.options.Version, Workers: s.options.Workers})
		return err
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	lacking, err := s.lacking(store)
	if err != nil {
		return err
	}
	if len(lacking) > 0 {
		s.options.Notice(fmt.Sprintf("fetching %s of the hub to %s", bitboard.Count(len(lacking), "table"), s.dir))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	for _, t := range lacking {
		if err := s.add(ctx, store, t, folder); err != nil {
			return fmt.Errorf("table %s of the hub: %w", t.Slice, err)
		}
	}
	return os.RemoveAll(folder)
}

// add fetches a table and stores it. Its file goes once it is stored, or refused.
func (s *stock[P]) add(ctx context.Context, store *tablebase.Store, t proofs.Table, folder string) error {
	metric, slice, err := s.parse(t)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, tablebase.SliceFileName(t.Slice, metric))
	watch := func(done, total int64) { s.tell("fetching table "+t.Slice, "byte", uint64(done), uint64(total)) }
	if err := s.supply.Fetch(ctx, t, path, mostFile(bitboard.TableBytes(metric, s.of.Game.Indices(slice))), watch); err != nil {
		return err
	}
	err = s.store(ctx, store, t, path)
	if err == nil || errors.As(err, new(*tablebase.SliceFileError)) {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// mostFile is more than the file of a table takes that has so many bytes of values.
func mostFile(values uint64) int64 { return int64(values + values/8 + 1<<16) }

// store stores the file of a table.
func (s *stock[P]) store(ctx context.Context, store *tablebase.Store, t proofs.Table, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	metric, slice, err := s.parse(t)
	if err != nil {
		return err
	}
	f, err := store.Tables(metric, s.of.Game).OpenSlice(slice, file, info.Size())
	if err != nil {
		return err
	}
	if has := f.Info().Fingerprint; has != t.Checksum {
		return &tablebase.SliceFileError{Metric: metric, Slice: t.Slice, Err: fmt.Errorf("its fingerprint is %s, want %s", bitboard.Shorten(has), bitboard.Shorten(t.Checksum))}
	}
	if f.LeavesOut() {
		if err := s.complement(ctx, store, slice, filepath.Dir(path)); err != nil {
			return err
		}
	}
	return f.Import(ctx, s.of.Game, func(indices uint64) {
		s.tell("storing table "+t.Slice, "index", indices, f.Info().Indices)
	})
}

// complement fetches whole what a slice needs that leaves values out. Tables of an earlier
// build here may leave out values themselves.
func (s *stock[P]) complement(ctx context.Context, store *tablebase.Store, slice bitboard.Slice, folder string) error {
	groups, err := s.of.Game.Groups()
	if err != nil {
		return err
	}
	stored := store.Tables(bitboard.WDL, s.of.Game)
	needed := func(need bitboard.Slice) bool {
		return slices.ContainsFunc(groups, func(g bitboard.Group) bool {
			return slices.Contains(g.Slices, slice) && slices.Contains(g.Needs, need)
		})
	}
	for _, t := range s.supply.Tables {
		metric, need, err := s.parse(t)
		if err != nil || metric != bitboard.WDL || !stored.LeavesOut(need) || !needed(need) {
			continue
		}
		if err := s.add(ctx, store, t, folder); err != nil {
			return fmt.Errorf("table %s of the hub: %w", t.Slice, err)
		}
	}
	return nil
}

func (s *stock[P]) tell(doing, unit string, done, total uint64) {
	if s.options.Watch != nil {
		s.options.Watch(prover.Work{Doing: doing, Unit: unit, Done: done, Total: total})
	}
}

// turn is the time between two attempts to have what another process has.
const turn = time.Second / 4

// inTurn does something again and again, as long as another process has what it needs.
func (s *stock[P]) inTurn(ctx context.Context, locked error, do func() error) error {
	for {
		err := do()
		if !errors.Is(err, locked) {
			return err
		}
		if !s.waiting {
			s.waiting = true
			s.options.Notice(fmt.Sprintf("waiting for another process: %v", err))
		}
		if err := progress.Wait(ctx, turn); err != nil {
			return err
		}
	}
}

// Export writes the file of a table of the site.
func (s *site[P]) Export(ctx context.Context, t proofs.Table, out io.Writer) (err error) {
	if !slices.Contains(s.shelf.Named(), t) {
		return fmt.Errorf("%w: there is no table %v", ErrOther, t)
	}
	slice, bad := s.of.Game.ParseSlice(t.Slice)
	metric, wrong := bitboard.ParseMetric(t.Metric)
	if err := cmp.Or(bad, wrong); err != nil {
		return err
	}
	store, err := tablebase.Open(s.dir, s.of.Identity, tablebase.Options{ReadOnly: true, Workers: s.workers})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if info, there := store.Slice(metric, t.Slice); there && info.Fingerprint != t.Checksum { // since it was loaded
		return fmt.Errorf("%w: table %s has fingerprint %s by now", ErrOther, t.Slice, info.Fingerprint)
	}
	return store.Tables(metric, s.of.Game).WriteSlice(ctx, slice, out)
}
