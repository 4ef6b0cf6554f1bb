package mobility

import (
	"math"
	"math/bits"

	"paika/bitboard/konane"
)

// A guide guesses the numbers of positions from what the stones of each side
// can do.
type guide struct {
	jumps   konane.Jumps
	rank    uint // points from one to the one above
	guesses [2*guessSpan + 1]numbers
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

// weights are those of the features in the logarithm of the odds that the side
// to move wins, in units of 1/weightUnit, for that side and for its opponent.
var weights = [2][features]int{
	{firstJumps: -405, movers: -73, landings: 802, turns: 295, secureJumps: -300, secure: 341, attacked: -321, waiting: 470, stones: 1},
	{firstJumps: 183, movers: 258, landings: -564, turns: -129, secureJumps: -10, secure: -281, attacked: 391, waiting: -351, stones: -52},
}

// bias is what the turn itself is worth, in the same units.
const bias = -26

const (
	weightUnit = 1024

	// guessStep is the resolution of guesses and guessSpan their bound, in
	// steps.
	guessStep = weightUnit / 32
	guessSpan = 16 * 32

	// unit is the proof and disproof number where nothing speaks for either,
	// and extreme bounds both.
	unit    = 1 << 10
	extreme = 1 << 18
)

func newGuide(game *konane.Game[konane.Word]) guide {
	g := guide{jumps: konane.NewJumps(game), rank: uint(game.Board().Width)}
	for i := range g.guesses {
		odds := math.Exp(float64(i-guessSpan) * guessStep / weightUnit)
		g.guesses[i] = numbers{bounded(unit / odds), bounded(unit * odds)}
	}
	return g
}

func bounded(x float64) uint32 { return uint32(min(max(x, 1), extreme)) }

// able is the stones of a side that can jump right, left, up and down.
type able struct{ right, left, up, down uint64 }

func (a able) any() uint64 { return a.right | a.left | a.up | a.down }

// numbers guesses those of a position. A player who cannot move has lost.
func (g *guide) numbers(own, opp uint64) numbers {
	var mine, theirs able
	mine.right, mine.left, mine.up, mine.down = g.jumps.Movers(own, opp)
	if mine.any() == 0 {
		return numbers{infinite, 0}
	}
	theirs.right, theirs.left, theirs.up, theirs.down = g.jumps.Movers(opp, own)
	z := bias + g.score(own, opp, &mine, &theirs, &weights[0]) + g.score(opp, own, &theirs, &mine, &weights[1])
	return g.guesses[min(max(z/guessStep, -guessSpan), guessSpan)+guessSpan]
}

// score weighs the features of the side with the own stones.
func (g *guide) score(own, opp uint64, mine, theirs *able, weight *[features]int) int {
	s := g.rank & 31
	taken := theirs.right<<1 | theirs.left>>1 | theirs.up<<s | theirs.down>>s
	still, movable := ^theirs.any(), mine.any()
	safe := able{
		mine.right &^ taken & (still >> 1), mine.left &^ taken & (still << 1),
		mine.up &^ taken & (still >> s), mine.down &^ taken & (still << s),
	}
	score := weight[firstJumps] * (bits.OnesCount64(mine.right) + bits.OnesCount64(mine.left) + bits.OnesCount64(mine.up) + bits.OnesCount64(mine.down))
	score += weight[movers] * bits.OnesCount64(movable)
	score += weight[landings] * bits.OnesCount64(mine.right<<2|mine.left>>2|mine.up<<(2*s)|mine.down>>(2*s))
	score += weight[turns] * g.jumps.Count(konane.Position[konane.Word]{Own: konane.Word(own), Opp: konane.Word(opp)})
	score += weight[secureJumps] * (bits.OnesCount64(safe.right) + bits.OnesCount64(safe.left) + bits.OnesCount64(safe.up) + bits.OnesCount64(safe.down))
	score += weight[secure] * bits.OnesCount64(safe.any())
	score += weight[attacked] * bits.OnesCount64(taken)
	right, left, up, down := g.jumps.Ahead(own, opp, movable)
	score += weight[waiting] * (bits.OnesCount64(right) + bits.OnesCount64(left) + bits.OnesCount64(up) + bits.OnesCount64(down))
	return score + weight[stones]*bits.OnesCount64(own)
}
