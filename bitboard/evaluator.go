package bitboard

import "math/big"

// Sure is the worth of a position that is over and won; no guess reaches it.
const Sure = 1 << 20

// Evaluator is a game that can be played by guessing, and whose positions can
// be counted: what it takes to measure how large it is. Methods are safe for
// concurrent use.
type Evaluator[P comparable] interface {
	Rules[P]

	// Evaluate guesses what a position is worth to the side to move: above 0 if
	// it stands better, less than Sure either way. Where the game is over it is
	// Sure, -Sure or 0.
	Evaluate(p P) int

	// Lookahead is the depth, in turns, that a player looks ahead where nobody
	// asks for another: such that a game takes milliseconds.
	Lookahead() int

	// States is the number of positions that can be set up and are not over
	// for want of pieces, seen from the side to move, with no symmetry of the
	// board taken out; text says what is counted. Play from the start reaches
	// no more.
	States() (count *big.Int, text string)
}
