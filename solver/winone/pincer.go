package winone

import (
	"slices"

	"paika/bitboard/phutball"
	"paika/solver/winone/internal/cdcl"
)

// pincer searches from both ends of a series at once. A state is a head, the
// jumps made so far, and a tail, the edges that the series is to end with:
//
//	ball ─head─▶ here  ...  target ─tail─▶ goal
//
// Between them the men of the tail stay, and some men must go: those on whose
// places the tail lands. A state is relaxed anew, with the edges that this
// leaves. If the target is out of reach then, or one of these men stays, it
// fails; otherwise the search goes on at the end with fewer ways to go on. A
// chain of forced jumps at either end is so laid at once, and it takes its men
// from all others: boards that are dense around the ball and sparse near the goal
// are what a search from the ball alone does worst on.
//
// The relaxation is stricter than the root's: an edge that lands where a man
// stands waits for one that takes him away and spares its own men. And an edge is out
// if some man would have to be jumped twice for it (landmarks.go).
//
// A search that has gone wrong early on does not recover soon. So it is begun
// anew after some nodes, with the ways in another order (Luby, Sinclair and
// Zuckerman, "Optimal speedup of Las Vegas algorithms", Information Processing
// Letters 47, 1993; the order comes from a fixed sequence of numbers). What
// failed is remembered over all runs.
//
// What is remembered of a state is the ball, the target, the edges kept by the
// relaxation, which of these land on a man, and the men who must go. All that can
// happen between head and tail follows from that: it is jumps over kept edges,
// whose men all stand.
type pincer struct {
	*mover
	*graph
	failed *memory
	keys   [][2]key // by edge: kept, and kept with a man where it lands
	run    uint64   // how often the search was begun anew
	work   uint64   // looks at edges

	target phutball.Place   // Nowhere without a tail: then it is any place in the goal
	tail   []phutball.Place // where its edges end, the last first
	barred []int32          // by edge: how many of its men have gone or belong to the tail
	gone   []bool           // by point: the man has been jumped by the head
	stays  []bool           // by point: the man is jumped by the tail
	need   []bool           // by point: the man must go
	needs  []phutball.Place // points where need may be set
	met    []phutball.Place // points where it was, by head or tail
	ways   []int32          // edges to go on by, of all states on the way here

	round    int64            // passes of relaxation so far
	relaxed  int64            // relaxations so far
	reached  []int64          // by place: the last round in which it was
	away     []int64          // by point: the last round in which the man may have gone
	lines    []axes           // by point: those of the edges used over him in that round
	used     []int64          // by edge: the last round in which it was reached
	pruned   []int64          // by place: the last relaxation in which it proved useless
	excluded []int64          // by edge: the last relaxation in which landmarks ruled it out
	queue    []phutball.Place // the places reached, in the order in which they were
	back     []phutball.Place // those with a distance, the nearest to the target first
	counted  []int64          // by place: the last round in which it had a distance
	distance []int32          // by place: in jumps to the target
	waiting  [][]int32        // by point: edges from places reached that land there once the man is gone
	waits    []phutball.Place // points with such edges
	nesting
	landmarks *landmarks
}

func newPincer(m *mover, g *graph, failed *memory) *pincer {
	n, e := g.grid.Places(), len(g.edges)
	s := &pincer{
		mover: m, graph: g, failed: failed, keys: make([][2]key, e), target: phutball.Nowhere,
		barred: make([]int32, e), gone: make([]bool, n), stays: make([]bool, n), need: make([]bool, n),
		reached: make([]int64, n), away: make([]int64, n), lines: make([]axes, n), used: make([]int64, e), pruned: make([]int64, n), excluded: make([]int64, e),
		counted: make([]int64, n), distance: make([]int32, n), waiting: make([][]int32, n),
	}
	for i := range s.keys {
		s.keys[i] = [2]key{fact(edgeKept, uint64(i)), fact(edgeWaits, uint64(i))}
	}
	s.landmarks = newLandmarks(g, &m.clock, s.used, s.gone)
	return s
}

const runNodes = 100 // of the shortest run

// advance searches for some nodes, begun anew a few times.
func (s *pincer) advance(ball phutball.Place, nodes uint64) verdict {
	for end := s.within(nodes); s.nodes < end && !s.ended(); s.run++ {
		s.path, s.limit = s.path[:0], s.within(runNodes*cdcl.Luby(s.run))
		if v := s.search(ball); v != undecided {
			return v
		}
	}
	return undecided
}

// workedTo is advance until so much work has been done in all.
func (s *pincer) workedTo(ball phutball.Place, work uint64) verdict {
	for s.work < work && !s.ended() {
		if v := s.advance(ball, nodesAtOnce); v != undecided {
			return v
		}
	}
	return undecided
}

// nodesAtOnce is how many nodes pass between looks at the work.
const nodesAtOnce = 100

// search decides a state. It sets the path if it is won.
func (s *pincer) search(ball phutball.Place) verdict {
	switch within := s.relax(ball); {
	case s.clock.stopped():
		return undecided
	case !within:
		return lost
	}
	if ball == s.target && !slices.ContainsFunc(s.needs, s.needed) {
		s.path = append(s.path, s.tail...)
		slices.Reverse(s.path[len(s.path)-len(s.tail):])
		return won
	}
	state := s.state(ball)
	if s.failed.has(state) {
		return lost
	}
	base := len(s.ways)
	first := s.first(ball)
	last := s.last()
	var v verdict
	if len(first) <= len(last) {
		v = s.jumpFirst(first)
	} else {
		v = s.jumpLast(ball, last)
	}
	s.ways = s.ways[:base]
	if v == lost {
		s.failed.add(state)
	}
	return v
}

func (s *pincer) needed(man phutball.Place) bool { return s.need[man] }

// first lists the edges that can be jumped at once, nearest to the target first.
func (s *pincer) first(ball phutball.Place) []int32 {
	base := len(s.ways)
	for e, end := s.from(ball); e < end; e++ {
		if s.used[e] == s.round && !s.waitsFor(e) {
			s.ways = append(s.ways, e)
		}
	}
	return s.order(base, 8)
}

// last lists the edges that the tail can be preceded by.
func (s *pincer) last() []int32 {
	base := len(s.ways)
	for _, p := range s.back {
		if s.distance[p] > 0 {
			break
		}
		for _, e := range s.into[p] {
			if s.used[e] == s.round {
				s.ways = append(s.ways, e)
			}
		}
	}
	return s.order(base, 0)
}

// order gives the ways from a base on in the order of their distances, the more
// exactly the greater their weight, and of the run's numbers.
func (s *pincer) order(base, weight int) []int32 {
	list := s.ways[base:len(s.ways):len(s.ways)]
	slices.SortStableFunc(list, func(a, b int32) int { return s.worth(a, weight) - s.worth(b, weight) })
	return list
}

const noise = 20

func (s *pincer) worth(e int32, weight int) int {
	worth := int(s.distance[s.edges[e].to]) * weight
	if s.run > 0 {
		worth += int(mix(s.run<<32|uint64(e)) % noise)
	}
	return worth
}

// spent tells whether the run or the time is over, and counts a node if not.
func (s *pincer) spent() bool {
	if s.nodes >= s.limit || s.clock.spend(len(s.edges)) {
		return true
	}
	if len(s.path)+len(s.tail) >= deepest {
		s.clock.met = MemoryLimit
		return true
	}
	s.nodes++
	return false
}

// jumpFirst tries edges as the head's next.
func (s *pincer) jumpFirst(list []int32) verdict {
	for _, e := range list {
		if s.spent() {
			return undecided
		}
		to := s.edges[e].to
		s.path = append(s.path, to)
		if s.graph.grid.Goal(to) > 0 {
			return won
		}
		met := s.take(e, s.gone)
		v := s.search(to)
		s.giveBack(e, s.gone, met)
		if v == won {
			return won
		}
		s.path = s.path[:len(s.path)-1]
		if v == undecided {
			return undecided
		}
	}
	return lost
}

// jumpLast tries edges as the tail's beginning.
func (s *pincer) jumpLast(ball phutball.Place, list []int32) verdict {
	target := s.target
	for _, e := range list {
		if s.spent() {
			return undecided
		}
		edge := s.edges[e]
		met := s.take(e, s.stays)
		adds := s.waitsFor(e) && !s.need[edge.to]
		if adds {
			s.need[edge.to] = true
			s.needs = append(s.needs, edge.to)
		}
		s.tail = append(s.tail, edge.to)
		s.target = edge.from
		v := s.search(ball)
		s.target = target
		s.tail = s.tail[:len(s.tail)-1]
		if adds {
			s.need[edge.to] = false
			s.needs = s.needs[:len(s.needs)-1]
		}
		s.giveBack(e, s.stays, met)
		if v != lost {
			return v
		}
	}
	return lost
}

// take marks an edge's men, which bars all edges over them, and meets the need
// for any of them to go. It gives the number of needs met before.
func (s *pincer) take(e int32, marks []bool) (met int) {
	met = len(s.met)
	for _, man := range s.jumped(e) {
		marks[man] = true
		if s.need[man] {
			s.need[man] = false
			s.met = append(s.met, man)
		}
		for _, other := range s.over[man] {
			s.barred[other]++
		}
	}
	return met
}

// giveBack undoes take.
func (s *pincer) giveBack(e int32, marks []bool, met int) {
	for _, man := range s.jumped(e) {
		marks[man] = false
		for _, other := range s.over[man] {
			s.barred[other]--
		}
	}
	for _, man := range s.met[met:] {
		s.need[man] = true
	}
	s.met = s.met[:met]
}

// waitsFor tells whether a man stands where an edge ends.
func (s *pincer) waitsFor(e int32) bool { return s.lands[e] && !s.gone[s.edges[e].to] }

// state is the key of what matters of the state just relaxed.
func (s *pincer) state(ball phutball.Place) key {
	k := fact(ballHere, uint64(ball))
	if s.target != phutball.Nowhere {
		k = k.xor(fact(targetHere, uint64(s.target)))
	}
	for _, p := range s.queue {
		for e, end := s.from(p); e < end; e++ {
			switch {
			case s.used[e] != s.round:
			case s.waitsFor(e):
				k = k.xor(s.keys[e][1])
			default:
				k = k.xor(s.keys[e][0])
			}
		}
	}
	for _, man := range s.needs {
		if s.need[man] {
			k = k.xor(fact(manNeeded, uint64(man)))
		}
	}
	return k
}

// aim tells whether the series between head and tail may end in a place.
func (s *pincer) aim(p phutball.Place) bool {
	if s.target == phutball.Nowhere {
		return s.graph.grid.Goal(p) > 0
	}
	return p == s.target
}

// relax relaxes the state and prunes it to the fixpoint. Landmarks are looked at once,
// for a second look costs more than it spares, and not in the first run: many series are
// found in it. It tells whether the target may be within reach and all men go who must,
// unless the clock stops it.
func (s *pincer) relax(ball phutball.Place) bool {
	s.relaxed++
	for marked := s.run == 0; ; {
		if !s.forward(ball) || slices.ContainsFunc(s.needs, s.remains) || !s.backward(ball) {
			return false
		}
		if s.clock.spend(len(s.queue)) {
			return false
		}
		whole := true
		for _, p := range s.queue {
			if s.counted[p] != s.round {
				s.pruned[p], whole = s.relaxed, false
			}
		}
		switch {
		case !whole:
		case marked || !s.exclude(ball):
			return true
		default:
			marked = true
		}
	}
}

// exclude excludes edges by landmarks from the state just relaxed. It tells whether there
// are any, unless the clock stops it.
func (s *pincer) exclude(ball phutball.Place) (some bool) {
	targets := s.back
	if n := slices.IndexFunc(s.back, func(p phutball.Place) bool { return s.distance[p] > 0 }); n >= 0 {
		targets = s.back[:n]
	}
	before := s.landmarks.work
	s.landmarks.mark(ball, targets, s.round)
	s.work += s.landmarks.work - before
	if s.clock.stopped() {
		return false
	}
	for _, p := range s.queue {
		for e, end := s.from(p); e < end; e++ {
			if s.used[e] == s.round && !s.landmarks.fits(e) {
				s.excluded[e], some = s.relaxed, true
			}
		}
	}
	return some
}

// remains tells whether a man must go and cannot.
func (s *pincer) remains(man phutball.Place) bool { return s.need[man] && s.away[man] != s.round }

// forward finds the places that the ball may reach, and tells whether the target
// is among them.
func (s *pincer) forward(ball phutball.Place) bool {
	s.round++
	for _, p := range s.waits {
		s.waiting[p] = s.waiting[p][:0]
	}
	s.waits = s.waits[:0]
	s.queue = append(s.queue[:0], ball)
	s.reached[ball] = s.round
	s.later = s.later[:0]
	found := false
	for k := 0; ; k++ {
		for k == len(s.queue) {
			e, waits := s.next()
			if !waits {
				return found
			}
			s.reach(e)
		}
		if k%spreadPlaces == spreadPlaces-1 && s.clock.over() {
			return false
		}
		p := s.queue[k]
		found = found || s.aim(p)
		e, end := s.from(p)
		s.work += uint64(end - e)
		for ; e < end; e++ {
			if to := s.edges[e].to; s.barred[e] == 0 && s.excluded[e] != s.relaxed && s.pruned[to] != s.relaxed && !s.stays[to] {
				s.arrive(e)
			}
		}
	}
}

// spreadPlaces is how many places are passed between looks at the clock.
const spreadPlaces = 1 << 12

// arrive looks at an edge whose beginning has been reached.
func (s *pincer) arrive(e int32) {
	to := s.edges[e].to
	if !s.waitsFor(e) || s.away[to] == s.round && s.lines[to].but(s.axis(e)) {
		s.reach(e)
		return
	}
	if len(s.waiting[to]) == 0 {
		s.waits = append(s.waits, to)
	}
	s.waiting[to] = append(s.waiting[to], e)
}

// reach jumps an edge, and those that wait for it.
func (s *pincer) reach(e int32) {
	if s.used[e] == s.round || !s.enter(e) {
		return
	}
	s.used[e] = s.round
	if to := s.edges[e].to; s.reached[to] != s.round {
		s.reached[to] = s.round
		s.queue = append(s.queue, to)
	}
	for _, man := range s.jumped(e) {
		if !s.remove(man, s.axis(e)) {
			continue
		}
		for _, other := range s.waiting[man] {
			if s.spares(e, other) {
				s.reach(other)
			}
		}
	}
	s.leave()
}

// remove lets a man go by an edge of a line. It tells whether that is new.
func (s *pincer) remove(man phutball.Place, axis uint8) bool {
	if s.away[man] != s.round {
		s.away[man], s.lines[man] = s.round, 0
	}
	had := s.lines[man]
	s.lines[man] |= 1 << axis
	return s.lines[man] != had
}

// backward sets the distances to the target, and tells whether the ball has one.
func (s *pincer) backward(ball phutball.Place) bool {
	s.back = s.back[:0]
	for _, p := range s.queue {
		if s.aim(p) {
			s.counted[p], s.distance[p] = s.round, 0
			s.back = append(s.back, p)
		}
	}
	for i := 0; i < len(s.back); i++ {
		to := s.back[i]
		for _, e := range s.into[to] {
			if p := s.edges[e].from; s.used[e] == s.round && s.counted[p] != s.round {
				s.counted[p], s.distance[p] = s.round, s.distance[to]+1
				s.back = append(s.back, p)
			}
		}
	}
	return s.counted[ball] == s.round
}
