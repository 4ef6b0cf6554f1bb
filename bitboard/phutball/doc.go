// Package phutball holds the rules of Phutball on boards of 1 to 19 columns and
// 3 to 21 rows, and the numbering of all positions of small ones.
//
// # Points and places
//
// A set of points is seven 64-bit words, a bit a point, row by row from the
// bottom left without gaps. A ball can also stand just off the board, on row 0
// or H+1 as the rules count them; a [Place] is a number for a point or for such
// a spot. On 5x3 the places are
//
//	     15 16 17 18 19      off the top
//	3    10 11 12 13 14
//	2     5  6  7  8  9
//	1     0  1  2  3  4
//	     20 21 22 23 24      off the bottom
//	     A  B  C  D  E
//
// With the rule corner-exit there are four more, diagonally behind the corners.
// A [Grid] knows the places of a board of any size, and which place lies next
// to which. [Layout] is a position on such a board.
//
// # Turns
//
// A [Position] is seen from the side to move, which attacks the top row: a turn
// ends by turning the board upside down. A turn places a man, or jumps with the
// ball as often as there is something to jump. Men jumped are gone at once, so
// a series is a path in a graph that it wears out.
//
// A turn that ends on a goal row ends the game, even if that loses it: a player
// may jump into the own goal.
//
//	game, err := phutball.New(bitboard.Board{Width: 15, Height: 19}, phutball.Rules{})
//	p, side, err := game.Parse("ball=H10 men=H11,J13 to=ohs")
//	turn, err := game.ParseTurn(p, side, "H10-H12-K14")
//
// Text that cannot be read is a *bitboard.SyntaxError, which tells the column.
// An illegal turn is an error that names the jump and says what forbids it.
//
// # Slices
//
// Men come and go, so that all positions of a board are one slice, named "all".
// See index.go for the numbering, and sets.go for how turns are followed for 64
// of them at once.
package phutball
