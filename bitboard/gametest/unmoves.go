package gametest

import "paika/bitboard"

// Game is a game that the suite can check. Unmoves say once more, a position a time
// and in the game's plainest words, what Backward of its kernel says for thousands of
// indices. A derived.Kernel asks for them, too; a kernel of the game's own does not.
type Game[P comparable] interface {
	bitboard.Game[P]

	// Unmoves appends to dst every position from which one turn inside the same
	// group of slices leads to p, each once.
	Unmoves(dst []P, p P) []P
}
