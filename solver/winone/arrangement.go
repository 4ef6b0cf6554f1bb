package winone

import "paika/bitboard/phutball"

// arrangement looks for a winning series among some edges, those that a model of the
// formula jumps. The ball has few ways to go with these, so that it is a small search.
//
// If there is none, exits are the edges beside them that the ball could have jumped
// somewhere on the way. Every winning series jumps one of them: as long as it has not,
// the ball is where this search has been.
type arrangement struct {
	*formula
	open   bool // it is not known whether there is one
	chosen []bool
	exits  []int32
	listed []bool // by edge: it is an exit
	failed memory
	nodes  uint64 // that the next try gets
	work   uint64 // of all
}

const (
	arrangementNodes = 1 << 12 // of the first try
	arrangementWork  = 16      // of a node
)

func newArrangement(f *formula, bytes uint64) arrangement {
	a := arrangement{formula: f, chosen: make([]bool, len(f.edges)), listed: make([]bool, len(f.edges))}
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
	a.open, a.nodes = true, arrangementNodes
}

// advance tries for some nodes, and for twice as many the next time. It sets the path if
// there is a series, and the exits if there is none.
func (a *arrangement) advance() verdict {
	before := a.mover.nodes
	a.path, a.limit = a.path[:0], a.within(a.nodes)
	v := a.search(a.ball, key{})
	a.nodes *= 2
	a.work += 1 + arrangementWork*(a.mover.nodes-before)
	a.open = v == undecided
	return v
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
