package catalogue

import (
	"context"
	"errors"

	"paika/bitboard"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// tables is an instance with a store of tables. Where there is none, store is nil
// and absent says why.
type tables[P comparable] struct {
	instance *instance[P]
	lookup   *lookup.Lookup[P]
	store    *tablebase.Store
	absent   error

	// memory is what the whole program may take, in bytes; 0 unless it was set by Within.
	memory uint64
}

// Absent says why there is no store.
func (t *tables[P]) Absent() error { return t.absent }

// Open opens the tables in a folder for reading. It fails where the folder
// holds something else, and not where there is nothing.
func (n *instance[P]) Open(dir string, workers int) (Tables, error) {
	t := &tables[P]{instance: n, absent: tablebase.ErrNoStore}
	if dir != "" {
		store, err := tablebase.Open(dir, n.identity, tablebase.Options{ReadOnly: true, Workers: workers})
		switch {
		case err == nil:
			t.store = store
		case !errors.Is(err, tablebase.ErrNoStore):
			return nil, err
		}
		t.absent = err
	}
	t.lookup = lookup.New(n.game, n.board, t.store)
	return t, nil
}

// Bounded is the same tables with a bound on turns.
func (t *tables[P]) Bounded(turns int) Tables {
	bounded := *t
	bounded.lookup = t.lookup.Bounded(turns)
	return &bounded
}

// Close ends the use of the tables.
func (t *tables[P]) Close() error {
	if t.store == nil {
		return nil
	}
	return t.store.Close()
}

// answers parses positions, asks about those that are positions, all of them
// together, and shows what is found in the order of the positions. Beside an error nothing is
// found: lookups give what is half known then.
func answers[P comparable, F, T any](ctx context.Context, n *instance[P], positions []string,
	ask func(context.Context, []P) ([]F, error), show func(side bitboard.Side, found F) Answer[T]) ([]Answer[T], error) {
	sideless := func(ctx context.Context, positions []P, _ []bitboard.Side, tell func([]F) error) error {
		found, err := ask(ctx, positions)
		if err != nil {
			return err
		}
		return tell(found)
	}
	return sidedAnswers(ctx, n, positions, sideless, show, nil)
}

// sidedAnswers is answers where the question is about the sides to move, too, and what is found is
// told by and by, in the order of the positions. So are the answers, if tell is not nil. Beside an
// error it gives those for the first positions, as far as they were found.
func sidedAnswers[P comparable, F, T any](ctx context.Context, n *instance[P], positions []string,
	ask func(ctx context.Context, positions []P, sides []bitboard.Side, tell func([]F) error) error,
	show func(side bitboard.Side, found F) Answer[T], tell func([]Answer[T]) error) ([]Answer[T], error) {
	all := make([]Answer[T], len(positions))
	var asked []P
	var sides []bitboard.Side
	var places []int
	for i, text := range positions {
		p, side, err := n.parse(text)
		if err != nil {
			all[i].Err = err
			continue
		}
		asked, sides, places = append(asked, p), append(sides, side), append(places, i)
	}
	places = append(places, len(all))
	found, known := 0, 0 // of those asked about, and of all
	add := func(more []F) error {
		if len(more) > len(asked)-found {
			return ErrAnswers
		}
		for _, f := range more {
			all[places[found]] = show(sides[found], f)
			found++
		}
		news := all[known:places[found]]
		known += len(news)
		if tell == nil || len(news) == 0 {
			return nil
		}
		return tell(news)
	}
	err := add(nil) // those before the first that is asked about
	if err == nil {
		err = ask(ctx, asked, sides, add)
	}
	if err == nil && found < len(asked) {
		err = ErrAnswers
	}
	return all[:known], err
}
