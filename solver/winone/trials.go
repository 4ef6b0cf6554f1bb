package winone

import (
	"math"

	"paika/bitboard/phutball"
)

// bans is a set of edges that no winning series jumps.
type bans struct {
	far  []uint32 // by place and direction: a bit for each number of steps that an edge goes
	some bool
}

func newBans(grid *phutball.Grid) *bans {
	return &bans{far: make([]uint32, grid.Places()*phutball.Directions)}
}

func (b *bans) reset() {
	if b.some {
		clear(b.far)
		b.some = false
	}
}

// has tells whether an edge is in the set. Edges of more than 31 steps never are.
func (b *bans) has(from phutball.Place, d, steps int) bool {
	return b.far[int(from)*phutball.Directions+d]>>steps&1 != 0
}

// add puts an edge in the set if it is short enough, which it tells.
func (b *bans) add(from phutball.Place, d, steps int) bool {
	if steps > 31 {
		return false
	}
	b.far[int(from)*phutball.Directions+d] |= 1 << steps
	b.some = true
	return true
}

// trials find edges of a relaxation that no winning series jumps.
//
// An edge on trial is jumped once, and no man twice: so no edge is, before or
// after, that jumps one of its men, and before it the ball is nowhere that one
// of them stands. Is there a way, with the other edges alone,
// from the ball to the edge's beginning, with the man gone, if there is one,
// where it lands; and from its end to the goal? This too is answered by
// relaxation. An edge that fails is out of every later trial.
//
// So go all edges over a man whom an edge on every path to the goal must jump:
// their trial fails for want of that edge. This is what takes most forced chains
// near the goal apart.
type trials struct {
	*graph
	clock         *clock
	trial         int32
	barred        []int32 // by edge: the last trial in which it can't be jumped; forever once it has failed
	before, after reach
}

// forever is later than every trial.
const forever = math.MaxInt32

// reach is where the ball may get in a trial.
type reach struct {
	trial   int32
	places  []int32 // by place: the last trial in which it was reached
	gone    []int32 // by point: the last trial in which the man might be gone
	lines   []axes  // by point: those of the edges over him in that trial
	closed  []int32 // by place: the last trial in which the ball may not go there
	queue   []phutball.Place
	waiting [][]int32        // by point: edges from places reached that land there once the man is gone
	waits   []phutball.Place // points with such edges
	ready   []int32          // edges to jump
}

func newTrials(g *graph, c *clock) *trials {
	n := g.grid.Places()
	return &trials{graph: g, clock: c, barred: make([]int32, len(g.edges)), before: newReach(n), after: newReach(n)}
}

func newReach(places int) reach {
	return reach{
		places: make([]int32, places), gone: make([]int32, places), lines: make([]axes, places),
		closed: make([]int32, places), waiting: make([][]int32, places),
	}
}

// support is relaxation with one condition more: an edge that lands where a man
// stands needs another, jumped before it, that takes him away and leaves its own
// men standing: it neither jumps one of them nor begins or ends in his place,
// where he would have to be gone. Edges that are not reached so fail. This costs
// no more than a trial or two. Where the clock stops it, nothing that it says is to
// be relied on.
func (t *trials) support(ball phutball.Place) {
	t.trial++
	s := supporting{trials: t, done: make([]bool, len(t.edges)), lines: make([]axes, len(t.over)), waiting: make([][]int32, len(t.over))}
	t.before.reset(t.trial)
	t.before.add(ball)
	for k := 0; ; k++ {
		for k == len(t.before.queue) {
			edge, found := s.next()
			if !found {
				s.end()
				return
			}
			s.jump(edge)
		}
		if t.clock.stopped() {
			return
		}
		p := t.before.queue[k]
		for j, end := t.from(p); j < end; j++ {
			if !t.failed(int(j)) {
				s.arrive(j)
			}
		}
	}
}

// supporting is how far support has got.
type supporting struct {
	*trials
	done    []bool    // by edge: jumped
	lines   []axes    // by point: those of the edges jumped over the man
	waiting [][]int32 // by point: edges from places reached that land there once the man is gone
	nesting
}

// end bars the edges that were not reached.
func (s *supporting) end() {
	for i, done := range s.done {
		if !done {
			s.barred[i] = forever
		}
	}
}

// arrive looks at an edge whose beginning has been reached.
func (s *supporting) arrive(i int32) {
	to := s.edges[i].to
	s.clock.spend(1)
	if !s.lands[i] || s.lines[to].but(s.axis(i)) {
		s.jump(i)
	} else {
		s.waiting[to] = append(s.waiting[to], i)
	}
}

// jump jumps an edge, and those that wait for it.
func (s *supporting) jump(i int32) {
	if s.done[i] || !s.enter(i) {
		return
	}
	defer s.leave()
	s.done[i] = true
	s.before.add(s.edges[i].to)
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

// run puts every edge on trial once, which costs trialCost.
func (t *trials) run(ball phutball.Place) {
	for i := range t.edges {
		if t.clock.spend(len(t.edges)) {
			return
		}
		if !t.failed(i) && !t.holds(int32(i), ball) {
			t.barred[i] = forever
		}
	}
}

// trialCost is what the trials of so many edges may take, by looks at edges.
func trialCost(edges int) int { return edges * edges }

// failed tells whether an edge has.
func (t *trials) failed(i int) bool { return t.barred[i] == forever }

// holds tries one edge.
func (t *trials) holds(i int32, ball phutball.Place) bool {
	t.trial++
	for _, man := range t.jumped(i) {
		t.before.closed[man] = t.trial
		for _, other := range t.over[man] {
			t.barred[other] = max(t.barred[other], t.trial)
		}
	}
	e := t.edges[i]
	t.before.reset(t.trial)
	t.before.add(ball)
	t.spread(&t.before)
	if t.before.places[e.from] != t.trial || t.lands[i] && !t.before.cleared(e.to, t.axis(i)) {
		return false
	}
	t.after.reset(t.trial)
	copy(t.after.gone, t.before.gone)
	copy(t.after.lines, t.before.lines)
	t.after.ready = append(t.after.ready, i)
	t.jump(&t.after)
	return t.spread(&t.after)
}

func (r *reach) reset(trial int32) {
	r.trial = trial
	r.queue = r.queue[:0]
	for _, p := range r.waits {
		r.waiting[p] = r.waiting[p][:0]
	}
	r.waits = r.waits[:0]
}

// cleared tells whether the man in a place may be gone for an edge on a line that
// lands there.
func (r *reach) cleared(p phutball.Place, axis uint8) bool {
	return r.gone[p] == r.trial && r.lines[p].but(axis)
}

// remove lets a man go by an edge of a line. It tells whether that is new.
func (r *reach) remove(man phutball.Place, axis uint8) bool {
	if r.gone[man] != r.trial {
		r.gone[man], r.lines[man] = r.trial, 0
	}
	had := r.lines[man]
	r.lines[man] |= 1 << axis
	return r.lines[man] != had
}

func (r *reach) add(p phutball.Place) {
	if r.places[p] != r.trial {
		r.places[p] = r.trial
		r.queue = append(r.queue, p)
	}
}

// spread relaxes, up to a goal if it reaches one, which it tells.
func (t *trials) spread(r *reach) bool {
	for k := 0; k < len(r.queue); k++ {
		p := r.queue[k]
		if t.grid.Goal(p) > 0 {
			if r == &t.after {
				return true
			}
			continue
		}
		for j, end := t.from(p); j < end; j++ {
			to := t.edges[j].to
			if t.barred[j] >= t.trial || r.closed[to] == t.trial {
				continue
			}
			if t.lands[j] && !r.cleared(to, t.axis(j)) {
				if len(r.waiting[to]) == 0 {
					r.waits = append(r.waits, to)
				}
				r.waiting[to] = append(r.waiting[to], j)
			} else {
				r.ready = append(r.ready, j)
				t.jump(r)
			}
		}
	}
	return false
}

// jump reaches the ends of the edges that are ready, lets their men go, and makes
// ready what waited for that.
func (t *trials) jump(r *reach) {
	for len(r.ready) > 0 {
		i := r.ready[len(r.ready)-1]
		r.ready = r.ready[:len(r.ready)-1]
		r.add(t.edges[i].to)
		for _, man := range t.jumped(i) {
			if r.remove(man, t.axis(i)) {
				t.release(r, man, i)
			}
		}
	}
}

// release makes the edges ready that have waited for a man to be jumped, unless they
// are in line with the one that jumps him.
func (t *trials) release(r *reach, man phutball.Place, by int32) {
	waiting := r.waiting[man]
	kept := waiting[:0]
	for _, j := range waiting {
		if t.spares(by, j) {
			r.ready = append(r.ready, j)
		} else {
			kept = append(kept, j)
		}
	}
	r.waiting[man] = kept
}
