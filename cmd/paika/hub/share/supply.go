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
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/internal/progress"
	"paika/proofs"
	"paika/tablebase"
	"paika/tablebase/flat"
	"paika/tablebase/lookup"
)

// Supply is the tables of another site, the hub's, and where to get their files.
type Supply struct {
	// Tables are all that the site has. What they are named is hearsay: the site that is
	// made of them computes their fingerprints.
	Tables []proofs.Table

	// Fetch has the flat file of a table under a path, of at most that many bytes. It goes
	// on with what an earlier call left there, and tells how many bytes of how many it has.
	// Nil where there are no files yet: the folder has to have all tables.
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

// NewSupplied makes a site with the tables of a supply, and no others, that searches and
// checks nothing (prover.LoadOptions.Ahead). Those that the
// folder lacks are fetched and stored there first, each checked whole; the folder is made
// where it is missing. One process does so at a time: the next one finds them there.
//
// Errors: ErrLacking where there is nowhere to fetch them, ErrOther where the folder has a
// table with other values or the supply is of another game, *prover.MemoryError before
// anything is fetched, and those of fetching, of flat files, and of NewSite.
func NewSupplied[P comparable](ctx context.Context, of prover.Subject[P], dir string, supply Supply, o SupplyOptions) (Site, error) {
	if len(supply.Tables) == 0 {
		return &site[P]{of: of, shelf: prover.NewShelf(of)}, nil
	}
	s := &stock[P]{of: of, dir: filepath.Clean(dir), supply: supply, options: o}
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
	o.Ahead = true
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
	groups  map[bitboard.Metric][]bitboard.Group // that builds of the supply's tables solve
	waiting bool                                 // the user knows
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
		bytes += n
	}
	if need := bytes + s.options.Overhead; need > s.options.Memory {
		return &prover.MemoryError{Tables: bytes, Need: need, Allowed: s.options.Memory}
	}
	return nil
}

// plan finds the groups.
func (s *stock[P]) plan() error {
	wanted := make(map[bitboard.Metric][]bitboard.Slice)
	for _, t := range s.supply.Tables {
		slice, bad := s.of.Game.ParseSlice(t.Slice)
		metric, wrong := bitboard.ParseMetric(t.Metric)
		if err := cmp.Or(bad, wrong); err != nil {
			return err
		}
		wanted[metric] = append(wanted[metric], slice)
	}
	var err error
	s.groups, err = lookup.GroupsByMetric(s.of.Game, s.of.Board, wanted)
	return err
}

// bytes is the memory that a table takes.
func (s *stock[P]) bytes(t proofs.Table) (uint64, error) {
	slice, err := s.of.Game.ParseSlice(t.Slice)
	if err != nil {
		return 0, err
	}
	if name := s.of.Game.SliceName(slice); name != t.Slice { // it becomes the name of a file
		return 0, fmt.Errorf("a slice %s: want %s", bitboard.Quote(t.Slice), name)
	}
	metric, err := bitboard.ParseMetric(t.Metric)
	return bitboard.TableBytes(metric, s.of.Game.Indices(slice)), err
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
	folder := s.dir + fetchSuffix
	if err := os.MkdirAll(filepath.Dir(folder), 0o777); err != nil {
		return err
	}
	var unlock func()
	err = s.inTurn(ctx, lasting.ErrLocked, func() (err error) {
		unlock, err = lasting.Lock(folder)
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
	if err := s.plan(); err != nil {
		return err
	}
	if len(lacking) > 0 {
		s.options.Notice(fmt.Sprintf("%d tables of the hub are fetched to %s", len(lacking), s.dir))
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
	bytes, err := s.bytes(t)
	if err != nil {
		return err
	}
	metric, err := bitboard.ParseMetric(t.Metric)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, flat.FileName(t.Slice, metric))
	watch := func(done, total int64) { s.tell("fetching table "+t.Slice, "bytes", uint64(done), uint64(total)) }
	if err := s.supply.Fetch(ctx, t, path, mostFile(bytes), watch); err != nil {
		return err
	}
	err = s.store(ctx, store, t, path)
	if err == nil || errors.As(err, new(*flat.FileError)) {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// mostFile is more than the flat file of so many bytes of values takes.
func mostFile(values uint64) int64 { return int64(values + values/8 + 1<<16) }

// store stores the flat file of a table.
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
	f, err := flat.Read(ctx, filepath.Base(path), file, info.Size())
	if err != nil {
		return err
	}
	h := f.Header
	if h.Identity != s.of.Identity || h.Fingerprint != t.Checksum {
		return &flat.FileError{File: filepath.Base(path), Err: fmt.Errorf("%w: it is of %v with fingerprint %s, want %s", flat.ErrFingerprint, h.Identity, h.Fingerprint, bitboard.Shorten(t.Checksum))}
	}
	_, err = f.Import(ctx, s.of.Game, store, s.groups[h.Metric], s.options.Workers, func(indices uint64) {
		s.tell("storing table "+h.Slice, "indices", indices, h.Indices)
	})
	return err
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

// Export writes the flat file of a table of the site.
func (s *site[P]) Export(ctx context.Context, t proofs.Table, out io.Writer) error {
	at := slices.Index(s.shelf.Named(), t)
	if at < 0 {
		return fmt.Errorf("%w: there is no table %v", ErrOther, t)
	}
	info := s.infos[proofs.Table{Slice: t.Slice, Metric: t.Metric}]
	if info.Fingerprint != t.Checksum { // of what is in memory
		return fmt.Errorf("table %s: %w: its fingerprint is %s, and the manifest has %s", t.Slice, tablebase.ErrDamaged, t.Checksum, info.Fingerprint)
	}
	table := s.shelf.Tables()[at]
	metric := bitboard.WDL
	if table.DTW != nil {
		metric = bitboard.DTW
	}
	return flat.Write(ctx, out, flat.NewHeader(s.of.Identity, metric, info), table, s.workers, nil)
}
