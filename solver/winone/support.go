package winone

import "paika/bitboard/phutball"

// support is relaxation with one condition more: an edge that lands where a man
// stands needs another, jumped before it, that takes him away and leaves its own
// men standing: it neither jumps one of them nor begins or ends in his place,
// where he would have to be gone. No winning series jumps an edge that is not reached so.
type support struct {
	*graph
	clock   *clock
	reached []bool           // by place
	queue   []phutball.Place // the places reached, in the order in which they were
	done    []bool           // by edge: jumped
	lines   []axes           // by point: those of the edges jumped over the man
	waiting [][]int32        // by point: edges from places reached that land there once the man is gone
	nesting
}

// newSupport finds the edges of a graph that are reached, those that are done. Where the
// clock stops it, nothing that it says is to be relied on.
func newSupport(g *graph, c *clock, ball phutball.Place) *support {
	n := g.grid.Places()
	s := &support{
		graph: g, clock: c, reached: make([]bool, n), done: make([]bool, len(g.edges)),
		lines: make([]axes, n), waiting: make([][]int32, n),
	}
	s.reach(ball)
	for k := 0; ; k++ {
		for k == len(s.queue) {
			edge, found := s.next()
			if !found {
				return s
			}
			s.jump(edge)
		}
		if s.clock.stopped() {
			return s
		}
		for j, end := s.from(s.queue[k]); j < end; j++ {
			s.arrive(j)
		}
	}
}

func (s *support) reach(p phutball.Place) {
	if !s.reached[p] {
		s.reached[p] = true
		s.queue = append(s.queue, p)
	}
}

// arrive looks at an edge whose beginning has been reached.
func (s *support) arrive(i int32) {
	to := s.edges[i].to
	s.clock.spend(1)
	if !s.lands[i] || s.lines[to].but(s.axis(i)) {
		s.jump(i)
	} else {
		s.waiting[to] = append(s.waiting[to], i)
	}
}

// jump jumps an edge, and those that wait for it.
func (s *support) jump(i int32) {
	if s.done[i] || !s.enter(i) {
		return
	}
	defer s.leave()
	s.done[i] = true
	s.reach(s.edges[i].to)
	for _, man := range s.jumped(i) {
		had := s.lines[man]
		if s.lines[man] |= 1 << s.axis(i); s.lines[man] == had {
			continue
		}
		if s.clock.spend(1 + len(s.waiting[man])) {
			return
		}
		for _, j := range s.waiting[man] {
			if s.spares(i, j) {
				s.jump(j)
			}
		}
	}
}
