package winone

// foundation tells the solver of a formula which edges cannot be jumped any more,
// and why. It looks at all edges at once, which clauses cannot.
//
// Forward: an edge is founded if it can begin the series or follow a founded edge,
// and a founded edge can take away the man where it lands, if one stands there. An
// edge that is not founded is never jumped: of such a set of edges none could come
// first. (These are the unfounded sets of answer set programming: Gebser, Kaufmann
// and Schaub, "Conflict-driven answer set solving", Artificial Intelligence 187,
// 2012.) In a model every edge jumped is founded, so that the model is one path, and
// each man is gone before the ball lands on his place.
//
// Backward: an edge is of use if it ends in the goal or can be followed by one of
// use. All edges jumped are.
//
// The reason for a set of edges is all that could let the ball into it from outside,
// or out of it: links and edges that are false.
//
// Each edge that is founded rests on a link or beginning and, where a man stands,
// on the edge that takes him away; these are its sources (Simons, Niemelä and
// Soininen, "Extending and implementing the stable model semantics", Artificial
// Intelligence 138, 2002). Only edges that lose a source, and what rests on them,
// are looked at anew. A source that comes to be open again when the solver goes back
// is as good as before, so that nothing is undone; only edges that come to be open
// again are in doubt.
type foundation struct {
	*formula
	clearers  [][]int32 // by edge: those that may take away the man where it lands
	clears    [][]int32 // by edge: those for which it is a clearer
	beginning []int32   // by variable behind those of the links: the edge that begins

	followed []int   // by edge: the variable of the link or beginning that founds it
	cleared  []int32 // by edge: the edge that takes the man away where it lands
	onward   []int   // by edge: the variable of a link to an edge of use
	founded  []bool  // by edge
	useful   []bool  // by edge
	unsure   doubts  // whether edges are founded
	idle     doubts  // whether they are of use
	excluded []int32 // edges, in the last round
	lost     []int32
	queue    []int32
	work     int // looks at edges and links in this round

	set     []int32 // edges whose exclusion is explained
	inSet   []bool  // by edge
	because []int   // variables, all false
	cited   []bool  // by edge: it is among them
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
	n := len(f.edges)
	t := &foundation{
		formula: f, clearers: make([][]int32, n), clears: make([][]int32, n), beginning: make([]int32, f.extra),
		followed: make([]int, n), cleared: make([]int32, n), onward: make([]int, n),
		founded: make([]bool, n), useful: make([]bool, n), inSet: make([]bool, n), cited: make([]bool, n),
		unsure: doubts{in: make([]bool, n)}, idle: doubts{in: make([]bool, n)},
	}
	for e := range int32(n) {
		t.doubt(e)
		if v := f.begins[e]; v != none {
			t.beginning[t.behindLinks(v)] = e
		}
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

// behindLinks is the number of a variable behind those of the links.
func (t *foundation) behindLinks(v int) int { return v - 1 - len(t.edges) - len(t.links) }

// doubt lets an edge be looked at anew.
func (t *foundation) doubt(e int32) {
	t.unsure.add(e)
	t.idle.add(e)
}

// Falls puts what rests on a variable in doubt.
func (t *foundation) Falls(v int) {
	switch edges := len(t.edges); {
	case v <= edges:
		t.doubt(int32(v - 1))
	case v <= edges+len(t.links):
		l := t.links[v-1-edges]
		if t.followed[l.after] == v {
			t.unsure.add(l.after)
		}
		if t.onward[l.before] == v {
			t.idle.add(l.before)
		}
	default:
		t.unsure.add(t.beginning[t.behindLinks(v)])
	}
}

// Rises lets an edge be looked at that may be jumped again.
func (t *foundation) Rises(v int) {
	if v <= len(t.edges) {
		t.doubt(int32(v - 1))
	}
}

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

// unfound lists the edges in doubt that have lost a source, with all that rested on
// them in turn, and those that had none. It tells whether there are any.
func (t *foundation) unfound() bool {
	t.lost = t.lost[:0]
	for _, e := range t.unsure.edges {
		if !t.founded[e] || !t.open(e) || t.solver.False(t.followed[e]) {
			t.founded[e] = false
			t.lost = append(t.lost, e)
		}
	}
	t.unsure.clear()
	for i := 0; i < len(t.lost); i++ {
		e := t.lost[i]
		t.work += len(t.out[e]) + len(t.clears[e])
		for _, l := range t.out[e] {
			if after := t.links[l].after; t.followed[after] == t.linkVariable(l) {
				t.lose(after)
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

// lose adds an edge to those that have lost what founded them.
func (t *foundation) lose(e int32) {
	if t.founded[e] {
		t.founded[e] = false
		t.lost = append(t.lost, e)
	}
}

// found founds the edges lost on others, where it can.
func (t *foundation) found() {
	t.queue = t.queue[:0]
	for _, e := range t.lost {
		t.followed[e], t.cleared[e] = none, noEdge
	}
	for _, e := range t.lost {
		if t.open(e) {
			t.seek(e)
		}
	}
	for i := 0; i < len(t.queue); i++ {
		e := t.queue[i]
		t.work += len(t.out[e]) + len(t.clears[e])
		for _, l := range t.out[e] {
			if after := t.links[l].after; t.followed[after] == none && !t.solver.False(t.linkVariable(l)) {
				t.followed[after] = t.linkVariable(l)
				t.settle(after)
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

// seek looks for founded edges that an edge can rest on.
func (t *foundation) seek(e int32) {
	t.work += len(t.in[e]) + len(t.clearers[e])
	if v := t.begins[e]; v != none && !t.solver.False(v) {
		t.followed[e] = v
	}
	for _, l := range t.in[e] {
		if t.followed[e] != none {
			break
		}
		if t.founded[t.links[l].before] && !t.solver.False(t.linkVariable(l)) {
			t.followed[e] = t.linkVariable(l)
		}
	}
	for _, c := range t.clearers[e] {
		if t.founded[c] {
			t.cleared[e] = c
			break
		}
	}
	t.settle(e)
}

// settle founds an edge that has all it needs.
func (t *foundation) settle(e int32) {
	if !t.founded[e] && t.followed[e] != none && (!t.lands[e] || t.cleared[e] != noEdge) && t.open(e) {
		t.founded[e] = true
		t.queue = append(t.queue, e)
	}
}

// disuse lists the edges in doubt that no longer lead where they led, with all that
// led to them, and those that led nowhere. It tells whether there are any.
func (t *foundation) disuse() bool {
	t.lost = t.lost[:0]
	for _, e := range t.idle.edges {
		if !t.useful[e] || !t.open(e) || t.onward[e] != none && t.solver.False(t.onward[e]) {
			t.useful[e] = false
			t.lost = append(t.lost, e)
		}
	}
	t.idle.clear()
	for i := 0; i < len(t.lost); i++ {
		t.work += len(t.in[t.lost[i]])
		for _, l := range t.in[t.lost[i]] {
			if e := t.links[l].before; t.useful[e] && t.onward[e] == t.linkVariable(l) {
				t.useful[e] = false
				t.lost = append(t.lost, e)
			}
		}
	}
	return len(t.lost) > 0
}

// use finds new ways to the goal for the edges lost, where there are any.
func (t *foundation) use() {
	t.queue = t.queue[:0]
	for _, e := range t.lost {
		t.onward[e] = none
		if !t.open(e) {
			continue
		}
		if t.graph.grid.Goal(t.edges[e].to) > 0 {
			t.useful[e] = true
			t.queue = append(t.queue, e)
			continue
		}
		for _, l := range t.out[e] {
			if t.useful[t.links[l].after] && !t.solver.False(t.linkVariable(l)) {
				t.lead(e, l)
				break
			}
		}
	}
	for i := 0; i < len(t.queue); i++ {
		t.work += len(t.in[t.queue[i]])
		for _, l := range t.in[t.queue[i]] {
			if e := t.links[l].before; !t.useful[e] && t.open(e) && !t.solver.False(t.linkVariable(l)) {
				t.lead(e, l)
			}
		}
	}
}

// lead lets an edge lead on by a link.
func (t *foundation) lead(e, link int32) {
	t.useful[e], t.onward[e] = true, t.linkVariable(link)
	t.queue = append(t.queue, e)
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
		if v <= len(t.edges) {
			t.cited[v-1] = false
		}
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

// cite adds an edge that is false to the reason, or one that is not to the set.
func (t *foundation) cite(e int32) {
	switch v := t.edgeVariable(e); {
	case t.open(e):
		t.join(e)
	case !t.cited[e] && !t.solver.Never(v):
		t.cited[e] = true
		t.because = append(t.because, v)
	}
}

// citeVariable adds a link or beginning that is false to the reason.
func (t *foundation) citeVariable(v int) {
	if !t.solver.Never(v) {
		t.because = append(t.because, v)
	}
}

// whyUnfounded cites what could found an edge.
func (t *foundation) whyUnfounded(e int32) {
	if t.lands[e] && t.cleared[e] == noEdge {
		for _, c := range t.clearers[e] {
			t.cite(c)
		}
		return
	}
	if v := t.begins[e]; v != none {
		t.citeVariable(v)
	}
	for _, l := range t.in[e] {
		if before := t.links[l].before; t.founded[before] {
			t.citeVariable(t.linkVariable(l))
		} else {
			t.cite(before)
		}
	}
}

// whyUseless cites what could follow an edge.
func (t *foundation) whyUseless(e int32) {
	for _, l := range t.out[e] {
		if after := t.links[l].after; t.useful[after] {
			t.citeVariable(t.linkVariable(l))
		} else {
			t.cite(after)
		}
	}
}
