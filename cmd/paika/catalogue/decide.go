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
	"paika/solver/checkpoint"
	"paika/tablebase/lookup"
)

// decided is a position and who wins from it, or why that is not known.
type decided[P comparable] struct {
	lookup.Rated[P]
	side     bitboard.Side
	by       string
	form     Form
	formless error // why there is no form, where one was asked for
	nodes    uint64
	took     time.Duration
	kept     []string // files from which its searches go on
	err      error
}

// decide rates positions, and searches those that the tables do not know, one after
// the other. It fails where the context ends first: what is given is all that was asked for.
func (t *tables[P]) decide(ctx context.Context, positions []P, sides []bitboard.Side, o ValueOptions) ([]decided[P], error) {
	began := time.Now()
	rated, err := t.lookup.Rate(ctx, positions)
	if err != nil {
		return nil, err
	}
	lookups := meanLookup(time.Since(began), rated)
	shelf, err := t.leaves(ctx, rated, &o)
	if err != nil {
		return nil, err
	}
	defer shelf.Free()
	all := make([]decided[P], 0, len(rated))
	for i, r := range rated {
		d := decided[P]{Rated: t.lookup.Dated(r), side: sides[i]}
		if r.Rating.Known {
			d.took = lookups
		}
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

// meanLookup is what each position took that the lookup of all of them could tell.
func meanLookup[P comparable](took time.Duration, rated []lookup.Rated[P]) time.Duration {
	known := 0
	for _, r := range rated {
		if r.Rating.Known {
			known++
		}
	}
	return took / time.Duration(max(1, known))
}

func (t *tables[P]) decideOne(ctx context.Context, d *decided[P], shelf *prover.Shelf[P], o ValueOptions) error {
	if o.CGT { // told before a search of hours, not after it
		if err := t.instance.formless(d.Position); err != nil {
			return err
		}
	}
	o.keep = o.CGT
	if err := t.winner(ctx, d, shelf, o); err != nil || !o.CGT || !d.Rating.Known {
		return err
	}
	if d.form, d.formless = t.form(ctx, d, shelf, o); d.formless != nil {
		return nil // who wins is known all the same
	}
	for _, path := range d.kept {
		if err := checkpoint.Remove(path); err != nil {
			o.notice(err.Error())
		}
	}
	d.kept = nil
	return nil
}

// winner finds out who wins. Where a search comes to its limit, that is not known.
func (t *tables[P]) winner(ctx context.Context, d *decided[P], shelf *prover.Shelf[P], o ValueOptions) error {
	switch {
	case d.Over:
		d.by = ByRules
	case d.Rating.Known:
		d.by = ByTables
	case o.Ask == nil && t.instance.unsearched != nil:
		return fmt.Errorf("%w; %w", t.instance.unsearched, t.lookup.Missing(d.Position))
	default:
		if err := t.find(ctx, d, shelf, o); err != nil && err != prover.ErrUndecided {
			return &SearchError{d.nodes, err}
		}
	}
	return nil
}

// form finds the canonical form of a position of which it is known who wins. One form can be told
// by that, before any is made of those of other positions: it is 0 where who begins loses, whoever
// that is, and nowhere else.
func (t *tables[P]) form(ctx context.Context, d *decided[P], shelf *prover.Shelf[P], o ValueOptions) (Form, error) {
	if d.Rating.Value == bitboard.Loss {
		switch lost, err := t.lostSwapped(ctx, d, shelf, o); {
		case err != nil:
			return Form{}, err
		case lost:
			return zeroForm(), nil
		}
	}
	return t.instance.canonical(ctx, d.Position, o.Memory)
}

// lostSwapped tells whether the other side loses, too, if it begins. Where rules and tables do not
// say that, there is a search with the limits of the first and a checkpoint of its own, and what it
// takes is added to what that took. Where others are asked there is none: limits are theirs.
func (t *tables[P]) lostSwapped(ctx context.Context, d *decided[P], shelf *prover.Shelf[P], o ValueOptions) (bool, error) {
	rated, err := t.lookup.Rate(ctx, []P{t.instance.swapped(d.Position)})
	if err != nil {
		return false, err
	}
	other := decided[P]{Rated: rated[0], side: d.side.Other()}
	if !other.Rating.Known && o.Ask == nil && t.instance.search != nil && o.divide() == nil {
		if o.Checkpoint != "" {
			o.Checkpoint += swappedSuffix
		}
		if report, before := o.Progress, d.nodes; report != nil {
			o.Progress = func(nodes uint64) { report(before + nodes) }
		}
		err = t.find(ctx, &other, shelf, o)
		d.nodes, d.took, d.kept = d.nodes+other.nodes, d.took+other.took, append(d.kept, other.kept...)
	}
	return other.Rating.Known && other.Rating.Value == bitboard.Loss, err
}

// swappedSuffix makes the checkpoint of the second search from that of the first.
const swappedSuffix = ".swapped"

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
		var s searched
		s, err = t.instance.search(ctx, d.Position, shelf.Whole(), o)
		if found, d.nodes = s.value, s.nodes; s.kept {
			d.kept = append(d.kept, o.Checkpoint)
		}
	default:
		found, d.nodes, err = t.prove(ctx, d.Position, shelf, o)
	}
	d.took = time.Since(began)
	err = bitboard.NameTooMany(t.instance.game, d.side, err)
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
