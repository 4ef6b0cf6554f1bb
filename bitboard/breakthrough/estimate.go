package breakthrough

import "math/bits"

// Numbers of Estimate, in leaves. A descent on the nodes that proofs of 3x5, 4x5 and
// 3x6 take found them: they take a tenth of what they do when turns are counted.
const (
	hopeless = 1 << 12 // what can't be
	remote   = 8       // a win where none is near

	ground = 10  // a failure, where nothing threatens,
	pawn   = 14  // more for an own pawn,
	near   = -12 // less for an enemy pawn two ranks from a threat,
	gap    = -3  // and for a way through
	answer = 4   // a failure, for a capture that meets a threat
)

// Estimate guesses, for proof-number search, how many leaves are to be solved to
// show that the side to move wins, and how many that it does not: 0 and 0 where
// the game is over. A pawn on the last rank but one is a threat: it wins, or is
// captured at once. Who does not win loses, so that either goal is as hard.
func (g *Game) Estimate(p Position, _ bool) (win, fail uint32) {
	if g.over(p) {
		return 0, 0
	}
	w := g.board.Width
	threats := p.Opp & (g.first << w)
	if p.Own&(g.last>>w) != 0 || threats == 0 && g.gaps(p) != 0 {
		return 1, hopeless
	}
	if threats != 0 {
		captures := bits.OnesCount64((threats&^g.left>>(w+1) | threats&^g.right>>(w-1)) & p.Own)
		if captures == 0 || threats&(threats-1) != 0 {
			return hopeless, 1
		}
		return remote, uint32(1 + answer*captures)
	}
	passed, _ := g.Pass(p)
	leaves := ground + pawn*bits.OnesCount64(p.Own) + near*bits.OnesCount64(p.Opp&(g.first<<(2*w))) + gap*bits.OnesCount64(g.gaps(passed))
	return remote, uint32(max(1, leaves))
}

// gaps is the points of the last rank but one that an own pawn can go to and not be
// captured there.
func (g *Game) gaps(p Position) uint64 {
	w := g.board.Width
	guards := p.Opp & g.last
	guarded := guards&^g.left>>(w+1) | guards&^g.right>>(w-1)
	to := p.Own&^g.left<<(w-1) | p.Own<<w&^p.Opp | p.Own&^g.right<<(w+1)
	return to & (g.last >> w) &^ guarded
}
