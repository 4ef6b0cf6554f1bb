package lookup

import (
	"context"
	"slices"

	"paika/bitboard"
)

// Turn is a legal turn and what is known of the position that it leads to.
type Turn[P comparable] struct {
	Number int // in the order of bitboard.Rules' Turns, from 0
	To     P
	After  Rating // of To, for the side that moves there
	Ends   bool   // the game
}

// Worth is the rating for the side that makes the turn, this turn counted.
func (t Turn[P]) Worth() Rating { return t.After.Reply() }

// Listed is a position with its turns, or why they are not listed.
type Listed[P comparable] struct {
	Rated[P]
	Turns []Turn[P] // best first where all of them are known; else in their own order
	Err   error     // wraps ErrTooManyTurns, and in a Query what Missing gives, too
}

// Turns lists and rates the turns of every position, all of them in one pass over
// the tables. Errors beside those of a position are those of Rate.
func (l *Lookup[P]) Turns(ctx context.Context, positions []P) ([]Listed[P], error) {
	rated, err := l.Rate(ctx, positions)
	if err != nil {
		return nil, err
	}
	all := make([]Listed[P], len(rated))
	roots := make([]*Listed[P], len(rated))
	for i := range rated {
		all[i].Rated = rated[i]
		roots[i] = &all[i]
	}
	return all, l.expand(ctx, l.listable(roots))
}

// expand lists and rates the turns of positions.
func (l *Lookup[P]) expand(ctx context.Context, all []*Listed[P]) error {
	var next, replies []P
	for _, t := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		next = l.game.Turns(next[:0], t.Position)
		t.Turns = make([]Turn[P], 0, len(next))
		for i, to := range next {
			t.Turns = append(t.Turns, Turn[P]{Number: i, To: to})
		}
		replies = append(replies, next...)
	}
	rated, err := l.Rate(ctx, replies)
	if err != nil {
		return err
	}
	for _, t := range all {
		allKnown := true
		for i := range t.Turns {
			turn := &t.Turns[i]
			turn.After, turn.Ends = rated[i].Rating, rated[i].Over
			allKnown = allKnown && turn.After.Known
		}
		rated = rated[len(t.Turns):]
		if allKnown {
			slices.SortStableFunc(t.Turns, func(a, b Turn[P]) int { return Compare(a.Worth(), b.Worth()) })
		}
	}
	return nil
}

// best is the turn that the distances say is best; where there are none, one that
// ends the game or else the first that keeps the value. It leads to no position that
// was seen before.
func (t *Listed[P]) best(seen map[P]bool) (best Turn[P], found bool) {
	for _, turn := range t.Turns {
		if !turn.After.Known || turn.Worth().Value != t.Rating.Value || seen[turn.To] {
			continue
		}
		if turn.Ends || t.Rating.Distance != bitboard.UnknownDistance {
			return turn, true
		}
		if !found {
			best, found = turn, true
		}
	}
	return best, found
}
