package fanorona

import (
	"math/big"
	"math/bits"

	"paika/bitboard"
)

// Evaluate counts stones.
func (g *Game) Evaluate(p Position) int {
	if p.Own == 0 || p.Opp == 0 || g.countPaikas(p) == 0 { // captures are steps as well
		switch g.Ended(p) {
		case bitboard.Win:
			return bitboard.Sure
		case bitboard.Loss:
			return -bitboard.Sure
		}
		return 0
	}
	return bits.OnesCount64(p.Own) - bits.OnesCount64(p.Opp)
}

// Lookahead is the depth that players look ahead by default.
func (g *Game) Lookahead() int { return 4 }

// States counts positions: 3^n sets of stones on n points, less those in which
// a side has none.
func (g *Game) States() (count *big.Int, text string) {
	n := int64(g.board.Points())
	count = new(big.Int).Exp(big.NewInt(3), big.NewInt(n), nil)
	count.Sub(count, new(big.Int).Lsh(big.NewInt(1), uint(n)+1))
	count.Add(count, big.NewInt(1))
	return count, "sets of stones with one or more of each side, the side to move first"
}
