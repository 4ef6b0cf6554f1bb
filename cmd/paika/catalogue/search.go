package catalogue

import (
	"context"
	"errors"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/solver/proofnumber"
	"paika/tablebase/lookup"
)

// SearchOptions bound a search for a value. All of them must be given but
// Progress.
type SearchOptions struct {
	Nodes    uint64 // positions visited at most
	Time     time.Duration
	Memory   uint64 // bytes of a search, beside tables
	Workers  int
	Progress func(nodes uint64) // called now and then, if not nil
}

// Searched is what a bounded search for a value came to.
type Searched struct {
	Position string  `json:"position"`
	Value    *string `json:"value"` // for the side to move; null if not decided
	By       string  `json:"by"`    // ByTables, ByRules or BySearch
	Nodes    uint64  `json:"nodes"`
	Seconds  float64 `json:"seconds"`
}

// Search asks the game's own search, or else proof numbers: whether the side to
// move wins and, if it does not, whether the other does.
func (t *tables[P]) Search(ctx context.Context, position string, o SearchOptions) (Searched, error) {
	began := time.Now()
	p, side, err := t.instance.parse(position)
	if err != nil {
		return Searched{}, err
	}
	looked, err := t.look(ctx, []P{p}, []bitboard.Side{side})
	if err != nil {
		return Searched{}, err
	}
	found := looked[0].Rating
	result := Searched{Position: t.instance.game.Format(p, side), By: looked[0].by}
	if !found.Known {
		result.By = BySearch
		found, result.Nodes, err = t.searchWithin(ctx, p, o)
	}
	result.Value, result.Seconds = value(found), time.Since(began).Seconds()
	return result, err
}

// searchWithin searches within the limits. A rating that is not known says that
// they were too narrow.
func (t *tables[P]) searchWithin(ctx context.Context, p P, o SearchOptions) (lookup.Rating, uint64, error) {
	limited, cancel := context.WithTimeout(ctx, o.Time)
	defer cancel()
	found, nodes, err := t.searchValue(limited, p, o)
	switch {
	case err == nil:
		return undated(found), nodes, nil
	case errors.Is(err, prover.ErrUndecided), errors.Is(err, proofnumber.ErrSetTooSmall), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return lookup.Rating{}, nodes, nil
	}
	return lookup.Rating{}, nodes, err
}

// searchValue searches as the game does where it has a search of its own, else by
// proof numbers, which end at the tables.
func (t *tables[P]) searchValue(ctx context.Context, p P, o SearchOptions) (bitboard.Value, uint64, error) {
	if t.instance.search != nil {
		s, err := t.instance.search(ctx, p, nil, ValueOptions{Workers: o.Workers, Table: o.Memory, Nodes: o.Nodes, Progress: o.Progress})
		return s.value, s.nodes, err
	}
	return prover.Value(ctx, t.instance.game, t.lookup, p, prover.ValueOptions{
		Workers: o.Workers, Table: o.Memory / 2, Sets: o.Memory / 2, Nodes: o.Nodes, Drawless: t.instance.drawless, Progress: o.Progress,
	})
}
