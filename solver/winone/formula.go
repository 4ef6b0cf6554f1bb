package winone

import (
	"slices"

	"paika/bitboard/phutball"
	"paika/solver/winone/cdcl"
)

// formula is the question whether a turn wins as a question of satisfiability,
// without time: which jumps does a winning series make, and which follows which?
//
// Variables: an edge of the relaxation is jumped; one edge is followed by
// another. Clauses say that a series begins at the ball, that every edge jumped
// is the first or follows exactly one other, and is followed by exactly one or
// ends in the goal; that no man is jumped twice; and that an edge which lands
// where a man stands needs another that jumps him.
//
// A model is a path from the ball to the goal and possibly cycles beside it.
// The jumps can be made in the order of the path unless one comes before the
// jump that must have taken a man out of its way. Say that an edge precedes the
// one that follows it, and that the edge over a man precedes the one landing on
// his place: a model is a winning series exactly if no cycle of edges precedes
// itself. Cycles found are forbidden by clauses, one each, and the question is
// asked again (as Stützle and others do for Hamiltonian cycles). No winning
// series has such a cycle, so that an unsatisfiable formula is a proof.
type formula struct {
	*mover
	*graph
	root   *relaxation
	failed *memory // shared with the guided search
	ball   phutball.Place

	links   []link        // variable len(edges)+1+i says that links[i] is made
	out     [][]int32     // by edge: links from it
	in      [][]int32     // by edge: links to it
	begins  map[int32]int // by edge that can be the first: the variable that says so
	clauses [][]int       // until the solver has them
	extra   int           // variables behind those

	solver *cdcl.Solver
	full   bool // it takes more memory than allowed
}

// link says that the ball jumps one edge after another.
type link struct{ before, after int32 }

// The most that an encoded formula takes, in bytes, by what it is about.
const (
	formulaEdgeBytes = 700
	formulaLinkBytes = 1600
	formulaManBytes  = 800
)

// newFormula encodes what the root's relaxation has left over, the graph. It is nil
// where that takes more bytes than allowed, or the clock stops it.
func newFormula(m *mover, root *relaxation, g *graph, failed *memory, ball phutball.Place, bytes uint64) *formula {
	if formulaBytes(g) > bytes/2 {
		return nil
	}
	f := &formula{
		mover: m, graph: g, root: root, failed: failed, ball: ball,
		out: make([][]int32, len(g.edges)), in: make([][]int32, len(g.edges)), begins: map[int32]int{},
	}
	f.link()
	f.encode()
	f.solver = cdcl.New(len(f.edges) + len(f.links) + f.extra)
	for _, clause := range f.clauses {
		f.solver.Add(clause...)
		if f.clock.spend(searchWork) {
			return nil
		}
	}
	f.clauses = nil
	f.solver.Limit(bytes, f.clock.over)
	return f
}

// formulaBytes is about what the formula of a graph takes while it is encoded.
func formulaBytes(g *graph) uint64 {
	links := uint64(0)
	for _, e := range g.edges {
		lo, hi := g.from(e.to)
		links += uint64(hi - lo)
	}
	return formulaEdgeBytes*uint64(len(g.edges)) + formulaLinkBytes*links + formulaManBytes*uint64(len(g.runs))
}

// link lists the pairs of edges that can follow each other: those that have no
// man in common.
func (f *formula) link() {
	for i, e := range f.edges {
		if f.graph.grid.Goal(e.to) > 0 {
			continue
		}
		lo, hi := f.from(e.to)
		for j := lo; j < hi; j++ {
			// Edges that meet in a point share men only if the second goes back.
			if next := f.edges[j]; next.direction == e.direction^4 {
				continue
			}
			n := int32(len(f.links))
			f.links = append(f.links, link{int32(i), j})
			f.out[i], f.in[j] = append(f.out[i], n), append(f.in[j], n)
		}
	}
}

func (f *formula) edgeVariable(e int32) int { return int(e) + 1 }
func (f *formula) linkVariable(l int32) int { return len(f.edges) + 1 + int(l) }
func (f *formula) makes(e int32) bool       { return f.solver.True(f.edgeVariable(e)) } // the model does
func (f *formula) add(literals ...int)      { f.clauses = append(f.clauses, literals) }
func (f *formula) fresh() (variable int) {
	f.extra++
	return len(f.edges) + len(f.links) + f.extra
}

func (f *formula) encode() {
	var beginnings []int
	for i, e := range f.edges {
		if f.clock.spend(searchWork) {
			return
		}
		x := f.edgeVariable(int32(i))
		var follows, precedes []int
		for _, l := range f.in[i] {
			follows = append(follows, f.linkVariable(l))
			f.add(-f.linkVariable(l), x)
		}
		for _, l := range f.out[i] {
			precedes = append(precedes, f.linkVariable(l))
			f.add(-f.linkVariable(l), x)
		}
		if e.from == f.ball {
			begins := f.fresh()
			f.begins[int32(i)] = begins
			beginnings = append(beginnings, begins)
			follows = append(follows, begins)
			f.add(-begins, x)
		}
		f.add(append(slices.Clone(follows), -x)...)
		f.atMostOne(follows)
		if f.graph.grid.Goal(e.to) <= 0 {
			f.add(append(slices.Clone(precedes), -x)...)
			f.atMostOne(precedes)
		}
		f.clearsLanding(int32(i))
	}
	f.add(beginnings...)
	f.atMostOne(beginnings)
	for _, edges := range f.over {
		var variables []int
		for _, e := range edges {
			variables = append(variables, f.edgeVariable(e))
		}
		f.atMostOne(variables)
	}
}

// clearsLanding asks for an edge over the man on whose place another lands.
func (f *formula) clearsLanding(e int32) {
	if !f.lands[e] {
		return
	}
	needs := []int{-f.edgeVariable(e)}
	for _, over := range f.over[f.edges[e].to] {
		needs = append(needs, f.edgeVariable(over))
	}
	f.add(needs...)
}

// atMostOne is pairwise for a few variables and a sequential counter for more
// (Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints",
// CP 2005).
func (f *formula) atMostOne(variables []int) {
	if len(variables) <= 5 {
		for i, a := range variables {
			for _, b := range variables[:i] {
				f.add(-a, -b)
			}
		}
		return
	}
	before := 0 // true if one of the variables so far is
	for i, v := range variables {
		if before != 0 {
			f.add(-before, -v)
		}
		if i == len(variables)-1 {
			return
		}
		sofar := f.fresh()
		f.add(-v, sofar)
		if before != 0 {
			f.add(-before, sofar)
		}
		before = sofar
	}
}

const (
	modelCost  = 8   // of looking at a model, in conflicts
	modelNodes = 400 // of the search that a model guides
	clockStep  = 64  // conflicts between looks at the clock
)

// advance goes on for about some number of conflicts.
func (f *formula) advance(conflicts int) verdict {
	for conflicts > 0 && !f.clock.over() {
		status, used := f.solver.Run(min(conflicts, clockStep))
		conflicts -= used + modelCost
		switch status {
		case cdcl.Full:
			f.full = true
			return undecided
		case cdcl.Unsatisfiable:
			return lost
		case cdcl.Satisfiable:
			if f.follow() == won {
				return won
			}
			for _, clause := range f.cuts() {
				f.solver.Add(clause...)
			}
		}
	}
	return undecided
}

// follow searches for a series, the jumps of the model found before others.
func (f *formula) follow() verdict {
	limit := f.limit
	f.limit = min(limit, f.within(modelNodes))
	defer func() { f.limit = limit }()
	return guided{f.mover, f.root, f.failed, f}.search(f.ball, key{})
}

// prefer puts the jumps of the model first, and leaves them in order otherwise.
func (f *formula) prefer(c *children, ball phutball.Place) {
	slices.SortStableFunc(c.list[:c.n], func(a, b child) int {
		return f.rank(ball, a) - f.rank(ball, b)
	})
}

// rank is 0 for a jump that the model makes, 1 for another.
func (f *formula) rank(ball phutball.Place, c child) int {
	lo, hi := f.from(ball)
	for i := lo; i < hi; i++ {
		if f.edges[i] == (edge{ball, c.to, c.direction}) && f.makes(i) {
			return 0
		}
	}
	return 1
}

// cuts gives clauses against some of the model's cycles of precedence. There is
// one at least, or the model would have been a winning series.
func (f *formula) cuts() [][]int {
	p := f.precedence()
	var cuts [][]int
	for _, cycle := range p.cycles() {
		cuts = append(cuts, f.forbid(p, cycle))
	}
	return cuts
}

// precedence is which edges of a model come before which.
type precedence struct {
	edges   []int32         // those of the model
	follows map[int32]int32 // by edge: the link from it
	next    map[int32]int32 // by edge: the edge that follows it
	clears  map[int32]int32 // by edge: the edge over the man where it lands
}

func (f *formula) precedence() precedence {
	p := precedence{follows: map[int32]int32{}, next: map[int32]int32{}, clears: map[int32]int32{}}
	over := map[phutball.Place]int32{}
	for i := range f.edges {
		if !f.makes(int32(i)) {
			continue
		}
		p.edges = append(p.edges, int32(i))
		for _, at := range f.jumped(int32(i)) {
			over[at] = int32(i)
		}
		for _, l := range f.out[i] {
			if f.solver.True(f.linkVariable(l)) {
				p.follows[int32(i)], p.next[int32(i)] = l, f.links[l].after
			}
		}
	}
	for _, i := range p.edges {
		if f.lands[i] {
			p.clears[i] = over[f.edges[i].to]
		}
	}
	return p
}

// cycles lists some cycles, each edge before the next and the last before the
// first: one or more of every knot of them.
func (p precedence) cycles() [][]int32 {
	before := map[int32][]int32{} // direct predecessors
	for e, next := range p.next {
		before[next] = append(before[next], e)
	}
	for e, clearer := range p.clears {
		before[e] = append(before[e], clearer)
	}
	for _, list := range before {
		slices.Sort(list) // maps have no order, and answers must not depend on it
	}
	const (
		unseen = iota
		open
		closed
	)
	state := map[int32]int{}
	var cycles [][]int32
	var stack []int32
	var visit func(e int32)
	visit = func(e int32) {
		state[e] = open
		stack = append(stack, e)
		for _, b := range before[e] {
			switch state[b] {
			case unseen:
				visit(b)
			case open:
				cycle := slices.Clone(stack[slices.Index(stack, b):])
				slices.Reverse(cycle)
				cycles = append(cycles, cycle)
			}
		}
		state[e] = closed
		stack = stack[:len(stack)-1]
	}
	for _, e := range p.edges {
		if state[e] == unseen {
			visit(e)
		}
	}
	return cycles
}

// forbid is a clause against a cycle. If its edges follow each other all around,
// the ball must come to one of them from elsewhere, for any of them to be
// jumped. Otherwise one of its links is not made, or one of the edges that clear
// a place and land on it is not jumped. A link implies both its edges.
func (f *formula) forbid(p precedence, cycle []int32) []int {
	linked := map[int32]bool{}
	links := 0
	var clause []int
	for i, e := range cycle {
		after := cycle[(i+1)%len(cycle)]
		if next, ok := p.next[e]; ok && next == after {
			clause = append(clause, -f.linkVariable(p.follows[e]))
			linked[e], linked[after] = true, true
			links++
		}
	}
	if links == len(cycle) {
		return f.enter(cycle)
	}
	for _, e := range cycle {
		if !linked[e] {
			clause = append(clause, -f.edgeVariable(e))
		}
	}
	return clause
}

// enter is a clause that says of edges: if the first is jumped, one of them
// follows another edge or is the beginning.
func (f *formula) enter(edges []int32) []int {
	clause := []int{-f.edgeVariable(edges[0])}
	for _, e := range edges {
		for _, l := range f.in[e] {
			if !slices.Contains(edges, f.links[l].before) {
				clause = append(clause, f.linkVariable(l))
			}
		}
		if begins, ok := f.begins[e]; ok {
			clause = append(clause, begins)
		}
	}
	return clause
}
