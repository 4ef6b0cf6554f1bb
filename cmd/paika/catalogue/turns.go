package catalogue

import (
	"context"

	"paika/bitboard"
	"paika/tablebase/lookup"
)

// Turns is the legal turns of a position.
type Turns struct {
	Position string  `json:"position"`
	Over     bool    `json:"over"`
	Value    *string `json:"value"`    // for the side to move; null where neither tables nor the rules say it
	Distance *int    `json:"distance"` // in turns; null for draws and, but for a win with this turn, without dtw
	Turns    []Turn  `json:"turns"`    // best first where all values are known; else wins at once first, losses at once last
}

// Turn is a legal turn with what it is worth to the side that makes it, this
// turn counted in the distance.
type Turn struct {
	Turn     string  `json:"turn"`
	Position string  `json:"position"` // after it
	Value    *string `json:"value"`
	Distance *int    `json:"distance"`
}

// Turns lists the legal turns of each position.
func (t *tables[P]) Turns(ctx context.Context, positions []string) ([]Answer[Turns], error) {
	return answers(ctx, t.instance, positions, t.lookup.Turns, t.turns)
}

func (t *tables[P]) turns(side bitboard.Side, found lookup.Listed[P]) Answer[Turns] {
	if found.Err != nil {
		return Answer[Turns]{Err: found.Err}
	}
	return Answer[Turns]{Result: Turns{
		Position: t.instance.game.Format(found.Position, side),
		Over:     found.Over,
		Value:    value(found.Rating),
		Distance: distance(found.Rating),
		Turns:    t.instance.listed(side, found),
	}}
}

// listed is the turns of a position as they are shown.
func (n *instance[P]) listed(side bitboard.Side, found lookup.Listed[P]) []Turn {
	turns := make([]Turn, 0, len(found.Turns))
	if len(found.Turns) == 0 {
		return turns
	}
	notated := n.game.Notated(found.Position, side)
	for _, t := range found.Turns {
		turns = append(turns, Turn{
			Turn:     notated[t.Number].Notation,
			Position: n.game.Format(t.To, side.Other()),
			Value:    value(t.Worth()),
			Distance: distance(t.Worth()),
		})
	}
	return turns
}

// value is that of a rating as it is shown, null where it is not known.
func value(r lookup.Rating) *string {
	if !r.Known {
		return nil
	}
	return new(r.Value.String())
}

// distance is that of a rating as it is shown, null where there is none.
func distance(r lookup.Rating) *int {
	if !r.Known || r.Distance == bitboard.UnknownDistance {
		return nil
	}
	return new(r.Distance)
}

// Written reads a position and writes it.
func (t *tables[P]) Written(position string) (string, error) {
	p, side, err := t.instance.parse(position)
	if err != nil {
		return "", err
	}
	return t.instance.game.Format(p, side), nil
}

// Mover reads a position and tells who is to move.
func (t *tables[P]) Mover(position string) (string, error) {
	p, side, err := t.instance.parse(position)
	if err != nil {
		return "", err
	}
	return t.instance.mover(p, side), nil
}

// Play makes a turn.
func (t *tables[P]) Play(position, turn string) (string, error) {
	p, side, err := t.instance.parse(position)
	if err != nil {
		return "", err
	}
	made, err := t.instance.game.ParseTurn(p, side, turn)
	if err != nil {
		return "", &TurnError{err}
	}
	return t.instance.game.Format(made.To, side.Other()), nil
}
