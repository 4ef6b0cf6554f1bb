package verify

import (
	"context"
	"runtime"

	"paika/bitboard"
	"paika/internal/progress"
	"paika/tablebase"
)

// Game is what Run needs of a game: every bitboard.Game has it.
type Game[P comparable] interface {
	tablebase.Game[P]
	Format(p P, s bitboard.Side) string
}

// Store is what is verified: a *tablebase.Store.
type Store interface {
	// Slices lists what the manifest of a metric says.
	Slices(m bitboard.Metric) []tablebase.SliceInfo

	// Replacing names slices that were stored, and are lost: see tablebase.Store.
	Replacing(m bitboard.Metric) []string

	// Tables reads chunks.
	Tables(m bitboard.Metric, space tablebase.Space) *tablebase.Tables
}

// HasSlices tells whether there is anything to verify: slices, or some that were lost while they
// were replaced.
func HasSlices(store Store) bool {
	for m := range bitboard.MetricCount {
		if len(store.Slices(m))+len(store.Replacing(m)) > 0 {
			return true
		}
	}
	return false
}

// Options say how much is checked.
type Options struct {
	// ChecksumsOnly leaves out the derivation of values: it finds what was
	// changed since it was written, not what was written wrong.
	ChecksumsOnly bool

	// Workers is the number of goroutines. Default: one a core.
	Workers int

	// Memory bounds, in bytes, what some games take beside tables to derive faster. They
	// go without where a group would take more than that in all. 0 is no bound.
	Memory uint64

	// Limit is the number of findings that are kept, the first ones by metric,
	// slice and index. Default: 100.
	Limit int

	// Record, if not empty, is the file by which a Run that was stopped goes
	// on: see record.go. ChecksumsOnly makes no use of it.
	Record string

	// Version of the program. It goes on from its own records alone.
	Version string

	// GoingOn, if there is one, is told once what a record takes off this run, and
	// of how many slices.
	GoingOn func(earlier Earlier, slices int)

	// Tell, if there is one, is told the report of a Run that came to its end, before
	// the record goes. Its error is Run's, and the record stays: another Run gives the
	// same report soon.
	Tell func(Report) error

	// Progress, if there is one, is told how many indices of how many are done:
	// each counts once when it is read, and again when its value is derived.
	// Calls come from several goroutines, one at a time.
	Progress func(done, total uint64)
}

const defaultFindings = 100

// Run checks everything that a store says, and trusts nothing in it. game
// must be the one that the store was opened for.
//
// First, every chunk is read, and compared with its checksum and with the
// manifest. Then, unless ChecksumsOnly, the value of every position is derived
// from the stored values of its successors, through the fine contract alone:
// it shares no code with what built the tables.
//
//   - dtw: a win is one turn longer than the quickest loss among its
//     successors, a loss one turn longer than the slowest win. Distances fall
//     along every line, so that local agreement proves the whole.
//   - wdl: local agreement allows for wins and losses that only support each
//     other in a circle, so each must also be grounded: see grounding. Where
//     the same slices are stored in dtw as well, wdl has to agree with it.
//     A game may show many values at once: see tracing.
//     Values that are left out (bitboard.Sparse) are derived in their turn, and
//     nothing that is stored enters into them but what was held.
//
// Counts are summed anew from weights, and must add up to the number of
// positions that the game gives the slice. Quiet positions and the longest lines
// are found anew, too, and so is every fingerprint; that of a slice that leaves
// values out takes their derivation, and is left out with ChecksumsOnly.
//
// All findings are in the report. An error means that Run could not come to
// its end: ctx, or tablebase.ErrClosed, or the system refuses memory; that it could not
// begin: ErrRecord; or that nobody could be told: Tell's. The report tells then how far it came.
func Run[P comparable](ctx context.Context, game Game[P], store Store, opts Options) (Report, error) {
	v := newVerifier(game, store, opts)
	defer v.dropAll()
	err := v.record.open()
	if err == nil {
		err = v.run(ctx)
	}
	return v.reported(), err
}

// reported is the report with what was found so far.
func (v *verifier[P]) reported() Report {
	v.report.Findings, v.report.Total = v.findings.kept(), v.findings.total
	return v.report
}

func (v *verifier[P]) run(ctx context.Context) error {
	checks := v.plan()
	v.progress = progress.NewSum(v.work(checks), v.opts.Progress)
	var load []place // what is derived first need not be read again
	if len(checks) > 0 {
		load = checks[0].places()
	}
	if err := v.scan(ctx, load); err != nil {
		v.report.Saved = v.record.stands()
		return err
	}
	for _, c := range v.takeUp(checks) {
		if err := v.prove(ctx, c); err != nil {
			v.report.Saved, v.report.Unsaved = v.record.stop()
			return err
		}
	}
	if v.opts.Tell != nil {
		if err := v.opts.Tell(v.reported()); err != nil {
			v.report.Saved, v.report.Unsaved = v.record.stop()
			return err
		}
	}
	v.report.Unsaved = v.record.remove()
	return nil
}

// takeUp leaves out the checks that a run before this one came through.
func (v *verifier[P]) takeUp(checks []groupCheck) (rest []groupCheck) {
	for _, c := range checks {
		if !v.record.takeUp(v.recordKey(c)) {
			rest = append(rest, c)
			continue
		}
		v.report.Earlier.Slices += c.slices()
		for _, s := range c.group.Slices {
			v.report.Earlier.Positions += v.game.Positions(s)
		}
		v.progress.Add(c.work(v.game.Indices))
	}
	if v.report.Earlier.Slices > 0 && v.opts.GoingOn != nil {
		v.opts.GoingOn(v.report.Earlier, v.report.Slices)
	}
	return rest
}

// prove derives a group, and notes it if there is nothing wrong with it.
func (v *verifier[P]) prove(ctx context.Context, c groupCheck) error {
	before, whole := v.findings.count(), v.withoutDamaged(c)
	derived, err := v.derive(ctx, whole)
	if err != nil {
		return err
	}
	if derived {
		v.report.Derived += whole.slices()
	}
	if v.findings.count() == before {
		v.record.add(v.recordKey(c))
	}
	return nil
}

// Memory is about the number of bytes that Run allocates at the least.
func Memory[P comparable](game Game[P], store Store, opts Options) uint64 {
	v := newVerifier(game, store, opts)
	var most uint64
	for _, c := range v.plan() {
		most = max(most, c.memory(game.Indices))
	}
	return most + uint64(v.opts.Workers)*tablebase.ScanBytes
}

type verifier[P comparable] struct {
	game     Game[P]
	store    Store
	opts     Options
	findings findings
	progress *progress.Sum
	record   record
	report   Report

	listed [bitboard.MetricCount]map[bitboard.Slice]tablebase.SliceInfo
	broken [bitboard.MetricCount]map[bitboard.Slice]bool   // not to be loaded
	sums   [bitboard.MetricCount]map[bitboard.Slice]string // fingerprints of what is stored, scanned
	tables [bitboard.MetricCount]map[bitboard.Slice]*bitboard.Table
	holder bitboard.Sparse[P] // the game, if it is one

	leavesOut [bitboard.MaxSlices]bool // stored in wdl with values left out
	complete  map[bitboard.Slice]bool  // of the tables in wdl that lacked values
}

func newVerifier[P comparable](game Game[P], store Store, opts Options) *verifier[P] {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	if opts.Limit <= 0 {
		opts.Limit = defaultFindings
	}
	v := &verifier[P]{game: game, store: store, opts: opts}
	v.holder, _ = game.(bitboard.Sparse[P])
	v.complete = make(map[bitboard.Slice]bool)
	v.findings.limit = opts.Limit
	if !opts.ChecksumsOnly {
		v.record.path = opts.Record
	}
	for m := range v.listed {
		v.listed[m] = make(map[bitboard.Slice]tablebase.SliceInfo)
		v.broken[m] = make(map[bitboard.Slice]bool)
		v.sums[m] = make(map[bitboard.Slice]string)
		v.tables[m] = make(map[bitboard.Slice]*bitboard.Table)
	}
	return v
}

// work is the number of indices to be read and derived.
func (v *verifier[P]) work(checks []groupCheck) (total uint64) {
	for m := range bitboard.MetricCount {
		for _, info := range v.store.Slices(m) {
			if v.readable(info) {
				total += info.Indices
			}
		}
	}
	for _, c := range checks {
		total += c.work(v.game.Indices)
	}
	return total
}
