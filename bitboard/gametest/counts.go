package gametest

import (
	"fmt"

	"paika/bitboard"
)

// checkCounts checks that what counts the turns of a position, or tells whether there are any, agrees
// with Turns: in the positions of a run, and where their turns end the game outside of all slices. Who
// believes that the game is over, as searches and the checker of certificates do, believes these methods.
func (c *sliceChecker[P]) checkCounts(entries []entry[P]) error {
	return c.outsideToo(entries, func(p P, turns int) error { return checkCounted(c.game, p, turns) })
}

// checkCounted checks what counts the turns of one position, of which there are so many.
func checkCounted[P comparable](game Game[P], p P, turns int) error {
	if counter, is := game.(bitboard.Counter[P]); is {
		if n := counter.Count(p); n != turns {
			return fmt.Errorf("method Count tells %d, and there are %s", n, bitboard.Count(turns, "turn"))
		}
	}
	bounds := []int{-1, 0, 1, turns - 1, turns, turns + 1}
	if counter, is := game.(bitboard.CounterTo[P]); is {
		for _, most := range bounds {
			if n, want := counter.CountTo(p, most), max(0, min(turns, most)); n != want {
				return fmt.Errorf("method CountTo tells %d of at most %d, and there are %s", n, most, bitboard.Count(turns, "turn"))
			}
		}
	}
	if counter, is := game.(bitboard.CounterWhile[P]); is {
		if n, all := counter.CountWhile(p, func() bool { return true }); n != uint64(turns) || !all {
			return fmt.Errorf("method CountWhile tells %d, all %t, and there are %s", n, all, bitboard.Count(turns, "turn"))
		}
	}
	if prolific, is := game.(bitboard.Prolific[P]); is {
		for _, most := range bounds[1:] {
			if more := prolific.MoreTurnsThan(p, most); more != (turns > most) {
				return fmt.Errorf("method MoreTurnsThan tells %t of %d, and there are %s", more, most, bitboard.Count(turns, "turn"))
			}
		}
	}
	return checkEstimated(game, p, turns == 0)
}

// checkEstimated checks, where the game is a bitboard.Estimator, that it tells 0 and 0 where the game
// is over, and nowhere else.
func checkEstimated[P comparable](game Game[P], p P, over bool) error {
	estimator, is := game.(bitboard.Estimator[P])
	if !is {
		return nil
	}
	for _, attacker := range []bool{false, true} {
		if phi, delta := estimator.Estimate(p, attacker); (phi == 0 && delta == 0) != over {
			return fmt.Errorf("method Estimate tells %d and %d, and the game is over: %t", phi, delta, over)
		}
	}
	return nil
}
