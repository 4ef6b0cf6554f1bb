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
	return c.outsideToo(entries, func(p P, turns int) error { return checkEvaluated(game, p, turns == 0) })
}

// outsideToo makes a check of the positions of a run, with the number of their turns, and of those
// outside of all slices that their turns lead to, which have none.
func (c *sliceChecker[P]) outsideToo(entries []entry[P], check func(p P, turns int) error) error {
	for _, e := range entries {
		if e.weight == 0 {
			continue
		}
		if err := check(e.p, len(e.turns)); err != nil {
			return c.at(e, err)
		}
		for _, q := range e.turns {
			if !c.options.Outside(q) {
				continue
			}
			if err := check(q, 0); err != nil {
				return c.at(e, fmt.Errorf("after a turn to %s: %w", c.game.Format(q, 1), err))
			}
		}
	}
	return nil
}

// checkStates checks, where the game is a bitboard.Evaluator, that it tells how many states there are.
func checkStates[P comparable](game bitboard.Game[P]) error {
	evaluator, is := game.(bitboard.Evaluator[P])
	if !is {
		return nil
	}
	if count, text := evaluator.States(); count == nil || count.Sign() <= 0 || text == "" {
		return fmt.Errorf("method States tells %v, %q: want a number of states, and what is counted", count, text)
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
