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
	After  Rating // of To, for the side that moves there: by the tables, or near the end by the rules
	Ends   bool   // the game
}

// Worth is the rating for the side that makes the turn, this turn counted.
func (t Turn[P]) Worth() Rating { return t.After.Reply() }

// Listed is a position with its turns, or why they are not listed. Errors beside those of rating the
// position, and what its turns lead to, wrap bitboard.ErrTooManyTurns, and are in a Query what Missing gives, too.
type Listed[P comparable] struct {
	Rated[P]
	Turns []Turn[P] // best first where all are known; else in their own order between wins and losses at once
}

// Turns lists and rates the turns of every position, all of them in one pass over
// the tables. Errors beside those of a position are those of Rate.
func (l *Lookup[P]) Turns(ctx context.Context, positions []P) ([]Listed[P], error) {
	rated, err := l.Rate(ctx, positions)
	if err != nil {
		return nil, err
	}
	all := make([]Listed[P], len(rated))
	roots := make([]*Listed[P], 0, len(rated))
	for i := range rated {
		if all[i].Rated = rated[i]; rated[i].Err == nil {
			roots = append(roots, &all[i])
		}
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
		if err := ctx.Err(); err != nil {
			return err
		}
		t.rate(rated[:len(t.Turns)], l.look())
		rated = rated[len(t.Turns):]
	}
	return nil
}

// rate puts the turns in order by what is known of the positions that they lead to. Where one of those
// can't be read, another turn might not be the best.
func (t *Listed[P]) rate(replies []Rated[P], k *look[P]) {
	order := Compare
	for i := range t.Turns {
		if t.Err = replies[i].Err; t.Err != nil {
			return
		}
		turn := &t.Turns[i]
		turn.After, turn.Ends = replies[i].Rating, replies[i].Over
		if !turn.Ends {
			turn.After = k.date(turn.To, turn.After)
		}
		if !turn.After.Known {
			order = compareNear
		}
	}
	slices.SortStableFunc(t.Turns, func(a, b Turn[P]) int {
		if c := order(a.Worth(), b.Worth()); c != 0 {
			return c
		}
		return compareEnds(a, b)
	})
	t.settle()
}

// compareEnds puts a draw that ends the game before one that has to be kept.
func compareEnds[P comparable](a, b Turn[P]) int {
	ends := func(t Turn[P]) bool { return t.Ends && t.After.Value == bitboard.Draw }
	switch {
	case ends(a) == ends(b):
		return 0
	case ends(a):
		return -1
	}
	return 1
}

// best is the first turn that keeps the value and leads to no position that was seen
// before.
func (t *Listed[P]) best(seen map[P]bool) (best Turn[P], found bool) {
	for _, turn := range t.Turns {
		if turn.After.Known && turn.Worth().Value == t.Rating.Value && !seen[turn.To] {
			return turn, true
		}
	}
	return best, false
}
