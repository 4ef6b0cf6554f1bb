package konane

import "paika/bitboard"

// RankTurns ranks turns one by one. All leave the group.
func (g *Game[S]) RankTurns() func(p Position[S], look func(after Position[S], at bitboard.Ref) bool) {
	var turns []Position[S]
	return func(p Position[S], look func(after Position[S], at bitboard.Ref) bool) {
		turns = g.Turns(turns[:0], p)
		for _, q := range turns {
			if !look(q, bitboard.MakeRef(g.Rank(q))) {
				return
			}
		}
	}
}

// ValueTurns looks turns up one by one. All leave the group.
func (g *Game[S]) ValueTurns(known *[bitboard.MaxSlices]bitboard.Packed) func(p Position[S], enough bitboard.Values) (seen bitboard.Values, inside bool) {
	var turns []Position[S]
	return func(p Position[S], enough bitboard.Values) (seen bitboard.Values, inside bool) {
		turns = g.Turns(turns[:0], p)
		for _, q := range turns {
			s, i := g.Rank(q)
			if seen |= 1 << known[s].At(i); seen&enough != 0 {
				break
			}
		}
		return seen, false
	}
}
