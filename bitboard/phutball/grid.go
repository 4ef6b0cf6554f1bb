package phutball

import (
	"context"

	"paika/bitboard"
)

// Place is where a ball can be: a point of the board, numbered row by row from
// the bottom left, or behind those a spot just off the board.
type Place int32

// Nowhere is where a jump leads that is not allowed.
const Nowhere Place = -1

// Directions is the number of ways to jump. Direction d goes up (0), up and
// right (1), and so on clockwise to up and left (7); d^4 is its opposite.
const Directions = 8

var offsets = [Directions]bitboard.Point{
	{File: 0, Rank: 1}, {File: 1, Rank: 1}, {File: 1, Rank: 0}, {File: 1, Rank: -1},
	{File: 0, Rank: -1}, {File: -1, Rank: -1}, {File: -1, Rank: 0}, {File: -1, Rank: 1},
}

// Grid is the places of a board of any size and how a ball gets from one to
// another under a set of rules. It does not change once made.
type Grid struct {
	board  bitboard.Board
	rules  Rules
	points int
	where  []bitboard.Point    // by place
	goals  []int8              // by place: 1 where the side that attacks the top wins, -1 where the other does
	next   [][Directions]Place // by place: its neighbours, Nowhere past the edges
}

// GridBytes is what a Grid takes for each of its places, in bytes.
const GridBytes = 49

// NewGrid makes the grid of a board, which LayGrid must not refuse: that would be a panic.
func NewGrid(board bitboard.Board, rules Rules) *Grid {
	g, err := LayGrid(context.Background(), board, rules)
	if err != nil {
		panic(err)
	}
	return g
}

// LayGrid is NewGrid for boards so large that it takes time, and for those that may be none. It
// fails on boards of fewer than MinHeight rows, of no columns and of more than MostPoints points, and
// with the context's error.
func LayGrid(ctx context.Context, board bitboard.Board, rules Rules) (*Grid, error) {
	if err := admitBoard(board); err != nil {
		return nil, err
	}
	const corners = 4
	places := board.Points() + 2*board.Width + corners
	g := &Grid{
		board: board, rules: rules, points: board.Points(),
		where: make([]bitboard.Point, 0, places), goals: make([]int8, 0, places),
	}
	add := func(file, rank int) {
		goal := int8(0)
		if rank >= board.Height-1 {
			goal = 1
		} else if rank <= 0 {
			goal = -1
		}
		g.where, g.goals = append(g.where, bitboard.Point{File: file, Rank: rank}), append(g.goals, goal)
	}
	for rank := range board.Height {
		for file := range board.Width {
			if len(g.where)%restPlaces == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			add(file, rank)
		}
	}
	for _, rank := range [...]int{board.Height, -1} {
		for file := range board.Width {
			add(file, rank)
		}
	}
	if rules.CornerExit {
		for _, rank := range [...]int{board.Height, -1} {
			add(-1, rank)
			add(board.Width, rank)
		}
	}
	g.next = make([][Directions]Place, len(g.where))
	for from, at := range g.where {
		if from%restPlaces == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if at.File > 0 && at.File < board.Width-1 && at.Rank > 0 && at.Rank < board.Height-1 {
			for d, step := range offsets {
				g.next[from][d] = Place(from + step.Rank*board.Width + step.File)
			}
			continue
		}
		for d, step := range offsets {
			to, ok := g.PlaceAt(bitboard.Point{File: at.File + step.File, Rank: at.Rank + step.Rank})
			if !ok || from >= g.points && (!rules.ReturnFromOff || !g.onBoard(to)) {
				to = Nowhere
			}
			g.next[from][d] = to
		}
	}
	return g, nil
}

// restPlaces is how many places are laid between looks at the context.
const restPlaces = 1 << 16

// Board and Rules tell what NewGrid was given.
func (g *Grid) Board() bitboard.Board { return g.board }
func (g *Grid) Rules() Rules          { return g.rules }

// Places is the number of places. Points come first.
func (g *Grid) Places() int { return len(g.where) }

// onBoard tells whether a place is a point.
func (g *Grid) onBoard(p Place) bool { return uint(p) < uint(g.points) }

// Where gives a place by file and rank. Off the board these lie one beyond the
// range of the points.
func (g *Grid) Where(p Place) bitboard.Point { return g.where[p] }

// PlaceAt is the place at a file and a rank, if there is one.
func (g *Grid) PlaceAt(p bitboard.Point) (Place, bool) {
	w, h := g.board.Width, g.board.Height
	off := Place(g.points)
	if p.Rank == -1 {
		off += Place(w)
	}
	switch {
	case p.Rank < -1 || p.Rank > h || p.File < -1 || p.File > w:
		return Nowhere, false
	case p.File >= 0 && p.File < w && p.Rank >= 0 && p.Rank < h:
		return Place(p.Rank*w + p.File), true
	case p.Rank >= 0 && p.Rank < h:
		return Nowhere, false
	case p.File >= 0 && p.File < w:
		return off + Place(p.File), true
	case !g.rules.CornerExit:
		return Nowhere, false
	}
	corner := Place(g.points + 2*w)
	if p.Rank == -1 {
		corner += 2
	}
	if p.File == w {
		corner++
	}
	return corner, true
}

// Upended is the place that takes p's when the board is turned upside down.
func (g *Grid) Upended(p Place) Place {
	at := g.where[p]
	to, _ := g.PlaceAt(bitboard.Point{File: at.File, Rank: g.board.Height - 1 - at.Rank})
	return to
}

// Goal is 1 if a ball that ends its turn on a place wins for the side that
// attacks the top row, -1 if it wins for the other, 0 if play goes on.
func (g *Grid) Goal(p Place) int { return int(g.goals[p]) }

// Halts tells whether a series ends when the ball stands on a place, whatever
// men there are.
func (g *Grid) Halts(p Place) bool {
	if !g.onBoard(p) {
		return !g.rules.ReturnFromOff
	}
	return g.rules.GoalStop && g.goals[p] != 0
}

// Next is the neighbour of a place in a direction, or Nowhere: past the edges,
// and from off the board where the rules let no ball return.
func (g *Grid) Next(p Place, d int) Place { return g.next[p][d] }

// Man tells whether there is a man on a place, by a set of points as wide as
// the board: a bit a point.
func (g *Grid) Man(men []uint64, p Place) bool {
	return uint(p) < uint(g.points) && men[p>>6]>>(p&63)&1 != 0
}

// Land is where the ball lands that jumps from a place in a direction, or
// Nowhere if it may not: it may from a place that does not halt it, over one or
// more men in an unbroken line, to the first vacant place beyond. The ball's own
// place must not be in the set of men.
func (g *Grid) Land(men []uint64, from Place, d int) Place {
	at := g.next[from][d]
	if !g.Man(men, at) || g.Halts(from) {
		return Nowhere
	}
	for g.Man(men, at) {
		at = g.next[at][d]
	}
	return at
}

// Clear flips the points strictly between two places in a direction: it takes
// away the men that a jump passes over, or puts them back.
func (g *Grid) Clear(men []uint64, from, to Place, d int) {
	for at := g.next[from][d]; at != to; at = g.next[at][d] {
		men[at>>6] ^= 1 << (at & 63)
	}
}
