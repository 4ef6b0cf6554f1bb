package winone

import (
	"slices"

	"paika/bitboard/phutball"
	"paika/solver/winone/internal/cdcl"
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
// A model of the clauses alone is a path from the ball to the goal and possibly
// cycles beside it, and an edge may land where a man stands until later. What
// makes a series of it is the foundation, which the solver asks at every step.
type formula struct {
	*mover
	*graph
	ball phutball.Place

	links   []link    // variable len(edges)+1+i says that links[i] is made
	out     [][]int32 // by edge: links from it
	in      [][]int32 // by edge: links to it
	begins  []int     // by edge: the variable that says that it is the first, or none
	endings []int32   // edges that end in the goal
	clauses [][]int   // until the solver has them
	groups  [][]int   // of variables, one at most of them true; as long
	extra   int       // variables behind those

	solver *cdcl.Solver
	full   bool // it takes more memory than allowed

	next   int32  // edge to probe
	failed int    // edges that failed in this round of probes
	probes uint64 // work of all probes
	probed bool   // enough
}

// link says that the ball jumps one edge after another.
type link struct{ before, after int32 }

// The most that an encoded formula takes, in bytes, by what it is about.
const (
	formulaPlaceBytes = 500
	formulaEdgeBytes  = 800
	formulaLinkBytes  = 1600
	formulaManBytes   = 800
)

// newFormula encodes what the root's relaxation has left over, the graph. It is nil
// where that takes more bytes than allowed, or the clock stops it.
func newFormula(m *mover, g *graph, ball phutball.Place, bytes uint64) *formula {
	if formulaBytes(g) > bytes/2 {
		return nil
	}
	f := &formula{
		mover: m, graph: g, ball: ball,
		out: make([][]int32, len(g.edges)), in: make([][]int32, len(g.edges)), begins: make([]int, len(g.edges)),
	}
	f.link()
	f.encode()
	f.solver = cdcl.New(len(f.edges) + len(f.links) + f.extra)
	for _, group := range f.groups {
		f.solver.AtMostOne(group...)
	}
	for _, clause := range f.clauses {
		f.solver.Add(clause...)
		if f.clock.spend(searchWork) {
			return nil
		}
	}
	f.clauses, f.groups = nil, nil
	f.solver.Limit(bytes, f.clock.over)
	f.solver.Ask(series{newFoundation(f), newDoubles(f)})
	f.solver.Follow(ends{f})
	f.preferGoal()
	return f
}

// preferGoal lets the solver begin near the goal, where there are the fewest ways: an
// edge weighs the less the more jumps its end is away.
func (f *formula) preferGoal() {
	distance := make([]int, f.graph.grid.Places())
	var queue []phutball.Place
	reach := func(p phutball.Place, jumps int) {
		if distance[p] == 0 {
			distance[p] = jumps
			queue = append(queue, p)
		}
	}
	for _, e := range f.edges {
		if f.graph.grid.Goal(e.to) > 0 {
			reach(e.to, 1)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, e := range f.into[queue[i]] {
			reach(f.edges[e].from, distance[queue[i]]+1)
		}
	}
	for i, e := range f.edges {
		if jumps := distance[e.to]; jumps > 0 {
			f.solver.Prefer(f.edgeVariable(int32(i)), 1/float64(jumps))
		}
	}
}

// formulaBytes is about what the formula of a graph takes while it is encoded.
func formulaBytes(g *graph) uint64 {
	links := uint64(0)
	for _, e := range g.edges {
		lo, hi := g.from(e.to)
		links += uint64(hi - lo)
	}
	return formulaPlaceBytes*uint64(g.grid.Places()) + formulaEdgeBytes*uint64(len(g.edges)) + formulaLinkBytes*links + formulaManBytes*uint64(len(g.runs))
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
func (f *formula) add(literals ...int)      { f.clauses = append(f.clauses, literals) }
func (f *formula) atMostOne(variables []int) {
	if len(variables) > 1 {
		f.groups = append(f.groups, variables)
	}
}
func (f *formula) fresh() (variable int) {
	f.extra++
	return len(f.edges) + len(f.links) + f.extra
}

func (f *formula) encode() {
	var beginnings, endings []int // variables
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
			f.begins[i] = begins
			beginnings = append(beginnings, begins)
			follows = append(follows, begins)
			f.add(-begins, x)
		}
		f.add(append(slices.Clone(follows), -x)...)
		f.atMostOne(follows)
		if f.graph.grid.Goal(e.to) <= 0 {
			f.add(append(slices.Clone(precedes), -x)...)
			f.atMostOne(precedes)
		} else {
			f.endings = append(f.endings, int32(i))
			endings = append(endings, x)
		}
		f.clearsLanding(int32(i))
	}
	f.add(beginnings...)
	f.atMostOne(beginnings)
	f.add(endings...)
	f.atMostOne(endings)
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
		if f.spares(over, e) {
			needs = append(needs, f.edgeVariable(over))
		}
	}
	f.add(needs...)
}

// probe assumes one edge after the other, round by round as long as a twentieth of
// them fail, for about some work, and goes on from there in later calls. Like a trial
// this finds edges that no winning series jumps, by all that the solver knows.
func (f *formula) probe(work uint64) verdict {
	began := f.solver.Work()
	for !f.probed && f.solver.Work()-began < work && !f.clock.over() {
		if f.next == int32(len(f.edges)) {
			f.probed = f.failed <= len(f.edges)/20
			f.next, f.failed = 0, 0
			continue
		}
		e := f.next
		f.next++
		if f.never(e) {
			continue
		}
		if f.solver.Probe(f.edgeVariable(e)) == cdcl.Unsatisfiable {
			return lost
		}
		if f.never(e) {
			f.failed++
			f.conflicts++
		}
	}
	f.probes += f.solver.Work() - began
	f.probed = f.probed || f.probes > probeWork
	return undecided
}

// never tells whether no winning series jumps an edge, as far as is known.
func (f *formula) never(e int32) bool { return f.solver.Never(f.edgeVariable(e)) }

// conflictsAtOnce is how many conflicts pass between looks at the work and the clock.
const conflictsAtOnce = 16

// advance goes on for about some work. It sets the path if the question is won.
func (f *formula) advance(work uint64) verdict {
	began := f.solver.Work()
	for f.solver.Work()-began < work && !f.clock.over() {
		status, used := f.solver.Run(conflictsAtOnce)
		f.conflicts += uint64(used)
		switch status {
		case cdcl.Full:
			f.full = true
			return undecided
		case cdcl.Unsatisfiable:
			return lost
		case cdcl.Satisfiable:
			f.read()
			return won
		}
	}
	return undecided
}

// read makes a path of the model.
func (f *formula) read() {
	lo, hi := f.from(f.ball)
	e := lo
	for e < hi-1 && !f.solver.True(f.begins[e]) {
		e++
	}
	for {
		f.path = append(f.path, f.edges[e].to)
		next := slices.IndexFunc(f.out[e], func(l int32) bool { return f.solver.True(f.linkVariable(l)) })
		if next < 0 {
			return
		}
		e = f.links[f.out[e][next]].after
	}
}
