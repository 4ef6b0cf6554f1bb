package mobility

import "paika/bitboard/konane"

// coarser is the binary logarithm of what an estimate's unit is in the guide's. With 5 proofs of 5x5 to 7x5 have
// up to two fifths more positions, and with 7 and 8 searches take up to twice the nodes.
const coarser = 6

// Estimate guesses, for a search by proof numbers that is not this package's, how much work it is to
// show that the side to move wins (phi), and that it loses (delta): a proofnumber.Estimate. Both are 0
// where the game is over. The guess is the guide's, in a coarser unit: that search adds one for each turn
// where this one adds their numbers, and one is to count for something. While the opening is still
// to be played, the turns are counted. No proof rests on any of this. Calls may be concurrent.
func Estimate(game *konane.Game[konane.Word]) func(p konane.Position[konane.Word], attacker bool) (phi, delta uint32) {
	g := newGuide(game)
	return func(p konane.Position[konane.Word], _ bool) (phi, delta uint32) {
		if game.Opening(p) {
			turns := game.Count(p)
			return uint32(min(turns, 1)), uint32(turns)
		}
		v := g.numbers(uint64(p.Own), uint64(p.Opp))
		if v == lost {
			return 0, 0
		}
		return coarse(v.proof), coarse(v.disproof)
	}
}

// coarse is a number in the unit of an estimate.
func coarse(number uint64) uint32 { return uint32(min(max(number>>coarser, 1), 1<<32-1)) }
