package catalogue

import (
	"context"

	"paika/bitboard"
	"paika/tablebase/lookup"
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

// Query looks positions up.
func (t *tables[P]) Query(ctx context.Context, positions []string) ([]Answer[Query], error) {
	return answers(ctx, t.instance, positions, t.lookup.Query, t.query)
}

func (t *tables[P]) query(side bitboard.Side, found lookup.Query[P]) Answer[Query] {
	if found.Err != nil {
		return Answer[Query]{Err: found.Err}
	}
	return Answer[Query]{Result: Query{
		Probe:        t.probed(side, found.Rated),
		Turns:        t.instance.listed(side, found.Listed),
		Line:         t.instance.line(found.Position, side, found.Line),
		LineComplete: found.Line.Complete,
	}}
}

// line is play from a position on, in notation.
func (n *instance[P]) line(p P, side bitboard.Side, found lookup.Line[P]) []string {
	turns := make([]string, 0, len(found.Turns))
	for _, t := range found.Turns {
		turns = append(turns, n.game.Notated(p, side)[t.Number].Notation)
		p, side = t.To, side.Other()
	}
	return turns
}
