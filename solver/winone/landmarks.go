package winone

import (
	"cmp"
	"math/bits"
	"slices"

	"paika/bitboard/phutball"
)

// landmarks exclude edges from a state of the pincer: those for which some man would
// have to be jumped twice.
//
// Some men have surely been jumped when the ball comes to a place: those that every way
// there jumps. A way goes by an edge if it comes to where the edge begins and, where the
// edge lands on a man, by some edge that has taken him away. In the same way some men are
// surely jumped between a place and the target. An edge is of no use if one of its own
// men is among either, or if a man is among both. So a region falls that the ball could
// enter and leave over the same man only: relaxation does not see that.
//
// The sets are those of the greatest fixpoint. A place that is met for the first time
// takes the men of the first way there, and loses those that other ways spare. That
// every set holds of a winning series follows jump by jump: before a jump of the series
// the men have gone that were surely jumped to come there and to clear its landing, its
// own men still stand, and its end can only lose men from its set that are not among
// them. (Facts that every plan makes true are the landmarks of planning: Keyder, Richter
// and Helmert, "Sound and complete landmarks for and/or graphs", ECAI 2010.)
type landmarks struct {
	*graph
	clock *clock
	used  []int64  // by edge: the last round in which it may be jumped
	gone  []bool   // by point: the man has been jumped
	own   []manSet // by edge: the men that it jumps
	round int64
	work  uint64 // looks at edges

	passed    []int64  // by edge: the last round in which a way went by it
	after     []manSet // by edge: men surely jumped once it has been
	come      []int64  // by place: the last round in which a way came there
	before    []manSet // by place: men surely jumped when the ball is there
	cleared   []int64  // by point and axis: the last round in which a way took the man away on that line
	clearedBy []manSet // by point and axis: men surely jumped when one has
	leads     []int64  // by place: the last round in which a way led on to the target
	ahead     []manSet // by place: men surely jumped from there on

	changed []phutball.Place // places whose set has become smaller
	due     []phutball.Place // those to go on from
	listed  []bool           // by place: it is in changed
}

const axisCount = 4

// manSet is a set of men, of whom only some have a bit. Of the others nothing is known.
type manSet struct{ a, b, c, d uint64 }

const mostMarked = 256

func (s manSet) and(with manSet) manSet {
	return manSet{s.a & with.a, s.b & with.b, s.c & with.c, s.d & with.d}
}

func (s manSet) or(with manSet) manSet {
	return manSet{s.a | with.a, s.b | with.b, s.c | with.c, s.d | with.d}
}

func (s manSet) meets(other manSet) bool {
	return s.a&other.a|s.b&other.b|s.c&other.c|s.d&other.d != 0
}

// has tells whether the man who has a bit is in the set.
func (s manSet) has(bit int) bool { return s.meets(single(bit)) }

// first is the first bit of a set.
func (s manSet) first() int {
	for i, word := range [...]uint64{s.a, s.b, s.c, s.d} {
		if word != 0 {
			return 64*i + bits.TrailingZeros64(word)
		}
	}
	return mostMarked
}

// single is the set of the man who has a bit.
func single(bit int) manSet {
	one := uint64(1) << (bit % 64)
	switch bit / 64 {
	case 0:
		return manSet{a: one}
	case 1:
		return manSet{b: one}
	case 2:
		return manSet{c: one}
	}
	return manSet{d: one}
}

// newLandmarks makes landmarks of a graph, of which some edges may be jumped in a round,
// and some men have gone.
func newLandmarks(g *graph, c *clock, used []int64, gone []bool) *landmarks {
	n, e := g.grid.Places(), len(g.edges)
	l := &landmarks{
		graph: g, clock: c, used: used, gone: gone, own: make([]manSet, e), passed: make([]int64, e), after: make([]manSet, e),
		come: make([]int64, n), before: make([]manSet, n), cleared: make([]int64, axisCount*n), clearedBy: make([]manSet, axisCount*n),
		leads: make([]int64, n), ahead: make([]manSet, n), listed: make([]bool, n),
	}
	for bit, man := range l.marked() {
		for _, e := range l.over[man] {
			l.own[e] = l.own[e].or(single(bit))
		}
	}
	return l
}

// marked lists the men who have a bit: those with the fewest edges over them, which ways
// have in common the soonest.
func (l *landmarks) marked() []phutball.Place {
	var men []phutball.Place
	for man, over := range l.over {
		if len(over) > 0 {
			men = append(men, phutball.Place(man))
		}
	}
	slices.SortStableFunc(men, func(a, b phutball.Place) int { return cmp.Compare(len(l.over[a]), len(l.over[b])) })
	return men[:min(len(men), mostMarked)]
}

// mark sets the men surely jumped by the edges that are used in a round, between the ball
// and some targets. Where the clock stops it they are not to be relied on.
func (l *landmarks) mark(ball phutball.Place, targets []phutball.Place, round int64) {
	l.round = round
	l.begin()
	l.waysFrom(ball)
	l.begin()
	l.waysOn(targets)
}

// waitsFor tells whether a man stands where an edge ends.
func (l *landmarks) waitsFor(e int32) bool { return l.lands[e] && !l.gone[l.edges[e].to] }

// fits tells whether an edge lies on a way that jumps no man twice for sure.
func (l *landmarks) fits(e int32) bool {
	to := l.edges[e].to
	return l.passed[e] == l.round && l.leads[to] == l.round && !l.after[e].meets(l.ahead[to])
}

// begin begins with no place to go on from.
func (l *landmarks) begin() {
	for _, p := range l.changed {
		l.listed[p] = false
	}
	l.changed = l.changed[:0]
}

// change lists a place to go on from.
func (l *landmarks) change(p phutball.Place) {
	if !l.listed[p] {
		l.listed[p] = true
		l.changed = append(l.changed, p)
	}
}

// next gives the places to go on from, and lists none then.
func (l *landmarks) next() []phutball.Place {
	l.due, l.changed = l.changed, l.due[:0]
	for _, p := range l.due {
		l.listed[p] = false
	}
	return l.due
}

// waysFrom sets the men jumped on all ways from the ball.
func (l *landmarks) waysFrom(ball phutball.Place) {
	l.come[ball], l.before[ball] = l.round, manSet{}
	for l.change(ball); len(l.changed) > 0; {
		for _, p := range l.next() {
			e, end := l.from(p)
			if l.count(int(end - e)) {
				return
			}
			for ; e < end; e++ {
				if l.used[e] == l.round {
					l.pass(e)
				}
			}
		}
	}
}

// count counts work, and tells whether the clock stops it.
func (l *landmarks) count(edges int) bool {
	l.work += uint64(edges)
	return l.clock.spend(edges)
}

// pass goes by an edge.
func (l *landmarks) pass(e int32) {
	set := l.before[l.edges[e].from]
	if l.waitsFor(e) {
		clearing, found := l.clearing(e)
		if !found {
			return
		}
		set = set.or(clearing)
	}
	if set.meets(l.own[e]) {
		return
	}
	set = set.or(l.own[e])
	if l.passed[e] == l.round {
		if set = set.and(l.after[e]); set == l.after[e] {
			return
		}
	}
	l.passed[e], l.after[e] = l.round, set
	l.arriveBy(e)
	l.takeAway(e)
}

// clearing gives the men surely jumped when the man is away on whose place an edge
// lands, if there is a way to take him away.
func (l *landmarks) clearing(e int32) (set manSet, found bool) {
	man, axis := int(l.edges[e].to), int(l.axis(e))
	for a := range axisCount {
		switch i := man*axisCount + a; {
		case a == axis || l.cleared[i] != l.round:
		case !found:
			set, found = l.clearedBy[i], true
		default:
			set = set.and(l.clearedBy[i])
		}
	}
	return set, found
}

// arriveBy comes to a place by an edge.
func (l *landmarks) arriveBy(e int32) {
	to, set := l.edges[e].to, l.after[e]
	if l.come[to] == l.round {
		if set = set.and(l.before[to]); set == l.before[to] {
			return
		}
	}
	l.come[to], l.before[to] = l.round, set
	l.change(to)
}

// takeAway takes the men away that an edge jumps, and lists the places from which edges
// land where they stood.
func (l *landmarks) takeAway(e int32) {
	axis := int(l.axis(e))
	for _, man := range l.jumped(e) {
		i, set := int(man)*axisCount+axis, l.after[e]
		if l.cleared[i] == l.round {
			if set = set.and(l.clearedBy[i]); set == l.clearedBy[i] {
				continue
			}
		}
		l.cleared[i], l.clearedBy[i] = l.round, set
		for _, other := range l.into[man] {
			if from := l.edges[other].from; l.used[other] == l.round && l.come[from] == l.round && l.spares(e, other) {
				l.change(from)
			}
		}
	}
}

// waysOn sets the men jumped on all ways to a target.
func (l *landmarks) waysOn(targets []phutball.Place) {
	for _, p := range targets {
		l.leads[p], l.ahead[p] = l.round, manSet{}
		l.change(p)
	}
	for len(l.changed) > 0 {
		for _, p := range l.next() {
			if l.count(len(l.into[p])) {
				return
			}
			for _, e := range l.into[p] {
				if l.used[e] == l.round && l.fits(e) {
					l.leadOn(e)
				}
			}
		}
	}
}

// leadOn leads to the target from where an edge begins.
func (l *landmarks) leadOn(e int32) {
	from := l.edges[e].from
	set := l.ahead[l.edges[e].to].or(l.own[e])
	if l.leads[from] == l.round {
		if set = set.and(l.ahead[from]); set == l.ahead[from] {
			return
		}
	}
	l.leads[from], l.ahead[from] = l.round, set
	l.change(from)
}
