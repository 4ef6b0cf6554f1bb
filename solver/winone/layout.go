package winone

import (
	"paika/bitboard"
	"paika/bitboard/phutball"
)

// FromCNF lays out a board on which the side to move, Ohs, wins with this turn
// exactly if the formula can be satisfied. A board has
//
//	6 × (literals in all clauses + 5, one more for an odd number of clauses) + 1
//
// columns, and 6 × (2 × variables + 2) + 1 rows, the number of variables rounded
// up to an even one, at least 2.
//
// # Tiles
//
// A board is made of tiles, squares of 7x7 points that share their borders. All
// men stand inside. There are three kinds of tiles beside empty ones:
//
//	     bend            wire over column      wire cuts column
//	. . . # . . .         . . . # . . .         . . . # . . .
//	. . . * . . .         . . . * . . .         . . . * . . .
//	. . . * . . .         . . . * . . .         . . . # . . .
//	# * * # . . .         # * * * * * #         # * # * # * #
//	. . . . . . .         . . . * . . .         . . . # . . .
//	. . . . . . .         . . . * . . .         . . . * . . .
//	. . . . . . .         . . . # . . .         . . . # . . .
//
// A bend has arms to some of its four sides, two men each. Where a ball can come
// to stand is marked #: whatever men are gone, the men next to such a point,
// straight or diagonally, stand on the lines drawn through it, and a jump over
// them ends on another such point. (Where a wire goes over a column, the middle
// becomes one as soon as either is used.) So a ball goes from side to side of
// tiles, and it remains to see what each lets through.
//
//   - Bend: from any arm, or the middle, to any other arm; each arm once.
//   - Wire over column: along the wire or the column over five men at once. After
//     one has been used, the other still passes: over two men to the middle, next
//     to which only its own other two stand, and over these.
//   - Wire cuts column: along either over one man, the one in the middle that they
//     share, and one man. After one has been used, the other is cut: the man in
//     the middle is gone.
//
// Nothing leads from a wire to a column.
//
// # Plan
//
// Each variable has two wires across the board, the lower one for true, the upper
// one for false. The ball begins where the wires of the first variable part. At
// their other end they meet, and a link leads on to the second variable, whose
// wires lead back; and so on, for an even number of variables, to the left of the
// board, and up to the top.
//
// Each clause has a column for each of its literals. A column joins two lines,
// one at the top and one at the bottom, above and below all wires; the columns of
// a clause join the same two. The way through the first clause leads down, that
// through the second up, and so on, each line being the end of one clause and the
// beginning of the next. A column is cut by the wire that makes its literal false,
// and all other wires go over it. From the end of the last clause an exit leads to
// the top row, which is the goal. If the last clause leads down, a column that
// nothing cuts leads up again. With two variables and the clauses (a b) (c):
//
//	┌──┬──┐     ┌──goal
//	│  a  b     c
//	├──┼──┼─────┼─────┐    wires of the second variable
//	├──┼──┼─────┼─────┤─┐
//	 ┌─┼──┼─────┼─────┐ │  wires of the first variable
//	 @─┼──┼─────┼─────┴─┘
//	   └──┴─────┘
//
// # Soundness
//
// If an assignment satisfies the formula, the ball takes of each variable the
// wire of its value, then of each clause the column of a true literal: the wire
// that cuts it has not been used.
//
// Conversely, let a series of jumps reach the goal. As tiles let nothing pass from
// wires to columns, and nothing pass twice, it is a way through the plan that uses
// no wire, link or column twice. The links lead it through the variables in order:
// before it enters the link behind a variable it has used one of its wires from end
// to end. It has not used both: the second would lead back to where they part,
// with all ways from there used up. So the wires used are an assignment. From the
// last link on the ball is on lines and columns, as the only way back is the
// link. To get from the beginning of a clause to the beginning of the next, or to
// the exit, it must use one of the clause's columns from end to end, for nothing
// else joins the two lines. So that column is not cut by a wire used before, and
// its literal is true. Each clause has a true literal.
//
// The plan follows Demaine, Demaine and Eppstein, "Phutball endgames are hard"
// (More Games of No Chance, 2002); the tiles are our own.
func FromCNF(formula CNF) phutball.Layout {
	board := formula.Board()
	p := newPlan(formula, board)
	l := phutball.NewLayout(board, 0, bitboard.Point{File: tileSize + middle, Rank: tileSize + middle})
	for i, t := range p.tiles {
		t.place(&l, bitboard.Point{File: tileSize*(i%p.width) + middle, Rank: tileSize*(i/p.width) + middle})
	}
	return l
}

// boardOf is the board for a formula of so many variables, literals and clauses.
func boardOf(variables, literals, clauses int) bitboard.Board {
	columns := literals + clauses%2 + 1 // one that nothing cuts, and the exit
	return bitboard.Board{
		Width:  tileSize*(columns+4) + 1,
		Height: tileSize*(2*evened(variables)+2) + 1,
	}
}

// evened is a number of variables rounded up to one that a plan can have.
func evened(variables int) int { return max(2, variables+variables%2) }

const (
	tileSize = 6 // points, the right and upper border left out
	middle   = 3
)

// tile is what stands on one, by a bit each.
type tile uint8

const (
	left tile = 1 << iota // arms of a bend
	right
	up
	down
	over // a wire over a column
	cut  // a wire cuts a column
)

// place puts a tile's men around its middle.
func (t tile) place(l *phutball.Layout, centre bitboard.Point) {
	man := func(file, rank int) {
		l.Place(bitboard.Point{File: centre.File + file, Rank: centre.Rank + rank})
	}
	for near := 1; near <= 2; near++ {
		if near == 1 && t&cut != 0 {
			continue // where a ball stops
		}
		if t&(left|over|cut) != 0 {
			man(-near, 0)
		}
		if t&(right|over|cut) != 0 {
			man(near, 0)
		}
		if t&(up|over|cut) != 0 {
			man(0, near)
		}
		if t&(down|over|cut) != 0 {
			man(0, -near)
		}
	}
	if t&(over|cut) != 0 {
		man(0, 0)
	}
}

// plan is a layout by tiles. From the left there are the links, the ends of the
// wires, the columns, the exit, the other ends of the wires and links; from the
// bottom the lower lines, the wires, the upper lines.
type plan struct {
	width, height int    // in tiles
	tiles         []tile // row by row from the bottom left
}

func newPlan(formula CNF, board bitboard.Board) plan {
	p := plan{width: board.Width / tileSize, height: board.Height / tileSize}
	p.tiles = make([]tile, p.width*p.height)
	variables := evened(formula.Variables)
	for v := range variables {
		p.wires(v, v == variables-1)
	}
	p.columns(formula.Clauses)
	return p
}

// at is the tile that lies in a column and a row of tiles.
func (p *plan) at(x, y int) *tile { return &p.tiles[y*p.width+x] }

// The lower and the upper wire of a variable, from 0.
func lower(v int) int { return 1 + 2*v }
func upper(v int) int { return 2 + 2*v }

// wires lays a variable's wires and the link behind them.
func (p *plan) wires(v int, last bool) {
	west, east := 1, p.width-2
	for x := west + 1; x < east; x++ {
		*p.at(x, lower(v)) = left | right
		*p.at(x, upper(v)) = left | right
	}
	*p.at(west, lower(v)) = right | up | left
	*p.at(west, upper(v)) = right | down
	*p.at(east, lower(v)) = left | up | right
	*p.at(east, upper(v)) = left | down
	if v == 0 {
		*p.at(west, lower(v)) = right | up // here the ball begins
	}
	link, inward := p.width-1, left
	if v%2 == 1 {
		link, inward = 0, right
	}
	*p.at(link, lower(v)) = inward | up
	*p.at(link, upper(v)) = down | up
	*p.at(link, upper(v)+1) = down | inward
	if last {
		*p.at(west, p.height-1) = left
	}
}

// columns lays the columns, the lines that they join, and the exit.
func (p *plan) columns(clauses [][]int) {
	if len(clauses)%2 == 1 {
		clauses = append(clauses[:len(clauses):len(clauses)], []int{uncut})
	}
	x := 2
	tops, bottoms := p.line(p.height-1), p.line(0)
	tops.extend(1, 0)
	for c, literals := range clauses {
		for _, l := range literals {
			p.column(x, l)
			tops.extend(x, (c+1)/2)
			bottoms.extend(x, c/2)
			*p.at(x, p.height-1) |= down
			*p.at(x, 0) |= up
			x++
		}
	}
	tops.extend(x, len(clauses)/2)
	*p.at(x, p.height-1) |= up
}

// uncut is no literal: no wire cuts its column.
const uncut = 0

// column lets wires go over a literal's column, or cut it.
func (p *plan) column(x, literal int) {
	for y := 1; y < p.height-1; y++ {
		*p.at(x, y) = over
	}
	switch {
	case literal > 0:
		*p.at(x, upper(literal-1)) = cut
	case literal < 0:
		*p.at(x, lower(-literal-1)) = cut
	}
}

// line is a row of tiles on which lines lie one behind the other.
type line struct {
	plan       *plan
	y          int
	last, name int // where it has got to, and on which line
}

func (p *plan) line(y int) *line { return &line{plan: p, y: y, last: -1} }

// extend goes on to a tile, which it joins to the last if they are on the same
// line.
func (n *line) extend(x, name int) {
	if n.last >= 0 && n.name == name {
		*n.plan.at(n.last, n.y) |= right
		*n.plan.at(x, n.y) |= left
	}
	n.last, n.name = x, name
}
