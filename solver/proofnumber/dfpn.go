package proofnumber

import (
	"math"

	"paika/bitboard"
)

const (
	// refreshAfter is how many nodes below a child make it worth while to look
	// its siblings up again.
	refreshAfter = 2

	// pollEvery is how many nodes pass between two looks at the world outside.
	pollEvery = 1 << 6

	// filterSize is the size of the filter by which a worker knows most of the
	// positions that are not on its path.
	filterSize = 1 << 12

	// virtualNodes is the work behind a child up to which each other worker on it makes it
	// seem harder by as much as bounds leave room for. Beyond, it does so by less; where the
	// estimate is discerning, one elsewhere does not.
	virtualNodes = 3000

	// mostTogether is how many workers follow the same turn. More would be in each other's way.
	mostTogether = 8

	// idleNodes is how many visits may pass that neither reach a new position
	// nor solve one. Numbers come from entries that may have changed since a
	// node's bounds were set, so a visit can end at once; on a graph with cycles
	// two nodes could send the search to and fro in this way for ever. After so
	// many idle visits, every node is given room for a step until something new
	// is found. Doing so always costs many times the nodes.
	idleNodes = 1 << 12
)

// A frame is a node on a worker's path.
type frame[P comparable] struct {
	position P
	attacker bool // has the move
	key      uint64

	barred bool // it has too many turns, and none is listed
	turns  []P  // the positions that the turns lead to; the others have an entry for each
	keys   []uint64
	states []state
	values []bitboard.Value
	hinted []bitboard.Value

	phiBound, deltaBound uint32 // the numbers at which the node is left
}

// A worker searches depth first. It shares the table with the others.
type worker[P comparable] struct {
	*Search[P]
	run    *run
	frames []*frame[P] // by ply
	depth  int         // nodes on the path
	onPath [filterSize]uint16

	nodes   uint64
	allowed uint64 // nodes that were taken from the run's budget
	idle    int    // nodes since the last new or solved position
	polled  uint64 // nodes at the last look outside
	added   uint64 // entries since then
	quota   uint64 // nodes at which the search ends, or 0
	counts  bool   // the nodes below each turn from the root, and looks to the table's growth
	unwind  int    // the plies from here on are given up
	lane    *lane  // where others are told of it
	loads   uint64 // keeps early loads from being optimised away
}

const (
	noUnwind  = math.MaxInt
	unwindAll = -1
)

func newWorker[P comparable](s *Search[P], r *run) *worker[P] {
	return &worker[P]{Search: s, run: r, unwind: noUnwind}
}

// frame is that of a ply.
func (w *worker[P]) frame(ply int) *frame[P] {
	for len(w.frames) <= ply {
		w.frames = append(w.frames, new(frame[P]))
	}
	return w.frames[ply]
}

// root searches a position, with nothing above it, until it is solved or the
// run or the worker's quota ends.
func (w *worker[P]) root(p P, attacker bool) state {
	f := w.frame(0)
	w.place(f, p, attacker)
	w.unwind = noUnwind
	if !w.afford() {
		return state{phi: 1, delta: 1}
	}
	s := w.visit(0, infinity, infinity)
	w.giveBack()
	w.poll()
	return s
}

// place makes a frame that of a node.
func (w *worker[P]) place(f *frame[P], p P, attacker bool) {
	f.position, f.attacker, f.key = p, attacker, w.key(&p, attacker)
}

// visit searches the node in a ply's frame until it is solved or one of its
// numbers reaches its bound.
func (w *worker[P]) visit(ply int, phiBound, deltaBound uint32) state {
	f := w.frame(ply)
	before := w.nodes
	w.nodes++
	w.idle++
	w.claim(f, ply)
	w.expand(f)
	if len(f.turns) == 0 {
		w.release(f, ply)
		s := w.end(f)
		w.save(f, s, 1)
		return s
	}
	w.enter(f)
	c := w.choose(f, phiBound)
	if w.idle > idleNodes && !c.solved() {
		phiBound, deltaBound = max(phiBound, c.phi+1), max(deltaBound, c.delta+1)
	}
	f.phiBound, f.deltaBound = phiBound, deltaBound
	for c.phi < phiBound && c.delta < deltaBound && w.unwind > ply && !w.run.hopeless(c.state) {
		start := w.nodes
		w.descend(f, ply, c, phiBound, deltaBound)
		if w.nodes-start >= refreshAfter {
			w.refresh(f)
		}
		c = w.choose(f, phiBound)
	}
	w.leave(f, ply)
	if w.unwind == ply {
		return w.resume(f, c.state)
	}
	w.save(f, c.state, w.nodes-before)
	return c.state
}

// descend visits the chosen child. Its bounds are those at which the node would
// turn to another child or reach a bound of its own; the first is a little
// higher, so that the search does not change its mind too often (J. Pawlewicz,
// L. Lew, "Improving depth-first PN-search: 1 + epsilon trick", Computers and
// Games 2006). Where the estimate is discerning it is much higher if workers elsewhere are on
// the child: within its bounds this one is to turn to what they don't do.
func (w *worker[P]) descend(f *frame[P], ply int, c choice, phiBound, deltaBound uint32) {
	if !w.afford() {
		w.unwind = unwindAll
		return
	}
	next := w.frame(ply + 1)
	next.position, next.attacker, next.key = f.turns[c.best], !f.attacker, f.keys[c.best]
	margin := c.second / 4
	if w.options.Discerning && w.options.Exchange.workers(next.key) > 0 {
		margin = c.second
	}
	if w.options.Tight {
		margin = 0
	}
	turnAt := min(c.second+margin+1, infinity)
	left := uint32(infinity)
	if deltaBound < infinity {
		left = deltaBound - min(deltaBound, c.others)
	}
	f.states[c.best] = w.visit(ply+1, left, min(phiBound, turnAt))
	if w.nodes-w.polled >= pollEvery {
		w.poll()
	}
}

// choose takes a node's turns together, and the one to look at next, with an eye
// to where the other workers are.
func (w *worker[P]) choose(f *frame[P], phiBound uint32) choice {
	c := choose(f.states, f.attacker, w.options.Sums)
	if w.run.busy != nil && !c.solved() && !w.agreed(f, c) {
		w.avoid(f, &c, phiBound)
	}
	return c
}

// agreed tells whether all workers at a node are to follow the turn that promises most. Where the side
// to move seems to reach its goal, by half the work that the opposite takes, one turn is enough, and what
// is found about another is wasted. At other nodes all turns need an answer, and workers divide them.
// Workers elsewhere are turned from in any case: what they find there is heard too late.
func (w *worker[P]) agreed(f *frame[P], c choice) bool {
	return w.options.Discerning && w.options.Workers <= mostTogether &&
		2*uint64(c.phi) < uint64(c.delta) && w.options.Exchange.workers(f.keys[c.best]) == 0
}

// avoid turns from a child that others are on to the best by virtual numbers, if
// there is a better one below the bound.
func (w *worker[P]) avoid(f *frame[P], c *choice, phiBound uint32) {
	first := c.best
	number, workers := w.virtual(f, first)
	if workers == 0 {
		return
	}
	c.second = infinity
	for i := range f.states {
		s := &f.states[i]
		if s.phi == 0 || i == first {
			continue
		}
		n, others := s.delta, int32(0)
		if n <= number && n < phiBound {
			n, others = w.virtual(f, i)
			if n < number || n == number && others < workers {
				c.second = min(c.second, number)
				c.best, number, workers = i, n, others
				continue
			}
		}
		c.second = min(c.second, n)
	}
	if w.options.Sums {
		c.others = min(c.others+f.states[first].phi-f.states[c.best].phi, most)
	}
}

// virtual is the number of a child as it seems with others at work there, and how
// many they are. Every one of them makes it seem harder, so that two workers in one
// part of the graph do not do the same: by as much as bounds leave room for while the
// child has cost little work, and by less, the more it has cost. Numbers grow slowly
// there, a detour is long, and below it there is room for all. Where the estimate is discerning, one elsewhere
// makes it seem twice as hard, whatever work it has cost: what that one finds there is heard
// too late for two to share a small part of the graph.
func (w *worker[P]) virtual(f *frame[P], child int) (number uint32, workers int32) {
	number = f.states[child].delta
	here, elsewhere := w.run.busy.at(f.keys[child]).Load(), w.options.Exchange.workers(f.keys[child])
	if workers = here + elsewhere; workers == 0 {
		return number, 0
	}
	near, once, harder := uint64(workers), uint64(4+number), uint64(0)
	if w.options.Discerning {
		near, harder = uint64(here), uint64(elsewhere)*once
	}
	r, _ := w.table.find(f.keys[child])
	harder += near * once * virtualNodes / (4 * uint64(max(r.effort, virtualNodes)))
	return uint32(min(uint64(number)+harder, most)), workers
}

func (w *worker[P]) save(f *frame[P], s state, nodes uint64) {
	r := s.record(f.attacker)
	r.effort = uint32(min(nodes, mostEffort))
	added := w.store(w.run, f.key, r)
	if added {
		w.added++
	}
	if added || s.solved() {
		w.idle = 0
	}
}

// expand generates a node's turns and finds the states that they lead to.
func (w *worker[P]) expand(f *frame[P]) {
	w.list(f)
	w.rate(f)
}

// rate finds the states that a node's turns lead to: by tables, by a repetition, by
// what the table says of earlier visits, or else by the game's estimate.
func (w *worker[P]) rate(f *frame[P]) {
	w.ask(f)
	w.loads = w.table.touch(f.keys)
	w.answer(f)
}

// ask looks a node's turns up in the tables, and finds the keys of those that these don't have.
func (w *worker[P]) ask(f *frame[P]) {
	n := len(f.turns)
	f.keys, f.states, f.values = resize(f.keys, n), resize(f.states, n), resize(f.values, n)
	w.probe(f)
	for i := range f.turns {
		if f.values[i] == Unknown {
			f.keys[i] = w.key(&f.turns[i], !f.attacker)
		} else {
			f.keys[i] = 0
		}
	}
}

// answer finds the states once ask has found the keys.
func (w *worker[P]) answer(f *frame[P]) {
	for i, v := range f.values {
		if v == Unknown {
			f.states[i] = w.first(f.turns[i], f.keys[i], !f.attacker)
		} else {
			f.states[i] = valued(!f.attacker, v)
		}
		if i%manyTurns == manyTurns-1 && w.run.stopped() { // nothing is known of the others
			fill(f.states[i+1:], state{phi: 1, delta: 1})
			w.unwind = unwindAll
			return
		}
	}
}

// manyTurns is how many turns of one position pass between two looks at whether the run is over:
// to estimate where each of a million leads takes minutes.
const manyTurns = 1 << 8

// probe finds the values at which the search ends: those of the tables, and of the hints
// those that speak against what is sought.
func (w *worker[P]) probe(f *frame[P]) {
	if w.options.Tables != nil {
		w.options.Tables.Probe(f.turns, f.values)
	} else {
		fill(f.values, Unknown)
	}
	if w.options.Hints == nil {
		return
	}
	f.hinted = resize(f.hinted, len(f.turns))
	w.options.Hints.Probe(f.turns, f.hinted)
	for i, v := range f.hinted {
		if f.values[i] == Unknown && v != Unknown && valued(!f.attacker, v).verdict(!f.attacker) != w.options.Sought {
			f.values[i] = v
		}
	}
}

func fill[T any](s []T, value T) {
	for i := range s {
		s[i] = value
	}
}

// listByRules generates a node's turns in the order of the rules. Of a barred node it
// lists none.
func (w *worker[P]) listByRules(f *frame[P]) {
	if f.barred = w.bars(f); f.barred {
		f.turns = f.turns[:0]
		return
	}
	f.turns = w.rules.Turns(f.turns[:0], f.position)
}

// list generates a node's turns: in the order of the rules, or in one of the search's
// own that depends on the node alone. Members of sets know their turn by its place
// there, so that nothing else may list turns for a search.
func (w *worker[P]) list(f *frame[P]) {
	w.listByRules(f)
	if w.options.Seed == 0 {
		return
	}
	random := f.key ^ w.options.Seed*multiplierB
	for i := len(f.turns) - 1; i > 0; i-- {
		random = random*multiplierA + 1
		j := mulHigh(random, uint64(i+1))
		f.turns[i], f.turns[j] = f.turns[j], f.turns[i]
	}
}

// first is the state of a node's child when the node is entered.
func (w *worker[P]) first(p P, key uint64, attacker bool) state {
	if w.onPath[key%filterSize] != 0 {
		if w.repeats(p, key) {
			return refuted(attacker, false)
		}
	}
	if r, found := w.table.find(key); found {
		return r.state(attacker)
	}
	phi, delta := w.options.Estimate(p, attacker)
	if phi == 0 && delta == 0 {
		return valued(attacker, w.rules.Ended(p))
	}
	return state{phi: within(phi), delta: within(delta)}
}

// within is a number of an estimate where the game goes on: one that the table can keep, and that decides
// nothing.
func within(number uint32) uint32 { return min(max(number, 1), most) }

// repeats tells whether a position or an image of it is on the path.
func (w *worker[P]) repeats(p P, key uint64) bool {
	for _, f := range w.frames[:w.depth] {
		if f.key == key && w.fold(f.position) == w.fold(p) {
			return true
		}
	}
	return false
}

// refresh looks up again those children on which there is no fact yet. A belief
// gives way to facts alone: it may be that the child repeats the path.
func (w *worker[P]) refresh(f *frame[P]) {
	w.loads = w.table.touch(f.keys)
	for i := range f.states {
		if f.states[i].fact {
			continue
		}
		if r, found := w.table.find(f.keys[i]); found && (r.fact() || !f.states[i].solved()) {
			f.states[i] = r.state(!f.attacker)
		}
	}
}

// enter puts a node on the path, leave takes it off again.
func (w *worker[P]) enter(f *frame[P]) {
	w.depth++
	w.onPath[f.key%filterSize]++
}

// claim tells the other workers that this one is on a node. It does so before the turns
// are listed: who came meanwhile would follow, and two that are on the same node at the
// same time do the same from there on.
func (w *worker[P]) claim(f *frame[P], ply int) {
	if w.run.busy != nil {
		w.run.busy.at(f.key).Add(1)
		w.options.Exchange.at(w.lane, ply, f.key)
	}
}

func (w *worker[P]) leave(f *frame[P], ply int) {
	w.depth--
	w.onPath[f.key%filterSize]--
	w.release(f, ply)
	w.shed(f, ply)
}

// release takes a claim back.
func (w *worker[P]) release(f *frame[P], ply int) {
	if w.run.busy != nil {
		w.run.busy.at(f.key).Add(-1)
		w.options.Exchange.left(w.lane, ply)
	}
}

// poll reports the nodes and looks for reasons to give up plies: the end of the
// run or of the worker's quota, or what others have found out about a node on the path.
func (w *worker[P]) poll() {
	w.run.count(w.nodes - w.polled)
	if w.counts && len(w.frames) > 1 {
		w.work.add(w.frames[1].key, w.nodes-w.polled)
	}
	w.polled = w.nodes
	w.table.entered.Add(w.added)
	w.added = 0
	if w.counts && w.table.crowded() {
		w.run.crowded.Store(true)
	}
	if w.run.stopped() || w.quota != 0 && w.nodes >= w.quota {
		w.unwind = unwindAll
		return
	}
	if w.run.busy == nil {
		return
	}
	for ply := 1; ply < w.depth; ply++ {
		if r, found := w.table.find(w.frames[ply].key); found && w.over(w.frames[ply], r) {
			w.unwind = ply
			return
		}
	}
}

// over tells whether there is nothing to do any more below a node on the path, by what
// the table says of it: another worker has solved it, or its numbers have reached the
// bounds, and the work is wanted elsewhere. Bounds that were set to come to anything new
// at all are kept. Who solves the root ends the run. The root is not looked up: what the
// table says of it may be older than the search, which then is for what was lost
// below it.
func (w *worker[P]) over(f *frame[P], r record) bool {
	return r.solved() || w.idle <= idleNodes && (r.phi >= f.phiBound || r.delta >= f.deltaBound)
}

// resume ends an unwinding at the node that made it necessary.
func (w *worker[P]) resume(f *frame[P], s state) state {
	w.unwind = noUnwind
	if r, found := w.table.find(f.key); found {
		return r.state(f.attacker)
	}
	return s // the entry was lost since; the node's parent will come back
}

// resize gives a slice of n elements, whatever they are.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	return s[:n]
}
