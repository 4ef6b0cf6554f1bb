package catalogue

import (
	"context"
	"fmt"
	"slices"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/tablebase/lookup"
)

// decided is a position and who wins from it, or why that is not known.
type decided[P comparable] struct {
	lookup.Rated[P]
	side    bitboard.Side
	by      string
	cgt     string
	nodes   uint64
	seconds float64
	err     error
}

// decide rates positions, and searches those that the tables do not know, one after
// the other.
func (t *tables[P]) decide(ctx context.Context, positions []P, sides []bitboard.Side, o ValueOptions) ([]decided[P], error) {
	rated, err := t.lookup.Rate(ctx, positions)
	if err != nil {
		return nil, err
	}
	leaves, err := t.leaves(ctx, rated, &o)
	if err != nil {
		return nil, err
	}
	defer leaves.Free()
	all := make([]decided[P], 0, len(rated))
	for i, r := range rated {
		d := decided[P]{Rated: t.lookup.Dated(r), side: sides[i]}
		d.err = t.decideOne(ctx, &d, leaves.Tables(), o)
		if ctx.Err() != nil {
			return nil, d.err
		}
		all = append(all, d)
	}
	return all, nil
}

func (t *tables[P]) decideOne(ctx context.Context, d *decided[P], leaves []*bitboard.Table, o ValueOptions) error {
	switch {
	case d.Over:
		d.by = ByRules
	case d.Rating.Known:
		d.by = ByTables
	case o.Ask == nil && t.instance.search == nil:
		err := t.lookup.Missing(d.Position)
		if t.instance.unsearched != nil {
			err = fmt.Errorf("%w; %w", t.instance.unsearched, err)
		}
		return err
	default:
		err := t.find(ctx, d, leaves, o)
		if err == prover.ErrUndecided {
			return nil
		}
		if err != nil {
			return &SearchError{d.nodes, err}
		}
	}
	var err error
	if o.CGT {
		d.cgt, err = t.instance.canonical(ctx, d.Position)
	}
	return err
}

// find searches a position, or has others decide it.
func (t *tables[P]) find(ctx context.Context, d *decided[P], leaves []*bitboard.Table, o ValueOptions) error {
	began := time.Now()
	d.by = BySearch
	var found bitboard.Value
	var err error
	if o.Ask != nil {
		found, err = t.instance.settle(ctx, d, o.Ask)
	} else {
		found, d.nodes, err = t.instance.search(ctx, d.Position, leaves, o)
	}
	d.seconds = time.Since(began).Seconds()
	if err == nil {
		d.Rating = lookup.Rating{Outcome: bitboard.Outcome{Value: found, Distance: bitboard.UnknownDistance}, Known: true}
	}
	return err
}

// leaves loads the stored tables that a search of the roots ends at, as many as
// fit in a quarter of the transposition table, small ones first, and takes what
// they need from that.
func (t *tables[P]) leaves(ctx context.Context, rated []lookup.Rated[P], o *ValueOptions) (*prover.Shelf[P], error) {
	empty := prover.NewShelf(t.instance.subject())
	searched := func(r lookup.Rated[P]) bool { return !r.Rating.Known }
	if o.Ask != nil || t.instance.search == nil || !slices.ContainsFunc(rated, searched) {
		return empty, nil
	}
	if err := o.divide(); err != nil || t.store == nil {
		return empty, err
	}
	shelf, err := prover.LoadSmall(ctx, t.instance.subject(), t.store, o.Table/4, o.Workers)
	if err != nil {
		return nil, err
	}
	o.Table -= shelf.Bytes()
	return shelf, nil
}
