package prover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"paika/bitboard"
	"paika/bitboard/ranking"
	"paika/internal/progress"
	"paika/internal/usage"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// Shelf is tables in memory that a proof or a certificate relies on. Where all are whole
// it is a proofs.NamedTables, and else Stored makes one. Reading it is safe for concurrent use.
type Shelf[P comparable] struct {
	of     Subject[P]
	named  []proofs.Table
	tables []*bitboard.Table // of those named
	places [bitboard.MetricCount][bitboard.MaxSlices]*bitboard.Table
	sparse *sparse    // nil where all tables were completed, or were whole
	watch  func(Work) // told how the loading goes; nil for nobody
	room   uint64     // bytes that loading may take beside the tables
}

// sparse is what shelves share whose tables came together and lack values: a look ahead needs
// tables that one of them may no longer name. The last shelf to be freed gives their memory back.
type sparse struct {
	lack    []bitboard.Slice  // those whose tables in wdl have only what the game holds
	below   []*bitboard.Table // all that were loaded: where turns from these lead to
	shelves int
}

// Work is how far work has come that goes before another.
type Work struct {
	Doing       string // "loading tables"
	Unit        string // "index"
	Done, Total uint64
}

// LoadOptions are the limits of loading tables.
type LoadOptions struct {
	Workers  int        // goroutines, at least 1
	Memory   uint64     // bytes that the whole program may take
	Overhead uint64     // bytes of that for the work that the tables are for
	Watch    func(Work) // told how it goes, if it is not nil

	// Ahead leaves values out that tables were stored without (bitboard.Sparse): a search
	// finds them by a look ahead, while completing the tables can take longer than the
	// search. The fingerprints of those tables are then what the store has for them. Such a
	// shelf is for searches, and by its Stored for checks that leave fingerprints to others.
	Ahead bool
}

// MemoryError says that tables, with the work that they are for, do not fit. Figures
// are bytes.
type MemoryError struct{ Tables, Need, Allowed uint64 }

func (e *MemoryError) Error() string {
	with := ""
	if e.Tables > 0 {
		with = "with " + usage.Amount(e.Tables) + " of tables "
	}
	return fmt.Sprintf("too little memory: %sthis takes %s, and %s", with, usage.Needed(e.Need), usage.Allowed(e.Allowed))
}

// NewShelf makes an empty shelf.
func NewShelf[P comparable](of Subject[P]) *Shelf[P] { return &Shelf[P]{of: of} }

// Load loads the tables of a folder that pick names. A folder that is missing or
// empty has none. What is whole has the fingerprint by which it is named, else that is an error
// which wraps tablebase.ErrStoredSo. What those need to be whole that were stored without values is
// loaded meanwhile. Errors: *MemoryError before any work, those of pick, and those of opening and
// loading tables.
func Load[P comparable](ctx context.Context, of Subject[P], dir string, pick Pick, o LoadOptions) (s *Shelf[P], err error) {
	s = NewShelf(of)
	s.watch = o.Watch
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{ReadOnly: true, Workers: o.Workers})
	switch {
	case errors.Is(err, tablebase.ErrNoStore):
		pick = none
	case err != nil:
		return nil, err
	default:
		defer func() { err = errors.Join(err, store.Close()) }()
	}
	if s.named, err = pick(store); err != nil {
		return nil, err
	}
	picked := len(s.named)
	if !o.Ahead {
		if err := s.meet(store, s.nameNeed(store)); err != nil {
			return nil, err
		}
	}
	bytes := s.Bytes()
	if need := ranking.Sum(bytes, o.Overhead); need > o.Memory {
		return nil, &MemoryError{bytes, need, o.Memory}
	}
	s.room = o.Memory - bytes
	if o.Ahead {
		err = s.fillAhead(ctx, store)
	} else {
		err = s.fill(ctx, store, o.Workers)
	}
	if err == nil {
		s.Keep(picked)
		err = s.compare(ctx, store)
	}
	if err != nil {
		s.Free()
		return nil, err
	}
	return s, nil
}

// Measure tells which tables pick names in a folder, and the memory that they take, without
// loading any. Errors are those of pick, and of opening tables.
func Measure[P comparable](of Subject[P], dir string, pick Pick, workers int) (named []proofs.Table, bytes uint64, err error) {
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{ReadOnly: true, Workers: workers})
	if errors.Is(err, tablebase.ErrNoStore) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	s := NewShelf(of)
	if s.named, err = pick(store); err != nil {
		return nil, 0, err
	}
	return s.named, s.Bytes(), nil
}

// LoadSmall loads tables of an open store, in the better packed metric, small ones
// first, as many as fit in a number of bytes, for searches alone: values that tables were
// stored without stay left out, as with LoadOptions.Ahead. Those that a search ends at need
// no fingerprint.
func LoadSmall[P comparable](ctx context.Context, of Subject[P], store *tablebase.Store, most uint64) (*Shelf[P], error) {
	s := NewShelf(of)
	all, err := UpTo(of, bitboard.AllPieces)(store)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b proofs.Table) int { return cmp.Compare(s.tableBytes(a), s.tableBytes(b)) })
	taken := uint64(0)
	for _, one := range all {
		if taken += s.tableBytes(one); taken > most {
			break
		}
		s.named = append(s.named, one)
	}
	if err := s.meet(store, s.dropTable); err != nil {
		return nil, err
	}
	if err := s.fillAhead(ctx, store); err != nil {
		s.Free()
		return nil, err
	}
	return s, nil
}

// meet has a function change what is named, until no table lacks values which rest on one that is not
// named. Where the function can't, that is an *unmetError.
func (s *Shelf[P]) meet(store *tablebase.Store, change func(*unmetError) (changed bool)) error {
	for {
		_, err := s.leftOut(store, s.named)
		var unmet *unmetError
		if !errors.As(err, &unmet) || !change(unmet) {
			return err
		}
	}
}

// dropTable names the table no more that lacks values.
func (s *Shelf[P]) dropTable(unmet *unmetError) bool {
	s.named = slices.DeleteFunc(s.named, func(t proofs.Table) bool { return t.Slice == unmet.table })
	return true
}

// nameNeed names the table, too, on which they rest, if it is stored.
func (s *Shelf[P]) nameNeed(store *tablebase.Store) func(*unmetError) bool {
	return func(unmet *unmetError) bool {
		info, stored := store.Slice(bitboard.WDL, unmet.need)
		if stored {
			s.named = append(s.named, proofs.Table{Slice: info.Name, Metric: bitboard.WDL.String(), Checksum: info.Fingerprint})
		}
		return stored
	}
}

// Named lists the tables. The list belongs to the shelf.
func (s *Shelf[P]) Named() []proofs.Table { return s.named }

// Tables has the tables in the order of Named. The list belongs to the shelf.
func (s *Shelf[P]) Tables() []*bitboard.Table { return s.tables }

// Whole lists the tables that have every value.
func (s *Shelf[P]) Whole() []*bitboard.Table {
	return slices.DeleteFunc(slices.Clone(s.tables), s.lacks)
}

// lacks tells whether a table on the shelf has only what the game holds.
func (s *Shelf[P]) lacks(t *bitboard.Table) bool {
	return s.sparse != nil && t.WDL != nil && slices.Contains(s.sparse.lack, t.Slice)
}

// values are what a search ends at: every value of the tables.
func (s *Shelf[P]) values() *proofnumber.Memory[P] {
	if s.sparse == nil {
		return proofnumber.NewMemory(s.of.Game, s.tables)
	}
	game := s.of.Game.(proofnumber.Sparse[P]) // fillAhead has seen to it
	return proofnumber.NewSparseMemory(game, s.tables, s.sparse.lack, s.sparse.below)
}

// Bytes is the memory that the tables take.
func (s *Shelf[P]) Bytes() (bytes uint64) {
	for _, t := range s.named {
		bytes = ranking.Sum(bytes, s.tableBytes(t))
	}
	return bytes
}

// tableBytes is the memory that a table of the game takes.
func (s *Shelf[P]) tableBytes(t proofs.Table) uint64 {
	slice, err := s.of.Game.ParseSlice(t.Slice)
	if err != nil {
		return 0 // load tells
	}
	metric, err := bitboard.ParseMetric(t.Metric)
	if err != nil {
		return 0 // likewise
	}
	return bitboard.TableBytes(metric, s.of.Game.Indices(slice))
}

// fill loads the tables named that are not loaded yet, and completes them.
func (s *Shelf[P]) fill(ctx context.Context, store *tablebase.Store, workers int) error {
	from := len(s.tables)
	if err := s.load(ctx, store, s.named[from:]); err != nil {
		return err
	}
	return s.complete(ctx, store, s.named[from:], workers)
}

func (s *Shelf[P]) load(ctx context.Context, store *tablebase.Store, named []proofs.Table) error {
	game := s.of.Game
	var done, total uint64
	for _, t := range named {
		if slice, err := game.ParseSlice(t.Slice); err == nil {
			total += game.Indices(slice)
		}
	}
	for _, t := range named {
		slice, err := game.ParseSlice(t.Slice)
		if err != nil {
			return err
		}
		metric, err := bitboard.ParseMetric(t.Metric)
		if err != nil {
			return err
		}
		table, err := tablebase.MakeTable(metric, slice, game.Indices(slice))
		if err != nil {
			return fmt.Errorf("table %s: %w", t.Slice, err)
		}
		s.tables = append(s.tables, table)
		watch := func(indices uint64) { s.tell("loading tables", done+indices, total) }
		if err := store.Tables(metric, game).LoadWatched(ctx, table, watch); err != nil {
			return err
		}
		done += game.Indices(slice)
		s.places[metric][slice] = table
	}
	return nil
}

// fillAhead loads the tables named, and notes those that were stored without values.
func (s *Shelf[P]) fillAhead(ctx context.Context, store *tablebase.Store) error {
	lack, err := s.leftOut(store, s.named)
	if err != nil {
		return err
	}
	if err := s.load(ctx, store, s.named); err != nil {
		return err
	}
	if len(lack) == 0 {
		return nil
	}
	if _, can := s.of.Game.(proofnumber.Sparse[P]); !can {
		return fmt.Errorf("table %s leaves values out, and the game can't tell which", s.of.Game.SliceName(lack[0]))
	}
	s.sparse = &sparse{lack, slices.Clone(s.tables), 1}
	return nil
}

// An unmetError says that a table lacks values that rest on one that is not among the tables.
type unmetError struct{ table, need string }

func (e *unmetError) Error() string {
	return fmt.Sprintf("table %s in wdl leaves out what follows from table %s, which is not among the tables", e.table, e.need)
}

// leftOut tells which of some tables were stored without values, those first on which others
// rest. Errors: *unmetError, and those of the groups.
func (s *Shelf[P]) leftOut(store *tablebase.Store, named []proofs.Table) ([]bitboard.Slice, error) {
	game := s.of.Game
	stored := store.Tables(bitboard.WDL, game)
	var sparse []bitboard.Slice
	for _, t := range named {
		if slice, err := game.ParseSlice(t.Slice); err == nil && t.Metric == bitboard.WDL.String() && stored.LeavesOut(slice) {
			sparse = append(sparse, slice)
		}
	}
	if len(sparse) == 0 {
		return nil, nil
	}
	groups, err := lookup.GroupsWith(game, s.of.Board, sparse)
	if err != nil {
		return nil, err
	}
	var inOrder []bitboard.Slice
	for _, g := range groups {
		for _, slice := range g.Slices {
			if !slices.Contains(sparse, slice) {
				continue
			}
			inOrder = append(inOrder, slice)
			for _, need := range g.Needs {
				if name := game.SliceName(need); !s.names(name) {
					return nil, &unmetError{game.SliceName(slice), name}
				}
			}
		}
	}
	return inOrder, nil
}

// names tells whether a slice is among the tables named, in wdl.
func (s *Shelf[P]) names(slice string) bool {
	return slices.ContainsFunc(s.named, func(t proofs.Table) bool {
		return t.Slice == slice && t.Metric == bitboard.WDL.String()
	})
}

// complete fills in what tables named, which are loaded, were stored without.
func (s *Shelf[P]) complete(ctx context.Context, store *tablebase.Store, named []proofs.Table, workers int) error {
	sparse, err := s.leftOut(store, named)
	if err != nil {
		return err
	}
	known := make(map[bitboard.Slice]*bitboard.Table)
	for _, t := range s.tables {
		if t.WDL != nil {
			known[t.Slice] = t
		}
	}
	game := s.of.Game
	var total uint64
	for _, slice := range sparse {
		total += game.Indices(slice)
	}
	filled := progress.NewSum(total, func(done, total uint64) { s.tell("completing tables", done, total) })
	o := retrograde.CompleteOptions{Workers: workers, Room: s.room, Done: filled.Add}
	for _, slice := range sparse {
		if err := retrograde.Complete(ctx, game, known[slice], known, o); err != nil {
			return err
		}
	}
	return nil
}

// tell reports how many indices of the tables are seen to.
func (s *Shelf[P]) tell(doing string, done, total uint64) {
	if s.watch != nil {
		s.watch(Work{doing, "index", done, total})
	}
}

// compare wants the tables that are whole to have the fingerprints by which they are named.
func (s *Shelf[P]) compare(ctx context.Context, store *tablebase.Store) error {
	for _, table := range s.tables {
		if s.lacks(table) {
			continue
		}
		if err := store.Tables(metricOf(table), s.of.Game).CheckFingerprint(ctx, table); err != nil {
			return err
		}
	}
	return nil
}

func metricOf(t *bitboard.Table) bitboard.Metric {
	if t.DTW != nil {
		return bitboard.DTW
	}
	return bitboard.WDL
}

// Split leaves the first tables named, and puts the others on a shelf of their own.
func (s *Shelf[P]) Split(first int) *Shelf[P] {
	others := NewShelf(s.of)
	if others.sparse = s.sparse; s.sparse != nil {
		s.sparse.shelves++
	}
	others.named, others.tables = s.named[first:], s.tables[first:]
	for _, t := range others.tables {
		m := metricOf(t)
		s.places[m][t.Slice], others.places[m][t.Slice] = nil, t
	}
	s.named, s.tables = s.named[:first:first], s.tables[:first:first]
	return others
}

// Keep leaves the first tables named, and gives the memory of the others back, if no look
// ahead needs them.
func (s *Shelf[P]) Keep(most int) {
	for _, t := range s.tables[most:] {
		s.drop(t)
	}
	s.named, s.tables = s.named[:most], s.tables[:most]
}

// keepSlices leaves the tables of some slices, and gives the memory of the others back, as Keep
// does.
func (s *Shelf[P]) keepSlices(wanted []bitboard.Slice) {
	kept := 0
	for i, t := range s.tables {
		if !slices.Contains(wanted, t.Slice) {
			s.drop(t)
			continue
		}
		s.named[kept], s.tables[kept] = s.named[i], t
		kept++
	}
	s.named, s.tables = s.named[:kept], s.tables[:kept]
}

// drop takes a table off the shelf, and gives its memory back.
func (s *Shelf[P]) drop(t *bitboard.Table) {
	s.places[metricOf(t)][t.Slice] = nil
	if s.sparse == nil {
		tablebase.FreeTable(t)
	}
}

// Free gives the memory back. The shelf is empty then.
func (s *Shelf[P]) Free() {
	s.Keep(0)
	if s.sparse != nil {
		s.sparse.free()
	}
	*s = Shelf[P]{of: s.of}
}

// free gives the memory of the tables back, once no shelf has them.
func (s *sparse) free() {
	if s.shelves--; s.shelves == 0 {
		for _, t := range s.below {
			tablebase.FreeTable(t)
		}
	}
}

// Checksum is that of a table on the shelf.
func (s *Shelf[P]) Checksum(metric bitboard.Metric, slice string) (checksum string, found bool) {
	for _, t := range s.named {
		if t.Slice == slice && t.Metric == metric.String() {
			return t.Checksum, true
		}
	}
	return "", false
}

// ProbeAll looks positions up that lie in tables on the shelf, which must be whole.
func (s *Shelf[P]) ProbeAll(_ context.Context, metric bitboard.Metric, positions []P, outcomes []bitboard.Outcome) error {
	for i, p := range positions {
		slice, index := s.of.Game.Rank(p)
		if s.lacks(s.places[metric][slice]) {
			return fmt.Errorf("table %s was loaded without the values that a look ahead finds", s.of.Game.SliceName(slice))
		}
		outcomes[i] = s.places[metric][slice].Outcome(index)
	}
	return nil
}
