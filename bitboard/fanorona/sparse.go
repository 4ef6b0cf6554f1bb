package fanorona

import (
	"math/bits"

	"paika/bitboard"
)

// sparseStones is how many stones the slices have that leave values out.
//
// A position with a capture follows from smaller slices alone. A table need not
// hold it, as long as a probe finds its value by looking one turn ahead. That
// takes smaller slices that are whole, and so only one number of stones can leave
// values out.
//
// Slices with fewer stones are stored whole: together they are a tenth of the
// size. Slices with more stones are stored whole too. A capture there often leads
// to a position with seven stones and another capture, which is left out itself.
// Few positions have no such capture, and only those could be left out.
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
