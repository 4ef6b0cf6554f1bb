package gametest

import (
	"fmt"

	"paika/bitboard"
)

// checkEvaluator checks, where the game is a bitboard.Evaluator, that it is sure of who has won
// where the game is over, and nowhere else: in the positions of a run, and in those outside of all
// slices that their turns lead to.
func (c *sliceChecker[P]) checkEvaluator(entries []entry[P]) error {
	game, is := c.game.(bitboard.Evaluator[P])
	if !is {
		return nil
	}
	for _, e := range entries {
		if e.weight == 0 {
			continue
		}
		if err := checkEvaluated(game, e.p, len(e.turns) == 0); err != nil {
			return c.at(e, err)
		}
		for _, q := range e.turns {
			if !c.options.Outside(q) {
				continue
			}
			if err := checkEvaluated(game, q, true); err != nil {
				return c.at(e, fmt.Errorf("after a turn to %s: %w", c.game.Format(q, 1), err))
			}
		}
	}
	return nil
}

func checkEvaluated[P comparable](game bitboard.Evaluator[P], p P, over bool) error {
	worth := game.Evaluate(p)
	if !over {
		if worth <= -bitboard.Sure || worth >= bitboard.Sure {
			return fmt.Errorf("method Evaluate is sure, %d, where there are turns", worth)
		}
		return nil
	}
	want := 0
	switch game.Ended(p) {
	case bitboard.Win:
		want = bitboard.Sure
	case bitboard.Loss:
		want = -bitboard.Sure
	}
	if worth != want {
		return fmt.Errorf("method Evaluate tells %d where the game is over, want %d", worth, want)
	}
	return nil
}
