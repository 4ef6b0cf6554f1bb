package catalogue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paika/tablebase"
)

// ErrMemory says that work needs more memory than is allowed.
var ErrMemory = errors.New("too little memory")

// VerifyOptions say how much is checked and within which limits.
type VerifyOptions struct {
	ChecksumsOnly bool
	Workers       int                      // goroutines, at least 1
	Memory        uint64                   // bytes that the whole program may take
	Progress      func(done, total uint64) // one call at a time
}

// Verified is what a check of tables found.
type Verified struct {
	OK        bool      `json:"ok"`
	Slices    int       `json:"slices"`    // each metric counted
	Chunks    uint64    `json:"chunks"`    // whose checksums were compared
	Positions uint64    `json:"positions"` // whose values were derived again, symmetry undone
	Findings  []Finding `json:"findings"`
	Found     uint64    `json:"found"` // in all, listed or not
	Seconds   float64   `json:"seconds"`
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

func (f Finding) String() string { return f.text }

// Unfinished tells whether another build of the slice mends the finding.
func (f Finding) Unfinished() bool { return f.What == tablebase.UnfinishedBuild }

// Verify checks every chunk and derives every value again. Tables too damaged
// to be opened are a finding, not an error.
func (n *instance[P]) Verify(ctx context.Context, dir string, o VerifyOptions) (v Verified, err error) {
	began := time.Now()
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{ReadOnly: true, Workers: o.Workers})
	if errors.Is(err, tablebase.ErrDamaged) {
		return Verified{Findings: []Finding{{What: err.Error(), text: err.Error()}}, Found: 1}, nil
	}
	if err != nil {
		return Verified{}, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	options := tablebase.VerifyOptions{ChecksumsOnly: o.ChecksumsOnly, Workers: o.Workers, Progress: o.Progress}
	if need := storeBytes + tablebase.VerifyMemory(n.game, store, options); need > o.Memory {
		return Verified{}, fmt.Errorf("%w: to verify takes %d MiB, and %d MiB are allowed", ErrMemory, need>>20+1, o.Memory>>20)
	}
	report, err := tablebase.Verify(ctx, n.game, store, options)
	if err != nil {
		return Verified{}, err
	}
	v = Verified{
		OK:        report.OK(),
		Slices:    report.Slices,
		Chunks:    report.Chunks,
		Positions: report.Positions,
		Findings:  make([]Finding, 0, len(report.Findings)),
		Found:     report.Total,
		Seconds:   time.Since(began).Seconds(),
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
	return v, nil
}
