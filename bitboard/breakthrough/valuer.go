package breakthrough

import (
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/placement"
)

// What is here gives nothing new: it tells of the places and values of turns faster than one
// asks for them turn by turn. Which slice a turn leads to, and which turns end the game, is known
// by the sets of pawns.

// A fork is the turns of a position.
type fork struct {
	game   *Game
	p      Position
	slices [2]bitboard.Slice // after a turn without capture, and after one with
	ending uint64            // the points where a pawn's arrival ends the game
}

// fork is the turns of a position of a slice.
func (g *Game) fork(p Position) fork {
	own, opp := bits.OnesCount64(p.Own), bits.OnesCount64(p.Opp)
	f := fork{game: g, p: p, ending: g.last}
	f.slices[0] = g.Numbered(placement.Counts{opp, own})
	if opp == 1 {
		f.ending |= p.Opp
	} else {
		f.slices[1] = g.Numbered(placement.Counts{opp - 1, own})
	}
	return f
}

// place is that of the position after a turn to a point. Where the game is over, it has index 0.
func (f *fork) place(q Position, to uint64) (s bitboard.Slice, i uint64) {
	switch {
	case to&f.ending != 0:
		return f.game.SliceOf(q), 0
	case to&f.p.Opp != 0:
		s = f.slices[1]
	default:
		s = f.slices[0]
	}
	return s, f.game.RankIn(s, q)
}

// targets is the points that pawns can go to.
func (f *fork) targets() uint64 {
	g, own, w := f.game, f.p.Own, f.game.board.Width
	return (own&^g.left<<(w-1) | own<<w&^f.p.Opp | own&^g.right<<(w+1)) &^ own
}

// RankTurns ranks turns as it makes them.
func (g *Game) RankTurns() func(p Position, look func(after Position, at bitboard.Ref) bool) {
	return func(p Position, look func(after Position, at bitboard.Ref) bool) {
		if g.over(p) {
			return
		}
		f := g.fork(p)
		for rest := p.Own; rest != 0; rest &= rest - 1 {
			from := rest & -rest
			for targets := g.ahead(from, p); targets != 0; targets &= targets - 1 {
				to := targets & -targets
				q := g.moved(p, from, to)
				s, i := f.place(q, to)
				if !look(q, bitboard.MakeRef(s, i)) {
					return
				}
			}
		}
	}
}

// ValueTurns looks values up as it makes turns. Those that win come first.
func (g *Game) ValueTurns(known *[bitboard.MaxSlices]bitboard.Packed) func(p Position, enough bitboard.Values) (seen bitboard.Values, inside bool) {
	return func(p Position, enough bitboard.Values) (seen bitboard.Values, inside bool) {
		if g.over(p) {
			return 0, false
		}
		f := g.fork(p)
		targets := f.targets()
		inside = targets&f.ending == 0 && targets&^p.Opp != 0
		if targets&f.ending != 0 {
			seen = 1 << bitboard.Loss
		}
		for rest := p.Own; rest != 0 && seen&enough == 0; rest &= rest - 1 {
			from := rest & -rest
			for targets := g.ahead(from, p) &^ f.ending; targets != 0 && seen&enough == 0; targets &= targets - 1 {
				to := targets & -targets
				s, i := f.place(g.moved(p, from, to), to)
				seen |= 1 << known[s].Load(i)
			}
		}
		return seen, inside
	}
}
