// Package konane holds the rules of Konane on boards of 1 to 16 points each
// way, and the numbering of its positions.
//
// The first half of this page, up to Bits, is the rules and the notation in full. With
// proofs/FORMAT.md it is all that a move generator or a checker of certificates takes.
//
// # Board
//
// Files are a, b, c and so on from left to right, ranks 1, 2, 3 from the bottom to the
// top: a1 is the point at the bottom left. The board is 8x8 where nothing else is said.
// A point is Black's if its file and its rank, both counted from 0, have an even sum, and
// White's if not: a1 is Black's, b1 White's. At the start every point holds a stone of its
// colour. A stone jumps two points at a time, so that it never leaves the points of its
// colour.
//
// # Opening
//
// The first player takes one stone off the board, of either colour, and the second player
// one that is orthogonally adjacent to the gap. Each then plays the colour of the stone
// that they took away. From then on turns are jumps, and the first player moves next. Which
// stones may go the option opening says. The centre of the board is its one middle point
// if both sides are odd, its two middle points if one is, and four if none is.
//
//	traditional        first: a stone of the centre, one orthogonally adjacent to a point
//	                   of the centre, or one in a corner. Second: any adjacent to the gap;
//	                   but if the gap is no point of the centre and adjacent to one, a
//	                   stone of the centre that is adjacent to the gap (default)
//	centre-or-corner   first: a stone of the centre or in a corner. Second: any adjacent
//	any                first: any stone. Second: any adjacent to the gap
//
// The other openings have no removals. Play begins from a board that lacks two stones
// which are orthogonal neighbours:
//
//	corner-h           a1 and b1
//	corner-v           a1 and a2
//	middle-h           the point with the file (W-1)/2 and the rank (H-1)/2, both rounded
//	                   down and counted from 0, and the next one to the right
//	middle-v           that point, and the next one above it
//	gap:POINT-POINT    the two named, as in gap:d4-d5
//
// With these the option to-move says who moves first: black (default) or white.
//
// # A turn
//
// A stone jumps over an enemy stone on an orthogonally adjacent point to the point directly
// beyond it, which must be empty. The stone jumped over is taken away. The stone that
// jumped may go on in the same direction by further jumps of that kind, over one stone
// each, and may stop after each. It never turns within a turn, and never goes diagonally.
// Turns with other landings are other turns.
//
// # End
//
// A player who has no turn has lost, in the opening too. There are no draws: every turn
// takes a stone.
//
// # Options
//
// Where every option is spelled out, as in a certificate, rules are
//
//	opening=NAME                   traditional (the default), centre-or-corner, any; or an
//	                               opening without removals, and Black moves first
//	opening=NAME,to-move=COLOUR    the openings without removals
//
// So to-move=black may be there or not: both are the same rules. Files are written without it.
//
// A gap that has a name is written by its name, the first of those above that fits, and
// another one with its lower point in front, or, on one rank, its left one.
//
// # Notation
//
// The removal of a stone is a hyphen and its point: -d4. Any other turn is the point where
// the stone begins and the one where it lands at last: e4-e8. Points jumped over and
// landings between are not written.
//
// A position is the ranks from the top, a slash between them, a sign a point from left to
// right (x a black stone, o a white one, . an empty point), one blank, and the side to
// move, b or w. Stones stand on points of their colour. The start on 3x3 is
//
//	xox/oxo/xox b
//
// As long as a stone is still to be removed (under the openings with removals: the board is
// full, or has one gap) nobody has a colour. The side to move in the text means nothing
// then: the first player moves on a full board, the second on one with a gap. It is written
// all the same: b at the start, and where one stone is gone the colour that the second
// player will have, which is not that of the stone.
//
// A claim about such a position is about the players, first and second, and one about any
// other may be. Every position of its certificate has one word more, the player whose turn it
// is:
//
//	xox/oxo/xox b first
//	xox/o.o/xox w second
//	xox/.xo/xox b second
//	x.x/o.o/xox b first
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
// # Positions of the opening
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
// to a slice with fewer stones. See index.go for the numbering, and tablebase/FORMAT.md for
// it in words.
package konane
