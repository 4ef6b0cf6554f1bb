package winone

import "paika/bitboard/phutball"

// arrangement looks for a winning series among some edges, those that a model of the
// formula jumps. The ball has few ways to go with these, so that it is a small search.
//
// If there is none, exits are the edges beside them that the ball could have jumped
// somewhere on the way. Every winning series jumps one of them: as long as it has not,
// the ball is where this search has been.
//
// Some sets have a hundred edges, which the ball can jump in millions of orders, all
// wrong. If the search does not end soon, a pincer of these edges alone goes on: it sees
// what must come before what. It has not been everywhere, and exits are then all edges that
// lead out of where the set could lead.
type arrangement struct {
	*formula
	open   bool // it is not known whether there is one
	chosen []bool
	exits  []int32
	listed []bool // by edge: it is an exit
	failed memory
	soon   uint64  // nodes of the first try
	nodes  uint64  // that the next try gets
	room   uint64  // bytes for a pincer
	pincer *pincer // or nil
	work   uint64  // of all
}

const (
	arrangementNodes = 1 << 12 // of the first try
	arrangementWork  = 16      // of a node
)

func newArrangement(f *formula, bytes uint64) arrangement {
	a := arrangement{
		formula: f, chosen: make([]bool, len(f.edges)), listed: make([]bool, len(f.edges)),
		soon: arrangementNodes, room: bytes / 8,
	}
	a.failed.bound(bytes / 8)
	return a
}

// begin takes the edges of the solver's model.
func (a *arrangement) begin() {
	for e := range a.chosen {
		a.chosen[e] = a.solver.True(a.edgeVariable(int32(e)))
		a.listed[e] = false
	}
	a.exits = a.exits[:0]
	a.failed.reset()
	a.open, a.nodes, a.pincer = true, a.soon, nil
}

// advance tries for some nodes, and for twice as many the next time. It sets the path if
// there is a series, and the exits if there is none.
func (a *arrangement) advance() (v verdict) {
	if a.pincer != nil {
		v = a.pinch()
	} else if v = a.walk(); v == undecided && !a.clock.stopped() {
		a.pincer = a.setPincer()
	}
	a.nodes = max(1, 2*a.nodes)
	a.open = v == undecided
	return v
}

// walk goes wherever the ball can go with the set.
func (a *arrangement) walk() verdict {
	before := a.mover.nodes
	a.path, a.limit = a.path[:0], a.within(a.nodes)
	v := a.search(a.ball, key{})
	a.work += 1 + arrangementWork*(a.mover.nodes-before)
	return v
}

// pinch lets the pincer go on.
func (a *arrangement) pinch() verdict {
	before := a.pincer.work
	v := a.pincer.advance(a.ball, a.nodes)
	a.work += 1 + a.pincer.work - before
	if v == lost {
		a.leadOut()
	}
	return v
}

// setPincer makes a pincer of the set, or none if there is no room or the clock stops it.
func (a *arrangement) setPincer() *pincer {
	set := relaxation{grid: a.mover.grid, clock: &a.clock}
	for e, chosen := range a.chosen {
		if chosen {
			set.edges = append(set.edges, a.edges[e])
			set.jumped += uint64(len(a.jumped(int32(e))))
		}
	}
	if graphBytes(&set) > a.room {
		return nil
	}
	g := newGraph(&set, a.men)
	if g == nil {
		return nil
	}
	a.failed.reset()
	return newPincer(a.mover, g, &a.failed)
}

// leadOut lists the edges that lead out of where the set leads, if each man may both stand
// and have gone.
func (a *arrangement) leadOut() {
	a.exits = a.exits[:0]
	clear(a.listed)
	reached := make([]bool, a.graph.grid.Places())
	reached[a.ball] = true
	for queue := []phutball.Place{a.ball}; len(queue) > 0; queue = queue[1:] {
		for e, end := a.from(queue[0]); e < end; e++ {
			switch to := a.edges[e].to; {
			case !a.chosen[e]:
				a.exit(e)
			case !reached[to]:
				reached[to] = true
				queue = append(queue, to)
			}
		}
	}
}

func (a *arrangement) search(ball phutball.Place, gone key) verdict {
	state := gone.xor(fact(ballHere, uint64(ball)))
	if a.failed.has(state) {
		return lost
	}
	for e, end := a.from(ball); e < end; e++ {
		edge, d := a.edges[e], int(a.edges[e].direction)
		if a.mover.grid.Land(a.men, ball, d) != edge.to {
			continue
		}
		if !a.chosen[e] {
			a.exit(e)
			continue
		}
		if a.mover.nodes >= a.limit || a.clock.spend(a.reach) {
			return undecided
		}
		if len(a.path) >= deepest {
			a.full = true
			return undecided
		}
		a.mover.nodes++
		a.path = append(a.path, edge.to)
		if a.mover.grid.Goal(edge.to) > 0 {
			return won
		}
		after := gone.xor(a.goneBy(ball, edge.to, d))
		a.mover.grid.Clear(a.men, ball, edge.to, d)
		v := a.search(edge.to, after)
		a.mover.grid.Clear(a.men, ball, edge.to, d)
		if v == won {
			return won
		}
		a.path = a.path[:len(a.path)-1]
		if v == undecided {
			return undecided
		}
	}
	a.failed.add(state)
	return lost
}

// exit lists an edge that leads out.
func (a *arrangement) exit(e int32) {
	if !a.listed[e] {
		a.listed[e] = true
		a.exits = append(a.exits, e)
	}
}
