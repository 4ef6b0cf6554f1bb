package lookup

import (
	"context"
	"errors"

	"paika/bitboard"
)

// Made is a turn that someone made: the position that it was made in, and the one
// that it led to, each seen from the side that moves there.
type Made[P comparable] struct{ From, To P }

// Judged is what a turn was worth beside what there was to be had.
type Judged[P comparable] struct {
	Before Rating   // of the position, for the side that makes the turn
	Worth  Rating   // of the turn, for the same side, the turn counted
	Gave   Gave     // away
	Best   *Turn[P] // one that gives nothing away; nil where not all turns are known
	Err    error    // where Before or Worth is not known: what Missing gives
}

// Gave is what a turn gave away.
type Gave uint8

const (
	GaveUnknown  Gave = iota // for want of tables
	GaveNothing              // as far as the tables know distances
	GaveDistance             // a later win, or an earlier loss
	GaveValue                // a win for a draw or a loss, a draw for a loss
)

var gaveNames = [...]string{"unknown", "nothing", "distance", "value"}

func (g Gave) String() string { return gaveNames[g] }

// Given compares what a turn is worth with what there was to be had before it, both
// for the side that makes the turn.
func Given(before, worth Rating) Gave {
	switch {
	case !before.Known || !worth.Known:
		return GaveUnknown
	case before.class() < worth.class():
		return GaveValue
	case !before.dated() || !worth.dated() || Compare(before, worth) >= 0:
		return GaveNothing
	}
	return GaveDistance
}

// Judge judges turns that were made, in their order, all of them in a few passes
// over the tables. Errors beside those of a turn are those of Rate, and those of its positions. Where
// the turns of the positions pass the bound of the lookup, Best stays empty.
func (l *Lookup[P]) Judge(ctx context.Context, made []Made[P]) ([]Judged[P], error) {
	var froms, tos []P
	numbers := make(map[P]int) // of the positions that turns were made in
	for _, m := range made {
		if _, seen := numbers[m.From]; !seen {
			numbers[m.From] = len(froms)
			froms = append(froms, m.From)
		}
		tos = append(tos, m.To)
	}
	listed, err := l.Turns(ctx, froms)
	if err != nil {
		return nil, err
	}
	after, err := l.Rate(ctx, tos)
	if err != nil {
		return nil, err
	}
	judged := make([]Judged[P], len(made))
	for i, m := range made {
		before := listed[numbers[m.From]]
		if before.Err != nil && !errors.Is(before.Err, bitboard.ErrTooManyTurns) {
			return nil, before.Err
		}
		if after[i].Err != nil {
			return nil, after[i].Err
		}
		j := Judged[P]{Before: before.Rating, Worth: after[i].Rating.Reply()}
		j.Gave = Given(j.Before, j.Worth)
		j.Best = before.keeping()
		switch {
		case !j.Before.Known:
			j.Err = l.Missing(m.From)
		case !j.Worth.Known:
			j.Err = l.Missing(m.To)
		}
		judged[i] = j
	}
	return judged, nil
}

// keeping is the first turn that gives nothing away; nil where not all turns are
// known.
func (t *Listed[P]) keeping() *Turn[P] {
	for i := range t.Turns {
		if !t.Turns[i].After.Known {
			return nil
		}
	}
	for i := range t.Turns {
		if Given(t.Rating, t.Turns[i].Worth()) == GaveNothing {
			return &t.Turns[i]
		}
	}
	return nil
}
