package konane

import "paika/bitboard/ranking"

// symmetry maps the board onto itself.
type symmetry struct {
	to        [maxPoints]uint8 // by number of the point
	exchanges bool             // Black's points and White's
	bytes     *ranking.Spread  // the same for a Word
}

// symmetries lists the maps of the board onto itself, the identity first, those
// that keep the colours before those that exchange them.
func (g *Game[S]) symmetries() []symmetry {
	var keeping, exchanging []symmetry
	for _, image := range ranking.Maps(g.board) {
		var s symmetry
		for n := range g.board.Points() {
			s.to[n] = uint8(g.number(image(g.point(n))))
		}
		if s.exchanges = g.colourOf(int(s.to[0])) != g.colourOf(0); s.exchanges {
			exchanging = append(exchanging, s)
		} else {
			keeping = append(keeping, s)
		}
	}
	return append(keeping, exchanging...)
}

// permutation is the symmetry of a board with so many points.
func (s *symmetry) permutation(points int) ranking.Permutation {
	to := make(ranking.Permutation, points)
	for n := range to {
		to[n] = int(s.to[n])
	}
	return to
}

// spread fills the byte tables, on boards of one word.
func (s *symmetry) spread(points int) {
	s.bytes = ranking.NewSpread(^uint64(0)>>(64-points), func(point int) int { return int(s.to[point]) })
}

// Representative is, of a position and its images, one with Black to move where
// there is one, and of those the one with the least own stones, and with the least
// opposing ones after that.
func (g *Game[S]) Representative(p Position[S]) Position[S] {
	x := &g.index
	if x.folds() && g.Mover(p) == white {
		m := &x.symmetries[x.keeping]
		p = Position[S]{p.Own.image(m), p.Opp.image(m)}
	}
	own, opp := p.Own.least(p.Opp, &x.keepers)
	return Position[S]{own, opp}
}

// keepers are the symmetries that keep the colours, but for the identity.
type keepers struct {
	some   []*symmetry // all, or those that make the others with the half turn
	turns  bool        // the half turn is one: with it they are all
	points int         // of the board
}

// leastOf is Set.least for sets of several words.
func leastOf[S Set[S]](s, t S, k *keepers) (S, S) {
	own, opp := s, t
	take := func(image, beside S) {
		if image.below(own) || image == own && beside.below(opp) {
			own, opp = image, beside
		}
	}
	if k.turns {
		take(s.turned(k.points), t.turned(k.points))
	}
	for _, m := range k.some {
		image, beside := s.image(m), t.image(m)
		take(image, beside)
		if k.turns {
			take(image.turned(k.points), beside.turned(k.points))
		}
	}
	return own, opp
}

// halve finds the keepers: where the half turn is one, one of each two that it makes of each other. A half turn
// exchanges the first bit of a set and the last, and so on, which is faster than image.
func (x *index[S]) halve() {
	last := x.board.Points() - 1
	k := &x.keepers
	k.points, k.turns = x.board.Points(), last > 0 && (x.board.Width+x.board.Height)%2 == 0
	for i := 1; i < x.keeping; i++ {
		m := &x.symmetries[i]
		if !k.turns || 2*int(m.to[0]) < last {
			k.some = append(k.some, m)
		}
	}
}

// Symmetries moves the positions of a board of at most 64 points through the
// symmetries of the board. It is safe for concurrent use.
type Symmetries []symmetry

// NewSymmetries gives those of a game's board.
func NewSymmetries(g *Game[Word]) Symmetries { return g.index.symmetries }

// Least gives, of all images of two sets, the stones of two players, the one
// whose occupied points are the least as a number, and of two with the same
// points the one with the least own, and tells whether it exchanges the colours.
// All images of a position have the same.
func (all Symmetries) Least(own, opp uint64) (leastOwn, leastOpp uint64, exchanges bool) {
	leastOwn, leastOpp = own, opp
	least := own | opp
	for i := 1; i < len(all); i++ {
		m := &all[i]
		own, opp := uint64(Word(own).image(m)), uint64(Word(opp).image(m))
		if points := own | opp; points < least || points == least && own < leastOwn {
			least, leastOwn, leastOpp, exchanges = points, own, opp, m.exchanges
		}
	}
	return leastOwn, leastOpp, exchanges
}
