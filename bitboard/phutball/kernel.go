package phutball

import "paika/bitboard"

// Settle tells the fate of every index: won where a series of jumps ends in the
// goal, else open. No position here is over, and each has a turn: a point is
// vacant, or the ball jumps the whole column above it.
func (g *Game) Settle(_ bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	e.Reset()
	for i := lo; i < hi; i++ {
		men, at := g.index.unrank(i)
		fate := bitboard.Open
		if g.index.weight(men, at) == 0 {
			fate = bitboard.Gap
		} else if g.index.scores(g.grid, men, at) {
			fate = bitboard.Won
		}
		e.Fates = append(e.Fates, fate)
		e.Ends = append(e.Ends, 0)
	}
}

// Weights tells how many positions each index stands for: two for all of a ball that is not
// in the middle.
func (g *Game) Weights(dst []uint8, _ bitboard.Slice, lo, hi uint64) []uint8 {
	x := &g.index
	for lo < hi {
		men, at := x.unrank(lo)
		end := min(hi, x.behind(lo))
		if !x.balls[at].centred {
			dst = bitboard.AppendWeight(dst, uint8(x.weight(men, at)), end-lo)
			lo = end
			continue
		}
		for ; lo < end; lo++ {
			men, at = x.unrank(lo)
			dst = append(dst, uint8(x.weight(men, at)))
		}
	}
	return dst
}

// scores tells whether some series of jumps ends in the goal at the top.
func (x *index) scores(g *Grid, men uint64, at Place) bool {
	l := &x.lines[at]
	if men&l.first == 0 || l.halts {
		return false
	}
	for d := range Directions {
		to, jumped := l.jump(men, d)
		if jumped == 0 || to == Nowhere {
			continue
		}
		if g.goals[to] > 0 || x.scores(g, men&^jumped, to) {
			return true
		}
	}
	return false
}

// Forward gives the edges of open positions: their turns, but for series that
// end in the mover's own goal. These lose at once, in the fewest turns that a
// loss can take, and each position has another turn, so that no value and no
// distance depends on them.
func (g *Game) Forward(_ bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	e.Reset()
	for _, i := range indices {
		men, at := g.index.unrank(i)
		f := forward{grid: g.grid, index: &g.index, edges: e}
		f.placements(men, at)
		f.series(men, at)
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

// forward appends the edges of one position.
type forward struct {
	grid  *Grid
	index *index
	edges *bitboard.Edges
}

func (f *forward) add(i uint64) {
	f.edges.Refs = append(f.edges.Refs, bitboard.MakeRef(all, i))
}

// placements appends an edge for every man placed. The ball stays, and with it
// all but a bit of the men's number.
func (f *forward) placements(men uint64, at Place) {
	x := f.index
	vacant := (uint64(1)<<x.points - 1) &^ (men | 1<<at)
	b := &x.balls[x.upended[at]]
	straight, turned := x.upend.apply(men), x.turn.apply(men)
	for ; vacant != 0; vacant &= vacant - 1 {
		man := vacant & -vacant
		switch {
		case b.mirrors:
			f.add(b.base + squeeze(turned|x.turn.apply(man), b.at))
		case b.centred:
			s, t := straight|x.upend.apply(man), turned|x.turn.apply(man)
			f.add(b.base + squeeze(min(s, t), b.at))
		default:
			f.add(b.base + squeeze(straight|x.upend.apply(man), b.at))
		}
	}
}

// series appends an edge for every series of jumps that does not end the game.
func (f *forward) series(men uint64, at Place) {
	x := f.index
	l := &x.lines[at]
	if men&l.first == 0 || l.halts {
		return
	}
	for d := range Directions {
		to, jumped := l.jump(men, d)
		if jumped == 0 || to == Nowhere {
			continue
		}
		left := men &^ jumped
		if f.grid.goals[to] == 0 {
			f.add(x.rankUpended(left, to))
		}
		f.series(left, to)
	}
}

// rankUpended is the index of a position with the board turned upside down.
func (x *index) rankUpended(men uint64, at Place) uint64 {
	b := &x.balls[x.upended[at]]
	switch {
	case b.mirrors:
		return b.base + squeeze(x.turn.apply(men), b.at)
	case b.centred:
		return b.base + squeeze(min(x.upend.apply(men), x.turn.apply(men)), b.at)
	}
	return b.base + squeeze(x.upend.apply(men), b.at)
}

// Backward gives the edges to open positions that a turn leads from.
func (g *Game) Backward(_ bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	e.Reset()
	for _, i := range indices {
		men, at := g.index.unrank(i)
		b := backward{forward{grid: g.grid, index: &g.index, edges: e}}
		men, at = g.index.upend.apply(men), g.index.upended[at]
		for rest := men; rest != 0; rest &= rest - 1 {
			b.addOpen(men^rest&-rest, at)
		}
		b.unseries(men, at)
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

// backward appends the edges to one position.
type backward struct{ forward }

// addOpen appends an edge unless the side to move wins at once there.
func (b *backward) addOpen(men uint64, at Place) {
	if !b.index.scores(b.grid, men, at) {
		b.add(b.index.rank(men, at))
	}
}

// unseries appends an edge to every open position from which some series of
// jumps leads here; see Game.unseries.
func (b *backward) unseries(men uint64, ball Place) {
	for d := range Directions {
		standing, jumped := men, false
		for at := b.grid.next[ball][d]; at != Nowhere; at = b.grid.next[at][d] {
			onBoard := b.grid.onBoard(at)
			if onBoard && men>>at&1 != 0 {
				break
			}
			if jumped && !b.index.lines[at].halts {
				if b.grid.goals[at] == 0 {
					b.addOpen(standing, at)
				}
				b.unseries(standing, at)
			}
			if !onBoard {
				break
			}
			standing |= 1 << at
			jumped = true
		}
	}
}
