package catalogue

import (
	"context"

	"paika/bitboard"
)

// Query is all that the tables say of a position.
type Query struct {
	Probe
	Turns []Turn `json:"turns"` // best first

	// Line is best play. With distances it runs to the end of the game; else
	// it keeps the value, repeats no position, and may stop anywhere.
	Line         []string `json:"line"`
	LineComplete bool     `json:"line_complete"` // it runs to the end of the game
}

// longestLine bounds, in turns, a line that no distances guide.
const longestLine = 100

// Query looks positions up.
func (t *tables[P]) Query(ctx context.Context, positions []string) ([]Answer[Query], error) {
	return answers(t, ctx, positions, func(ctx context.Context, roots []*node[P]) ([]Answer[Query], error) {
		var known []*node[P]
		for _, root := range roots {
			if root.rating.known {
				known = append(known, root)
			}
		}
		t.listable(known)
		lines, err := t.lines(ctx, roots)
		if err != nil {
			return nil, err
		}
		results := make([]Answer[Query], 0, len(roots))
		for i, root := range roots {
			results = append(results, t.query(root, lines[i]))
		}
		return results, nil
	})
}

func (t *tables[P]) query(root *node[P], line *line[P]) Answer[Query] {
	if !root.rating.known {
		return Answer[Query]{Err: t.missing(root.position)}
	}
	if root.err != nil {
		return Answer[Query]{Err: root.err}
	}
	return Answer[Query]{Result: Query{
		Probe:        t.probed(root),
		Turns:        t.printed(root),
		Line:         line.turns,
		LineComplete: line.complete,
	}}
}

// line is play from a position on, as far as it was followed.
type line[P comparable] struct {
	at       *node[P]
	seen     map[P]bool
	turns    []string
	complete bool
}

// lines follows best play from every root, all of them a turn at a time, so
// that each pass over the tables serves all.
func (t *tables[P]) lines(ctx context.Context, roots []*node[P]) ([]*line[P], error) {
	var all, open []*line[P]
	for _, root := range roots {
		l := &line[P]{at: root, seen: map[P]bool{root.position: true}, turns: []string{}, complete: root.over}
		all = append(all, l)
		if root.rating.known && !root.over && root.err == nil {
			open = append(open, l)
		}
	}
	for len(open) > 0 {
		nodes := make([]*node[P], len(open))
		for i, l := range open {
			nodes[i] = l.at
		}
		if err := t.expand(ctx, nodes); err != nil {
			return nil, err
		}
		var still []*line[P]
		for _, l := range open {
			if l.advance() {
				still = append(still, l)
			}
		}
		open = still
	}
	return all, nil
}

// advance makes the best turn and tells whether the line goes on.
func (l *line[P]) advance() bool {
	turn, found := l.best()
	if !found {
		return false
	}
	l.turns = append(l.turns, turn.Notation)
	if turn.ends {
		l.complete = true
		return false
	}
	l.at = &node[P]{position: turn.To, side: l.at.side.Other(), rating: turn.after}
	l.seen[turn.To] = true
	return turn.after.Distance != bitboard.UnknownDistance || len(l.turns) < longestLine
}

// best is the turn that the distances say is best; where there are none, one
// that ends the game or else the first that keeps the value and leads to a
// position not seen before.
func (l *line[P]) best() (best ratedTurn[P], found bool) {
	for _, turn := range l.at.turns {
		if !turn.after.known || turn.worth().Value != l.at.rating.Value || l.seen[turn.To] {
			continue
		}
		if turn.ends || l.at.rating.Distance != bitboard.UnknownDistance {
			return turn, true
		}
		if !found {
			best, found = turn, true
		}
	}
	return best, found
}
