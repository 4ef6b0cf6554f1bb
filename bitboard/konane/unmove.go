package konane

// Unmoves appends nothing: every turn takes a stone and so leaves its group of
// slices. Predecessors gives the positions before one.
func (g *Game[S]) Unmoves(dst []Position[S], _ Position[S]) []Position[S] { return dst }

// Predecessors appends every position from which a legal turn leads to p, each
// once: those before a jump by the direction that the stone went and rising
// numbers of jumps, then those before a removal.
func (g *Game[S]) Predecessors(dst []Position[S], p Position[S]) []Position[S] {
	var none S
	empty := g.points.minus(p.Own).minus(p.Opp)
	j := wideJumps[S]{g}
	for d := range directions {
		back := d ^ 1
		// A stone came from two points back over one, which was taken: both
		// are empty now.
		came := func(stones S) S {
			return stones.meet(g.room[back]).meet(j.ahead(empty, d, 1)).meet(j.ahead(empty, d, 2))
		}
		for rest := came(p.Opp); rest != none; rest = rest.without(rest.first()) {
			to := none.with(rest.first())
			others, taken := p.Opp.minus(to), none
			for at := to; at != none; at = came(at) {
				taken = taken.union(j.ahead(at, back, 1))
				at = j.ahead(at, back, 2)
				before := Position[S]{others.union(at), p.Own.union(taken)}
				if !g.Opening(before) {
					dst = append(dst, before)
				}
			}
		}
	}
	return g.beforeRemoval(dst, p)
}

// beforeRemoval appends the opening positions before p. It does not matter
// there which stones are called the mover's: both ways lead to p.
func (g *Game[S]) beforeRemoval(dst []Position[S], p Position[S]) []Position[S] {
	var none S
	stones := p.Own.size() + p.Opp.size()
	if !g.opens(stones + 1) {
		return dst
	}
	gaps := g.points.minus(p.Own).minus(p.Opp)
	for rest := gaps; rest != none; rest = rest.without(rest.first()) {
		n := rest.first()
		occupied := p.Own.union(p.Opp).with(n)
		mover := g.colourOf(n)
		if p.Opp.meet(g.colours[mover.Other()]) != none || p.Own.meet(g.colours[mover]) != none {
			continue // whoever removed this stone would be to move again
		}
		before := Position[S]{occupied.meet(g.colours[black]), occupied.meet(g.colours[white])}
		if g.removable(before).has(n) {
			dst = append(dst, before, Position[S]{before.Opp, before.Own})
		}
	}
	return dst
}
