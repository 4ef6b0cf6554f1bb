package fanorona

import "paika/bitboard"

// Holds tells whether every stored table has the value of p. A position with a capture
// follows from smaller slices alone, which one turn reaches.
//
// Quiet positions are few where stones are many: of eight stones on the board of 9x5
// every ninth, of seven every fifth.
func (g *Game) Holds(p Position) bool { return g.Quiet(p) }

// Held tells of which indices of a slice every stored table has the value.
func (g *Game) Held(dst []uint64, s bitboard.Slice, lo, hi uint64) {
	clear(dst)
	if lo >= hi {
		return
	}
	own, opp := counts(s)
	c, ownLeads := g.cursor(own, opp), leads(own, opp)
	c.seek(lo)
	for i := uint64(0); ; c.next() {
		if g.index.weight(&c.frame, c.set()) != 0 && g.Holds(c.position(ownLeads)) {
			dst[i/64] |= 1 << (i % 64)
		}
		if i++; lo+i == hi {
			return
		}
	}
}
