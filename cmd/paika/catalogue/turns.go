package catalogue

import (
	"cmp"
	"context"
	"slices"

	"paika/bitboard"
)

// Turns is the legal turns of a position.
type Turns struct {
	Position string  `json:"position"`
	Over     bool    `json:"over"`
	Value    *string `json:"value"`    // for the side to move; null where the tables say nothing
	Distance *int    `json:"distance"` // in turns; null for draws and without dtw
	Turns    []Turn  `json:"turns"`    // best first where all values are known
}

// Turn is a legal turn with what it is worth to the side that makes it, this
// turn counted in the distance.
type Turn struct {
	Turn     string  `json:"turn"`
	Position string  `json:"position"` // after it
	Value    *string `json:"value"`
	Distance *int    `json:"distance"`
}

// rating is an outcome, if it is known.
type rating struct {
	bitboard.Outcome
	known bool
}

// reply is the rating, for the side that makes a turn, of one that leads to a
// position rated r.
func (r rating) reply() rating {
	r.Value = r.Value.Reply()
	if r.Distance != bitboard.UnknownDistance {
		r.Distance++
	}
	return r
}

func (r rating) value() *string {
	if !r.known {
		return nil
	}
	return new(r.Value.String())
}

func (r rating) distance() *int {
	if !r.known || r.Distance == bitboard.UnknownDistance {
		return nil
	}
	return new(r.Distance)
}

// better orders ratings best first for the side to move: the quickest win, the
// draw, the slowest loss, and last what is not known. Equals compare as 0.
func better(a, b rating) int {
	if c := cmp.Compare(a.class(), b.class()); c != 0 || !a.known {
		return c
	}
	if a.Distance == bitboard.UnknownDistance || b.Distance == bitboard.UnknownDistance {
		return 0
	}
	switch a.Value {
	case bitboard.Win:
		return cmp.Compare(a.Distance, b.Distance)
	case bitboard.Loss:
		return cmp.Compare(b.Distance, a.Distance)
	}
	return 0
}

func (r rating) class() int {
	switch {
	case !r.known:
		return 3
	case r.Value == bitboard.Win:
		return 0
	case r.Value == bitboard.Draw:
		return 1
	}
	return 2
}

// node is a position with its turns.
type node[P comparable] struct {
	position P
	side     bitboard.Side
	over     bool
	rating   rating // for the side to move
	turns    []ratedTurn[P]
	err      error // why its turns are not listed, if they are not
}

// ratedTurn is a turn of a node and the rating of the position that it leads
// to, for the side that moves there.
type ratedTurn[P comparable] struct {
	bitboard.Turn[P]
	after rating
	ends  bool // the game
}

// worth is the rating for the side that makes the turn.
func (t ratedTurn[P]) worth() rating { return t.after.reply() }

// expand lists the turns of every node and rates them, all nodes' in one pass
// over the tables. Turns of a node whose values are all known stand best first.
func (t *tables[P]) expand(ctx context.Context, nodes []*node[P]) error {
	var asked []P
	for _, n := range nodes {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, turn := range t.game.Notated(n.position, n.side) {
			rated := ratedTurn[P]{Turn: turn}
			if rated.ends = t.countTo(turn.To, 1) == 0; !rated.ends {
				asked = append(asked, turn.To)
			}
			n.turns = append(n.turns, rated)
		}
	}
	ratings, err := t.rate(ctx, asked)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		allKnown := true
		for i := range n.turns {
			turn := &n.turns[i]
			if turn.ends {
				turn.after = t.ended(turn.To)
			} else {
				turn.after, ratings = ratings[0], ratings[1:]
			}
			allKnown = allKnown && turn.after.known
		}
		if allKnown {
			slices.SortStableFunc(n.turns, func(a, b ratedTurn[P]) int { return better(a.worth(), b.worth()) })
		}
	}
	return nil
}

// ended rates a position in which the game is over.
func (n *instance[P]) ended(p P) rating {
	outcome := bitboard.Outcome{Value: n.game.Ended(p)}
	if outcome.Value == bitboard.Draw {
		outcome.Distance = bitboard.UnknownDistance
	}
	return rating{outcome, true}
}

// printed is the turns of a node as they are shown.
func (n *instance[P]) printed(at *node[P]) []Turn {
	turns := make([]Turn, 0, len(at.turns))
	for _, t := range at.turns {
		turns = append(turns, Turn{
			Turn:     t.Notation,
			Position: n.game.Format(t.To, at.side.Other()),
			Value:    t.worth().value(),
			Distance: t.worth().distance(),
		})
	}
	return turns
}

// Turns lists the legal turns of each position.
func (t *tables[P]) Turns(ctx context.Context, positions []string) ([]Answer[Turns], error) {
	return answers(t, ctx, positions, func(ctx context.Context, roots []*node[P]) ([]Answer[Turns], error) {
		if err := t.expand(ctx, t.listable(roots)); err != nil {
			return nil, err
		}
		results := make([]Answer[Turns], 0, len(roots))
		for _, root := range roots {
			if root.err != nil {
				results = append(results, Answer[Turns]{Err: root.err})
				continue
			}
			results = append(results, Answer[Turns]{Result: Turns{
				Position: t.game.Format(root.position, root.side),
				Over:     root.over,
				Value:    root.rating.value(),
				Distance: root.rating.distance(),
				Turns:    t.printed(root),
			}})
		}
		return results, nil
	})
}
