package winone

import (
	"slices"

	"paika/bitboard/phutball"
)

// Many boards that are hard begin easily: after all first jumps but one the ball soon comes
// to where nothing goes on. Relaxation and the formula do not see it, for they know little
// of time: what is out now may come later, and with it whatever lies beyond. So each first
// jump is tried by a short search. If all but one are refuted, that one is made for good, and
// then the next. What is left to ask is about a board with fewer men.
//
// A search that did not refute a jump is not in vain. The pincer remembers what has failed,
// and goes on from there when the jump is tried again with more nodes.

// openingWork is the work of the race's turn for which a jump gets a node to be refuted in.
const openingWork = 1 << 16

// opening gives the first edges of all winning series, as far as searches of so many nodes
// tell, at least one. It sets the path if they find a series, and tells lost if there is
// none.
func (s *pincer) opening(ball phutball.Place, nodes uint64) (edges []int32, v verdict) {
	defer func() {
		for _, e := range slices.Backward(edges) {
			s.giveBack(e, s.gone, len(s.met))
		}
	}()
	s.path = s.path[:0]
	for {
		e, v := s.only(ball, nodes)
		if e == noEdge {
			return edges, v
		}
		edges = append(edges, e)
		ball = s.edges[e].to
		s.take(e, s.gone)
		s.path = append(s.path, ball)
	}
}

// only gives the one edge with which every winning series goes on, if all others can be
// refuted.
func (s *pincer) only(ball phutball.Place, nodes uint64) (e int32, v verdict) {
	if !s.relax(ball) {
		if s.clock.stopped() {
			return noEdge, undecided
		}
		return noEdge, lost
	}
	base := len(s.ways)
	defer func() { s.ways = s.ways[:base] }()
	left := int32(noEdge)
	list := s.first(ball)
	for i, e := range list {
		s.limit = s.within(nodes)
		if left == noEdge && i == len(list)-1 && s.graph.grid.Goal(s.edges[e].to) <= 0 && !s.spent() {
			return e, undecided
		}
		switch v := s.jumpFirst(list[i : i+1]); {
		case v == won:
			return noEdge, won
		case v == lost:
		case left != noEdge || s.ended():
			return noEdge, undecided
		default:
			left = e
		}
	}
	if left == noEdge {
		return noEdge, lost
	}
	return left, undecided
}

// playOn makes the first jumps of all winning series and answers for what is left. What is
// banned then no whole series jumps: it is none of the first jumps, whose men have gone.
func (s *Solver) playOn(jumps []edge) verdict {
	var begun []phutball.Place
	for _, j := range jumps {
		s.grid.Clear(s.men, j.from, j.to, int(j.direction))
		begun = append(begun, j.to)
	}
	v := undecided
	switch ball := begun[len(begun)-1]; {
	case !s.root.run(s.men, ball):
		v = lost
	case !s.ended():
		s.failed.reset()
		v = s.narrow(ball)
	}
	for _, j := range slices.Backward(jumps) {
		s.grid.Clear(s.men, j.from, j.to, int(j.direction))
	}
	s.path = append(begun, s.path...)
	return v
}
