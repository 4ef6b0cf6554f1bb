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
	own, opp := counts(s)
	c := g.cursor(own, opp)
	for i := lo; i < hi; {
		c.enter(i / c.per)
		g.markTargets(&c, leads(own, opp))
		end := min(hi, c.frame.base+c.per)
		for c.seek(i); ; {
			many, lowest := min(end-i, uint64(c.stretch())), c.subset.At(0)&63
			places := ^uint64(0) >> (64 - many) << lowest
			orBits(dst, i-lo, c.withoutGaps(c.quietAmong(places))>>lowest)
			if i += many; i == end {
				break
			}
			c.skip(many)
		}
	}
}
