package fanorona

import (
	"math/bits"

	"paika/bitboard"
)

// RankTurns makes a function that goes from stone to stone: the turns of the next one are
// not made before those of the last were looked at. Fanorona's turns stay in their group
// all, where no stone captures, or all leave it.
func (g *Game) RankTurns() func(p Position, look func(after Position, at bitboard.Ref) bool) {
	f := follower{game: g}
	return f.follow
}

// A follower ranks the positions after turns. It is for one goroutine.
type follower struct {
	game  *Game
	turns []Position // of the stone in hand
}

// follow tells look of every turn of a position, until look has seen enough.
func (f *follower) follow(p Position, look func(Position, bitboard.Ref) bool) {
	if p.Own == 0 || p.Opp == 0 {
		return
	}
	g := f.game
	movers := g.capturers(p.Own, p.Opp)
	if movers == 0 {
		f.followPaikas(p, look)
		return
	}
	own := bits.OnesCount64(p.Own)
	for ; movers != 0; movers &= movers - 1 {
		from := movers & -movers
		f.turns = g.sequences(f.turns[:0], p.Own^from, p.Opp, from, from, 0)
		for _, q := range f.turns {
			if !look(q, f.placeAfter(q, own)) {
				return
			}
		}
	}
}

// placeAfter is where a position stands after a capture by a side with so many stones.
func (f *follower) placeAfter(q Position, opp int) bitboard.Ref {
	own := bits.OnesCount64(q.Own)
	if own == 0 {
		return bitboard.MakeRef(slice(own, opp), 0)
	}
	return bitboard.MakeRef(slice(own, opp), f.game.index.rankPosition(q, own, opp))
}

// followPaikas is follow where no stone captures. Where the opponent's set leads what
// follows, all turns share its frame.
func (f *follower) followPaikas(p Position, look func(Position, bitboard.Ref) bool) {
	g, x := f.game, &f.game.index
	own, opp := bits.OnesCount64(p.Own), bits.OnesCount64(p.Opp)
	to, oppLeads := slice(opp, own), leads(opp, own)
	var shared frame
	if oppLeads {
		shared = x.frame(p.Opp, opp, own)
	}
	empty := g.points &^ (p.Own | p.Opp)
	for rest := p.Own; rest != 0; rest &= rest - 1 {
		from := rest & -rest
		targets := g.adjacent[bits.TrailingZeros64(from)&63] & empty
		for ; targets != 0; targets &= targets - 1 {
			q := Position{p.Opp, p.Own ^ from | targets&-targets}
			var i uint64
			if oppLeads {
				i = x.rank(&shared, x.apply(shared.symmetry, q.Opp))
			} else {
				i = x.rankPosition(q, opp, own)
			}
			if !look(q, bitboard.MakeRef(to, i)) {
				return
			}
		}
	}
}
