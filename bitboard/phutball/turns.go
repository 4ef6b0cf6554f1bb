package phutball

import (
	"slices"

	"paika/bitboard"
)

// Turns appends the position after each legal turn: one for every series of
// jumps, each stop before its continuations, then one for every man placed. It
// appends nothing if the ball is on a goal row or off the board.
func (g *Game) Turns(dst []Position, p Position) []Position {
	if g.over(p) {
		return dst
	}
	// Jumps and placements are the same seen from either side.
	p = g.upended(p)
	return g.placements(g.series(dst, p), p)
}

// WalkTurns implements bitboard.TurnWalker.
func (g *Game) WalkTurns(p Position, yield func(Position) bool) {
	if g.over(p) {
		return
	}
	p = g.upended(p)
	if g.walkSeries(&p, yield) {
		slices.Values(g.placements(nil, p))(yield)
	}
}

// placements appends the position after every man placed.
func (g *Game) placements(dst []Position, p Position) []Position {
	for i, word := range g.points {
		vacant := word &^ p.Men[i]
		if int(p.Ball)/64 == i {
			vacant &^= 1 << (p.Ball % 64)
		}
		for ; vacant != 0; vacant &= vacant - 1 {
			q := p
			q.Men[i] |= vacant & -vacant
			dst = append(dst, q)
		}
	}
	return dst
}

// Count is the number of positions that Turns would append.
func (g *Game) Count(p Position) int {
	if g.over(p) {
		return 0
	}
	return g.countSeries(&p) + g.grid.points - 1 - p.Men.Len()
}

// Ended is the value of a position where Turns appends nothing: the ball is in
// the goal that the side to move attacks, or in the other.
func (g *Game) Ended(p Position) bitboard.Value {
	if g.grid.goals[p.Ball] > 0 {
		return bitboard.Win
	}
	return bitboard.Loss
}

// series appends the position after every jump, and every continuation.
func (g *Game) series(dst []Position, p Position) []Position {
	if g.index.fits() {
		return g.index.series(dst, p.Men[0], p.Ball)
	}
	for d := range Directions {
		q := p
		if q.Ball = g.grid.Land(p.Men[:], p.Ball, d); q.Ball == Nowhere {
			continue
		}
		g.grid.Clear(q.Men[:], p.Ball, q.Ball, d)
		dst = append(dst, q)
		dst = g.series(dst, q)
	}
	return dst
}

// series does so on a board that fits a word.
func (x *index) series(dst []Position, men uint64, at Place) []Position {
	l := &x.lines[at]
	if men&l.first == 0 || l.halts {
		return dst
	}
	for d := range Directions {
		to, jumped := l.jump(men, d)
		if jumped == 0 || to == Nowhere {
			continue
		}
		dst = append(dst, Position{Ball: to, Men: Set{men &^ jumped}})
		dst = x.series(dst, men&^jumped, to)
	}
	return dst
}

// countSeries is the number of positions that series would append. It leaves p
// as it was.
func (g *Game) countSeries(p *Position) int {
	n, from := 0, p.Ball
	for d := range Directions {
		to := g.grid.Land(p.Men[:], from, d)
		if to == Nowhere {
			continue
		}
		g.grid.Clear(p.Men[:], from, to, d)
		p.Ball = to
		n += 1 + g.countSeries(p)
		p.Ball = from
		g.grid.Clear(p.Men[:], from, to, d)
	}
	return n
}

// CountTo is the number of positions that Turns would append, or most if there
// are more. It looks at no more than most series.
func (g *Game) CountTo(p Position, most int) int {
	if g.over(p) || most <= 0 {
		return 0
	}
	n := g.grid.points - 1 - p.Men.Len()
	if n >= most {
		return most
	}
	g.walkSeries(&p, func(Position) bool {
		n++
		return n < most
	})
	return n
}

// countedAtOnce is how many series are counted between two questions whether that is still wanted.
const countedAtOnce = 1 << 16

// CountWhile is the number of positions that Turns would append, if that is wanted until it is
// known.
func (g *Game) CountWhile(p Position, wanted func() bool) (turns uint64, all bool) {
	if g.over(p) {
		return 0, true
	}
	turns = uint64(g.grid.points - 1 - p.Men.Len())
	all = g.countSeriesWhile(&p, &turns, wanted)
	return turns, all
}

// countSeriesWhile adds the positions that series would append to a count. It tells false where
// that is no longer wanted, and else leaves p as it was.
func (g *Game) countSeriesWhile(p *Position, n *uint64, wanted func() bool) bool {
	from := p.Ball
	for d := range Directions {
		to := g.grid.Land(p.Men[:], from, d)
		if to == Nowhere {
			continue
		}
		if *n++; *n%countedAtOnce == 0 && !wanted() {
			return false
		}
		g.grid.Clear(p.Men[:], from, to, d)
		p.Ball = to
		if !g.countSeriesWhile(p, n, wanted) {
			return false
		}
		p.Ball = from
		g.grid.Clear(p.Men[:], from, to, d)
	}
	return true
}

// MoreTurnsThan tells whether a position has more turns than most: among many men a
// series goes on in more ways than anyone could list. Among few it is not counted.
func (g *Game) MoreTurnsThan(p Position, most int) bool {
	return mostSeries(p.Men.Len(), most) > most-g.grid.points && g.CountTo(p, most+1) > most
}

// mostSeries is a bound on the series among so many men, or more than most if it is above that:
// a jump takes a man, and is told by the first one that it takes.
func mostSeries(men, most int) int {
	series, ways := 0, 1
	for ; men > 0 && series <= most; men-- {
		ways *= men
		series += ways
	}
	return series
}

// walkSeries calls yield with every position that series would append, in that order, and
// tells whether yield wants more. It leaves p as it was.
func (g *Game) walkSeries(p *Position, yield func(Position) bool) bool {
	from := p.Ball
	for d := range Directions {
		to := g.grid.Land(p.Men[:], from, d)
		if to == Nowhere {
			continue
		}
		g.grid.Clear(p.Men[:], from, to, d)
		p.Ball = to
		more := yield(*p) && g.walkSeries(p, yield)
		p.Ball = from
		g.grid.Clear(p.Men[:], from, to, d)
		if !more {
			return false
		}
	}
	return true
}

// vacant calls yield with every point that holds neither man nor ball.
func (g *Game) vacant(p *Position, yield func(Place)) {
	for at := range Place(g.grid.points) {
		if at != p.Ball && !p.Men.Has(at) {
			yield(at)
		}
	}
}
