package catalogue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
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
	form    Form
	nodes   uint64
	seconds float64
	err     error
}

// decide rates positions, and searches those that the tables do not know, one after
// the other. It fails where the context ends first: what is given is all that was asked for.
func (t *tables[P]) decide(ctx context.Context, positions []P, sides []bitboard.Side, o ValueOptions) ([]decided[P], error) {
	rated, err := t.lookup.Rate(ctx, positions)
	if err != nil {
		return nil, err
	}
	shelf, err := t.leaves(ctx, rated, &o)
	if err != nil {
		return nil, err
	}
	defer shelf.Free()
	all := make([]decided[P], 0, len(rated))
	for i, r := range rated {
		d := decided[P]{Rated: t.lookup.Dated(r), side: sides[i]}
		d.err = t.decideOne(ctx, &d, shelf, o)
		all = append(all, d)
		switch ended := ctx.Err(); {
		case ended == nil:
		case errors.Is(d.err, ended):
			return nil, d.err
		case len(all) < len(rated): // this one came just before the end
			return nil, ended
		}
	}
	return all, nil
}

func (t *tables[P]) decideOne(ctx context.Context, d *decided[P], shelf *prover.Shelf[P], o ValueOptions) error {
	if o.CGT { // told before a search of hours, not after it
		if err := t.instance.formless(d.Position); err != nil {
			return err
		}
	}
	switch {
	case d.Over:
		d.by = ByRules
	case d.Rating.Known:
		d.by = ByTables
	case o.Ask == nil && t.instance.unsearched != nil:
		return fmt.Errorf("%w; %w", t.instance.unsearched, t.lookup.Missing(d.Position))
	default:
		err := t.find(ctx, d, shelf, o)
		if err == prover.ErrUndecided {
			return nil
		}
		if err != nil {
			return &SearchError{d.nodes, err}
		}
	}
	var err error
	if o.CGT {
		d.form, err = t.instance.canonical(ctx, d.Position, d.Rating.Value, shelf.Whole(), o)
	}
	return err
}

// find searches a position, as the game does where it has a search of its own, or has others
// decide it.
func (t *tables[P]) find(ctx context.Context, d *decided[P], shelf *prover.Shelf[P], o ValueOptions) error {
	began := time.Now()
	d.by = BySearch
	var found bitboard.Value
	var err error
	switch {
	case o.Ask != nil:
		found, err = t.instance.settle(ctx, d, o.Ask)
	case t.instance.search != nil:
		found, d.nodes, err = t.instance.search(ctx, d.Position, shelf.Whole(), o)
	default:
		found, d.nodes, err = t.prove(ctx, d.Position, shelf, o)
	}
	d.seconds = time.Since(began).Seconds()
	if err == nil {
		d.Rating = lookup.Rating{Outcome: bitboard.Outcome{Value: found, Distance: bitboard.UnknownDistance}, Known: true}
	}
	return err
}

// defaultTable is the size of the transposition table where no bound is given, in bytes.
const defaultTable = 256 << 20

// prove finds the value by proof numbers. The sets beside the table get a quarter of the
// memory.
func (t *tables[P]) prove(ctx context.Context, p P, shelf *prover.Shelf[P], o ValueOptions) (bitboard.Value, uint64, error) {
	limit := o.Nodes
	if limit == 0 {
		limit = math.MaxUint64
	}
	return prover.ValueInMemory(ctx, t.instance.subject(), shelf, p, prover.ValueOptions{
		Nodes: limit, Table: cmp.Or(o.Table, defaultTable), Sets: o.Memory / 4, Workers: max(1, o.Workers), Drawless: t.instance.drawless, Progress: o.Progress,
	})
}

// leaves loads the stored tables that a search of the roots ends at, as many as
// fit in a quarter of the transposition table, small ones first, and takes what
// they need from that.
func (t *tables[P]) leaves(ctx context.Context, rated []lookup.Rated[P], o *ValueOptions) (*prover.Shelf[P], error) {
	empty := prover.NewShelf(t.instance.subject())
	searched := func(r lookup.Rated[P]) bool { return !r.Rating.Known }
	if o.Ask != nil || t.instance.unsearched != nil || !slices.ContainsFunc(rated, searched) {
		return empty, nil
	}
	if err := o.divide(); err != nil || t.store == nil {
		return empty, err
	}
	shelf, err := prover.LoadSmall(ctx, t.instance.subject(), t.store, o.Table/4)
	if err != nil {
		return nil, err
	}
	o.Table -= shelf.Bytes()
	return shelf, nil
}
