package gametest

import "paika/bitboard"

// Game is a game that the suite can check. Nothing else asks for Unmoves: they
// say once more, a position a time and in the game's plainest words, what
// Backward of its kernel says for thousands of indices.
type Game[P comparable] interface {
	bitboard.Game[P]

	// Unmoves appends to dst every position from which one turn inside the same
	// group of slices leads to p, each once.
	Unmoves(dst []P, p P) []P
}
