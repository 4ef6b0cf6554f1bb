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
	"paika/solver/proofnumber"
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
	resumed  uint64 // of these, of runs before
	table    uint64 // bytes of the transposition table of its searches
	took     time.Duration
	kept     []string // files from which its searches go on, with these nodes
	files    []string // in which its searches were saved
}

// decide rates positions, and searches those that the tables do not know, one after
// the other. It tells of them in their order, of each before it begins what may take long. Where no
// search can begin, those that need one have that error, and all others their
// answers. Where the context ends first it tells of the first ones, as far as it came.
func (t *tables[P]) decide(ctx context.Context, positions []P, sides []bitboard.Side, o ValueOptions, tell func([]decided[P]) error) error {
	all, err := t.look(ctx, positions, sides)
	if err != nil {
		return err
	}
	long := func(d decided[P]) bool { return d.Err == nil && (!d.Rating.Known || o.CGT) }
	at := slices.IndexFunc(all, long)
	if at < 0 {
		return tell(all)
	}
	if err := tell(all[:at]); err != nil {
		return err
	}
	shelf, unsearched := t.leaves(ctx, all, &o)
	if ended := ctx.Err(); ended != nil && errors.Is(unsearched, ended) {
		return unsearched
	}
	defer shelf.Free()
	for i := at; i < len(all); i++ {
		d := &all[i]
		switch {
		case d.Err != nil:
		case d.Rating.Known || unsearched == nil:
			d.Err = t.decideOne(ctx, d, shelf, o)
		default:
			d.Err = unsearched
		}
		ended := ctx.Err()
		if ended != nil && errors.Is(d.Err, ended) {
			return d.Err
		}
		if err := tell(all[i : i+1]); err != nil {
			return err
		}
		d.forget(o)
		if ended != nil && i+1 < len(all) { // this one came just before the end
			return ended
		}
	}
	return nil
}

// look rates positions by rules and tables: by the rules where the game is over, and where a turn
// wins that no table tells of. Each took what it took to look all of them up, divided among those
// that are known.
func (t *tables[P]) look(ctx context.Context, positions []P, sides []bitboard.Side) ([]decided[P], error) {
	began := time.Now()
	rated, err := t.lookup.Rate(ctx, positions)
	if err != nil {
		return nil, err
	}
	all := make([]decided[P], len(rated))
	known := time.Duration(0)
	for i, r := range rated {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := &all[i]
		d.Rated, d.side = t.lookup.Dated(r), sides[i]
		switch {
		case !d.Rating.Known:
			continue
		case r.Rating.Known && !r.Over:
			d.by = ByTables
		default:
			d.by = ByRules
		}
		known++
	}
	mean := time.Since(began) / max(1, known)
	for i := range all {
		if all[i].Rating.Known {
			all[i].took = mean
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
	if o.CGT && !d.Rating.Known && t.unsearched(o) != nil {
		return t.byForm(ctx, d, o)
	}
	o.keep = o.CGT
	if err := t.winner(ctx, d, shelf, o); err != nil || !o.CGT || !d.Rating.Known {
		return err
	}
	found, err := t.worth(ctx, d, shelf, o)
	switch {
	case err != nil: // who wins is known all the same
		d.formless = err
		return nil
	case found.value != d.Rating.Value:
		return fmt.Errorf("%w: a %v for the side to move by %s, and the form is %s", ErrContradiction, d.Rating.Value, d.by, found.CGT)
	}
	d.form, d.kept = found.Form, nil
	return nil
}

// forget removes what was saved of a position of which all that was asked is known, and told. What
// an earlier call saved of a second search, which was not asked for now, stays.
func (d *decided[P]) forget(o ValueOptions) {
	if d.Err != nil || !d.Rating.Known || d.formless != nil {
		return
	}
	for _, path := range d.files {
		if err := checkpoint.Remove(path); err != nil {
			o.notice(err.Error())
		}
	}
	if o.CGT || len(d.files) == 0 {
		return
	}
	if second := o.Checkpoint + swappedSuffix; checkpoint.There(second) {
		o.notice(second + " stays: with --cgt the second search goes on from there")
	}
}

// unsearched says why a position is not searched that rules and tables do not know, or nothing.
func (t *tables[P]) unsearched(o ValueOptions) error {
	if o.Ask != nil {
		return nil
	}
	return t.instance.unsearched
}

// byForm takes who wins from the canonical form.
func (t *tables[P]) byForm(ctx context.Context, d *decided[P], o ValueOptions) error {
	began := time.Now()
	found, err := t.instance.canonical(ctx, d.Position, o.Memory)
	switch {
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		return fmt.Errorf("%w; %w", t.instance.unsearched, &FormError{err})
	}
	d.by, d.form, d.took = ByForm, found.Form, time.Since(began)
	d.Rating = undated(found.value)
	return nil
}

// undated is the rating of a value that comes without a distance.
func undated(v bitboard.Value) lookup.Rating {
	return lookup.Rating{Outcome: bitboard.Outcome{Value: v, Distance: bitboard.UnknownDistance}, Known: true}
}

// winner finds out who wins. Where a search comes to its limit, that is not known.
func (t *tables[P]) winner(ctx context.Context, d *decided[P], shelf *prover.Shelf[P], o ValueOptions) error {
	if d.Rating.Known {
		return nil
	}
	if err := t.unsearched(o); err != nil {
		return fmt.Errorf("%w; %w", err, t.lookup.Missing(d.Position))
	}
	if err := t.find(ctx, d, shelf, o); err != nil && err != prover.ErrUndecided {
		return &SearchError{d.nodes, d.kept, err}
	}
	return nil
}

// worth finds the canonical form of a position of which it is known who wins. One form can be told
// by that, before any is made of those of other positions: it is 0 where who begins loses, whoever
// that is, and nowhere else.
func (t *tables[P]) worth(ctx context.Context, d *decided[P], shelf *prover.Shelf[P], o ValueOptions) (worth, error) {
	if d.Rating.Value == bitboard.Loss {
		switch lost, err := t.lostSwapped(ctx, d, shelf, o); {
		case err != nil:
			return worth{}, err
		case lost:
			return worth{zeroForm(), bitboard.Loss}, nil
		}
	}
	return t.instance.canonical(ctx, d.Position, o.Memory)
}

// lostSwapped tells whether the other side loses, too, if it begins. Where rules and tables do not
// say that, there is a search with the limits of the first and a checkpoint of its own, and what it
// takes is added to what that took. Where others are asked there is none: limits are theirs.
func (t *tables[P]) lostSwapped(ctx context.Context, d *decided[P], shelf *prover.Shelf[P], o ValueOptions) (bool, error) {
	looked, err := t.look(ctx, []P{t.instance.swapped(d.Position)}, []bitboard.Side{d.side.Other()})
	if err != nil {
		return false, err
	}
	other := looked[0]
	if other.Err != nil {
		return false, other.Err
	}
	if !other.Rating.Known && o.Ask == nil && t.instance.search != nil && o.divide() == nil {
		if o.Checkpoint != "" {
			o.Checkpoint += swappedSuffix
		}
		if report, before := o.Progress, d.nodes; report != nil {
			o.Progress = func(nodes uint64) { report(before + nodes) }
		}
		err = t.find(ctx, &other, shelf, o)
		d.nodes, d.resumed, d.took = d.nodes+other.nodes, d.resumed+other.resumed, d.took+other.took
		d.kept, d.files = append(d.kept, other.kept...), append(d.files, other.files...)
		d.table = other.table
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
	var s searched
	var err error
	switch {
	case o.Ask != nil:
		s, err = t.instance.settle(ctx, d, o.Ask)
	case t.instance.search != nil:
		if o.Checkpoint != "" {
			d.files = append(d.files, o.Checkpoint)
		}
		s, err = t.instance.search(ctx, d.Position, shelf.Whole(), o)
	default:
		s, err = t.prove(ctx, d.Position, shelf, o)
	}
	if d.nodes, d.resumed, d.table = s.nodes, s.resumed, s.table; s.kept {
		d.kept = append(d.kept, o.Checkpoint)
	}
	d.took = time.Since(began)
	err = bitboard.NameTooMany(t.instance.game, d.side, err)
	if err == nil {
		d.Rating = undated(s.value)
	}
	return err
}

// defaultTable is the size of the transposition table where no bound is given, in bytes.
const defaultTable = 256 << 20

// prove finds the value by proof numbers. The sets beside the table get a quarter of the
// memory.
func (t *tables[P]) prove(ctx context.Context, p P, shelf *prover.Shelf[P], o ValueOptions) (searched, error) {
	limit := o.Nodes
	if limit == 0 {
		limit = math.MaxUint64
	}
	table := cmp.Or(o.Table, defaultTable)
	found, nodes, err := prover.ValueInMemory(ctx, t.instance.subject(), shelf, p, prover.ValueOptions{
		Nodes: limit, Table: table, Sets: o.Memory / 4, Workers: max(1, o.Workers), Drawless: t.instance.drawless, Progress: o.Progress,
	})
	return searched{value: found, nodes: nodes, table: proofnumber.TableBytes(table)}, err
}

// leaves loads the stored tables that a search of the roots ends at, as many as
// fit in a quarter of the transposition table, small ones first, and takes what
// they need from that. Beside an error there are none.
func (t *tables[P]) leaves(ctx context.Context, roots []decided[P], o *ValueOptions) (*prover.Shelf[P], error) {
	empty := prover.NewShelf(t.instance.subject())
	searched := func(d decided[P]) bool { return d.Err == nil && !d.Rating.Known }
	if o.Ask != nil || t.unsearched(*o) != nil || !slices.ContainsFunc(roots, searched) {
		return empty, nil
	}
	if err := o.divide(); err != nil || t.store == nil {
		return empty, err
	}
	shelf, err := prover.LoadSmall(ctx, t.instance.subject(), t.store, o.Table/4)
	if err != nil {
		return empty, err
	}
	o.Table -= shelf.Bytes()
	return shelf, nil
}
