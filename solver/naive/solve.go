package naive

import (
	"context"

	"paika/bitboard"
)

// Solve gives the exact outcome of a position and of all that play reaches
// from it. It fails only with the context's error.
func Solve[P comparable](ctx context.Context, game bitboard.Rules[P], root P) (map[P]bitboard.Outcome, error) {
	return SolveAll(ctx, game, []P{root})
}

// SolveAll is Solve for several positions at once.
func SolveAll[P comparable](ctx context.Context, game bitboard.Rules[P], roots []P) (map[P]bitboard.Outcome, error) {
	turns, err := explore(ctx, game, roots)
	if err != nil {
		return nil, err
	}
	outcomes := make(map[P]bitboard.Outcome, len(turns))
	open := make(map[P][]P)
	for p, successors := range turns {
		switch value := game.Ended(p); {
		case len(successors) > 0:
			open[p] = successors
		case value == bitboard.Draw:
			outcomes[p] = bitboard.Outcome{Value: value, Distance: bitboard.UnknownDistance}
		default:
			outcomes[p] = bitboard.Outcome{Value: value}
		}
	}
	if err := derive(ctx, open, outcomes); err != nil {
		return nil, err
	}
	for p := range open {
		outcomes[p] = bitboard.Outcome{Value: bitboard.Draw, Distance: bitboard.UnknownDistance}
	}
	return outcomes, nil
}

// explore lists the turns of every position that play reaches.
func explore[P comparable](ctx context.Context, game bitboard.Rules[P], roots []P) (map[P][]P, error) {
	turns := make(map[P][]P)
	for waiting := roots; len(waiting) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var next []P
		for _, p := range waiting {
			if _, seen := turns[p]; !seen {
				turns[p] = game.Turns(nil, p)
				next = append(next, turns[p]...)
			}
		}
		waiting = next
	}
	return turns, nil
}

// derive moves positions from open to outcomes, those won or lost in 1 turn
// first, then in 2, and so on. What is open when a distance brings nothing is
// a draw: any greater distance would build on this one.
func derive[P comparable](ctx context.Context, open map[P][]P, outcomes map[P]bitboard.Outcome) error {
	for distance := 1; ; distance++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		derived := make(map[P]bitboard.Outcome)
		for p, successors := range open {
			if value := settled(successors, outcomes); value != bitboard.Draw {
				derived[p] = bitboard.Outcome{Value: value, Distance: distance}
			}
		}
		if len(derived) == 0 {
			return nil
		}
		for p, outcome := range derived {
			outcomes[p] = outcome
			delete(open, p)
		}
	}
}

// settled is Win if a turn leads to a position known to be lost, Loss if every
// turn leads to one known to be won, and Draw while neither is known.
func settled[P comparable](successors []P, outcomes map[P]bitboard.Outcome) bitboard.Value {
	wins := 0
	for _, q := range successors {
		switch outcome, known := outcomes[q]; {
		case known && outcome.Value == bitboard.Loss:
			return bitboard.Win
		case known && outcome.Value == bitboard.Win:
			wins++
		}
	}
	if wins == len(successors) {
		return bitboard.Loss
	}
	return bitboard.Draw
}
