package winone

import "paika/bitboard/phutball"

// An edge is a jump that may be possible at some time of a turn: from a place to
// another, over men that stand at its beginning.
type edge struct {
	from, to  phutball.Place
	direction int8
}

// relaxation over-approximates where the ball can get within a turn.
//
// Men only vanish during a turn. Take each man that some jump can reach as both
// standing and gone, as it suits: a jump goes over any first part of the men in
// line that ends before a vacant point or before a man who may be gone. Every
// series of jumps is a path of such edges. Places that no path from the ball
// reaches, or from which none leads to the goal, are of no use to a winning
// series; without them fewer men may be gone and fewer edges are left, and so on
// until nothing changes.
//
// This is the delete relaxation of planning (Bonet and Geffner, "Planning as
// heuristic search", Artificial Intelligence 129, 2001) with the part of the
// board pruned that lies on no path to the goal.
type relaxation struct {
	grid  *phutball.Grid
	bans  *bans
	clock *clock

	mostEdges int // there is no memory for more
	nesting

	queue   []phutball.Place // the places reached, in the order in which they were
	reached []bool           // by place
	gone    []bool           // by point: a man who may be gone
	pruned  []bool           // by place: of no use

	edges    []edge  // in the order of queue
	jumped   uint64  // men jumped by all edges together
	distance []int32 // by place: jumps to the goal, or unreachable
	into     []int32 // by place: ends in incoming
	incoming []int32 // edges, by the place they lead to
	back     []phutball.Place
}

const unreachable = -1

func newRelaxation(grid *phutball.Grid, b *bans, c *clock) *relaxation {
	n := grid.Places()
	return &relaxation{
		grid: grid, bans: b, clock: c, reached: make([]bool, n), gone: make([]bool, n), pruned: make([]bool, n),
		distance: make([]int32, n), into: make([]int32, n+1),
	}
}

// run relaxes a position and prunes it to the fixpoint. It tells whether the
// goal may be within reach; edges and distance are set then. Places with a
// distance are those kept. Where a limit is met it tells true and sets nothing to
// rely on.
func (r *relaxation) run(men []uint64, ball phutball.Place) bool {
	clear(r.pruned)
	for {
		found := r.forward(men, ball)
		if r.clock.stopped() {
			return true
		}
		if !found {
			return false
		}
		if r.collect(men); r.clock.spend(len(r.distance)) {
			return true
		}
		if r.backward(); r.clock.spend(len(r.edges)) {
			return true
		}
		if r.distance[ball] == unreachable {
			return false
		}
		whole := true
		for _, p := range r.queue {
			if r.distance[p] == unreachable {
				r.pruned[p], whole = true, false
			}
		}
		if whole {
			return true
		}
	}
}

// forward finds the places that the ball may reach by way of places that are
// not pruned. It tells whether a goal is among them.
func (r *relaxation) forward(men []uint64, ball phutball.Place) bool {
	for _, p := range r.queue {
		r.reached[p] = false
	}
	clear(r.gone)
	r.queue = append(r.queue[:0], ball)
	r.reached[ball] = true
	r.later = r.later[:0]
	goal := false
	for i := 0; ; i++ {
		for i == len(r.queue) {
			man, found := r.next()
			if !found {
				return goal
			}
			r.landOn(men, phutball.Place(man))
		}
		from := r.queue[i]
		if r.clock.stopped() {
			return goal
		}
		goal = goal || r.grid.Goal(from) > 0
		if !r.jumpsFrom(from) {
			continue
		}
		for d := range phutball.Directions {
			if r.grid.Man(men, r.grid.Next(from, d)) {
				r.look(men, from, d)
			}
		}
	}
}

// jumpsFrom tells whether a jump from a place can be part of a winning series.
func (r *relaxation) jumpsFrom(p phutball.Place) bool {
	return !r.grid.Halts(p) && r.grid.Goal(p) <= 0
}

// look reaches all landings in a direction.
func (r *relaxation) look(men []uint64, from phutball.Place, d int) {
	last, steps := from, 2
	at := r.grid.Next(r.grid.Next(from, d), d)
	for ; r.grid.Man(men, at); at = r.grid.Next(at, d) {
		if r.gone[at] && !r.bans.has(from, d, steps) && r.reach(at) {
			last = at
		}
		steps++
	}
	if at != phutball.Nowhere && !r.bans.has(from, d, steps) && r.reach(at) {
		last = at
	}
	r.clock.spend(steps)
	r.remove(men, from, last, d)
}

// reach adds a place, unless it is pruned.
func (r *relaxation) reach(p phutball.Place) bool {
	if r.pruned[p] {
		return false
	}
	if !r.reached[p] {
		r.reached[p] = true
		r.queue = append(r.queue, p)
	}
	return true
}

// remove lets the men go that are jumped on the way from a place to another in a
// direction, and looks for jumps that can now land where they stood.
func (r *relaxation) remove(men []uint64, from, to phutball.Place, d int) {
	if from == to {
		return
	}
	for at := r.grid.Next(from, d); at != to; at = r.grid.Next(at, d) {
		if !r.gone[at] {
			r.gone[at] = true
			if !r.pruned[at] && r.enter(int32(at)) {
				r.landOn(men, at)
				r.leave()
				if r.clock.stopped() {
					return
				}
			}
		}
	}
}

// landOn reaches a man's place if a jump from a place reached before can land
// there. (Places still to be looked at will see that he may be gone.)
func (r *relaxation) landOn(men []uint64, place phutball.Place) {
	for d := range phutball.Directions {
		back := d ^ 4
		at := r.grid.Next(place, back)
		steps := 2
		for ; r.grid.Man(men, at); steps++ {
			at = r.grid.Next(at, back)
			if at != phutball.Nowhere && r.reached[at] && r.jumpsFrom(at) && !r.bans.has(at, d, steps) {
				r.reach(place)
				r.remove(men, at, place, d)
				if r.clock.stopped() {
					return
				}
			}
		}
		if r.clock.spend(steps) {
			return
		}
	}
}

// collect lists all edges between places reached, unless a limit is met.
func (r *relaxation) collect(men []uint64) {
	r.edges, r.jumped = r.edges[:0], 0
	for _, from := range r.queue {
		if !r.jumpsFrom(from) {
			continue
		}
		for d := range phutball.Directions {
			first := r.grid.Next(from, d)
			if !r.grid.Man(men, first) {
				continue
			}
			at, steps := r.grid.Next(first, d), 2
			for ; r.grid.Man(men, at); at = r.grid.Next(at, d) {
				if r.gone[at] && r.reached[at] && !r.bans.has(from, d, steps) {
					r.add(edge{from, at, int8(d)}, steps)
				}
				steps++
			}
			if at != phutball.Nowhere && r.reached[at] && !r.bans.has(from, d, steps) {
				r.add(edge{from, at, int8(d)}, steps)
			}
			if r.clock.spend(steps) {
				return
			}
		}
	}
}

// trim lets go of lists that are long.
func (r *relaxation) trim() {
	if cap(r.edges) > maxKept {
		r.edges, r.incoming = nil, nil
	}
	if cap(r.queue) > maxKept {
		r.queue, r.back, r.later = nil, nil, nil
		clear(r.reached)
	}
}

// maxKept is the longest list that a relaxation keeps for the next question.
const maxKept = 1 << 16

// add adds an edge of some steps, if there is memory for it.
func (r *relaxation) add(e edge, steps int) {
	if len(r.edges) == r.mostEdges {
		r.clock.met = MemoryLimit
		return
	}
	r.edges = append(r.edges, e)
	r.jumped += uint64(steps - 1)
}

// backward sets the distances of the places reached.
func (r *relaxation) backward() {
	r.sortIncoming()
	for i := range r.distance {
		r.distance[i] = unreachable
	}
	r.back = r.back[:0]
	for _, p := range r.queue {
		if r.grid.Goal(p) > 0 {
			r.distance[p] = 0
			r.back = append(r.back, p)
		}
	}
	for i := 0; i < len(r.back); i++ {
		to := r.back[i]
		for _, e := range r.incoming[r.into[to]:r.into[to+1]] {
			if from := r.edges[e].from; r.distance[from] == unreachable {
				r.distance[from] = r.distance[to] + 1
				r.back = append(r.back, from)
			}
		}
	}
}

// sortIncoming groups edges by the place that they lead to.
func (r *relaxation) sortIncoming() {
	clear(r.into)
	for _, e := range r.edges {
		r.into[e.to]++
	}
	sum := int32(0)
	for p, n := range r.into {
		sum += n
		r.into[p] = sum
	}
	r.incoming = append(r.incoming[:0], make([]int32, len(r.edges))...)
	for i := len(r.edges) - 1; i >= 0; i-- {
		to := r.edges[i].to
		r.into[to]--
		r.incoming[r.into[to]] = int32(i)
	}
}
