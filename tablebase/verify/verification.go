package verify

import (
	"context"
	"errors"
	"fmt"

	"paika/bitboard"
	"paika/internal/progress"
)

// Verification is a [Run] whose groups may be derived elsewhere, by [Pieces]. It is for
// one goroutine, but for Load.
type Verification[P comparable] struct {
	v      *verifier[P]
	checks []groupCheck // those that can be derived
	groups []Group      // the same by name
}

// Begin reads every chunk, as Run does, and finds the groups that are to be derived. It
// makes no use of a record. Its error is that of ctx, or tablebase.ErrClosed.
func Begin[P comparable](ctx context.Context, game Game[P], store Store, opts Options) (*Verification[P], error) {
	opts.Record = ""
	v := newVerifier(game, store, opts)
	b := &Verification[P]{v: v}
	checks := v.plan()
	v.progress = progress.NewSum(v.work(checks), v.opts.Progress)
	if err := v.scan(ctx, nil); err != nil {
		return nil, err
	}
	for _, c := range checks {
		if _, damaged := v.damagedOf(c); damaged {
			if err := v.prove(ctx, c); err != nil { // it gives up at once
				return nil, err
			}
			continue
		}
		c = v.withoutDamaged(c)
		b.checks, b.groups = append(b.checks, c), append(b.groups, v.name(c))
	}
	return b, nil
}

// Groups lists the groups that are to be derived, smaller ones first.
func (b *Verification[P]) Groups() []Group { return b.groups }

// Load is a Loader of the tables that the groups name. It may be called at any time by
// many. Errors: ErrGroup, and those of the store.
func (b *Verification[P]) Load(ctx context.Context, t Table, into *bitboard.Table) error {
	m, wrong := bitboard.ParseMetric(t.Metric)
	s, bad := b.v.game.ParseSlice(t.Slice)
	if err := errors.Join(wrong, bad); err != nil {
		return fmt.Errorf("%w: %w", ErrGroup, err)
	}
	if s != into.Slice {
		return fmt.Errorf("%w: %s is another slice", ErrGroup, bitboard.Shorten(t.Slice))
	}
	return b.v.store.Tables(m, b.v.game).Load(ctx, into)
}

// Take takes up what the pieces of a group came to that have no finding: the sums of each
// of its slices, with the quiet positions of Ground. It tells whether the manifests say the
// same. Where they do not, nothing is taken, and Derive tells what is wrong.
func (b *Verification[P]) Take(group int, sums []Sums) bool {
	c := b.checks[group]
	var positions uint64
	for k, s := range c.group.Slices {
		if len(b.v.compareGroup(c, s, &sums[k])) > 0 {
			return false
		}
		positions += sums[k].Total()
	}
	b.v.report.Positions += positions
	b.v.report.Derived += c.slices()
	return true
}

// Derive derives a group here, as Run does. Its errors are those of Run.
func (b *Verification[P]) Derive(ctx context.Context, group int) error {
	defer b.v.dropAll()
	return b.v.prove(ctx, b.checks[group])
}

// Report tells what was found so far.
func (b *Verification[P]) Report() Report {
	b.v.report.Findings, b.v.report.Total = b.v.findings.kept(), b.v.findings.total
	return b.v.report
}

// name names a check and its tables.
func (v *verifier[P]) name(c groupCheck) Group {
	g := Group{Metric: c.metric.String(), Whole: tracesAll(v.game, &c)}
	for _, s := range c.group.Slices {
		g.Slices = append(g.Slices, v.game.SliceName(s))
	}
	for _, at := range c.places() {
		t := Table{Metric: at.metric.String(), Slice: v.game.SliceName(at.slice), Stored: v.sums[at.metric][at.slice]}
		if at.metric == bitboard.WDL && v.leavesOut[at.slice] {
			t.Whole = v.listed[at.metric][at.slice].Fingerprint
		}
		g.Tables = append(g.Tables, t)
	}
	return g
}
