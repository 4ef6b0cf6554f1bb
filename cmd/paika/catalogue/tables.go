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
	sideless := func(ctx context.Context, positions []P, _ []bitboard.Side) ([]F, error) {
		found, err := ask(ctx, positions)
		if err != nil {
			return nil, err
		}
		return found, nil
	}
	return sidedAnswers(ctx, n, positions, sideless, show)
}

// sidedAnswers is answers where the question is about the sides to move, too. Beside an error it
// gives the answers for the first positions, as far as they were found.
func sidedAnswers[P comparable, F, T any](ctx context.Context, n *instance[P], positions []string,
	ask func(context.Context, []P, []bitboard.Side) ([]F, error), show func(side bitboard.Side, found F) Answer[T]) ([]Answer[T], error) {
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
	found, err := ask(ctx, asked, sides)
	if len(found) > len(asked) || err == nil && len(found) < len(asked) {
		return nil, ErrAnswers
	}
	for i, f := range found {
		all[places[i]] = show(sides[i], f)
	}
	if len(found) < len(asked) {
		all = all[:places[len(found)]]
	}
	return all, err
}
