package breakthrough

import (
	"math/bits"

	"paika/bitboard"
)

// Turns appends the position after each turn: pawns in the order of their points,
// and of each first the turn to the left, then those straight ahead and to the
// right. It appends nothing where the game is over.
func (g *Game) Turns(dst []Position, p Position) []Position {
	if g.over(p) {
		return dst
	}
	for rest := p.Own; rest != 0; rest &= rest - 1 {
		from := rest & -rest
		for targets := g.ahead(from, p); targets != 0; targets &= targets - 1 {
			dst = append(dst, g.moved(p, from, targets&-targets))
		}
	}
	return dst
}

// Count is the number of positions that Turns would append.
func (g *Game) Count(p Position) int {
	if g.over(p) {
		return 0
	}
	w := g.board.Width
	free := ^p.Own
	return bits.OnesCount64(p.Own&^g.left<<(w-1)&free) + bits.OnesCount64(p.Own<<w&free&^p.Opp) + bits.OnesCount64(p.Own&^g.right<<(w+1)&free)
}

// ahead is the points that a pawn can go to.
func (g *Game) ahead(from uint64, p Position) uint64 {
	w := g.board.Width
	straight := from << w &^ p.Opp
	return (from&^g.left<<(w-1) | straight | from&^g.right<<(w+1)) &^ p.Own
}

// moved is the position after a pawn's turn, seen from the other side.
func (g *Game) moved(p Position, from, to uint64) Position {
	return Position{g.turned(p.Opp &^ to), g.turned(p.Own ^ from | to)}
}

// over tells whether a side has reached the farthest rank or has no pawns.
func (g *Game) over(p Position) bool {
	return p.Own == 0 || p.Opp == 0 || p.Opp&g.first != 0 || p.Own&g.last != 0
}

// Ended is the value of a position where the game is over: the turn before won, but
// in positions that no turn leads to, with the winner to move.
func (g *Game) Ended(p Position) bitboard.Value {
	if p.Own == 0 || p.Opp&g.first != 0 {
		return bitboard.Loss
	}
	return bitboard.Win
}

// Unmoves appends every position from which a turn without capture leads to p:
// a turn with one leaves the group of slices.
func (g *Game) Unmoves(dst []Position, p Position) []Position {
	if g.over(p) {
		return dst
	}
	w := g.board.Width
	before, _ := g.Pass(p) // seen as before the turn
	vacant := g.points &^ (before.Own | before.Opp)
	for rest := before.Own; rest != 0; rest &= rest - 1 {
		to := rest & -rest
		origins := (to&^g.left>>(w+1) | to>>w | to&^g.right>>(w-1)) & vacant
		for ; origins != 0; origins &= origins - 1 {
			dst = append(dst, Position{before.Own ^ to | origins&-origins, before.Opp})
		}
	}
	return dst
}
