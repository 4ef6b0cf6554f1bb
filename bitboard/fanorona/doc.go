// Package fanorona holds the rules of Fanorona on boards of 3 to 9 points each
// way and at most 60 in all, and the numbering of its positions.
//
// # Bits
//
// A set of points is one 64-bit word. Rows lie one above the other with one
// guard column, never set, to their right, so that a shift off either edge
// lands on a guard or off the word. On 9x5 (the tsivy board) the points are
//
//	5  40 41 42 43 44 45 46 47 48 .
//	4  30 31 32 33 34 35 36 37 38 .
//	3  20 21 22 23 24 25 26 27 28 .
//	2  10 11 12 13 14 15 16 17 18 .
//	1   0  1  2  3  4  5  6  7  8 .
//	    a  b  c  d  e  f  g  h  i  guard
//
// Diagonals join strong points, those where file and rank index have an even
// sum. A diagonal step leads from a strong point to a strong point.
//
// # Turns
//
// Two patterns of three neighbours on a line give every capture: own, empty,
// enemy (approach) and enemy, own, empty (withdrawal). Shifts of the three
// sets find the stones that can capture all at once; sequences then follow
// one stone at a time. The rules bar a point entered before and, by the
// option, directions used before.
//
// A turn without capture is a paika. A position whose side to move has no
// capture is quiet. Only quiet positions can lie on a cycle of play, since a
// capture takes stones away for good.
//
// # Slices
//
// A slice is named "3v2": own stones against the opponent's. A paika leads
// from 3v2 to 2v3, so these two form a group; captures lead to groups with
// fewer stones. See index.go for the numbering.
package fanorona
