package lookup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"paika/bitboard"
	"paika/tablebase"
)

// Why a slice has no longest win.
var (
	// ErrNoDistances: it is not stored with distances.
	ErrNoDistances = errors.New("stored without distances")

	// ErrNothingWon: no position of it is won.
	ErrNothingWon = errors.New("nothing is won")
)

// most images that an index stands for.
const mostImages = 8

// randomTries bounds the search for an index that is no gap.
const randomTries = 1 << 20

// Random gives a position of a slice that is stored, each as likely as any other.
// Errors include *tablebase.MissingError.
func (l *Lookup[P]) Random(ctx context.Context, s bitboard.Slice) (Rated[P], error) {
	if _, err := l.storedIn(s); err != nil {
		return Rated[P]{}, err
	}
	// An index is kept as often as it stands for positions.
	for try := 0; try < randomTries && l.game.Indices(s) > 0; try++ {
		if p, weight := l.game.Unrank(s, rand.Uint64N(l.game.Indices(s))); rand.IntN(mostImages) < weight {
			return l.one(ctx, p)
		}
	}
	return Rated[P]{}, fmt.Errorf("slice %s: no position found in %d tries", l.game.SliceName(s), randomTries)
}

// Longest gives a position with the longest win of a slice, the one with the lowest
// index. Errors include *tablebase.MissingError, ErrNoDistances and ErrNothingWon.
func (l *Lookup[P]) Longest(ctx context.Context, s bitboard.Slice) (Rated[P], error) {
	name := l.game.SliceName(s)
	metric, err := l.storedIn(s)
	if err != nil {
		return Rated[P]{}, err
	}
	info, _ := l.store.Slice(metric, name)
	switch {
	case metric != bitboard.DTW:
		return Rated[P]{}, fmt.Errorf("slice %s: %w", name, ErrNoDistances)
	case info.LongestWin == bitboard.UnknownDistance:
		return Rated[P]{}, fmt.Errorf("slice %s: %w", name, ErrNothingWon)
	}
	var longest *P
	err = l.prober.Find(ctx, s, bitboard.Outcome{Value: bitboard.Win, Distance: info.LongestWin}, func(p P) bool {
		longest = &p
		return false
	})
	switch {
	case err != nil:
		return Rated[P]{}, err
	case longest == nil:
		return Rated[P]{}, fmt.Errorf("slice %s: its longest win is not in its table", name)
	}
	return l.one(ctx, *longest)
}

// Drawn lists drawn positions of a slice whose values the table holds, at most that
// many, in the order of their indices. Errors include *tablebase.MissingError.
func (l *Lookup[P]) Drawn(ctx context.Context, s bitboard.Slice, most int) ([]Rated[P], error) {
	if _, err := l.storedIn(s); err != nil {
		return nil, err
	}
	var drawn []P
	err := l.prober.Find(ctx, s, bitboard.Outcome{Value: bitboard.Draw, Distance: bitboard.UnknownDistance}, func(p P) bool {
		drawn = append(drawn, p)
		return len(drawn) < most
	})
	if err != nil {
		return nil, err
	}
	return l.Rate(ctx, drawn)
}

// storedIn is the metric in which a slice is read.
func (l *Lookup[P]) storedIn(s bitboard.Slice) (bitboard.Metric, error) {
	metric, stored := l.Metric(s)
	if !stored {
		return 0, &tablebase.MissingError{Slice: l.game.SliceName(s)}
	}
	return metric, nil
}

// one rates one position.
func (l *Lookup[P]) one(ctx context.Context, p P) (Rated[P], error) {
	rated, err := l.Rate(ctx, []P{p})
	if err != nil {
		return Rated[P]{}, err
	}
	return rated[0], rated[0].Err
}
