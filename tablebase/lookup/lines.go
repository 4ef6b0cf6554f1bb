package lookup

import (
	"context"

	"paika/bitboard"
)

// Line is best play from a position on. With distances it runs to the end of the
// game; else it keeps the value, repeats no position, and may stop anywhere.
type Line[P comparable] struct {
	Turns    []Turn[P]
	Complete bool // it runs to the end of the game
}

// Query is all that the tables say of a position. One that they do not know has the
// error that Missing gives.
type Query[P comparable] struct {
	Listed[P]
	Line Line[P]
}

// longestLine bounds, in turns, a line that no distances guide.
const longestLine = 100

// Query rates positions and their turns, and follows best play from each. Errors
// beside those of a position are those of Rate.
func (l *Lookup[P]) Query(ctx context.Context, positions []P) ([]Query[P], error) {
	rated, err := l.Rate(ctx, positions)
	if err != nil {
		return nil, err
	}
	all := make([]Query[P], len(rated))
	var known []*Listed[P]
	for i := range rated {
		q := &all[i]
		q.Rated = rated[i]
		switch {
		case q.Err != nil:
		case q.Rating.Known:
			known = append(known, &q.Listed)
		default:
			q.Err = l.Missing(q.Position)
		}
	}
	l.listable(known)
	return all, l.follow(ctx, all)
}

// walker is a line that is followed.
type walker[P comparable] struct {
	query *Query[P]
	at    *Listed[P]
	seen  map[P]bool
}

// follow plays the lines of all positions without an error, a turn of each at a
// time, so that each pass over the tables serves all.
func (l *Lookup[P]) follow(ctx context.Context, all []Query[P]) error {
	var open []*walker[P]
	for i := range all {
		q := &all[i]
		if q.Err != nil {
			continue
		}
		if q.Line.Complete = q.Over; !q.Over {
			open = append(open, &walker[P]{q, &q.Listed, map[P]bool{q.Position: true}})
		}
	}
	for len(open) > 0 {
		at := make([]*Listed[P], len(open))
		for i, w := range open {
			at[i] = w.at
		}
		if err := l.expand(ctx, at); err != nil {
			return err
		}
		var still []*walker[P]
		for _, w := range open {
			if w.advance() {
				still = append(still, w)
			}
		}
		open = still
	}
	return nil
}

// advance makes the best turn and tells whether the line goes on. Where that can't be told, the query
// has no answer.
func (w *walker[P]) advance() bool {
	if w.at.Err != nil {
		w.query.Err = w.at.Err
		return false
	}
	turn, found := w.at.best(w.seen)
	if !found {
		return false
	}
	line := &w.query.Line
	line.Turns = append(line.Turns, turn)
	if turn.Ends {
		line.Complete = true
		return false
	}
	w.at = &Listed[P]{Rated: Rated[P]{Position: turn.To, Rating: turn.After}}
	w.seen[turn.To] = true
	return turn.After.Distance != bitboard.UnknownDistance || len(line.Turns) < longestLine
}
