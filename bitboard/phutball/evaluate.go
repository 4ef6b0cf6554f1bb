package phutball

import (
	"math/big"

	"paika/bitboard"
)

// Evaluate measures how far the ball has come towards the goal row that the
// side to move attacks, in rows from the middle, twice.
func (g *Game) Evaluate(p Position) int {
	switch goal := g.grid.goals[p.Ball]; {
	case goal > 0:
		return bitboard.Sure
	case goal < 0:
		return -bitboard.Sure
	}
	return 2*g.grid.where[p.Ball].Rank - (g.grid.board.Height - 1)
}

// Lookahead is the depth that players look ahead by default.
func (g *Game) Lookahead() int { return 2 }

// States counts positions: the ball on any point but those of the goal rows,
// and men on any of the others.
func (g *Game) States() (count *big.Int, text string) {
	b := g.grid.board
	count = big.NewInt(int64(b.Width * (b.Height - 2)))
	return count.Lsh(count, uint(b.Points()-1)), "the ball off the goal rows, men anywhere, seen from the side to move"
}
