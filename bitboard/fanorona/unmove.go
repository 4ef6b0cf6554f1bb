package fanorona

import "math/bits"

// Unmoves appends every position from which a paika leads to p. In each the
// stone that moved stands where it came from and its side has no capture,
// since a player who has one may not make a paika. Tests compare Backward with it, which
// finds and ranks these positions in another way.
func (g *Game) Unmoves(dst []Position, p Position) []Position {
	if p.Own == 0 {
		return dst
	}
	empty := g.points &^ (p.Own | p.Opp)
	for rest := p.Opp; rest != 0; rest &= rest - 1 {
		to := rest & -rest
		origins := g.adjacent[bits.TrailingZeros64(to)&63] & empty
		for ; origins != 0; origins &= origins - 1 {
			before := p.Opp ^ to | origins&-origins
			if !g.captures(before, p.Own) {
				dst = append(dst, Position{before, p.Own})
			}
		}
	}
	return dst
}
