// Package breakthrough holds the rules of Breakthrough on boards of 2 to 8 files
// and 4 to 8 ranks. It is the toolkit's smallest game, and the example to begin
// another one from: its index and its kernel are those that bitboard/placement and
// bitboard/derived give.
//
// # Rules
//
// Each side begins with pawns on its two nearest ranks. A turn takes a pawn one
// rank ahead: straight or diagonally to an empty point, or diagonally onto an
// enemy pawn, which is captured. Nobody has to capture. Who reaches the farthest
// rank, or captures the last enemy pawn, has won.
//
// Whoever is to move can move, so that no rule is needed for who cannot: next to
// the point ahead of a foremost pawn lies at least one other, on a board of two
// files or more. It holds no pawn of the same side, which would be farther ahead,
// and so can be entered. Every turn takes a pawn ahead for good: nothing is ever
// drawn.
//
// # Bits
//
// Points are numbered from 0 at a1, file by file and then rank by rank, with no
// guards between the ranks: 8x8 fills a word. A [Position] is seen from the side
// to move, which goes up: the turn ends by turning the board by half. On 3x4, with
// White (W) to move in the start position:
//
//	4   9 10 11    B B B
//	3   6  7  8    B B B
//	2   3  4  5    W W W
//	1   0  1  2    W W W
//	    a  b  c
//
// For Black to move c4 is 0 and a1 is 11.
//
// # Slices
//
// A slice is named "3v2": own pawns against the opponent's. A turn without capture
// leads from 3v2 to 2v3, so that these two are a group; captures lead to groups
// with fewer pawns.
package breakthrough
