package phutball

// Unmoves appends every position from which a turn leads to p, each once: one
// man fewer, or the ball back where a series of jumps began and the men between
// standing again. It appends nothing if the game is over in p, which then is in
// no slice. The men jumped may have stood on any vacant points, so the number of
// positions grows exponentially with these.
func (g *Game) Unmoves(dst []Position, p Position) []Position {
	if g.over(p) {
		return dst
	}
	p = g.upended(p)
	for at := range Place(g.grid.points) {
		if p.Men.Has(at) {
			q := p
			q.Men.Flip(at)
			dst = append(dst, q)
		}
	}
	seen := make(map[Position]struct{})
	g.unseries(p, func(q Position) {
		if _, again := seen[q]; !again {
			seen[q] = struct{}{}
			dst = append(dst, q)
		}
	})
	return dst
}

// unseries calls yield with every position, not over, from which some series of
// jumps leads to p. The same position can come more than once.
func (g *Game) unseries(p Position, yield func(Position)) {
	for d := range Directions {
		q, jumped := p, 0
		for {
			at := g.grid.next[q.Ball][d^4]
			if at == Nowhere || g.grid.Man(q.Men[:], at) {
				break
			}
			q.Ball = at
			if jumped > 0 && !g.grid.Halts(at) {
				if !g.over(q) {
					yield(q)
				}
				g.unseries(q, yield)
			}
			if !g.grid.onBoard(at) {
				break
			}
			q.Men.Flip(at)
			jumped++
		}
	}
}
