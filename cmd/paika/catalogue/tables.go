package catalogue

import (
	"context"
	"errors"
	"sync"

	"paika/bitboard"
	"paika/tablebase"
)

// tables is an instance with a store of tables. Where there is none, absent
// says so, and the other fields are nil.
type tables[P comparable] struct {
	*instance[P]
	store  *tablebase.Store
	prober *tablebase.Prober[P]
	absent error

	reaches *sync.Map // error of every slice asked for in vain, by bitboard.Slice
	turns   int       // that the positions of a call may have together; 0 for no bound
}

// Open opens the tables in a folder for reading. It fails where the folder
// holds something else, and not where there is nothing.
func (n *instance[P]) Open(dir string, workers int) (Tables, error) {
	if dir == "" {
		return &tables[P]{instance: n, absent: tablebase.ErrNoStore, reaches: new(sync.Map)}, nil
	}
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{ReadOnly: true, Workers: workers})
	if errors.Is(err, tablebase.ErrNoStore) {
		return &tables[P]{instance: n, absent: err, reaches: new(sync.Map)}, nil
	}
	if err != nil {
		return nil, err
	}
	return &tables[P]{instance: n, store: store, prober: tablebase.NewProber(store, n.game, 0), reaches: new(sync.Map)}, nil
}

// Bounded is the same tables with a bound on turns.
func (t *tables[P]) Bounded(turns int) Tables {
	bounded := *t
	bounded.turns = turns
	return &bounded
}

// Close ends the use of the tables.
func (t *tables[P]) Close() error {
	if t.store == nil {
		return nil
	}
	return t.store.Close()
}

// answers parses positions, has those that are positions answered together,
// and puts the answers in the order of the positions.
func answers[P comparable, T any](t *tables[P], ctx context.Context, positions []string, answer func(context.Context, []*node[P]) ([]Answer[T], error)) ([]Answer[T], error) {
	all := make([]Answer[T], len(positions))
	var roots []*node[P]
	var places []int
	for i, text := range positions {
		p, side, err := t.parse(text)
		if err != nil {
			all[i].Err = err
			continue
		}
		roots = append(roots, &node[P]{position: p, side: side})
		places = append(places, i)
	}
	if err := t.rateRoots(ctx, roots); err != nil {
		return nil, err
	}
	answered, err := answer(ctx, roots)
	if err != nil {
		return nil, err
	}
	for i, a := range answered {
		all[places[i]] = a
	}
	return all, nil
}

// rateRoots rates positions by the rules where they are over, else by the
// tables.
func (t *tables[P]) rateRoots(ctx context.Context, roots []*node[P]) error {
	var open []*node[P]
	var asked []P
	for _, root := range roots {
		if root.over = t.countTo(root.position, 1) == 0; root.over {
			root.rating = t.ended(root.position)
			continue
		}
		open = append(open, root)
		asked = append(asked, root.position)
	}
	ratings, err := t.rate(ctx, asked)
	for i, rating := range ratings {
		open[i].rating = rating
	}
	return err
}

// rate looks positions up that are not over. Those in slices that are not
// stored stay unknown.
func (t *tables[P]) rate(ctx context.Context, positions []P) ([]rating, error) {
	ratings := make([]rating, len(positions))
	stored := make(map[bitboard.Slice]bool)
	var asked []P
	for i, p := range positions {
		s := t.game.SliceOf(p)
		if _, seen := stored[s]; !seen {
			_, stored[s] = t.metric(s)
		}
		if ratings[i].known = stored[s]; stored[s] {
			asked = append(asked, p)
		}
	}
	if len(asked) == 0 {
		return ratings, nil
	}
	outcomes := make([]bitboard.Outcome, len(asked))
	if err := t.prober.ProbeAll(ctx, asked, outcomes); err != nil {
		return nil, err
	}
	for i := range ratings {
		if ratings[i].known {
			ratings[i].Outcome, outcomes = outcomes[0], outcomes[1:]
		}
	}
	return ratings, nil
}

// missing is the error for a position that the tables say nothing of: that its
// slice is not stored, or that it cannot be.
func (t *tables[P]) missing(p P) error {
	s := t.game.SliceOf(p)
	if err, known := t.reaches.Load(s); known {
		return t.reachOf(p, err.(error))
	}
	name := t.game.SliceName(s)
	var err error = &tablebase.MissingError{Slice: name}
	if _, planErr := t.plan(BuildOptions{Slices: []string{name}}); planErr != nil {
		err = t.outOfReach(planErr)
	}
	t.reaches.Store(s, err)
	return t.reachOf(p, err)
}

// metric is the better one of those in which a slice is stored.
func (t *tables[P]) metric(s bitboard.Slice) (m bitboard.Metric, stored bool) {
	if t.store == nil {
		return 0, false
	}
	name := t.game.SliceName(s)
	for _, m := range [...]bitboard.Metric{bitboard.DTW, bitboard.WDL} {
		if _, stored := t.store.Slice(m, name); stored {
			return m, true
		}
	}
	return 0, false
}
