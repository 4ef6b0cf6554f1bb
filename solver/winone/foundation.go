package winone

import (
	"slices"

	"paika/bitboard/phutball"
)

// foundation tells the solver of a formula which edges cannot be jumped any more,
// and why. It looks at all edges at once, which clauses cannot.
//
// Forward: an edge is founded if it begins at the ball or where a founded edge ends, and
// a founded edge can take away the man where it lands, if one stands there. An
// edge that is not founded is never jumped: of such a set of edges none could come
// first. (These are the unfounded sets of answer set programming: Gebser, Kaufmann
// and Schaub, "Conflict-driven answer set solving", Artificial Intelligence 187,
// 2012.) In a model every edge jumped is founded, so that no jumps go round by
// themselves beside the series.
//
// Backward: an edge is of use if it ends in the goal or where one of use begins. All
// edges jumped are.
//
// The reason for a set of edges is all that could let the ball into it from outside,
// or out of it: edges that are false.
//
// Each edge that is founded rests on an edge that comes to where it begins and, where a
// man stands, on one that takes him away; these are its sources (Simons, Niemelä and
// Soininen, "Extending and implementing the stable model semantics", Artificial
// Intelligence 138, 2002). Only edges that lose a source, and what rests on them,
// are looked at anew. A source that comes to be open again when the solver goes back
// is as good as before, so that nothing is undone; only edges that come to be open
// again are in doubt.
type foundation struct {
	*formula
	clearers [][]int32 // by edge: those that may take away the man where it lands
	clears   [][]int32 // by edge: those for which it is a clearer

	came     []int32          // by place: the founded edge that comes there, or noEdge
	cleared  []int32          // by edge: the founded edge that takes the man away where it lands, or noEdge
	onward   []int32          // by place: the edge of use that leaves it, or noEdge
	founded  []bool           // by edge
	useful   []bool           // by edge
	unsure   doubts           // whether edges are founded
	idle     doubts           // whether they are of use
	excluded []int32          // edges, in the last round
	lost     []int32          // edges that have lost what they rested on
	left     []phutball.Place // places that have
	queue    []int32
	work     int // looks at edges in this round

	set     []int32 // edges whose exclusion is explained
	inSet   []bool  // by edge
	because []int   // variables, all false
	cited   []bool  // by variable, from 0: it is among them
}

const (
	none   = 0  // no variable
	noEdge = -1 // no edge
)

// doubts are edges to look at anew.
type doubts struct {
	edges []int32
	in    []bool // by edge
}

func (d *doubts) add(e int32) {
	if !d.in[e] {
		d.in[e] = true
		d.edges = append(d.edges, e)
	}
}

func (d *doubts) clear() {
	for _, e := range d.edges {
		d.in[e] = false
	}
	d.edges = d.edges[:0]
}

func newFoundation(f *formula) *foundation {
	n, places := len(f.edges), f.graph.grid.Places()
	t := &foundation{
		formula: f, clearers: make([][]int32, n), clears: make([][]int32, n),
		came: slices.Repeat([]int32{noEdge}, places), cleared: slices.Repeat([]int32{noEdge}, n), onward: slices.Repeat([]int32{noEdge}, places),
		founded: make([]bool, n), useful: make([]bool, n), inSet: make([]bool, n), cited: make([]bool, n+len(f.bundles)),
		unsure: doubts{in: make([]bool, n)}, idle: doubts{in: make([]bool, n)},
	}
	for e := range int32(n) {
		t.doubt(e)
		if !f.lands[e] {
			continue
		}
		for _, c := range f.over[f.edges[e].to] {
			if f.spares(c, e) {
				t.clearers[e] = append(t.clearers[e], c)
				t.clears[c] = append(t.clears[c], e)
			}
		}
	}
	return t
}

// doubt lets an edge be looked at anew.
func (t *foundation) doubt(e int32) {
	t.unsure.add(e)
	t.idle.add(e)
}

// Falls puts an edge in doubt, and so what rests on it.
func (t *foundation) Falls(v int) {
	if v <= len(t.edges) {
		t.doubt(int32(v - 1))
	}
}

// Rises lets an edge be looked at that may be jumped again.
func (t *foundation) Rises(v int) { t.Falls(v) }

// Consequences excludes edges that are not founded, or of no use.
func (t *foundation) Consequences() (work int) {
	for _, e := range t.excluded {
		t.doubt(e) // unless that has been undone, it only falls
	}
	t.excluded = t.excluded[:0]
	t.work = len(t.unsure.edges) + len(t.idle.edges)
	if t.unfound() {
		t.found()
		if !t.excludeBut(t.founded, &t.unsure, t.whyUnfounded) {
			return t.work
		}
	}
	if t.disuse() {
		t.use()
		t.excludeBut(t.useful, &t.idle, t.whyUseless)
	}
	return t.work
}

// open tells whether an edge is not false.
func (t *foundation) open(e int32) bool { return !t.solver.False(t.edgeVariable(e)) }

// lose adds an edge to those that have lost what founded them.
func (t *foundation) lose(e int32) {
	if t.founded[e] {
		t.founded[e] = false
		t.lost = append(t.lost, e)
	}
}

// unfound lists the edges in doubt that are false or were not founded, with all that
// rested on them in turn. It tells whether there are any.
func (t *foundation) unfound() bool {
	t.lost, t.left = t.lost[:0], t.left[:0]
	for _, e := range t.unsure.edges {
		if !t.founded[e] || !t.open(e) {
			t.founded[e] = false
			t.lost = append(t.lost, e)
		}
	}
	t.unsure.clear()
	for i := 0; i < len(t.lost); i++ {
		e := t.lost[i]
		t.work += 1 + len(t.clears[e])
		if p := t.edges[e].to; t.came[p] == e {
			t.came[p] = noEdge
			t.left = append(t.left, p)
			lo, hi := t.from(p)
			t.work += int(hi - lo)
			for j := lo; j < hi; j++ {
				t.lose(j)
			}
		}
		for _, other := range t.clears[e] {
			if t.cleared[other] == e {
				t.lose(other)
			}
		}
	}
	return len(t.lost) > 0
}

// found founds the edges lost on others, where it can.
func (t *foundation) found() {
	t.queue = t.queue[:0]
	for _, p := range t.left {
		t.work += len(t.into[p])
		t.came[p] = t.firstFounded(t.into[p])
	}
	for _, e := range t.lost {
		if !t.open(e) {
			t.cleared[e] = noEdge
			continue
		}
		t.work += 1 + len(t.clearers[e])
		t.cleared[e] = t.firstFounded(t.clearers[e])
		t.settle(e)
	}
	for i := 0; i < len(t.queue); i++ {
		e := t.queue[i]
		t.work += 1 + len(t.clears[e])
		if p := t.edges[e].to; t.came[p] == noEdge && p != t.ball {
			t.came[p] = e
			lo, hi := t.from(p)
			t.work += int(hi - lo)
			for j := lo; j < hi; j++ {
				t.settle(j)
			}
		}
		for _, other := range t.clears[e] {
			if t.cleared[other] == noEdge {
				t.cleared[other] = e
				t.settle(other)
			}
		}
	}
}

// firstFounded is the first of some edges that is founded, or noEdge.
func (t *foundation) firstFounded(edges []int32) int32 {
	for _, e := range edges {
		if t.founded[e] {
			return e
		}
	}
	return noEdge
}

// settle founds an edge that has all it needs.
func (t *foundation) settle(e int32) {
	from := t.edges[e].from
	if !t.founded[e] && (t.came[from] != noEdge || from == t.ball) && (!t.lands[e] || t.cleared[e] != noEdge) && t.open(e) {
		t.founded[e] = true
		t.queue = append(t.queue, e)
	}
}

// disuse lists the edges in doubt that are false or were of no use, with all that led
// to them alone. It tells whether there are any.
func (t *foundation) disuse() bool {
	t.lost, t.left = t.lost[:0], t.left[:0]
	for _, e := range t.idle.edges {
		if !t.useful[e] || !t.open(e) {
			t.useful[e] = false
			t.lost = append(t.lost, e)
		}
	}
	t.idle.clear()
	for i := 0; i < len(t.lost); i++ {
		e := t.lost[i]
		t.work++
		p := t.edges[e].from
		if t.onward[p] != e {
			continue
		}
		t.onward[p] = noEdge
		t.left = append(t.left, p)
		t.work += len(t.into[p])
		for _, j := range t.into[p] {
			if t.useful[j] {
				t.useful[j] = false
				t.lost = append(t.lost, j)
			}
		}
	}
	return len(t.lost) > 0
}

// use finds new ways to the goal for the edges lost, where there are any.
func (t *foundation) use() {
	t.queue = t.queue[:0]
	for _, p := range t.left {
		lo, hi := t.from(p)
		t.work += int(hi - lo)
		for e := lo; e < hi && t.onward[p] == noEdge; e++ {
			if t.useful[e] {
				t.onward[p] = e
			}
		}
	}
	for _, e := range t.lost {
		t.serve(e)
	}
	for i := 0; i < len(t.queue); i++ {
		e := t.queue[i]
		t.work++
		if p := t.edges[e].from; t.onward[p] == noEdge {
			t.onward[p] = e
			t.work += len(t.into[p])
			for _, j := range t.into[p] {
				t.serve(j)
			}
		}
	}
}

// serve lets an edge be of use if its end leads to the goal.
func (t *foundation) serve(e int32) {
	to := t.edges[e].to
	if !t.useful[e] && (t.onward[to] != noEdge || t.graph.grid.Goal(to) > 0) && t.open(e) {
		t.useful[e] = true
		t.queue = append(t.queue, e)
	}
}

// excludeBut excludes the edges lost that have not been kept. It tells false if one
// of them must be jumped; those left over stay in doubt.
func (t *foundation) excludeBut(kept []bool, doubts *doubts, why func(e int32)) bool {
	for i, e := range t.lost {
		if !kept[e] && t.open(e) && !t.exclude(e, why) {
			for _, e := range t.lost[i:] {
				if !kept[e] {
					doubts.add(e)
				}
			}
			return false
		}
	}
	return true
}

// exclude excludes an edge, and those that fall with it. It tells false if one of
// them must be jumped.
func (t *foundation) exclude(e int32, why func(e int32)) bool {
	t.set, t.because = t.set[:0], t.because[:0]
	t.join(e)
	for i := 0; i < len(t.set); i++ {
		why(t.set[i])
	}
	variables := make([]int, len(t.set))
	jumped := false
	for i, e := range t.set {
		variables[i] = t.edgeVariable(e)
		jumped = jumped || t.solver.True(variables[i])
		t.inSet[e] = false
	}
	t.excluded = append(t.excluded, t.set...)
	t.solver.Exclude(variables, t.because)
	for _, v := range t.because {
		t.cited[v-1] = false
	}
	return !jumped
}

// join adds an edge to the set that is explained.
func (t *foundation) join(e int32) {
	if !t.inSet[e] {
		t.inSet[e] = true
		t.set = append(t.set, e)
	}
}

// cite adds an edge that is false to the reason, or one that is not to the set. Where no
// edge of its bundle can be jumped the reason has the bundle instead.
func (t *foundation) cite(e int32, bundle int) {
	switch {
	case bundle != none && t.solver.False(bundle):
		t.citeFalse(bundle)
	case t.open(e):
		t.join(e)
	default:
		t.citeFalse(t.edgeVariable(e))
	}
}

// citeFalse adds a variable that is false to the reason.
func (t *foundation) citeFalse(v int) {
	if !t.cited[v-1] && !t.solver.Never(v) {
		t.cited[v-1] = true
		t.because = append(t.because, v)
	}
}

// whyUnfounded cites what could found an edge.
func (t *foundation) whyUnfounded(e int32) {
	if t.lands[e] && t.cleared[e] == noEdge {
		for _, c := range t.clearers[e] {
			t.cite(c, t.takesBy(t.edges[e].to, c))
		}
		return
	}
	for _, g := range t.into[t.edges[e].from] {
		t.cite(g, t.comesBy(g))
	}
}

// whyUseless cites what could follow an edge.
func (t *foundation) whyUseless(e int32) {
	lo, hi := t.from(t.edges[e].to)
	for j := lo; j < hi; j++ {
		t.cite(j, t.leavesBy(j))
	}
}
