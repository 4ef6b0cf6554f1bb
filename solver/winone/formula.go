package winone

import (
	"math/bits"
	"slices"

	"paika/bitboard/phutball"
	"paika/solver/winone/internal/cdcl"
)

// formula is the question whether a turn wins as a question of satisfiability, without
// time and order: which jumps does a winning series make?
//
// Variables: an edge of the relaxation is jumped; one edge of a bundle is, of those that
// come to a place, or leave it, over the same man beside it, or that jump a man on the same
// line. Bundles are decided first: that one is not jumped tells as much as that none of
// its edges is, and a conflict is then about few of them. Clauses say that the ball leaves each
// place as often as it comes there, but for where it begins and the goal; that no man is
// jumped twice; and that an edge which lands where a man stands needs another that jumps
// him. So the jumps make a trail, as in a graph: points may be passed again, men may not.
// That the trail hangs together is the foundation's to see to.
//
// A model is a set of jumps, and its order is left to find (arrangement.go). Where there
// is none, every winning series jumps one of the edges that lead out of what the ball can
// do with the set. This is a clause more, and the next model is another. (Lazy
// refinement as in planning by landmarks: Davies, Pearce, Stuckey and Lipovetzky,
// "Sequencing operator counts", ICAPS 2015.)
//
// A board has some thousand pairs of edges that may follow each other. With a variable
// for each the same jumps are had in many orders, all of which a proof must deal with.
type formula struct {
	*mover
	*graph
	ball phutball.Place

	clauses [][]int  // until the solver has them
	groups  [][]int  // of variables, one at most of them true; as long
	bundles []bundle // what the variables behind those of the edges tell
	comes   []int    // by place and direction: the variable of the bundle, or none
	leaves  []int    // by place and direction
	takes   []int    // by point and axis

	solver *cdcl.Solver
	full   bool // it takes more memory than allowed

	arrangement arrangement
	told        func(clause []int) // of each clause that a set without order gave, or nil
}

// bundle is several edges, of which one at most is jumped.
type bundle struct {
	kind      bundleKind
	place     phutball.Place
	direction int // or axis
}

type bundleKind uint8

const (
	comes  bundleKind = iota // to the place, over the man beside it in the direction
	leaves                   // the place, over that man
	takes                    // the man in the place away, on the axis
)

// The most that an encoded formula takes, in bytes, by what it is about.
const (
	formulaPlaceBytes  = 500
	formulaEdgeBytes   = 1200
	formulaManBytes    = 800
	formulaClauseBytes = 400
)

// newFormula encodes what the root's relaxation has left over, the graph. It is nil
// where that takes more bytes than allowed, or the clock stops it.
func newFormula(m *mover, g *graph, ball phutball.Place, bytes uint64) *formula {
	if formulaBytes(g) > bytes/2 {
		return nil
	}
	f := &formula{mover: m, graph: g, ball: ball}
	if f.encode(); f.clock.stopped() {
		return nil
	}
	f.solver = cdcl.New(len(f.edges) + len(f.bundles))
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
	f.decideBundles()
	f.solver.Ask(newSeries(f))
	f.arrangement = newArrangement(f, bytes)
	return f
}

// decideBundles lets the solver decide first which bundles are jumped: no choice of edges is
// left then.
func (f *formula) decideBundles() {
	for _, bundles := range [...][]int{f.comes, f.leaves, f.takes} {
		for _, v := range bundles {
			if v != none {
				f.solver.First(v)
			}
		}
	}
}

// formulaBytes is about what the formula of a graph takes while it is encoded.
func formulaBytes(g *graph) uint64 {
	clauses := uint64(0)
	for p := range g.into {
		ins, outs := g.beside(phutball.Place(p))
		clauses += balanceClauses(bits.OnesCount8(ins | outs))
	}
	return formulaPlaceBytes*uint64(g.grid.Places()) + formulaEdgeBytes*uint64(len(g.edges)) +
		formulaManBytes*uint64(len(g.runs)) + formulaClauseBytes*clauses
}

// beside gives the directions, a bit each, of the men beside a place over whom edges come
// to it and leave it.
func (g *graph) beside(p phutball.Place) (ins, outs uint8) {
	for _, e := range g.into[p] {
		ins |= 1 << (g.edges[e].direction ^ 4)
	}
	for e, end := g.from(p); e < end; e++ {
		outs |= 1 << g.edges[e].direction
	}
	return ins, outs
}

func (f *formula) edgeVariable(e int32) int { return int(e) + 1 }
func (f *formula) add(literals ...int)      { f.clauses = append(f.clauses, literals) }
func (f *formula) atMostOne(variables []int) {
	if len(variables) > 1 {
		f.groups = append(f.groups, variables)
	}
}

func (f *formula) encode() {
	places := f.graph.grid.Places()
	f.comes, f.leaves = make([]int, phutball.Directions*places), make([]int, phutball.Directions*places)
	f.takes = make([]int, axisCount*places)
	var endings []int // variables
	for i, e := range f.edges {
		if f.clock.spend(searchWork) {
			return
		}
		if f.graph.grid.Goal(e.to) > 0 {
			endings = append(endings, f.edgeVariable(int32(i)))
		}
		f.clearsLanding(int32(i))
	}
	f.add(endings...)
	f.atMostOne(endings)
	for man, edges := range f.over {
		if f.clock.spend(searchWork) {
			return
		}
		f.atMostOne(f.variables(edges))
		f.bundleLines(phutball.Place(man))
	}
	for p := range phutball.Place(len(f.into)) {
		if f.graph.grid.Goal(p) <= 0 && !f.clock.spend(searchWork) {
			f.balance(p)
		}
	}
}

func (f *formula) variables(edges []int32) (variables []int) {
	for _, e := range edges {
		variables = append(variables, f.edgeVariable(e))
	}
	return variables
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

// bundleLines bundles the edges over a man by their lines.
func (f *formula) bundleLines(man phutball.Place) {
	var by [axisCount][]int32
	for _, e := range f.over[man] {
		by[f.axis(e)] = append(by[f.axis(e)], e)
	}
	for axis, edges := range by {
		f.takes[int(man)*axisCount+axis] = f.oneOf(edges, bundle{takes, man, axis})
	}
}

// balance says that the ball leaves a place as often as it comes there, or once more
// where it begins. Each time it passes the man beside the place in some direction, and
// each man it passes once.
func (f *formula) balance(p phutball.Place) {
	var in, out [phutball.Directions][]int32
	for _, e := range f.into[p] {
		d := f.edges[e].direction ^ 4
		in[d] = append(in[d], e)
	}
	for e, end := f.from(p); e < end; e++ {
		d := f.edges[e].direction
		out[d] = append(out[d], e)
	}
	var ins, outs []int
	for d := range phutball.Directions {
		if len(in[d])+len(out[d]) > 0 {
			i := int(p)*phutball.Directions + d
			f.comes[i], f.leaves[i] = f.oneOf(in[d], bundle{comes, p, d}), f.oneOf(out[d], bundle{leaves, p, d})
			ins, outs = append(ins, f.comes[i]), append(outs, f.leaves[i])
		}
	}
	more := 0
	if p == f.ball {
		more = 1
	}
	f.matches(ins, outs, more)
	f.matches(outs, ins, -more)
}

// oneOf gives a variable that tells whether one of some edges is jumped, those of a bundle,
// or none if there are no edges.
func (f *formula) oneOf(edges []int32, b bundle) int {
	switch len(edges) {
	case 0:
		return none
	case 1:
		return f.edgeVariable(edges[0])
	}
	f.bundles = append(f.bundles, b)
	v := len(f.edges) + len(f.bundles)
	all := f.variables(edges)
	for _, e := range all {
		f.add(-e, v)
	}
	f.add(append(all, -v)...)
	return v
}

// wholeBalance is the most men beside a place for whom all clauses are made. Beside more
// it is only said that the ball leaves where it comes; the order of a set finds the rest.
const wholeBalance = 6

// balanceClauses bounds the clauses for a place with so many men beside it.
func balanceClauses(men int) uint64 {
	if men > wholeBalance {
		return uint64(2 * men)
	}
	return [wholeBalance + 1]uint64{0, 2, 6, 16, 48, 110, 300}[men]
}

// matches says of directions in each of which the ball either takes part or does not:
// where it takes k of them one way, it takes k and more of the others the other way. A
// variable may be none, and is false then.
func (f *formula) matches(one, other []int, more int) {
	for set := range 1 << len(one) {
		k := bits.OnesCount(uint(set))
		if k+more <= 0 || len(one) > wholeBalance && k > 1 {
			continue
		}
		var clause, rest []int
		possible := true
		for i, v := range one {
			switch {
			case set>>i&1 == 0:
				if other[i] != none {
					rest = append(rest, other[i])
				}
			case v == none:
				possible = false
			default:
				clause = append(clause, -v)
			}
		}
		if possible {
			f.someOf(clause, rest, max(0, len(rest)-(k+more)+1))
		}
	}
}

// someOf adds a clause with each choice of so many from the rest.
func (f *formula) someOf(clause, rest []int, many int) {
	if many == 0 {
		f.add(clause...)
		return
	}
	for i := range len(rest) - many + 1 {
		f.someOf(append(slices.Clone(clause), rest[i]), rest[i+1:], many-1)
	}
}

// comesBy is the variable of the edges that come to where one ends over the same man
// beside it, or none.
func (f *formula) comesBy(e int32) int {
	return f.comes[int(f.edges[e].to)*phutball.Directions+int(f.edges[e].direction^4)]
}

// leavesBy is that of the edges that leave where one begins.
func (f *formula) leavesBy(e int32) int {
	return f.leaves[int(f.edges[e].from)*phutball.Directions+int(f.edges[e].direction)]
}

// takesBy is that of the edges that jump a man on the same line as one that does.
func (f *formula) takesBy(man phutball.Place, e int32) int {
	return f.takes[int(man)*axisCount+int(f.axis(e))]
}

// never tells whether no winning series jumps an edge, as far as is known.
func (f *formula) never(e int32) bool { return f.solver.Never(f.edgeVariable(e)) }

// conflictsAtOnce is how many conflicts pass between looks at the work and the clock.
const conflictsAtOnce = 16

// worked is the work done so far.
func (f *formula) worked() uint64 { return f.solver.Work() + f.arrangement.work }

// advance goes on for about some work. It sets the path if the question is won. Where there
// was no room for a formula, nothing is decided.
func (f *formula) advance(work uint64) verdict {
	if f == nil {
		return undecided
	}
	for began := f.worked(); f.worked()-began < work && !f.full && !f.ended(); {
		if f.arrangement.open {
			if v := f.arrange(); v != undecided {
				return v
			}
			continue
		}
		status, used := f.solver.Run(conflictsAtOnce)
		f.conflicts += uint64(used)
		switch status {
		case cdcl.Full:
			f.full = true
		case cdcl.Unsatisfiable:
			return lost
		case cdcl.Satisfiable:
			f.arrangement.begin()
		}
	}
	return undecided
}

// arrange looks for an order of the model's jumps. If there is none, the solver is told
// of the ways out.
func (f *formula) arrange() verdict {
	switch f.arrangement.advance() {
	case won:
		return won
	case lost:
		exits := f.variables(f.arrangement.exits)
		if f.told != nil {
			f.told(exits)
		}
		f.solver.Add(exits...)
	}
	return undecided
}
