package gametest

import (
	"fmt"

	"paika/bitboard"
)

// checkText checks that a position and its turns are read as they are written.
func checkText[P comparable](game bitboard.Game[P], p P, side bitboard.Side) error {
	text := game.Format(p, side)
	if again, s, err := game.Parse(text); err != nil || again != p || s != side {
		return fmt.Errorf("%s is read as %s with side %d to move, error %v", text, game.Format(again, s), s, err)
	}
	turns, notated := game.Turns(nil, p), game.Notated(p, side)
	if len(turns) != len(notated) {
		return fmt.Errorf("%d turns, %d with notation", len(turns), len(notated))
	}
	seen := make(map[string]bool)
	for i, turn := range notated {
		if turn.To != turns[i] {
			return fmt.Errorf("turn %d is not %s", i, turn.Notation)
		}
		if seen[turn.Notation] {
			return fmt.Errorf("two turns are written %s", turn.Notation)
		}
		seen[turn.Notation] = true
		if again, err := game.ParseTurn(p, side, turn.Notation); err != nil || again != turn {
			return fmt.Errorf("%s is read as %s, error %v", turn.Notation, again.Notation, err)
		}
	}
	return nil
}
