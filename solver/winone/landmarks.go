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
	used  []int64   // by edge: the last round in which it may be jumped
	gone  []bool    // by point: the man has been jumped
	own   []manSet  // by edge: the men that it jumps
	takes [][]int32 // by edge: the points and axes of its men on whose places others land
	frees [][]int32 // by point and axis: the edges that land there once the man is jumped so
	round int64
	work  uint64 // looks at edges

	after   []surely // by edge: those by it
	before  []surely // by place: those from the ball
	cleared []surely // by point and axis: those that take the man away on that line
	ahead   []surely // by place: those on to a target

	again  []int32 // edges to look at, in the order in which they were listed
	at     int     // the next of them
	listed []bool  // by edge: it is among them, and has not been looked at since
}

const axisCount = 4

// surely is the men whom all ways met in a round jump for sure.
type surely struct {
	round int64 // the last in which there was one
	men   manSet
}

// narrow adds a way to those of a round. It tells whether it is the first or spares a man
// whom all others jump.
func (w *surely) narrow(round int64, men manSet) bool {
	if w.round == round {
		if men = men.and(w.men); men == w.men {
			return false
		}
	}
	w.round, w.men = round, men
	return true
}

// lookWork is the work of a look at an edge: sets of men are longer than what others look at.
const lookWork = 2

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
		graph: g, clock: c, used: used, gone: gone, own: make([]manSet, e),
		takes: make([][]int32, e), frees: make([][]int32, axisCount*n), listed: make([]bool, e),
		after: make([]surely, e), before: make([]surely, n), cleared: make([]surely, axisCount*n), ahead: make([]surely, n),
	}
	l.link()
	for bit, man := range l.marked() {
		for _, e := range l.over[man] {
			l.own[e] = l.own[e].or(single(bit))
		}
	}
	return l
}

// link links the edges that take men away with those that land where they stood.
func (l *landmarks) link() {
	for e := range int32(len(l.edges)) {
		if !l.lands[e] {
			continue
		}
		for a := range axisCount {
			if a != int(l.axis(e)) {
				i := int(l.edges[e].to)*axisCount + a
				l.frees[i] = append(l.frees[i], e)
			}
		}
	}
	for e := range int32(len(l.edges)) {
		for _, man := range l.jumped(e) {
			if i := int32(man)*axisCount + int32(l.axis(e)); len(l.frees[i]) > 0 {
				l.takes[e] = append(l.takes[e], i)
			}
		}
	}
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
	l.waysFrom(ball)
	l.waysOn(targets)
}

// waitsFor tells whether a man stands where an edge ends.
func (l *landmarks) waitsFor(e int32) bool { return l.lands[e] && !l.gone[l.edges[e].to] }

// fits tells whether an edge lies on a way that jumps no man twice for sure.
func (l *landmarks) fits(e int32) bool {
	to := l.edges[e].to
	return l.after[e].round == l.round && l.ahead[to].round == l.round && !l.after[e].men.meets(l.ahead[to].men)
}

// begin begins with no edge to look at.
func (l *landmarks) begin() {
	for _, e := range l.again[l.at:] {
		l.listed[e] = false
	}
	l.again, l.at = l.again[:0], 0
}

// look lists an edge to be looked at.
func (l *landmarks) look(e int32) {
	if l.used[e] == l.round && !l.listed[e] {
		l.listed[e] = true
		l.again = append(l.again, e)
	}
}

// next gives the edge to look at, if there is one and the clock doesn't stop it.
func (l *landmarks) next() (e int32, found bool) {
	if l.at == len(l.again) || l.count() {
		return noEdge, false
	}
	e = l.again[l.at]
	l.at++
	l.listed[e] = false
	return e, true
}

// count counts a look at an edge, and tells whether the clock stops it.
func (l *landmarks) count() bool {
	l.work += lookWork
	return l.clock.spend(lookWork)
}

// waysFrom sets the men jumped on all ways from the ball. Edges are looked at again when the
// ball comes with fewer men gone to where they begin, or a man is taken away so where they
// land.
func (l *landmarks) waysFrom(ball phutball.Place) {
	l.begin()
	l.before[ball] = surely{round: l.round}
	l.leave(ball)
	for e, found := l.next(); found; e, found = l.next() {
		l.pass(e)
	}
}

// leave lists the edges from a place.
func (l *landmarks) leave(p phutball.Place) {
	for e, end := l.from(p); e < end; e++ {
		l.look(e)
	}
}

// pass goes by an edge.
func (l *landmarks) pass(e int32) {
	set := l.before[l.edges[e].from].men
	if l.waitsFor(e) {
		clearing, found := l.clearing(e)
		if !found {
			return
		}
		set = set.or(clearing)
	}
	if set.meets(l.own[e]) || !l.after[e].narrow(l.round, set.or(l.own[e])) {
		return
	}
	if to := l.edges[e].to; l.before[to].narrow(l.round, l.after[e].men) {
		l.leave(to)
	}
	l.takeAway(e)
}

// clearing gives the men surely jumped when the man is away on whose place an edge
// lands, if there is a way to take him away.
func (l *landmarks) clearing(e int32) (set manSet, found bool) {
	man, axis := int(l.edges[e].to), int(l.axis(e))
	for a := range axisCount {
		switch i := man*axisCount + a; {
		case a == axis || l.cleared[i].round != l.round:
		case !found:
			set, found = l.cleared[i].men, true
		default:
			set = set.and(l.cleared[i].men)
		}
	}
	return set, found
}

// takeAway takes the men away that an edge jumps, and lists the edges that land where they
// stood.
func (l *landmarks) takeAway(e int32) {
	for _, i := range l.takes[e] {
		if !l.cleared[i].narrow(l.round, l.after[e].men) {
			continue
		}
		for _, other := range l.frees[i] {
			if l.before[l.edges[other].from].round == l.round {
				l.look(other)
			}
		}
	}
}

// waysOn sets the men jumped on all ways to a target.
func (l *landmarks) waysOn(targets []phutball.Place) {
	l.begin()
	for _, p := range targets {
		l.lead(p, manSet{})
	}
	for e, found := l.next(); found; e, found = l.next() {
		if l.fits(e) {
			l.lead(l.edges[e].from, l.ahead[l.edges[e].to].men.or(l.own[e]))
		}
	}
}

// lead leads on to the target from a place, and lists the edges to it if that tells more.
func (l *landmarks) lead(p phutball.Place, men manSet) {
	if l.ahead[p].narrow(l.round, men) {
		for _, e := range l.into[p] {
			l.look(e)
		}
	}
}
