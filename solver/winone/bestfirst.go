package winone

import (
	best "container/heap"
	"slices"

	"paika/bitboard/phutball"
	"paika/solver/winone/internal/cdcl"
)

// bestFirst is a best-first width search from the ball (Lipovetzky and Geffner, "Best-first
// width search: exploration and exploitation in classical planning", AAAI 2017).
//
// It goes on from the states in which something is new, and of these from the one with the
// shortest relaxed plan (plan.go). New is that the ball is at a place, or that a man has
// gone, among all states seen that are as far as this one. How far a state is, is how many of
// the men have gone that the first state's plan takes. So the search is broad where there is
// progress, and does not try all that can be done where a measure errs.
//
// A search that has gone wrong is begun anew, with equals in another order (as in
// search.go). Every other one tells states apart by the lengths of their plans, too: some
// boards are won so that are not without, and the other way round.
//
// If no state is left there is no series. States without a plan are remembered together
// with those that failed in the guided search.
type bestFirst struct {
	*mover
	*graph
	plans  *planner
	failed *memory
	takes  []key   // by edge: the men that it takes away
	words  int     // of a set of points
	bound  uint64  // states that there is memory for in a run
	wanted points  // the men that the first plan takes
	run    uint64  // how often it was begun
	left   uint64  // states that this run may still see
	states []state // of this run
	gone   []uint64
	open   queue
	seen   map[key]struct{}
	known  map[novelty]struct{}
}

// state is a state of the search: the ball is at a place, and some men have gone.
type state struct {
	before int32 // the state that it came from, or noState
	place  phutball.Place
	far    int32
	gone   key
}

const noState = -1

// novelty is a fact among states that are as far and, where that counts, have plans as long.
type novelty struct {
	fact      int // the place of the ball or, taken off -1, that of a man who has gone
	far, plan int32
}

// rank orders states, the least first: those with nothing new come last, the others by the
// lengths of their plans, and equals by a fixed sequence of numbers.
type rank uint64

const (
	nothingNew rank = 1 << 63
	planRank   rank = 1 << 32
)

// queue is a heap of states to go on from.
type queue []ranked

type ranked struct {
	rank  rank
	state int32
}

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].rank < q[j].rank }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(ranked)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

const (
	bestFirstNodes = 3000 // of the shortest run

	// bestFirstBytes is about what a state takes beside its set of men: itself, in the queue,
	// as seen, and what is new in it.
	bestFirstBytes = 400
)

// newBestFirst makes a search that takes so many bytes for its states.
func newBestFirst(m *mover, g *graph, failed *memory, bytes uint64) *bestFirst {
	s := &bestFirst{
		mover: m, graph: g, plans: newPlanner(g, &m.clock), failed: failed,
		takes: make([]key, len(g.edges)), words: (g.grid.Places() + 63) / 64,
	}
	s.bound = max(1, bytes/(bestFirstBytes+2*8*uint64(s.words)))
	for i, e := range g.edges {
		s.takes[i] = m.goneBy(e.from, e.to, int(e.direction))
	}
	return s
}

// advance goes on for about so much work. It sets the path if the question is won.
func (s *bestFirst) advance(ball phutball.Place, work uint64) verdict {
	for end := s.plans.work + work; s.plans.work < end && !s.ended(); {
		switch {
		case s.left == 0 && !s.begin(ball):
			return s.unlessStopped(lost)
		case len(s.open) == 0:
			return lost
		}
		if v := s.goOn(best.Pop(&s.open).(ranked).state); v != undecided {
			return v
		}
	}
	return undecided
}

// unlessStopped is a verdict, unless the clock has stopped what it comes from.
func (s *bestFirst) unlessStopped(v verdict) verdict {
	if s.clock.stopped() {
		return undecided
	}
	return v
}

// begin begins anew, and tells whether the ball has a plan, unless the clock stops it.
func (s *bestFirst) begin(ball phutball.Place) bool {
	s.plans.order = s.run / 2
	s.left = min(s.bound, bestFirstNodes*cdcl.Luby(s.plans.order))
	s.run++
	s.seen, s.known = map[key]struct{}{}, map[novelty]struct{}{}
	s.wanted = make(points, s.words)
	if !s.plans.find(ball, make(points, s.words)) {
		return false
	}
	for _, e := range s.plans.plan {
		for _, man := range s.jumped(e) {
			s.wanted.add(man)
		}
	}
	s.states = append(s.states[:0], state{before: noState, place: ball})
	s.gone = append(s.gone[:0], make([]uint64, s.words)...)
	s.seen[fact(ballHere, uint64(ball))] = struct{}{}
	s.open = append(s.open[:0], ranked{state: 0})
	return true
}

// goneIn is the set of men who have gone in a state.
func (s *bestFirst) goneIn(n int32) points {
	return s.gone[int(n)*s.words:][:s.words:s.words]
}

// goOn looks at all states that follow one.
func (s *bestFirst) goOn(n int32) verdict {
	for e, end := s.from(s.states[n].place); e < end; e++ {
		if s.plans.waitsFor(e, s.goneIn(n)) || !s.stand(e, s.goneIn(n)) {
			continue
		}
		if s.graph.grid.Goal(s.edges[e].to) > 0 {
			s.trace(n, e)
			return won
		}
		if s.nodes >= s.most {
			return undecided
		}
		if s.follow(n, e); s.clock.stopped() {
			return undecided
		}
	}
	return undecided
}

// follow adds the state that an edge leads to, unless it is known or lost.
func (s *bestFirst) follow(n, e int32) {
	to := s.edges[e].to
	gone := s.states[n].gone.xor(s.takes[e])
	k := gone.xor(fact(ballHere, uint64(to)))
	if _, had := s.seen[k]; had || s.failed.has(k) {
		return
	}
	s.seen[k] = struct{}{}
	s.nodes++
	s.left -= min(s.left, 1)
	next := int32(len(s.states))
	s.states = append(s.states, state{before: n, place: to, far: s.states[n].far, gone: gone})
	s.gone = append(s.gone, s.goneIn(n)...)
	for _, man := range s.jumped(e) {
		s.goneIn(next).add(man)
		if s.wanted.has(man) {
			s.states[next].far++
		}
	}
	switch planned := s.plans.find(to, s.goneIn(next)); {
	case s.clock.stopped():
	case planned:
		best.Push(&s.open, ranked{s.rank(e, next), next})
	default:
		s.failed.add(k)
		s.states, s.gone = s.states[:next], s.gone[:int(next)*s.words]
	}
}

// rank ranks the state that an edge has led to, and knows what is new in it from then on.
func (s *bestFirst) rank(e, n int32) rank {
	length := rank(len(s.plans.plan))
	in := novelty{far: s.states[n].far}
	if s.run%2 == 0 {
		in.plan = int32(length)
	}
	facts := len(s.known)
	in.fact = int(s.edges[e].to)
	s.known[in] = struct{}{}
	for _, man := range s.jumped(e) {
		in.fact = -1 - int(man)
		s.known[in] = struct{}{}
	}
	r := length*planRank | rank(mix(s.run<<32|uint64(n)))%planRank
	if len(s.known) == facts {
		r |= nothingNew
	}
	return r
}

// trace sets the path to where an edge leads from a state.
func (s *bestFirst) trace(n, e int32) {
	s.path = append(s.path[:0], s.edges[e].to)
	for ; s.states[n].before != noState; n = s.states[n].before {
		s.path = append(s.path, s.states[n].place)
	}
	slices.Reverse(s.path)
}
