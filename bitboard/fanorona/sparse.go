package fanorona

import (
	"math/bits"

	"paika/bitboard"
)

// sparseStones is how many stones the slices have that leave values out.
//
// A position with a capture follows from smaller slices alone, so that a table
// need not hold it; but a probe that finds its value by looking ahead must not
// have to look further. So slices with fewer stones, all of them a tenth of the
// size of these, are stored whole, and those with more as well: of their
// positions few have no capture that leads to seven stones and another capture.
const sparseStones = 7

// LeavesOut tells whether a slice is stored without the positions that have a
// capture.
func (g *Game) LeavesOut(s bitboard.Slice) bool {
	own, opp := counts(s)
	return own+opp == sparseStones
}

// Holds tells whether a stored table has the value of p.
func (g *Game) Holds(p Position) bool {
	return bits.OnesCount64(p.Own|p.Opp) != sparseStones || g.Quiet(p)
}

// Held tells of which indices of a slice a stored table has the value.
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
