// Package fanorona holds the rules of Fanorona on boards of 3 to 9 points each
// way and at most 60 in all, and the numbering of its positions.
//
// The first half of this page, up to Bits, is the rules and the notation in full. With
// proofs/FORMAT.md it is all that a move generator or a checker of certificates takes.
//
// # Board
//
// Files are a, b, c and so on from left to right, ranks 1, 2, 3 from the bottom, White's
// side, to the top: a1 is the point at the bottom left. A point is strong if its file and
// its rank, both counted from 0, have an even sum: a1 is strong, a2 is weak. Lines join
// every point to its neighbours to the left, right, top and bottom. A strong point is
// joined to its diagonal neighbours too, which are strong as well.
//
// The board is 9x5 where nothing else is said: 9 files, 5 ranks. Three boards have names:
// telo is 3x3, dimy 5x5, tsivy 9x5.
//
// # Start
//
// White's stones fill the ranks below the middle one, Black's those above it. The centre
// is empty. On the middle rank stones alternate, beginning at each edge: on the left half
// Black has the point at the edge, White the next, and so on; on the right half White has
// the point at the edge, Black the next. So the rank is B.W, BW.BW, BWB.WBW or BWBW.BWBW.
// White moves first. A board with an even number of files or ranks has no start.
//
// # A turn
//
// A step takes one stone along a line to a neighbouring point that is empty. Call the way
// that it goes its direction. A step captures in one of two ways:
//
//   - by approach, if the point behind the one entered, in the direction of the step,
//     holds an enemy stone;
//   - by withdrawal, if the point before the one left, against the direction of the step,
//     holds an enemy stone.
//
// That stone is taken away, and with it all enemy stones that follow it in the same line
// without a gap: up to an empty point, a stone of one's own, or the edge. Where a step
// could capture both ways, the player says which. Never both: these are two turns.
//
// If any step of any stone captures, the turn is a capture. Else it is one step without
// capture, a paika. After a capturing step the same stone may make another one, which must
// capture too, and so on. It may stop after each. In one turn the stone enters no point
// twice, and never the point where the turn began. Nor may it go on in the direction of
// the step directly before; the option direction-rule bars more. What a step has taken is
// gone before the next one.
//
// Two turns that lead to the same position by other steps are two turns: perft counts
// both.
//
// # End
//
// A player without stones has lost. A player who has stones and no turn has lost, unless
// the option stalemate says otherwise. Play that never ends is a draw, and there is no
// other: no rule counts or forbids repetitions.
//
// # Options
//
//	stalemate        loss       a player with stones and no turn loses (default)
//	                 draw       that is a draw
//	direction-rule   no-repeat             a step may not have the direction of the step
//	                                       directly before it (default)
//	                 no-repeat-or-reverse  nor the opposite of that direction
//	                 never-twice           nor any direction that the turn had before
//
// The opposite of the last direction leads to the point just left, which a turn does not come
// back to anyway: no-repeat-or-reverse forbids nothing more than no-repeat, and is an option
// since rules are written so.
//
// Where every option is spelled out, as in a certificate, the default rules are
//
//	stalemate=loss,direction-rule=no-repeat
//
// # Notation
//
// A turn is the points that the stone stands on, a hyphen between them. Behind each point
// entered by a capture stands its letter, A for approach or W for withdrawal, whether or
// not both were possible: f2-e3A, d3-e3W, f4-e4W-e3A-d4A. A paika has no letter: e2-e3.
//
// A position is the ranks from the top, a slash between them, a sign a point from left to
// right (W a white stone, B a black one, . an empty point), one blank, and the side to
// move, w or b. There is one stone at least. The start on 9x5 is
//
//	BBBBBBBBB/BBBBBBBBB/BWBW.BWBW/WWWWWWWWW/WWWWWWWWW w
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
// fewer stones. See index.go for the numbering, and tablebase/FORMAT.md for one in words,
// where points are counted without guards.
package fanorona
