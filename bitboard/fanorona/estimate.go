package fanorona

import "math/bits"

// Weights of Estimate, in leaves for a stone. Stones to be taken stand for the
// way to the endgame tables, a lead for the chance that it is the right way.
// They were found by counting nodes on 9x3, 5x5, 5x7 and 7x5, where no weight
// at all took between 1.3 and more than 10 times as many.
const (
	stoneWeight = 1
	leadWeight  = 1
)

// Estimate guesses, for proof-number search, how many leaves are to be solved to
// show that the side to move reaches its goal, and how many that it does not: 0
// and 0 where the game is over. It is the same for either goal.
func (g *Game) Estimate(p Position, _ bool) (reach, fail uint32) {
	turns := g.Count(p)
	if turns == 0 {
		return 0, 0
	}
	own, opp := bits.OnesCount64(p.Own), bits.OnesCount64(p.Opp)
	reach = uint32(1 + stoneWeight*opp + leadWeight*max(0, opp-own))
	fail = uint32(turns + stoneWeight*own + leadWeight*max(0, own-opp))
	return reach, fail
}
