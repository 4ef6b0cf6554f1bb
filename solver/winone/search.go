package winone

import (
	"paika/bitboard/phutball"
	"paika/solver/winone/internal/cdcl"
)

// verdict is what a search found out.
type verdict int8

const (
	undecided verdict = iota // it ran out of nodes
	lost                     // no series wins
	won                      // the path does
)

// mover is the state of a turn: the men that stand and the ball's way so far.
type mover struct {
	grid  *phutball.Grid
	bans  *bans
	men   []uint64
	path  []phutball.Place
	reach int    // points that a look at all jumps from a place passes at the most
	nodes uint64 // jumps made in searches
	limit uint64 // on nodes, of a part of the search
	most  uint64 // nodes of the call
	room  uint64 // bytes for the search
	clock clock

	conflicts uint64 // of the formula
}

// within is the limit for a part of the search that gets so many nodes.
func (m *mover) within(nodes uint64) uint64 {
	if nodes > m.most-m.nodes {
		return m.most
	}
	return m.nodes + nodes
}

// ended looks whether a limit of the call was met.
func (m *mover) ended() bool {
	if m.clock.over() {
		return true
	}
	if m.nodes >= m.most {
		m.clock.met = NodesLimit
	}
	return m.clock.stopped()
}

// upward lists the directions, those that lead to the goal first.
var upward = [phutball.Directions]int{0, 1, 7, 2, 6, 3, 5, 4}

// longReach is the reach from which on even a dash may take long.
const longReach = 1 << 10

// dash searches without plan or memory. Most boards need no more: those where a
// series is near at hand, and those with few series.
func (m *mover) dash(ball phutball.Place) verdict {
	for _, d := range upward {
		to := m.grid.Land(m.men, ball, d)
		if to == phutball.Nowhere {
			continue
		}
		if m.nodes >= m.limit || m.reach > longReach && m.clock.spend(m.reach) {
			return undecided
		}
		m.nodes++
		m.path = append(m.path, to)
		if m.grid.Goal(to) > 0 {
			return won
		}
		m.grid.Clear(m.men, ball, to, d)
		v := m.dash(to)
		m.grid.Clear(m.men, ball, to, d)
		if v == won {
			return won
		}
		m.path = m.path[:len(m.path)-1]
		if v == undecided {
			return undecided
		}
	}
	return lost
}

// child is a jump that a search may try.
type child struct {
	to        phutball.Place
	direction int8
	distance  int32 // relaxed, from there to the goal
}

// children are the jumps from a place, the nearest to the goal first.
type children struct {
	list [phutball.Directions]child
	n    int
}

// expand gathers the jumps to places with a distance.
func (m *mover) expand(c *children, ball phutball.Place, distance []int32) {
	c.n = 0
	for _, d := range upward {
		to := m.grid.Land(m.men, ball, d)
		if to == phutball.Nowhere || distance[to] == unreachable || m.bans.has(ball, d, m.steps(ball, to)) {
			continue
		}
		i := c.n
		for ; i > 0 && c.list[i-1].distance > distance[to]; i-- {
			c.list[i] = c.list[i-1]
		}
		c.list[i] = child{to, int8(d), distance[to]}
		c.n++
	}
}

// steps is how far a place in line with another is.
func (m *mover) steps(from, to phutball.Place) int {
	a, b := m.grid.Where(from), m.grid.Where(to)
	return max(a.File-b.File, b.File-a.File, a.Rank-b.Rank, b.Rank-a.Rank)
}

// goneBy is the key of the men that a jump takes away.
func (m *mover) goneBy(from, to phutball.Place, d int) key {
	var k key
	for at := m.grid.Next(from, d); at != to; at = m.grid.Next(at, d) {
		k = k.xor(fact(manGone, uint64(at)))
	}
	return k
}

// guided searches along the distances of the root's relaxation and remembers
// the states that failed. A state is the ball's place and the men gone.
//
// A search that has gone wrong early on does not recover soon: it tries all that the
// ball can do far from where it went wrong. So it is begun anew again and again, each
// time with the jumps in another order, in which distances count less (Gomes, Selman,
// Crato and Kautz, "Heavy-tailed phenomena in satisfiability and constraint
// satisfaction problems", Journal of Automated Reasoning 24, 2000). The states that
// failed are remembered over all runs, so that these together search everything in the
// end.
type guided struct {
	*mover
	root   *relaxation
	failed *memory
	run    uint64 // how often it was begun anew
	weight uint64 // of a distance, beside the noise: 0 where following it has failed
	shared uint64 // nodes that it got for the pincer's work
}

const (
	guidedRunNodes = 50 // of the shortest run but the first
	guidedWeight   = 4
)

// restart goes on for some nodes, begun anew after few at first and more later on.
func (g *guided) restart(ball phutball.Place, nodes uint64) verdict {
	for end := g.within(nodes); g.nodes < end && !g.ended(); {
		g.path, g.limit = g.path[:0], min(end, g.within(guidedRunNodes*cdcl.Luby(g.run)))
		g.run++
		if v := g.search(ball, key{}); v != undecided {
			return v
		}
	}
	return undecided
}

// share is how many nodes it gets for so much work of the pincer.
func (g *guided) share(work uint64) uint64 {
	nodes := work / guidedWork
	if g.shared >= luckyNodes {
		nodes = work / lateWork
	}
	g.shared += nodes
	return nodes
}

// shuffle orders jumps from a place by distance and the run's numbers.
func (g *guided) shuffle(c *children, ball phutball.Place) {
	var worth [phutball.Directions]uint64
	for n, next := range c.list[:c.n] {
		w := g.weight*uint64(next.distance) + mix(g.run<<32|uint64(ball)<<3|uint64(next.direction))%noise
		i := n
		for ; i > 0 && worth[i-1] > w; i-- {
			c.list[i], worth[i] = c.list[i-1], worth[i-1]
		}
		c.list[i], worth[i] = next, w
	}
}

func (g *guided) search(ball phutball.Place, gone key) verdict {
	state := gone.xor(fact(ballHere, uint64(ball)))
	if g.failed.has(state) {
		return lost
	}
	var c children
	g.expand(&c, ball, g.root.distance)
	if g.run > 0 {
		g.shuffle(&c, ball)
	}
	for _, next := range c.list[:c.n] {
		if g.nodes >= g.limit || g.clock.spend(g.reach) || len(g.path) >= deepest {
			return undecided
		}
		g.nodes++
		g.path = append(g.path, next.to)
		if next.distance == 0 {
			return won
		}
		d := int(next.direction)
		after := gone.xor(g.goneBy(ball, next.to, d))
		g.grid.Clear(g.men, ball, next.to, d)
		v := g.search(next.to, after)
		g.grid.Clear(g.men, ball, next.to, d)
		if v == won {
			return won
		}
		g.path = g.path[:len(g.path)-1]
		if v == undecided {
			return undecided
		}
	}
	g.failed.add(state)
	return lost
}
