// Package quiet finds the winner of every position of Breakthrough on small boards:
// of 5x5 in seconds.
//
//	table, err := quiet.Solve(ctx, game)
//	wins := table.Wins(position) // for the side to move
//
// It knows nothing of slices and indices, and so it is a second way to what tables
// and proofs say.
//
// # Quiet positions
//
// A pawn on the last rank but one wins with its next turn: one of its two diagonals
// leads onto the board, and nothing can stand in the way there. So a position with
// such a pawn of the side to move is won, and where the opponent has one it must be
// captured at once. All other positions are quiet: no pawn of either side stands
// on the last two ranks before it. On 5x5, 255 million positions are quiet, where tables
// have 12,283 million. (They bound the number of pawns; here any number is allowed.)
//
// From a quiet position a turn leads to another quiet one, or it puts a pawn on the
// last rank but one. That pawn is captured with the next turn, which gives a quiet
// position again, or it has won. So the values of quiet positions follow from each
// other.
//
// # Order
//
// White goes up. Let every point above the first rank be a digit of a number: the
// lowest for White's pawn, the middle for an empty point, the highest for Black's
// pawn. Points count the more, the higher their rank. Then every turn makes the number
// smaller:
//
//   - White's goes from a point to one that counts more, and lowers the digit there.
//   - Black's leaves a point that counts more than the one it goes to, and lowers
//     the digit that it leaves.
//
// A turn to the last rank but one makes it smaller together with the capture that
// answers it: the point from which Black captures, on the last rank, counts more than
// all that White has changed; the point that Black's pawn came from counts more than
// the second rank, where it was captured. So one pass by rising numbers finds
// all values, for either side to move.
//
// # Words
//
// The first rank has no digit. Positions that differ there alone share a number, and
// a word: a bit for each set of points of that rank. A turn elsewhere takes all
// of them, 32 on five files, to those of another word at once. A turn from file f of
// the first rank shifts the word: without the file, a set's bit is 1<<f lower. 5x5 has 8
// million words for either side.
package quiet
