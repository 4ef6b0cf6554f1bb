package catalogue

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"paika/bitboard"
	"paika/proofs"
	"paika/solver/offheap"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// shelf is tables that a proof or a certificate relies on, whole in memory. It
// is a proofs.Tables.
type shelf[P comparable] struct {
	game   bitboard.Game[P]
	named  []proofs.Table
	tables []*bitboard.Table                      // of those named
	places [2][bitboard.MaxSlices]*bitboard.Table // by metric
	watch  func(Work)                             // told how the loading goes; nil for nobody
}

// Work is how far work has come that goes before another.
type Work struct {
	Doing       string // "loading tables"
	Unit        string // "indices"
	Done, Total uint64
}

// openShelf loads the tables of a folder that pick names, within a number of
// bytes of memory, and tells how many they take. A folder that is missing or
// empty has none. Their checksums are the fingerprints of what was loaded. Its errors wrap
// ErrMemory, with the figure needed beside the overhead of the work that the tables
// are for. watch is told how it goes, if it is not nil.
func (n *instance[P]) openShelf(ctx context.Context, dir string, workers int, memory, overhead uint64, pick func(*tablebase.Store) ([]proofs.Table, error), watch func(Work)) (s *shelf[P], bytes uint64, err error) {
	s = &shelf[P]{game: n.game, watch: watch}
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{ReadOnly: true, Workers: workers})
	switch {
	case err == nil:
		defer func() { err = errors.Join(err, store.Close()) }()
		if s.named, err = pick(store); err != nil {
			return nil, 0, err
		}
	case !errors.Is(err, tablebase.ErrNoStore):
		return nil, 0, err
	}
	bytes = n.allBytes(s.named)
	if need := bytes + overhead; need > memory {
		return nil, 0, fmt.Errorf("%w: with %d MiB of tables this takes %d MiB, and %d MiB are allowed", ErrMemory, bytes>>20, need>>20+1, memory>>20)
	}
	if err := s.load(ctx, store); err != nil {
		s.free()
		return nil, 0, err
	}
	err = n.complete(ctx, s, workers)
	if err == nil {
		err = s.sum(ctx, store)
	}
	if err != nil {
		s.free()
		return nil, 0, err
	}
	return s, bytes, nil
}

// complete fills in what the tables of a shelf were stored without.
func (n *instance[P]) complete(ctx context.Context, s *shelf[P], workers int) error {
	mask, ok := n.game.(bitboard.HeldMask)
	if !ok {
		return nil
	}
	known := make(map[bitboard.Slice]*bitboard.Table)
	var sparse []bitboard.Slice
	for _, t := range s.tables {
		if t.WDL == nil {
			continue
		}
		known[t.Slice] = t
		if mask.LeavesOut(t.Slice) {
			sparse = append(sparse, t.Slice)
		}
	}
	if len(sparse) == 0 {
		return nil
	}
	groups, err := lookup.GroupsWith(n.game, n.board, sparse)
	if err != nil {
		return err
	}
	var done, total uint64
	for _, slice := range sparse {
		total += n.game.Indices(slice)
	}
	for _, g := range groups {
		for _, slice := range g.Slices {
			if !slices.Contains(sparse, slice) {
				continue
			}
			s.tell("completing tables", done, total)
			done += n.game.Indices(slice)
			for _, need := range g.Needs {
				if known[need] == nil {
					return fmt.Errorf("table %s in wdl leaves out what follows from table %s, which is not among the tables", n.game.SliceName(slice), n.game.SliceName(need))
				}
			}
			if err := retrograde.Complete(ctx, n.game, known[slice], known, workers); err != nil {
				return err
			}
		}
	}
	return nil
}

// tableBytes is the memory that a table of the game takes.
func (n *instance[P]) tableBytes(t proofs.Table) uint64 {
	slice, err := n.game.ParseSlice(t.Slice)
	if err != nil {
		return 0 // load tells
	}
	if t.Metric == bitboard.DTW.String() {
		return n.game.Indices(slice) * 2
	}
	return bitboard.PackedWords(n.game.Indices(slice)) * 8
}

// allBytes is the memory that tables take.
func (n *instance[P]) allBytes(tables []proofs.Table) (bytes uint64) {
	for _, t := range tables {
		bytes += n.tableBytes(t)
	}
	return bytes
}

func (s *shelf[P]) load(ctx context.Context, store *tablebase.Store) error {
	var done, total uint64
	for _, t := range s.named {
		if slice, err := s.game.ParseSlice(t.Slice); err == nil {
			total += s.game.Indices(slice)
		}
	}
	for _, t := range s.named {
		slice, err := s.game.ParseSlice(t.Slice)
		if err != nil {
			return err
		}
		metric, err := bitboard.ParseMetric(t.Metric)
		if err != nil {
			return err
		}
		table := &bitboard.Table{Slice: slice}
		s.tables = append(s.tables, table)
		if metric == bitboard.DTW {
			table.DTW, err = offheap.Make[bitboard.Depth](s.game.Indices(slice))
		} else {
			table.WDL, err = offheap.Make[uint64](bitboard.PackedWords(s.game.Indices(slice)))
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", t.Slice, err)
		}
		watch := func(indices uint64) { s.tell("loading tables", done+indices, total) }
		if err := store.Tables(metric, s.game).LoadWatched(ctx, table, watch); err != nil {
			return err
		}
		done += s.game.Indices(slice)
		s.places[metric][slice] = table
	}
	return nil
}

// tell reports how many indices of the tables are seen to.
func (s *shelf[P]) tell(doing string, done, total uint64) {
	if s.watch != nil {
		s.watch(Work{doing, "indices", done, total})
	}
}

// sum names the tables by the fingerprints of what is in memory, whole.
func (s *shelf[P]) sum(ctx context.Context, store *tablebase.Store) (err error) {
	for i, table := range s.tables {
		metric := bitboard.WDL
		if table.DTW != nil {
			metric = bitboard.DTW
		}
		if s.named[i].Checksum, err = store.Tables(metric, s.game).Fingerprint(ctx, table); err != nil {
			return err
		}
	}
	return nil
}

// keep leaves the first tables named, and gives the memory of the others back.
func (s *shelf[P]) keep(most int) {
	for _, t := range s.tables[most:] {
		metric := bitboard.WDL
		if t.DTW != nil {
			metric = bitboard.DTW
		}
		s.places[metric][t.Slice] = nil
		offheap.Free(t.WDL)
		offheap.Free(t.DTW)
	}
	s.named, s.tables = s.named[:most], s.tables[:most]
}

// free gives the memory back. The shelf is empty then.
func (s *shelf[P]) free() {
	s.keep(0)
	*s = shelf[P]{game: s.game}
}

// Checksum is that of a table on the shelf.
func (s *shelf[P]) Checksum(metric bitboard.Metric, slice string) (checksum string, found bool) {
	for _, t := range s.named {
		if t.Slice == slice && t.Metric == metric.String() {
			return t.Checksum, true
		}
	}
	return "", false
}

// ProbeAll looks positions up that lie in tables on the shelf.
func (s *shelf[P]) ProbeAll(_ context.Context, metric bitboard.Metric, positions []P, outcomes []bitboard.Outcome) error {
	for i, p := range positions {
		slice, index := s.game.Rank(p)
		outcomes[i] = s.places[metric][slice].Outcome(index)
	}
	return nil
}
