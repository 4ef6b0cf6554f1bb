package catalogue

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/internal/progress"
	"paika/internal/usage"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/flat"
)

// VectorsFile is the name of the test vectors beside flat tables.
const VectorsFile = "vectors.txt"

// ExportOptions say what is exported and within which limits.
type ExportOptions struct {
	Format  ExportFormat      // FlatFormat if it is empty
	Slices  []string          // by name; every slice stored if there are none
	Metrics []bitboard.Metric // every one if there are none
	Vectors int               // positions a slice that are written beside flat files with their values, and one more that a turn leads to
	Workers int               // goroutines, at least 1
	Memory  uint64            // bytes that the whole program may take

	// Progress, if not nil, is told how far each slice is, in indices: "exporting 3v2", and before
	// it "completing 3v2" where it was stored without some values.
	Progress func(doing string, done, total uint64)
}

// FlatSlice is a slice in a file of its own.
type FlatSlice struct {
	Slice       string `json:"slice"`
	Metric      string `json:"metric"`
	File        string `json:"file"`  // with its folder
	Bytes       int64  `json:"bytes"` // of the file
	Fingerprint string `json:"fingerprint"`
}

// Exported is what was written.
type Exported struct {
	Slices  []FlatSlice `json:"slices"`
	Bytes   int64       `json:"bytes"` // of all their files
	Vectors string      `json:"vectors,omitempty"`
	Files   int         `json:"-"` // that were to be written, of as many slices
	Seconds float64     `json:"seconds"`
}

// Export writes the slices stored in a folder of tables to files in another, a slice
// each. The folder is made where it is missing, and files of an earlier export are replaced. Those
// of another game, board or rules are not, nor are others put beside them: readers take a
// folder of one. Whose flat files are they say themselves, and of rows it stands in RowsFile.
// Files that were written before an error stay, each of them whole, and come with it as what was done.
//
// Errors include ErrMemory, ErrTooManyRows, ErrUnknownRows, ErrNotExported, *tablebase.IdentityError and, where another
// export writes to the folder, lasting.ErrLocked, all before any file is written, tablebase.ErrNoStore,
// *NoSlicesError where there are none in the metrics asked for, *tablebase.MissingError, and those of
// tablebase.Open.
func (n *instance[P]) Export(ctx context.Context, dir, to string, o ExportOptions) (done Exported, err error) {
	began := time.Now()
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{ReadOnly: true, Workers: o.Workers})
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	e := exporter[P]{instance: n, store: store, to: to, options: o, whole: make(map[bitboard.Slice]*bitboard.Table)}
	if err := e.plan(); err != nil {
		return done, err
	}
	done.Files = len(e.chosen)
	if err := lasting.MakeFolder(to, 0o777); err != nil {
		return done, err
	}
	unlock, err := lockExports(to)
	if err != nil {
		return done, err
	}
	defer unlock()
	if err := e.checkFolder(ctx); err != nil {
		return done, err
	}
	if o.Format.inRows() {
		if err := writeRowsOf(to, n.identity); err != nil {
			return done, err
		}
	}
	done.Slices = []FlatSlice{}
	for _, one := range e.chosen {
		written, err := e.export(ctx, one)
		if err != nil {
			return done, err
		}
		done.Slices = append(done.Slices, written)
		done.Bytes += written.Bytes
	}
	if o.Vectors > 0 && !o.Format.inRows() {
		if done.Vectors, err = e.vectors(ctx); err != nil {
			return done, err
		}
	}
	done.Seconds = time.Since(began).Seconds()
	return done, nil
}

// exportsFile is locked as long as an export writes beside it; there is no such file. Readers pass by what a
// killed one leaves of the lock, as they do RowsFile.
const exportsFile = "_export"

// lockExports keeps other exports from a folder until unlock is called. Whether it has files of
// others is to be asked after that: two that ask together both find none.
func lockExports(to string) (unlock func(), err error) {
	unlock, err = lasting.Lock(filepath.Join(to, exportsFile))
	if errors.Is(err, lasting.ErrLocked) {
		err = fmt.Errorf("%s: %w", to, lasting.ErrLocked)
	}
	return unlock, err
}

// exporter is an export in progress.
type exporter[P comparable] struct {
	instance *instance[P]
	store    *tablebase.Store
	to       string // folder
	options  ExportOptions
	chosen   []storedSlice
	whole    map[bitboard.Slice]*bitboard.Table // tables that left-out values follow from
}

// storedSlice is a slice that is stored in a metric.
type storedSlice struct {
	slice  bitboard.Slice
	metric bitboard.Metric
	info   tablebase.SliceInfo
	lacks  bool             // values are left out of it
	needs  []bitboard.Slice // what those follow from: nothing, where the turns end the game
}

// plan chooses the slices, and refuses what takes too much memory.
func (e *exporter[P]) plan() error {
	asked := make(map[string]bool)
	for _, name := range e.options.Slices {
		if _, err := e.instance.slice(name); err != nil {
			return err
		}
		asked[name] = true
	}
	found := make(map[string]bool)
	for m := range bitboard.MetricCount {
		if len(e.options.Metrics) > 0 && !slices.Contains(e.options.Metrics, m) {
			continue
		}
		for _, info := range e.store.Slices(m) {
			if len(asked) > 0 && !asked[info.Name] {
				continue
			}
			one, err := e.stored(m, info)
			if err != nil {
				return err
			}
			e.chosen, found[info.Name] = append(e.chosen, one), true
		}
	}
	for _, name := range e.options.Slices {
		if !found[name] {
			return e.missing(name)
		}
	}
	switch stored := len(e.store.Slices(bitboard.WDL)) + len(e.store.Slices(bitboard.DTW)); {
	case len(e.chosen) == 0 && stored > 0:
		return &NoSlicesError{Metric: e.only()}
	case len(e.chosen) == 0:
		return fmt.Errorf("%s: %w: not one slice is stored", e.store.Dir(), tablebase.ErrNoStore)
	}
	if err := e.checkRows(); err != nil {
		return err
	}
	return e.checkMemory()
}

// missing says that a slice is not stored, or not in the metric asked for.
func (e *exporter[P]) missing(name string) error {
	var err error = &tablebase.MissingError{Slice: name}
	if only := e.only(); only != "" {
		err = fmt.Errorf("%w with --metric %s", err, only)
	}
	return err
}

// only is the name of the one metric that is exported; empty where that is any.
func (e *exporter[P]) only() string {
	if len(e.options.Metrics) != 1 {
		return ""
	}
	return e.options.Metrics[0].String()
}

// stored takes up a slice, and finds what it takes to have all its values.
func (e *exporter[P]) stored(m bitboard.Metric, info tablebase.SliceInfo) (storedSlice, error) {
	s, err := e.instance.slice(info.Name)
	if err != nil {
		return storedSlice{}, err
	}
	one := storedSlice{slice: s, metric: m, info: info}
	if m != bitboard.WDL || !e.store.Tables(m, e.instance.game).LeavesOut(s) {
		return one, nil
	}
	one.lacks = true
	groups, err := e.instance.game.Groups()
	if err != nil {
		return storedSlice{}, err
	}
	for _, g := range groups {
		if slices.Contains(g.Slices, s) {
			one.needs = g.Needs
		}
	}
	for _, need := range one.needs {
		if name := e.instance.game.SliceName(need); !e.stores(name) {
			return storedSlice{}, fmt.Errorf("the table of %s in wdl leaves out what follows from that of %s: %w", info.Name, name, &tablebase.MissingError{Slice: name})
		}
	}
	return one, nil
}

func (e *exporter[P]) stores(name string) bool {
	_, stored := e.store.Slice(bitboard.WDL, name)
	return stored
}

// checkMemory allows for the largest slice with what it follows from.
func (e *exporter[P]) checkMemory() error {
	needs := make(map[bitboard.Slice]bool)
	var most, below uint64
	for _, one := range e.chosen {
		most = max(most, bitboard.TableBytes(one.metric, one.info.Indices))
		for _, need := range one.needs {
			if !needs[need] {
				needs[need] = true
				below += bitboard.TableBytes(bitboard.WDL, e.instance.game.Indices(need))
			}
		}
	}
	return checkMemory("to export", most+below, e.options.Workers, e.options.Memory)
}

// checkMemory refuses tables of so many bytes if they do not fit beside those who pack
// them.
func checkMemory(what string, tables uint64, workers int, allowed uint64) error {
	if need := packing(workers) + tables; need > allowed {
		return fmt.Errorf("%w: %s takes %s, and %s", ErrMemory, what, usage.Needed(need), usage.Allowed(allowed))
	}
	return nil
}

// checkFolder refuses a folder that has files of another game, board or rules, or others where this
// export writes.
func (e *exporter[P]) checkFolder(ctx context.Context) error {
	err := e.checkFlat(ctx)
	if err == nil {
		err = checkRowsOf(e.to, e.instance.identity)
	}
	if other := new(tablebase.IdentityError); errors.As(err, &other) {
		return fmt.Errorf("%w: name another folder", other)
	}
	if err == nil {
		err = e.checkFiles(ctx)
	}
	return err
}

// ErrNotExported says that a file which an export would replace is something else.
var ErrNotExported = errors.New("it does not read as what an export writes there")

// checkFiles refuses files that this export would replace or remove and that none has written. A pipe
// or a device is written to.
func (e *exporter[P]) checkFiles(ctx context.Context) error {
	looks := make(map[string]func(io.Reader) bool)
	for _, one := range e.chosen {
		looks[e.fileName(one)] = e.options.Format.begins
	}
	if !e.options.Format.inRows() {
		looks[VectorsFile] = func(text io.Reader) bool { return e.isVectors(ctx, text) }
	}
	for _, name := range slices.Sorted(maps.Keys(looks)) {
		path := filepath.Join(e.to, name)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		ours := looks[name](file)
		file.Close()
		if err := ctx.Err(); err != nil {
			return err
		}
		if !ours {
			return fmt.Errorf("%s: %w: name another folder", path, ErrNotExported)
		}
	}
	return nil
}

// isVectors tells whether a text is lines as vectors.write writes them, to the end. It may have none.
func (e *exporter[P]) isVectors(ctx context.Context, text io.Reader) bool {
	lines := bufio.NewScanner(text)
	for lines.Scan() && ctx.Err() == nil {
		position, said, _ := strings.Cut(lines.Text(), "\t")
		value, _, _ := strings.Cut(said, " ")
		if _, _, err := e.instance.game.Parse(position); err != nil || !slices.Contains([]string{bitboard.Win.String(), bitboard.Loss.String(), bitboard.Draw.String()}, value) {
			return false
		}
	}
	return lines.Err() == nil
}

// checkFlat looks for flat files of another game, board or rules. What is none is let alone.
func (e *exporter[P]) checkFlat(ctx context.Context) error {
	paths, err := flatFiles(e.to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, path := range paths {
		f, err := e.instance.openFlat(ctx, path)
		if err == nil {
			f.file.Close()
		}
		if errors.As(err, new(*tablebase.IdentityError)) {
			return err
		}
	}
	return ctx.Err()
}

// fileName is the name of the file of a slice.
func (e *exporter[P]) fileName(one storedSlice) string {
	name := flat.FileName(one.info.Name, one.metric)
	if e.options.Format.inRows() {
		name = strings.TrimSuffix(name, flat.Suffix) + "." + string(e.options.Format)
	}
	return name
}

// export writes the file of one slice.
func (e *exporter[P]) export(ctx context.Context, one storedSlice) (FlatSlice, error) {
	table, err := e.load(ctx, one)
	if err != nil {
		return FlatSlice{}, err
	}
	file, err := lasting.Create(ctx, filepath.Join(e.to, e.fileName(one)))
	if err != nil {
		return FlatSlice{}, err
	}
	defer file.Discard()
	watch := func(indices uint64) {
		e.tell("exporting "+one.info.Name, indices, one.info.Indices)
	}
	if e.options.Format.inRows() {
		err = e.instance.writeRows(ctx, rowsTo(file, e.options.Format), table, watch)
	} else {
		err = flat.Write(ctx, file, flat.NewHeader(e.instance.identity, one.metric, one.info), table, e.options.Workers, watch)
	}
	if err == nil && !e.options.Format.inRows() {
		err = e.removeVectors()
	}
	if err != nil {
		return FlatSlice{}, err
	}
	bytes, err := file.Keep()
	return FlatSlice{one.info.Name, one.metric.String(), file.Path(), bytes, one.info.Fingerprint}, err
}

// load gives a table with every value, whose fingerprint is that of the manifest.
func (e *exporter[P]) load(ctx context.Context, one storedSlice) (*bitboard.Table, error) {
	tables := e.store.Tables(one.metric, e.instance.game)
	table := bitboard.NewTable(one.metric, one.slice, one.info.Indices)
	if err := tables.Load(ctx, table); err != nil {
		return nil, err
	}
	if one.lacks {
		if err := e.complete(ctx, table, one); err != nil {
			return nil, err
		}
	}
	return table, tables.CheckFingerprint(ctx, table)
}

// complete finds the values that a table was stored without.
func (e *exporter[P]) complete(ctx context.Context, table *bitboard.Table, one storedSlice) error {
	for _, need := range one.needs {
		if e.whole[need] != nil {
			continue
		}
		below := bitboard.NewTable(bitboard.WDL, need, e.instance.game.Indices(need))
		if err := e.store.Tables(bitboard.WDL, e.instance.game).Load(ctx, below); err != nil {
			return err
		}
		e.whole[need] = below
	}
	done := progress.NewSum(one.info.Indices, func(done, total uint64) { e.tell("completing "+one.info.Name, done, total) })
	return retrograde.Complete(ctx, e.instance.game, table, e.whole, retrograde.CompleteOptions{Workers: e.options.Workers, Done: done.Add})
}

// tell reports progress, if it is wanted.
func (e *exporter[P]) tell(doing string, done, total uint64) {
	if e.options.Progress != nil {
		e.options.Progress(doing, done, total)
	}
}

// removeVectors removes those of an earlier export, before a file comes that they may not be of: this
// export may be stopped. A link stays where this one will write to what it leads to.
func (e *exporter[P]) removeVectors() error {
	path := filepath.Join(e.to, VectorsFile)
	if e.options.Vectors > 0 {
		var err error
		if path, err = lasting.Follow(path); err != nil {
			return err
		}
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil // a pipe, which is written to
	}
	return lasting.Remove(path)
}

// vectors writes positions with their values, and tells the path of the file.
func (e *exporter[P]) vectors(ctx context.Context) (path string, err error) {
	better := make(map[bitboard.Slice]bitboard.Metric) // of those that are exported
	for _, one := range e.chosen {
		better[one.slice] = max(better[one.slice], one.metric)
	}
	path = filepath.Join(e.to, VectorsFile)
	return path, lasting.Write(ctx, path, func(w io.Writer) error {
		v := vectors[P]{e.instance.game, tablebase.NewProber(e.store, e.instance.game, 0), e.read(), w}
		for _, one := range e.chosen {
			if _, known := v.read[one.slice]; !known || better[one.slice] != one.metric {
				continue // each comes once, where what readers print is known
			}
			if err := v.spread(ctx, one, uint64(e.options.Vectors)); err != nil {
				return err
			}
		}
		return nil
	})
}

// read tells in which metric readers of the folder find the slices that are exported: an earlier
// export may have left them in a better one. Those are missing of which only that has distances.
func (e *exporter[P]) read() map[bitboard.Slice]bitboard.Metric {
	read := make(map[bitboard.Slice]bitboard.Metric)
	for _, one := range e.chosen {
		m := bitboard.WDL
		if _, err := os.Stat(filepath.Join(e.to, flat.FileName(one.info.Name, bitboard.DTW))); err == nil {
			m = bitboard.DTW
		}
		if _, stored := e.store.Slice(m, one.info.Name); stored {
			read[one.slice] = m
		}
	}
	return read
}

// vectors is a file of test vectors that is being written.
type vectors[P comparable] struct {
	game   bitboard.Game[P]
	prober *tablebase.Prober[P]
	read   map[bitboard.Slice]bitboard.Metric // what a reader goes by
	w      io.Writer
}

// mostVectorTurns bounds the turns that are listed for the sake of one of them.
const mostVectorTurns = 1 << 12

// spread writes positions of a slice, evenly over its indices, and behind each what
// one of its turns leads to, if that is exported as well.
func (v *vectors[P]) spread(ctx context.Context, one storedSlice, many uint64) error {
	many = min(many, one.info.Indices)
	for i := range many {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, found := v.first(one, i, many)
		if !found {
			continue
		}
		side := bitboard.Side(i % 2)
		if err := v.write(p, side); err != nil {
			return err
		}
		if bitboard.MoreTurnsThan(v.game, p, mostVectorTurns) {
			continue
		}
		turns := v.game.Turns(nil, p)
		if len(turns) == 0 {
			continue
		}
		next := turns[i%uint64(len(turns))]
		if _, known := v.read[v.game.SliceOf(next)]; known {
			if err := v.write(next, side.Other()); err != nil {
				return err
			}
		}
	}
	return nil
}

// first finds the first position of one of many parts of a slice.
func (v *vectors[P]) first(one storedSlice, part, many uint64) (first P, found bool) {
	begin := func(part uint64) uint64 { return part * (one.info.Indices / many) }
	end := begin(part + 1)
	if part == many-1 {
		end = one.info.Indices
	}
	v.game.Walk(one.slice, begin(part), end, func(_ uint64, p P, _ int) bool {
		first, found = p, true
		return false
	})
	return first, found
}

// write writes a position and what a reader of the files has to say of it.
func (v *vectors[P]) write(p P, side bitboard.Side) error {
	outcome, err := v.prober.Probe(p)
	if err != nil {
		return err
	}
	said := outcome.Value.String()
	if v.read[v.game.SliceOf(p)] == bitboard.DTW && outcome.Value != bitboard.Draw {
		said = fmt.Sprintf("%s %d", said, outcome.Distance)
	}
	_, err = fmt.Fprintf(v.w, "%s\t%s\n", v.game.Format(p, side), said)
	return err
}
