// Package konane holds the rules of Konane on boards of 1 to 16 points each
// way, and the numbering of its positions.
//
// # Bits
//
// Points are numbered from 0 at a1, file by file and then rank by rank, with no
// guards between the rows, so that 8x8 fills one 64-bit word. A set of points
// is a [Word], a [Pair] or a [Quad] of words, whichever holds the board. On 8x8
// (B for Black's points, where stones are written x):
//
//	8  56 57 58 59 60 61 62 63    W B W B W B W B
//	...
//	2   8  9 10 11 12 13 14 15    W B W B W B W B
//	1   0  1  2  3  4  5  6  7    B W B W B W B W
//	    a  b  c  d  e  f  g  h
//
// Two neighbours in this order, 2i and 2i+1, always have different colours on
// a board of even width, and on one of odd width the even points are Black's.
// Either way the i-th point of each colour, from 0, is 2i or 2i+1.
//
// # Turns
//
// One stone, one jumped and one empty point in line give a jump. Shifts of the
// three sets find the stones that can jump in a direction all at once; a mask
// for each direction keeps out those that would leave the board. A turn goes on
// in its direction and may stop after any jump. Every turn takes a stone, so
// that a game never comes back to a position and nothing is ever drawn.
//
// # Colours
//
// A stone never leaves the points of its colour. A position, the stones of the
// side to move and those of its opponent, therefore says itself whose turn it
// is, the empty board apart; a [paika/bitboard.Side] that stands beside it adds
// nothing.
//
// # Opening
//
// Under the openings traditional, centre-or-corner and any, a full board and a
// board with one gap are the opening still to be played: the turn is the
// removal of a stone, and who plays which colour is open, so that it does not
// matter there which stones a position calls the mover's. Under the other
// openings, whose start has two gaps, such boards are positions like all others.
//
// # Slices
//
// A slice is named "3v2": own stones against the opponent's. Every turn leads
// to a slice with fewer stones. See index.go for the numbering.
package konane
