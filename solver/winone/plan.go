package winone

import (
	"slices"

	"paika/bitboard/phutball"
)

// planner makes relaxed plans: sets of jumps that would win from a state if no man who has
// gone were missed. (Hoffmann and Nebel, "The FF planning system: fast plan generation
// through heuristic search", Journal of Artificial Intelligence Research 14, 2001.)
//
// An edge costs one jump and what brings the ball to where it begins and, where a man
// stands on its landing, what takes him away on another line. So holes count that must be
// made before the ball passes, which distances on the board do not see. Each place, and
// each man on each line, rests on the edge that is the first to reach it in the order of
// costs, and the plan is all that an edge into the goal rests on.
//
// A state without a plan is lost.
type planner struct {
	*graph
	clock *clock

	round  int64
	at     []resting // by place: on the edge that brings the ball there
	off    []resting // by point and axis: on the edge that takes the man away on it
	queued []int64   // by edge: the last round in which its cost was known
	queue  [costs][]int32
	listed []int64 // by edge: the last round in which the plan had it
	plan   []int32 // edges
	order  uint64  // in which edges from a place are looked at: 0 for their own
	work   uint64  // looks at edges
}

// resting is what something costs in a round, in jumps, and the edge that it rests on.
type resting struct {
	round int64
	cost  int32
	edge  int32
}

// costs is how many costs are told apart. What costs more counts as the greatest.
const costs = 1 << 9

func newPlanner(g *graph, c *clock) *planner {
	n, e := g.grid.Places(), len(g.edges)
	return &planner{
		graph: g, clock: c, at: make([]resting, n), off: make([]resting, axisCount*n),
		queued: make([]int64, e), listed: make([]int64, e),
	}
}

// points is a set of points, a bit each.
type points []uint64

func (s points) has(p phutball.Place) bool { return s[p>>6]>>(p&63)&1 != 0 }
func (s points) add(p phutball.Place)      { s[p>>6] |= 1 << (p & 63) }

// find finds the plan of a state, the ball's place and the men who have gone. It tells
// whether there is one, unless the clock stops it.
func (s *planner) find(ball phutball.Place, gone points) bool {
	s.round++
	for c := range s.queue {
		s.queue[c] = s.queue[c][:0]
	}
	s.at[ball] = resting{s.round, 0, noEdge}
	s.leave(ball, gone)
	for c := range int32(costs) {
		for i := 0; i < len(s.queue[c]); i++ {
			e := s.queue[c][i]
			if s.grid.Goal(s.edges[e].to) > 0 {
				s.gather(e, gone)
				return true
			}
			if s.reach(e, c, gone); s.clock.stopped() {
				return false
			}
		}
	}
	return false
}

// leave looks at the edges from a place that the ball has come to.
func (s *planner) leave(p phutball.Place, gone points) {
	e, end := s.from(p)
	s.look(int(end - e))
	if e == end {
		return
	}
	first := e
	if s.order > 0 {
		first += int32(mix(s.order<<32|uint64(p)) % uint64(end-e))
	}
	for i := first; i < end; i++ {
		s.price(i, gone)
	}
	for i := e; i < first; i++ {
		s.price(i, gone)
	}
}

// look counts looks at edges.
func (s *planner) look(edges int) {
	s.work += uint64(edges)
	s.clock.spend(edges)
}

// price queues an edge by what it costs, once that is known: the first to reach a place, or
// to take a man away, is the cheapest.
func (s *planner) price(e int32, gone points) {
	edge := &s.edges[e]
	if s.queued[e] == s.round || s.at[edge.from].round != s.round {
		return
	}
	cost := s.at[edge.from].cost + 1
	if s.waitsFor(e, gone) {
		by := s.clearing(e)
		if by == nil {
			return
		}
		cost += by.cost
	}
	if !s.stand(e, gone) {
		return
	}
	s.queued[e] = s.round
	cost = min(cost, costs-1)
	s.queue[cost] = append(s.queue[cost], e)
}

// waitsFor tells whether a man stands where an edge ends.
func (s *planner) waitsFor(e int32, gone points) bool { return s.lands[e] && !gone.has(s.edges[e].to) }

// stand tells whether the men that an edge jumps all stand.
func (g *graph) stand(e int32, gone points) bool {
	return !slices.ContainsFunc(g.jumped(e), gone.has)
}

// clearing is what takes the man away where an edge lands at the least cost, or nil.
func (s *planner) clearing(e int32) (least *resting) {
	man, axis := int(s.edges[e].to), int(s.axis(e))
	for a := range axisCount {
		by := &s.off[man*axisCount+a]
		if a != axis && by.round == s.round && (least == nil || by.cost < least.cost) {
			least = by
		}
	}
	return least
}

// reach brings the ball to where an edge ends, and takes away the men that it jumps.
func (s *planner) reach(e, cost int32, gone points) {
	if at := &s.at[s.edges[e].to]; at.round != s.round {
		*at = resting{s.round, cost, e}
		s.leave(s.edges[e].to, gone)
	}
	for _, man := range s.jumped(e) {
		off := &s.off[int(man)*axisCount+int(s.axis(e))]
		if off.round == s.round {
			continue
		}
		*off = resting{s.round, cost, e}
		s.look(len(s.into[man]))
		for _, other := range s.into[man] {
			s.price(other, gone)
		}
	}
}

// gather lists the plan that ends with an edge.
func (s *planner) gather(last int32, gone points) {
	s.plan = s.plan[:0]
	s.list(last)
	for i := 0; i < len(s.plan); i++ {
		e := s.plan[i]
		if by := s.at[s.edges[e].from].edge; by != noEdge {
			s.list(by)
		}
		if s.waitsFor(e, gone) {
			s.list(s.clearing(e).edge)
		}
	}
}

func (s *planner) list(e int32) {
	if s.listed[e] != s.round {
		s.listed[e] = s.round
		s.plan = append(s.plan, e)
	}
}
