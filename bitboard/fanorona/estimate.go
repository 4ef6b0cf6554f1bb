package fanorona

import "math/bits"

// Weights of Estimate, in halves of a leaf. They were found by a random descent on
// the nodes that 180 positions from the edge of searches of 9x5 took, and chosen
// among the best by proofs on 3x9, 5x5, 5x7, 7x5 and 9x3. Counting whole turns in
// place of stones that can capture took as many nodes on 9x5 and a quarter more time; a
// fit to the work that positions took, good as it was (half of its variance in the
// logarithm, by stones alone), took 1.4 to 3.6 times the nodes.
const (
	ownWeight      = 6  // for an own stone: the fewer are left, the nearer are the tables
	leadWeight     = 3  // for a stone more than the enemy has
	capturerWeight = 3  // for a stone that can capture
	stepWeight     = 2  // for a step, where no stone can
	takenWeight    = -2 // for an enemy stone that a step takes
)

// Estimate guesses, for proof-number search, how many leaves are to be solved to
// show that the side to move reaches its goal, and how many that it does not: 0
// and 0 where the game is over. One turn is enough to succeed; to fail, all must.
// It is the same for either goal.
func (g *Game) Estimate(p Position, _ bool) (reach, fail uint32) {
	own, opp := bits.OnesCount64(p.Own), bits.OnesCount64(p.Opp)
	if own == 0 || opp == 0 {
		return 0, 0
	}
	halves := ownWeight*own + leadWeight*max(0, own-opp)
	if capturers := g.capturers(p.Own, p.Opp); capturers != 0 {
		halves += capturerWeight*bits.OnesCount64(capturers) + takenWeight*bits.OnesCount64(g.taken(p.Own, p.Opp))
	} else if steps := g.countPaikas(p); steps != 0 {
		halves += stepWeight * steps
	} else {
		return 0, 0
	}
	return 1, uint32(max(1, halves/2))
}

// taken is the enemy stones that some first step of a turn takes, of runs of more
// than four the nearest four.
func (g *Game) taken(own, opp uint64) (taken uint64) {
	empty := g.points &^ (own | opp)
	for a, s := range g.shifts {
		s &= 63
		up, down := own<<s&empty&g.lines[a], own>>s&empty&g.lines[a] // where steps lead
		above := (up<<s | down<<s<<s) & opp
		below := (down>>s | up>>s>>s) & opp
		for range 3 {
			above |= above << s & opp
			below |= below >> s & opp
		}
		taken |= above | below
	}
	return taken
}
