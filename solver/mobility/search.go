package mobility

import (
	"math"
	"slices"

	"paika/bitboard"
	"paika/bitboard/konane"
)

const (
	// maxTurns bounds the turns of a game: each takes a stone.
	maxTurns = 65

	// slack is the ε of the thresholds, inverted: a turn is looked into until
	// it seems that much worse than the next best one.
	slack = 3

	// lookNodes is how many nodes, at least, a worker visits before it looks
	// around: at the context, at the limit, and at whether others have decided
	// what it is in.
	lookNodes = 1 << 10

	// blockNodes is how many nodes a worker takes from the limit at a time: enough
	// for a finisher.
	blockNodes = 1 << 8

	// foldedDepth is the number of turns from the root up to which positions
	// are taken for their images under symmetry.
	foldedDepth = 3

	// sharedDepth is the number of turns from the root up to which workers tell
	// each other where they are. Below they seldom meet.
	sharedDepth = 14

	// freshNodes is how many nodes a turn must have cost before what others
	// have found of its siblings meanwhile is looked up.
	freshNodes = 1 << 8
)

// child is a position after a turn, with the numbers last seen.
type child struct {
	node
	numbers
	known bool // found in tables or searched; else guessed
}

// worker is one goroutine's part of a search.
type worker struct {
	*search
	nodes    uint64
	allowed  uint64 // nodes that were taken from the limit
	looked   uint64 // nodes when it last looked around
	added    uint64 // entries of the table, since it was told
	path     [maxTurns]node
	depth    int // positions on the path
	base     int // the one from which the search began
	abandon  int // depth of the position on the path that needs no more work, or more than any
	children [maxTurns][]child
	turns    []konane.Position[konane.Word]
	probed   []bitboard.Value // of turns, by tables
	finisher finisher
}

// work searches from the root until it is decided or the search stops.
func (s *search) work(root node) {
	w := s.newWorker()
	w.table.enter()
	defer w.table.leave()
	v := w.prove(&child{node: root, numbers: undecided, known: true}, numbers{infinite, infinite})
	s.visited.Add(w.nodes - w.looked)
	w.giveBack()
	if v.decided() {
		s.result.Store(pack(v))
		s.stop.Store(true)
	}
}

func (s *search) newWorker() *worker {
	return &worker{search: s, abandon: maxTurns, finisher: newFinisher(&s.guide)}
}

// afford makes sure that the worker may visit a position, and finish one. Where
// the limit allows no more, the search ends.
func (w *worker) afford() bool {
	if w.allowed-w.nodes > finishNodes {
		return true
	}
	if w.options.Nodes == 0 {
		w.allowed = math.MaxUint64
		return true
	}
	w.allowed += w.take()
	if w.allowed > w.nodes {
		return true
	}
	w.ended.Store(true)
	w.stop.Store(true)
	return false
}

// take gives some of the nodes that the limit leaves.
func (s *search) take() uint64 {
	for {
		left := s.left.Load()
		given := min(left, blockNodes)
		if s.left.CompareAndSwap(left, left-given) {
			return given
		}
	}
}

// giveBack returns the nodes that the worker has taken and not used.
func (w *worker) giveBack() {
	if w.options.Nodes > 0 {
		w.left.Add(w.allowed - w.nodes)
	}
	w.allowed = w.nodes
}

// prove searches a position until one of its numbers reaches its bound, or until
// the work there is abandoned.
func (w *worker) prove(c *child, bound numbers) numbers {
	if !w.afford() {
		w.abandon = -1
		return c.numbers
	}
	n, began := c.node, w.nodes
	w.path[w.depth] = n
	if w.nodes-w.looked >= lookNodes {
		w.look()
	}
	if !c.known && min(c.proof, c.disproof) < w.finish {
		left := w.allowed - w.nodes - 1 // one for this visit
		v, solved, nodes := w.finisher.finish(n, int(min(finishNodes, left)))
		w.nodes += nodes
		if solved {
			w.added += w.table.store(n, v, nodes)
			return v
		}
	}
	w.nodes++
	children := w.expand(n)
	w.enter(n)
	defer w.leave(n)
	for {
		v, best, second := w.combine(children)
		if v.proof >= bound.proof || v.disproof >= bound.disproof {
			w.added += w.table.store(n, v, w.nodes-began)
			return v
		}
		next := &children[best]
		before := w.nodes
		next.numbers = w.prove(next, numbers{
			proof:    min(bound.disproof-v.disproof+next.proof, infinite),
			disproof: max(min(bound.proof, second+second/slack+1), next.disproof+1),
		})
		next.known = true
		if w.abandon < w.depth {
			return w.abandoned(n, v)
		}
		if w.busy != nil && w.nodes-before >= freshNodes {
			w.refresh(children)
		}
	}
}

// enter and leave tell the other workers where this one is.
func (w *worker) enter(n node) {
	w.tell(n, 1)
	w.depth++
}

func (w *worker) leave(n node) {
	w.depth--
	w.tell(n, -1)
}

func (w *worker) tell(n node, workers int32) {
	if w.busy != nil && w.depth <= sharedDepth {
		w.busy[n.hash()>>(64-busyBits)].Add(workers)
	}
}

// look counts nodes and finds out whether work goes on, and where.
func (w *worker) look() {
	total := w.visited.Add(w.nodes - w.looked)
	w.looked = w.nodes
	if w.stop.Load() {
		w.abandon = -1
		return
	}
	if w.options.Progress != nil && w.report.TryLock() {
		w.options.Progress(total)
		w.report.Unlock()
	}
	w.table.pause(w.added)
	w.added = 0
	if w.busy == nil {
		return
	}
	for depth := w.base + 1; depth < w.depth; depth++ {
		if v, known := w.table.find(w.path[depth]); known && v.decided() {
			w.abandon = depth
			return
		}
	}
}

// abandoned is what is known of a position on the path, all or part of the work
// below which is abandoned. The decided one that caused this takes up work
// again, at its end.
func (w *worker) abandoned(n node, v numbers) numbers {
	if w.abandon == w.depth-1 {
		w.abandon = maxTurns
		if found, known := w.table.find(n); known {
			return found
		}
	}
	return v
}

// refresh takes over what other workers have found.
func (w *worker) refresh(children []child) {
	for i := range children {
		if v, known := w.table.find(children[i].node); known {
			children[i].numbers, children[i].known = v, true
		}
	}
}

// expand lists the positions after the turns of n. If one of them is known to be
// lost, for the side that is then to move, n is won, and the list ends there.
func (w *worker) expand(n node) []child {
	list := w.turnsOf(n)
	w.probe()
	for i := range list {
		c := &list[i]
		known := false
		if c.numbers, known = w.probedNumbers(i); !known {
			c.numbers, known = w.table.find(c.node)
		}
		if c.known = known; known && c.disproof == 0 {
			return list[:i+1]
		}
	}
	for i := range list {
		c := &list[i]
		if c.known {
			continue
		}
		if c.numbers = w.guess(c.node); c.disproof == 0 {
			return list[:i+1]
		}
	}
	return list
}

// turnsOf lists the positions after the turns of n, and starts to look them up.
// Near the root it takes their least images.
func (w *worker) turnsOf(n node) []child {
	list := w.children[w.depth][:0]
	p := konane.Position[konane.Word]{Own: konane.Word(n.own), Opp: konane.Word(n.opp)}
	if w.opens(n) {
		w.turns = w.game.Turns(w.turns[:0], p)
		for _, q := range w.turns {
			list = append(list, child{node: w.node(q)}) // the removal settles who plays which colour
		}
	} else {
		w.turns = w.guide.jumps.Turns(w.turns[:0], p)
		for _, q := range w.turns {
			list = append(list, child{node: node{uint64(q.Own), uint64(q.Opp), n.side ^ 1}})
		}
	}
	w.children[w.depth] = list
	for i := range list {
		if w.depth < foldedDepth {
			list[i].node = w.folded(list[i].node)
		}
		w.table.fetch(list[i].node)
	}
	return list
}

// folded is the least image of a position under the symmetries of the board.
func (w *worker) folded(n node) node {
	own, opp, exchanged := w.symmetries.Least(n.own, n.opp)
	if exchanged {
		n.side ^= 1
	}
	return node{own, opp, n.side}
}

// probe looks all turns up in the tables, if there are any.
func (w *worker) probe() {
	if w.options.Tables == nil {
		return
	}
	w.probed = slices.Grow(w.probed[:0], len(w.turns))[:len(w.turns)]
	w.options.Tables.Probe(w.turns, w.probed)
}

// probedNumbers is what the tables know of a turn.
func (w *worker) probedNumbers(turn int) (v numbers, known bool) {
	if w.options.Tables == nil {
		return v, false
	}
	switch w.probed[turn] {
	case bitboard.Win:
		return won, true
	case bitboard.Loss:
		return lost, true
	}
	return v, false
}

// guess is the numbers of a position not searched yet.
func (w *worker) guess(n node) numbers {
	if w.opens(n) {
		return numbers{unit, unit}
	}
	return w.guide.numbers(n.own, n.opp)
}

// combine gives a position's numbers from those of its children, the child to
// look into next, and the disproof number at which another one seems better.
// Without children the position is lost.
func (w *worker) combine(children []child) (v numbers, best int, second uint64) {
	v.proof, second = infinite, infinite
	sum, nearest := uint64(0), uint64(infinite)
	shared := w.busy != nil && w.depth <= sharedDepth
	for i := range children {
		c := &children[i]
		v.proof = min(v.proof, c.disproof)
		sum = min(sum+c.proof, most)
		seeming := c.disproof
		if shared {
			seeming = w.seeming(c)
		}
		if seeming < nearest {
			second, nearest, best = nearest, seeming, i
		} else {
			second = min(second, seeming)
		}
	}
	if v.disproof = rounded(sum); v.proof == 0 {
		v.disproof = infinite
	}
	return v, best, second
}

// seeming is the disproof number of a child, and more for every worker that is
// looking into it, up to twice as much.
func (w *worker) seeming(c *child) uint64 {
	if c.disproof == infinite {
		return infinite
	}
	workers := min(uint64(w.busy[c.hash()>>(64-busyBits)].Load()), 32)
	return min(c.disproof+workers*(c.disproof/32+1), most)
}
