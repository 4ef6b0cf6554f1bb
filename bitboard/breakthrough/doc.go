// Package breakthrough holds the rules of Breakthrough on boards of 2 to 8 files
// and 4 to 8 ranks. It is the toolkit's smallest game, and the example to begin
// another one from: its index and its kernel are those that bitboard/placement and
// bitboard/derived give. What valuer.go adds makes verification faster, and can be left out.
//
// The first half of this page, up to Bits, is the rules and the notation in full. With
// proofs/FORMAT.md it is all that a move generator or a checker of certificates takes.
//
// # Rules
//
// Files are a, b, c and so on from left to right, ranks 1, 2, 3 from the bottom to the
// top: a1 is the point at the bottom left. The board is 5x5 where nothing else is said.
// White's pawns fill the ranks 1 and 2 at the start, Black's the two at the top. White
// moves first, and White's pawns go up, Black's down.
//
// A turn takes a pawn one rank ahead: straight or diagonally to an empty point, or
// diagonally onto an enemy pawn, which is captured. Straight ahead nothing is captured.
// Nobody has to capture. Who reaches the farthest rank, or captures the last enemy pawn,
// has won at once.
//
// Whoever is to move can move, so that no rule is needed for who cannot: next to
// the point ahead of a foremost pawn lies at least one other, on a board of two
// files or more. It holds no pawn of the same side, which would be farther ahead,
// and so can be entered. Every turn takes a pawn ahead for good: nothing is ever
// drawn. The game has no options: where rules are spelled out there is nothing.
//
// # Notation
//
// A turn is the point that the pawn leaves and the one that it goes to, with a hyphen
// between them, or an x if it captures: b2-b3, b2-c3, b2xc3.
//
// A position is the ranks from the top, a slash between them, a sign a point from left to
// right (W a white pawn, B a black one, . an empty point), one blank, and the side to
// move, w or b. There is one pawn at least, and no side has more than at the start. Where
// a position that no game leads to has pawns of both sides on their farthest ranks, the
// side to move has lost. The start on 3x4 is
//
//	BBB/BBB/WWW/WWW w
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
