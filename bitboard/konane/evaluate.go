package konane

import (
	"math/big"

	"paika/bitboard"
)

// Evaluate counts turns, the side's own less the opponent's. In the opening
// nobody is ahead.
func (g *Game[S]) Evaluate(p Position[S]) int {
	own := g.Count(p)
	switch {
	case own == 0:
		return -bitboard.Sure
	case g.Opening(p):
		return 0
	}
	return own - g.jumper.Count(Position[S]{p.Opp, p.Own})
}

// Lookahead is the depth that players look ahead by default.
func (g *Game[S]) Lookahead() int { return 4 }

// States counts positions: a point holds a stone of its colour or none, and
// either side may be the one to move; without stones nothing tells which.
func (g *Game[S]) States() (count *big.Int, text string) {
	count = new(big.Int).Lsh(big.NewInt(1), uint(g.board.Points())+1)
	return count.Sub(count, big.NewInt(1)), "sets of stones, each on a point of its colour, with either side to move; the empty board once"
}
