package catalogue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paika/bitboard/ranking"
	"paika/cmd/paika/hub/inspection"
	"paika/internal/usage"
	"paika/tablebase"
	"paika/tablebase/verify"
)

// ErrMemory says that work needs more memory than is allowed.
var ErrMemory = errors.New("too little memory")

// VerifyOptions say how much is checked and within which limits.
type VerifyOptions struct {
	ChecksumsOnly bool
	Workers       int                      // goroutines, at least 1
	Memory        uint64                   // bytes that the whole program may take
	Progress      func(done, total uint64) // one call at a time

	// Record is the file by which a check that was stopped goes on, none if it is
	// empty, and Version that of the program: it goes on from its own files alone.
	// GoingOn is told once what such a file takes off the work, and of how many
	// slices.
	Record  string
	Version string
	GoingOn func(earlier Earlier, slices int)

	// Tell, if there is one, is told what was verified once that has come to its end, before the file goes.
	// Its error is Verify's: the file stays then.
	Tell func(Verified) error
}

// Verified is what a check of tables found.
type Verified struct {
	OK        bool      `json:"ok"`
	Slices    int       `json:"slices"`    // each metric counted
	Chunks    uint64    `json:"chunks"`    // whose checksums were compared
	Derived   int       `json:"derived"`   // slices whose values were derived again, each metric counted
	Positions uint64    `json:"positions"` // in those, symmetry undone
	Findings  []Finding `json:"findings"`
	Found     uint64    `json:"found"` // in all, listed or not
	Seconds   float64   `json:"seconds"`

	// Earlier is what a run before this one derived, by the file that it left. It
	// is missing where nothing was taken from one.
	Earlier *Earlier `json:"earlier,omitempty"`

	// Shared is who did the work, where a hub shared it out.
	Shared *inspection.Shared `json:"shared,omitempty"`

	// Saved is the file by which the next run goes on, where this one was stopped,
	// and Unsaved why it could not be written, or removed.
	Saved   string `json:"-"`
	Unsaved error  `json:"-"`
}

// Earlier is what a run before derived.
type Earlier struct {
	Record    string `json:"record"`    // the file that tells it
	Slices    int    `json:"slices"`    // each metric counted
	Positions uint64 `json:"positions"` // symmetry undone
}

// Finding is one thing that is wrong with tables. Keys that do not apply are
// left out.
type Finding struct {
	Metric   string `json:"metric,omitempty"`
	Slice    string `json:"slice,omitempty"`
	Position string `json:"position,omitempty"`
	What     string `json:"what"`
	Stored   string `json:"stored,omitempty"`
	Derived  string `json:"derived,omitempty"`

	text string
}

// String is for people, on one line.
func (f Finding) String() string { return Escape(f.text) }

// Unfinished tells whether another build of the slice mends the finding.
func (f Finding) Unfinished() bool { return f.What == verify.UnfinishedBuild }

// Figure tells whether the finding is about what the manifest says of a slice, and not of what
// is stored of it.
func (f Finding) Figure() bool { return verify.IsFigure(f.What) }

// Verify checks every chunk and derives every value again. Tables too damaged
// to be opened are a finding, not an error. Beside an error stands how far the
// check came. Errors include ErrMemory, tablebase.ErrNoStore where no slice is
// stored, and verify.ErrRecord.
func (n *instance[P]) Verify(ctx context.Context, dir string, o VerifyOptions) (v Verified, err error) {
	began := time.Now()
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{ReadOnly: true, Workers: o.Workers})
	if errors.Is(err, tablebase.ErrDamaged) {
		v = unopened(err.Error())
		return v, o.tell(v)
	}
	if err != nil {
		return Verified{}, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if !verify.HasSlices(store) {
		return Verified{}, fmt.Errorf("%s: %w: not one slice is stored", dir, tablebase.ErrNoStore)
	}
	options := o.options()
	if need := storeBytes + verify.Memory(n.game, store, options); need > o.Memory {
		return Verified{}, fmt.Errorf("%w: to verify takes %s, and %s", ErrMemory, usage.Needed(need), usage.Allowed(o.Memory))
	}
	options.Memory = max(1, o.Memory-min(o.Memory, ranking.Sum(storeBytes, store.MappedBytes())))
	verified := func(report verify.Report) Verified {
		v := o.verified(report)
		v.Seconds = time.Since(began).Seconds()
		return v
	}
	options.Tell = func(report verify.Report) error { return o.tell(verified(report)) }
	report, err := verify.Run(ctx, n.game, store, options)
	return verified(report), err
}

// tell tells what was verified, if somebody wants to know.
func (o VerifyOptions) tell(v Verified) error {
	if o.Tell == nil {
		return nil
	}
	return o.Tell(v)
}

// unopened is the outcome where tables are too damaged to be opened.
func unopened(why string) Verified {
	return Verified{Findings: []Finding{{What: why, text: why}}, Found: 1}
}

// options is what the verifier is told.
func (o VerifyOptions) options() verify.Options {
	options := verify.Options{
		ChecksumsOnly: o.ChecksumsOnly, Workers: o.Workers, Progress: o.Progress, Record: o.Record, Version: o.Version,
	}
	if o.GoingOn != nil {
		options.GoingOn = func(e verify.Earlier, slices int) { o.GoingOn(o.earlier(e), slices) }
	}
	return options
}

func (o VerifyOptions) earlier(e verify.Earlier) Earlier {
	return Earlier{o.Record, e.Slices, e.Positions}
}

// verified is a report as it is printed.
func (o VerifyOptions) verified(report verify.Report) Verified {
	v := Verified{
		OK:        report.OK(),
		Slices:    report.Slices,
		Chunks:    report.Chunks,
		Derived:   report.Derived,
		Positions: report.Positions,
		Findings:  make([]Finding, 0, len(report.Findings)),
		Found:     report.Total,
		Unsaved:   report.Unsaved,
	}
	if report.Earlier.Slices > 0 {
		earlier := o.earlier(report.Earlier)
		v.Earlier = &earlier
	}
	if report.Saved {
		v.Saved = o.Record
	}
	for _, f := range report.Findings {
		v.Findings = append(v.Findings, Finding{
			Metric:   f.Metric.String(),
			Slice:    f.Slice,
			Position: f.Position,
			What:     f.What,
			Stored:   f.Stored,
			Derived:  f.Derived,
			text:     f.String(),
		})
	}
	return v
}
