package mobility

import (
	"math"
	"math/bits"

	"paika/bitboard/konane"
)

// A guide guesses the numbers of positions from what the stones of each side
// can do.
type guide struct {
	jumps konane.Jumps
	rank  uint // points from one to the one above
	exp   [expSteps]uint64
}

// The features of one side, counts of stones, points or jumps. A mover is a
// stone that can jump; a jump is secure if the opponent's next turn can neither
// take the stone nor move away the one that it would jump.
const (
	firstJumps  = iota // stones and directions with a jump
	movers             // stones that can jump
	landings           // points that a first jump leads to
	turns              // turns: first jumps and all that continue them
	secureJumps        // secure first jumps
	secure             // stones with a secure jump
	attacked           // stones that the opponent can take with a first jump
	waiting            // jumps that a mover of the same side blocks
	stones             // stones
	features
)

// weights are those of the features in the logarithms of the two numbers, in
// units of 1/weightUnit, for the side to move and for its opponent.
var weights = [2][features]weight{
	{
		firstJumps:  weigh(64, -383),
		movers:      weigh(58, 118),
		landings:    weigh(-276, 501),
		turns:       weigh(-44, 280),
		secureJumps: weigh(89, -16),
		secure:      weigh(-12, 15),
		attacked:    weigh(320, -98),
		waiting:     weigh(-226, 462),
		stones:      weigh(-55, 221),
	},
	{
		firstJumps:  weigh(-166, 20),
		movers:      weigh(42, 96),
		landings:    weigh(321, -218),
		turns:       weigh(200, -58),
		secureJumps: weigh(-12, 39),
		secure:      weigh(97, -43),
		attacked:    weigh(-87, 329),
		waiting:     weigh(475, -241),
		stones:      weigh(191, -21),
	},
}

// bias is what does not depend on the features.
var bias = weigh(3356, 3351)

// weight is one for the proof number, in the upper half, and one for the
// disproof number: a product and a sum do for both.
type weight int64

func weigh(proof, disproof int) weight { return weight(proof)<<32 + weight(disproof) }

func (w weight) halves() (proof, disproof int) {
	low := weight(int32(w))
	return int((w - low) >> 32), int(low)
}

const (
	weightUnit = 1024

	// Logarithms of numbers are rounded to expSteps steps of 1/expStep, which
	// reach from 1 to 2^40.
	expStep  = 32
	expSteps = 888

	// unit is the proof and disproof number where nothing speaks for either.
	unit = 1 << 10
)

func newGuide(game *konane.Game[konane.Word]) guide {
	g := guide{jumps: konane.NewJumps(game), rank: uint(game.Board().Width)}
	for i := range g.exp {
		g.exp[i] = rounded(uint64(math.Exp(float64(i) / expStep)))
	}
	return g
}

// number is e to a logarithm.
func (g *guide) number(log int) uint64 {
	return g.exp[min(max(log/(weightUnit/expStep), 0), expSteps-1)]
}

// able is the stones of a side that can jump right, left, up and down. They stand
// on the points of one colour.
type able struct{ right, left, up, down uint64 }

func (a able) any() uint64 { return a.right | a.left | a.up | a.down }

// of keeps the stones of a set.
func (a able) of(set uint64) able {
	return able{a.right & set, a.left & set, a.up & set, a.down & set}
}

// ahead gives the points of a set that have one of over right ahead of them and
// one of onto behind that.
func (g *guide) ahead(set, over, onto uint64) (a able) {
	a.right, a.left, a.up, a.down = g.jumps.Ahead(set, over, onto)
	return a
}

// size is the number of jumps. A step takes one direction's points to those of
// the other colour, so that two directions are counted at a time.
func (g *guide) size(a *able) weight {
	return size(a.right|a.left>>1) + size(a.up|a.down>>(g.rank&31))
}

func size(set uint64) weight { return weight(bits.OnesCount64(set)) }

// numbers guesses those of a position. A player who cannot move has lost.
func (g *guide) numbers(own, opp uint64) numbers {
	empty := g.jumps.Empty(own, opp)
	mine, theirs := g.player(own, opp, empty), g.player(opp, own, empty)
	if mine.jumps.any() == 0 {
		return lost
	}
	sum := bias + g.weigh(&mine, &theirs, &weights[0]) + g.weigh(&theirs, &mine, &weights[1])
	proof, disproof := sum.halves()
	return numbers{g.number(proof), g.number(disproof)}
}

// player is a side's stones and what they can do.
type player struct {
	stones uint64
	open   able // points from which a stone of the side could jump
	jumps  able
}

func (g *guide) player(own, opp, empty uint64) player {
	open := g.ahead(^uint64(0), opp, empty)
	return player{own, open, open.of(own)}
}

// weigh sums the weighted features of one side.
func (g *guide) weigh(side, other *player, weights *[features]weight) weight {
	s := g.rank & 31
	mine, theirs := &side.jumps, &other.jumps
	taken := theirs.right<<1 | theirs.left>>1 | theirs.up<<s | theirs.down>>s
	still, movable := ^theirs.any(), mine.any()
	safe := able{
		mine.right &^ taken & (still >> 1), mine.left &^ taken & (still << 1),
		mine.up &^ taken & (still >> s), mine.down &^ taken & (still << s),
	}
	waits := g.ahead(side.stones, other.stones, movable)
	onto := mine.right<<2 | mine.left>>2 | mine.up<<(2*s) | mine.down>>(2*s)
	first := g.size(mine)
	return weights[firstJumps]*first +
		weights[movers]*size(movable) +
		weights[landings]*size(onto) +
		weights[turns]*(first+g.further(side)) +
		weights[secureJumps]*g.size(&safe) +
		weights[secure]*size(safe.any()) +
		weights[attacked]*size(taken) +
		weights[waiting]*g.size(&waits) +
		weights[stones]*size(side.stones)
}

// further is the number of a side's jumps that continue a turn.
func (g *guide) further(side *player) (n weight) {
	s := 2 * (g.rank & 31)
	open := &side.open
	for at := side.jumps.right << 2 & open.right; at != 0; at = at << 2 & open.right {
		n += size(at)
	}
	for at := side.jumps.left >> 2 & open.left; at != 0; at = at >> 2 & open.left {
		n += size(at)
	}
	for at := side.jumps.up << s & open.up; at != 0; at = at << s & open.up {
		n += size(at)
	}
	for at := side.jumps.down >> s & open.down; at != 0; at = at >> s & open.down {
		n += size(at)
	}
	return n
}
