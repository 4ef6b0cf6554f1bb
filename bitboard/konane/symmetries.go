package konane

// maxSymmetries is the number of symmetries of a square.
const maxSymmetries = 8

// symmetry maps the board onto itself.
type symmetry struct {
	to        [maxPoints]uint8 // by number of the point
	exchanges bool             // Black's points and White's
	bytes     *[8][256]uint64  // images of the points in each byte of a Word
}

// symmetries lists the maps of the board onto itself, the identity first, those
// that keep the colours before those that exchange them.
func (g *Game[S]) symmetries() []symmetry {
	w, h := g.board.Width, g.board.Height
	var keeping, exchanging []symmetry
	for m := range maxSymmetries {
		mirrorFiles, mirrorRanks, transpose := m&1 != 0, m&2 != 0, m&4 != 0
		if transpose && w != h || mirrorFiles && w == 1 || mirrorRanks && h == 1 || transpose && w == 1 {
			continue
		}
		var s symmetry
		for n := range g.board.Points() {
			p := g.point(n)
			if mirrorFiles {
				p.File = w - 1 - p.File
			}
			if mirrorRanks {
				p.Rank = h - 1 - p.Rank
			}
			if transpose {
				p.File, p.Rank = p.Rank, p.File
			}
			s.to[n] = uint8(g.number(p))
		}
		if s.exchanges = g.colourOf(int(s.to[0])) != g.colourOf(0); s.exchanges {
			exchanging = append(exchanging, s)
		} else {
			keeping = append(keeping, s)
		}
	}
	return append(keeping, exchanging...)
}

// spread fills the byte tables, on boards of one word.
func (s *symmetry) spread(points int) {
	s.bytes = new([8][256]uint64)
	for n := range points {
		for b := range 256 {
			if b>>(n%8)&1 != 0 {
				s.bytes[n/8][b] |= 1 << s.to[n]
			}
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
