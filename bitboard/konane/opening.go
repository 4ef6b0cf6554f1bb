package konane

import (
	"fmt"

	"paika/bitboard"
)

// setOpening works out what the rules' opening means on the board.
func (g *Game[S]) setOpening() error {
	o := g.rules.Opening
	if o.Kind > Gap {
		return fmt.Errorf("there is none of kind %d", o.Kind)
	}
	if o.Removes() {
		g.setRemovals()
		return nil
	}
	gap := o.gap(g.board)
	if err := checkPoints(gap, g.board); err != nil {
		return err
	}
	for i, p := range gap {
		g.missing[i] = g.number(p)
	}
	return checkGap(gap)
}

// checkPoints fails where a point of a gap is not on the board.
func checkPoints(gap [2]bitboard.Point, board bitboard.Board) error {
	for _, p := range gap {
		if p.File < 0 || p.File >= board.Width || p.Rank < 0 || p.Rank >= board.Height {
			return fmt.Errorf("%v is not on the board: want a1 to %v", p, bitboard.Point{File: board.Width - 1, Rank: board.Height - 1})
		}
	}
	return nil
}

// checkGap fails where the two points of a gap do not lie side by side.
func checkGap(gap [2]bitboard.Point) error {
	files, ranks := gap[0].File-gap[1].File, gap[0].Rank-gap[1].Rank
	if files*files+ranks*ranks != 1 {
		return fmt.Errorf("%v and %v are no neighbours", gap[0], gap[1])
	}
	return nil
}

// gap is the two points that an opening without removals begins without, be they
// on the board or not.
func (o Opening) gap(board bitboard.Board) [2]bitboard.Point {
	middle := bitboard.Point{File: (board.Width - 1) / 2, Rank: (board.Height - 1) / 2}
	switch o.Kind {
	case CornerH:
		return [2]bitboard.Point{{}, {File: 1}}
	case CornerV:
		return [2]bitboard.Point{{}, {Rank: 1}}
	case MiddleH:
		return [2]bitboard.Point{middle, {File: middle.File + 1, Rank: middle.Rank}}
	case MiddleV:
		return [2]bitboard.Point{middle, {File: middle.File, Rank: middle.Rank + 1}}
	}
	return o.Missing
}

// Canonical is the one spelling of openings that begin alike on a board: the
// first kind with these gaps or, where no kind has them, the gaps themselves, by
// rank and then by file. What New refuses, for the board lacks a point of it, or for it is of no
// kind, stays as it is.
func (o Opening) Canonical(board bitboard.Board) Opening {
	if o.Removes() || o.Kind > Gap {
		return o
	}
	if checkPoints(o.gap(board), board) != nil {
		return o
	}
	gap := sorted(o.gap(board))
	for kind := CornerH; kind < Gap; kind++ {
		if named := (Opening{Kind: kind}); named.gap(board) == gap {
			return named
		}
	}
	return Opening{Gap, gap}
}

func sorted(gap [2]bitboard.Point) [2]bitboard.Point {
	a, b := gap[0], gap[1]
	if b.Rank < a.Rank || b.Rank == a.Rank && b.File < a.File {
		return [2]bitboard.Point{b, a}
	}
	return gap
}

// setRemovals finds the stones that the first player may remove.
func (g *Game[S]) setRemovals() {
	w, h := g.board.Width, g.board.Height
	for n := range g.board.Points() {
		p := g.point(n)
		if (p.File == w/2 || p.File == (w-1)/2) && (p.Rank == h/2 || p.Rank == (h-1)/2) {
			g.centre = g.centre.with(n)
		}
	}
	for n := range g.board.Points() {
		p := g.point(n)
		var none S
		corner := (p.File == 0 || p.File == w-1) && (p.Rank == 0 || p.Rank == h-1)
		beside := g.rules.Opening.Kind == Traditional && g.neighbours(n).meet(g.centre) != none
		if corner || beside || g.centre.has(n) || g.rules.Opening.Kind == AnyStone {
			g.openers = g.openers.with(n)
		}
	}
}

// Opening tells whether p is one where the opening is still to be played and
// the turn is the removal of a stone. The side to move is then the first
// player on a full board and the second on one with a gap.
func (g *Game[S]) Opening(p Position[S]) bool {
	return g.opens(p.Own.size() + p.Opp.size())
}

// opens tells whether a position with that many stones is an opening one.
func (g *Game[S]) opens(stones int) bool {
	return stones >= g.board.Points()-1 && g.rules.Opening.Removes()
}

// removable is the stones that may be removed in an opening position.
func (g *Game[S]) removable(p Position[S]) S {
	var none S
	missing := g.points.minus(p.Own).minus(p.Opp)
	if missing == none {
		return g.openers
	}
	gap := missing.first()
	beside := g.neighbours(gap)
	if g.rules.Opening.Kind == Traditional && !g.centre.has(gap) && beside.meet(g.centre) != none {
		return beside.meet(g.centre)
	}
	return beside
}

// removals appends what each removal leads to, in the order of the points.
func (g *Game[S]) removals(dst []Position[S], p Position[S]) []Position[S] {
	var none S
	for rest := g.removable(p); rest != none; rest = rest.without(rest.first()) {
		dst = append(dst, g.removed(p, rest.first()))
	}
	return dst
}

// removed is what the removal of a stone leads to. Whoever removed it plays
// its colour, whatever the position calls the mover's stones.
func (g *Game[S]) removed(p Position[S], n int) Position[S] {
	left := p.Own.union(p.Opp).without(n)
	mover := g.colourOf(n)
	return Position[S]{left.meet(g.colours[mover.Other()]), left.meet(g.colours[mover])}
}
