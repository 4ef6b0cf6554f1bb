package fanorona

import (
	"math/bits"

	"paika/bitboard"
)

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
		c.seek(i)
		for changed := c.trailing - 1; ; {
			if ahead, j := c.busy(changed); ahead > 0 {
				if i += ahead; i >= end {
					i = end
					break
				}
				changed = c.pass(ahead, j)
				continue
			}
			many, lowest := min(end-i, uint64(c.stretch())), c.subset.At(0)&63
			places := ^uint64(0) >> (64 - many) << lowest
			orBits(dst, i-lo, c.withoutGaps(c.quietAmong(places))>>lowest)
			if i += many; i == end {
				break
			}
			changed = c.pass(many, 1)
		}
	}
}

// busy tells how many indices there are from here on, the cursor's among them, at which the side
// to move surely has a capture, by marked targets: those at which the trailing set has other
// stones below number j alone, and these can't stand on all that are marked by the others. It
// asks for each j from one down.
func (c *cursor) busy(from int) (ahead uint64, j int) {
	for j = from; j > 0; j-- {
		upper := &c.upper[j]
		target := upper.marks &^ upper.points
		if target < c.free[c.subset.At(j)&63].points && bits.OnesCount64(target) <= j {
			continue
		}
		ahead = c.index.pascal[c.subset.At(j)&63][j&63]
		for below := range j {
			ahead -= c.index.pascal[c.subset.At(below)&63][(below+1)&63]
		}
		return ahead, j
	}
	return 0, 0
}

// pass goes so many indices ahead, past all at which the trailing set has other stones below
// number j alone. It tells the highest stone that is new, by its number.
func (c *cursor) pass(ahead uint64, j int) (changed int) {
	c.rank += ahead
	changed = c.subset.Pass(j)
	c.unite(changed)
	return changed
}
