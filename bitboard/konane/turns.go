package konane

import (
	"paika/bitboard"
)

// jumper generates the jumps of a position: Jumps for one word, wideJumps for
// more.
type jumper[S Set[S]] interface {
	Turns(dst []Position[S], p Position[S]) []Position[S]
	Count(p Position[S]) int
}

// newJumper gives the one for the game's sets, once its masks are there.
func newJumper[S Set[S]](g *Game[S]) jumper[S] {
	if one, ok := any(g).(*Game[Word]); ok {
		j := NewJumps(one)
		return any(&j).(jumper[S])
	}
	return wideJumps[S]{g}
}

// Turns appends the position after each legal turn: in the opening, removals in
// the order of the points; after it jumps, by direction (right, left, up,
// down), stones in the order of their points, and each stop before its
// continuations. No two lead to the same position.
func (g *Game[S]) Turns(dst []Position[S], p Position[S]) []Position[S] {
	if g.Opening(p) {
		return g.removals(dst, p)
	}
	return g.jumper.Turns(dst, p)
}

// Count is the number of positions that Turns would append.
func (g *Game[S]) Count(p Position[S]) int {
	if g.Opening(p) {
		return g.removable(p).size()
	}
	return g.jumper.Count(p)
}

// Ended is the value of a position where Turns appends nothing: a player who
// cannot move has lost.
func (g *Game[S]) Ended(Position[S]) bitboard.Value { return bitboard.Loss }

// wideJumps generates jumps on boards of any size. It is what Jumps is tested
// against.
type wideJumps[S Set[S]] struct{ game *Game[S] }

// ahead moves a set n steps in a direction.
func (j wideJumps[S]) ahead(set S, d, n int) S {
	step := n * j.game.steps[d/2]
	if d&1 == 0 {
		return set.up(step)
	}
	return set.down(step)
}

// starters is the stones of a set that can jump in a direction.
func (j wideJumps[S]) starters(stones, opp, empty S, d int) S {
	back := d ^ 1
	return stones.meet(j.game.room[d]).meet(j.ahead(opp, back, 1)).meet(j.ahead(empty, back, 2))
}

func (j wideJumps[S]) Turns(dst []Position[S], p Position[S]) []Position[S] {
	var none S
	empty := j.game.points.minus(p.Own).minus(p.Opp)
	for d := range directions {
		for rest := j.starters(p.Own, p.Opp, empty, d); rest != none; rest = rest.without(rest.first()) {
			from := none.with(rest.first())
			others, opp := p.Own.minus(from), p.Opp
			for at := from; at != none; {
				opp = opp.minus(j.ahead(at, d, 1))
				at = j.ahead(at, d, 2)
				dst = append(dst, Position[S]{opp, others.union(at)})
				at = j.starters(at, opp, empty, d)
			}
		}
	}
	return dst
}

func (j wideJumps[S]) Count(p Position[S]) int {
	n := 0
	empty := j.game.points.minus(p.Own).minus(p.Opp)
	for d := range directions {
		for stones := j.starters(p.Own, p.Opp, empty, d); stones.size() > 0; {
			n += stones.size()
			stones = j.starters(j.ahead(stones, d, 2), p.Opp, empty, d)
		}
	}
	return n
}
