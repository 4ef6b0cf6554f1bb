// Package phutball holds the rules of Phutball on boards of 1 to 19 columns and
// 3 to 21 rows, and the numbering of all positions of small ones.
//
// The first half of this page, up to Points and places, is the rules and the notation in
// full. With proofs/FORMAT.md it is all that a move generator or a checker of certificates
// takes.
//
// # Board
//
// Columns are A, B, C and so on from left to right, without I; behind Z come AA, AB and so
// on. Rows are 1, 2, 3 from the bottom to the top, as Ohs sees the board: A1 is the point
// at the bottom left. The board is 15x19 where nothing else is said: 15 columns, 19 rows.
// On a board with H rows, row 0 and row H+1 are off the board: a ball can get there, a man
// cannot.
//
// # Start
//
// The ball is on the centre point, and there are no men. Ohs moves first. Ohs attacks the
// top row, Eks row 1. A board with an even number of columns or rows has no start.
//
// # A turn
//
// There is one ball. Men belong to nobody. A turn is one of two things:
//
//   - A man is placed on any point of the board that is vacant: one without man and ball.
//   - The ball makes a series of one or more jumps. A jump goes in one of eight directions,
//     straight or diagonally. The next point in that direction must hold a man. The ball
//     goes over all men that stand there in an unbroken line, and lands on the first point
//     without one. These men are taken away at once, before the next jump of the series.
//     The series may stop after each jump.
//
// A jump may land off the board, in row 0 or H+1, if the column where it lands is on the
// board. The series then ends. A jump that would leave the board past its left or right
// edge is not allowed, and that past a corner, in row and column at once, neither.
//
// Series that lead to the same position by other jumps are turns of their own: perft
// counts each.
//
// # End
//
// If the ball is on the top row or above it when a turn ends, Ohs has won, and if it is on
// row 1 or below it, Eks, whoever made the turn. What the ball passes, or where it lands
// between two jumps of a series, decides nothing. Before that there is always a turn. Play
// that never ends is a draw, and there is no other: no rule counts or forbids repetitions.
//
// # Options
//
// Each is true or false, and false by default.
//
//	goal-stop         a series ends as soon as the ball lands on the top row or row 1;
//	                  with return-from-off a ball beyond them may still jump back
//	corner-exit       a diagonal jump may land past a corner, in row 0 or H+1 and one
//	                  column beyond the edge, which ends the series like every landing
//	                  off the board
//	return-from-off   a series does not end off the board: the ball may jump from there
//	                  over men that stand next to it on the board, if it lands on the
//	                  board or off it again by the rules above
//
// Where every option is spelled out, as in a certificate, the default rules are
//
//	goal-stop=false,corner-exit=false,return-from-off=false
//
// # Notation
//
// A man placed is its point: K6. A series is the points where the ball is, from where it
// stands, a hyphen between them: K6-G9-G11-J11. Points off the board are written with row 0
// or H+1: H17-H20. Past a corner the column is < on the left and > on the right: <20.
//
// A position is the rows from the top, a slash between them, a sign a point from left to
// right (* a man, @ the ball, . vacant), one blank, and the side to move, ohs or eks. A
// ball off the board is written in front, with a blank behind it: @H20. The start on 3x5 is
//
//	.../.../.@./.../... ohs
//
// A short form is read everywhere, its parts in any order, men and board as needed. It is
// never written into a certificate.
//
//	ball=H10 men=H11,J13 to=ohs board=15x19
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
// See index.go for the numbering, tablebase/FORMAT.md for it in words, and sets.go for
// how turns are followed for 64 of them at once. Those who verify do so by trace.go, which
// shares none of it.
package phutball
