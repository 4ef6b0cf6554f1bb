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
	exp   [expSteps]uint32
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
	// reach from 1 to 2^22.
	expStep  = 32
	expSteps = 489

	// unit is the proof and disproof number where nothing speaks for either.
	unit = 1 << 10
)

func newGuide(game *konane.Game[konane.Word]) guide {
	g := guide{jumps: konane.NewJumps(game), rank: uint(game.Board().Width)}
	for i := range g.exp {
		g.exp[i] = uint32(math.Exp(float64(i) / expStep))
	}
	return g
}

// number is e to a logarithm.
func (g *guide) number(log int) uint32 {
	return g.exp[min(max(log/(weightUnit/expStep), 0), expSteps-1)]
}

// able is the stones of a side that can jump right, left, up and down.
type able struct{ right, left, up, down uint64 }

func (a able) any() uint64 { return a.right | a.left | a.up | a.down }

// size is the number of jumps.
func (a able) size() weight { return size(a.right) + size(a.left) + size(a.up) + size(a.down) }

func size(set uint64) weight { return weight(bits.OnesCount64(set)) }

// numbers guesses those of a position. A player who cannot move has lost.
func (g *guide) numbers(own, opp uint64) numbers {
	var mine, theirs able
	mine.right, mine.left, mine.up, mine.down = g.jumps.Movers(own, opp)
	if mine.any() == 0 {
		return numbers{infinite, 0}
	}
	theirs.right, theirs.left, theirs.up, theirs.down = g.jumps.Movers(opp, own)
	sum := bias + g.weigh(own, opp, &mine, &theirs, &weights[0]) + g.weigh(opp, own, &theirs, &mine, &weights[1])
	proof, disproof := sum.halves()
	return numbers{g.number(proof), g.number(disproof)}
}

// weigh sums the weighted features of the side with the own stones.
func (g *guide) weigh(own, opp uint64, mine, theirs *able, weights *[features]weight) weight {
	s := g.rank & 31
	taken := theirs.right<<1 | theirs.left>>1 | theirs.up<<s | theirs.down>>s
	still, movable := ^theirs.any(), mine.any()
	safe := able{
		mine.right &^ taken & (still >> 1), mine.left &^ taken & (still << 1),
		mine.up &^ taken & (still >> s), mine.down &^ taken & (still << s),
	}
	var waits able
	waits.right, waits.left, waits.up, waits.down = g.jumps.Ahead(own, opp, movable)
	onto := mine.right<<2 | mine.left>>2 | mine.up<<(2*s) | mine.down>>(2*s)
	all := g.jumps.Count(konane.Position[konane.Word]{Own: konane.Word(own), Opp: konane.Word(opp)})
	return weights[firstJumps]*mine.size() +
		weights[movers]*size(movable) +
		weights[landings]*size(onto) +
		weights[turns]*weight(all) +
		weights[secureJumps]*safe.size() +
		weights[secure]*size(safe.any()) +
		weights[attacked]*size(taken) +
		weights[waiting]*waits.size() +
		weights[stones]*size(own)
}
