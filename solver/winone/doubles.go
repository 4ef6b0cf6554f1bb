package winone

import "paika/bitboard/phutball"

// doubles tells the solver of a formula which edges cannot be jumped any more since some
// man would have to be jumped twice for them, and why. It marks landmarks, with all edges
// that are not false.
//
// The reason is found by claims. Each is about winning series, and rests on others and on
// edges that are false:
//
//   - An edge is never reached: nothing leads to it, nothing clears its landing, or one
//     of its men has gone before.
//   - A place leads nowhere: all edges from it are out of use.
//   - A man has gone when the ball is at a place, or when another man has been jumped off
//     a line: he is jumped by all edges there, or had gone before them.
//   - A man goes later when the ball is at a place: he is jumped by all edges from there,
//     or later.
//
// Claims may rest on each other. Those about what comes before hold by induction from the
// first jump of a series on, then those about what comes later by induction from its last
// jump back.
type doubles struct {
	*landmarks
	formula *formula
	goals   []phutball.Place

	reason  int64 // the present one
	claims  []claim
	reached []int64 // by edge: the last reason that claims it is never reached
	nowhere []int64 // by place: the last reason that claims it leads nowhere
	had     claimed // by place: men who have gone when the ball is there
	off     claimed // by point and axis: men who have gone when the man is jumped off it
	later   claimed // by place: men who go when the ball has been there
	cited   []int64 // by edge: the last reason that has it
	because []int   // variables, all false
	set     []int32 // edges that the reason holds for
}

// claim is one that is to be explained.
type claim struct {
	kind    claimKind
	at, bit int // an edge, place, or point and axis; a man's bit
}

type claimKind uint8

const (
	neverReached claimKind = iota
	leadsNowhere
	goneAt
	goneOff
	goesLater
)

// claimed is for which men something is claimed.
type claimed struct {
	reasons []int64 // the last reason that has any
	men     []manSet
}

func newClaimed(n int) claimed { return claimed{make([]int64, n), make([]manSet, n)} }

// add adds a man, and tells whether that is new.
func (c *claimed) add(at, bit int, reason int64) bool {
	if c.reasons[at] != reason {
		c.reasons[at], c.men[at] = reason, manSet{}
	}
	if c.men[at].has(bit) {
		return false
	}
	c.men[at] = c.men[at].or(single(bit))
	return true
}

func newDoubles(f *formula) *doubles {
	n, e := f.graph.grid.Places(), len(f.edges)
	d := &doubles{
		landmarks: newLandmarks(f.graph, &f.clock, make([]int64, e), make([]bool, n)), formula: f, goals: f.goals(),
		reached: make([]int64, e), nowhere: make([]int64, n), cited: make([]int64, e),
		had: newClaimed(n), off: newClaimed(axisCount * n), later: newClaimed(n),
	}
	return d
}

// consequences excludes edges for which a man would be jumped twice.
func (d *doubles) consequences() (work int) {
	before := d.work
	for e := range d.used {
		if !d.formula.solver.False(d.formula.edgeVariable(int32(e))) {
			d.used[e] = d.round + 1
		}
	}
	if d.mark(d.formula.ball, d.goals, d.round+1); !d.clock.stopped() {
		d.exclude()
	}
	return int(d.work - before)
}

// exclude excludes the edges that do not fit: one that must be jumped, or all.
func (d *doubles) exclude() {
	solver := d.formula.solver
	for e, used := range d.used {
		if used == d.round && solver.True(d.formula.edgeVariable(int32(e))) && !d.fits(int32(e)) {
			d.explain(int32(e))
			return
		}
	}
	for e, used := range d.used {
		if used == d.round && !solver.False(d.formula.edgeVariable(int32(e))) && !d.fits(int32(e)) {
			d.explain(int32(e))
		}
	}
}

// explain excludes an edge, and those that its reason holds for as well.
func (d *doubles) explain(e int32) {
	d.reason++
	d.claims, d.because, d.set = d.claims[:0], d.because[:0], d.set[:0]
	d.out(e)
	for i := 0; i < len(d.claims); i++ {
		d.work++
		switch c := d.claims[i]; c.kind {
		case neverReached:
			d.whyNeverReached(int32(c.at))
		case leadsNowhere:
			d.whyNowhere(phutball.Place(c.at))
		case goneAt:
			d.whyGone(phutball.Place(c.at), c.bit)
		case goneOff:
			d.whyOff(phutball.Place(c.at/axisCount), uint8(c.at%axisCount), c.bit)
		case goesLater:
			d.whyLater(phutball.Place(c.at), c.bit)
		}
	}
	variables := make([]int, len(d.set))
	for i, e := range d.set {
		variables[i] = d.formula.edgeVariable(e)
	}
	d.formula.solver.Exclude(variables, d.because)
}

// open tells whether an edge may be jumped. It is cited if not.
func (d *doubles) open(e int32) bool {
	if d.used[e] == d.round {
		return true
	}
	if v := d.formula.edgeVariable(e); d.cited[e] != d.reason && !d.formula.solver.Never(v) {
		d.cited[e] = d.reason
		d.because = append(d.because, v)
	}
	return false
}

// out claims that an edge which does not fit is never jumped.
func (d *doubles) out(e int32) {
	to := d.edges[e].to
	switch {
	case d.after[e].round != d.round:
		d.never(e)
	case d.ahead[to].round != d.round:
		d.strand(to)
		d.set = append(d.set, e)
	default:
		bit := d.after[e].men.and(d.ahead[to].men).first()
		d.goes(e, bit)
		d.goLater(to, bit)
		d.set = append(d.set, e)
	}
}

// never claims that an edge is never reached.
func (d *doubles) never(e int32) {
	if d.reached[e] != d.reason {
		d.reached[e] = d.reason
		d.set = append(d.set, e)
		d.claims = append(d.claims, claim{neverReached, int(e), 0})
	}
}

// strand claims that a place leads nowhere.
func (d *doubles) strand(p phutball.Place) {
	if d.nowhere[p] != d.reason {
		d.nowhere[p] = d.reason
		d.claims = append(d.claims, claim{leadsNowhere, int(p), 0})
	}
}

// goneWhen claims that a man has gone when the ball is at a place.
func (d *doubles) goneWhen(p phutball.Place, bit int) {
	if d.had.add(int(p), bit, d.reason) {
		d.claims = append(d.claims, claim{goneAt, int(p), bit})
	}
}

// goneFor claims that a man has gone when another has been jumped for an edge to land.
func (d *doubles) goneFor(e int32, bit int) {
	if at := int(d.edges[e].to)*axisCount + int(d.axis(e)); d.off.add(at, bit, d.reason) {
		d.claims = append(d.claims, claim{goneOff, at, bit})
	}
}

// goLater claims that a man goes when the ball has been at a place.
func (d *doubles) goLater(p phutball.Place, bit int) {
	if d.later.add(int(p), bit, d.reason) {
		d.claims = append(d.claims, claim{goesLater, int(p), bit})
	}
}

// goes claims what lets a man go with or before an edge.
func (d *doubles) goes(e int32, bit int) {
	switch from := d.edges[e].from; {
	case d.own[e].has(bit):
	case d.before[from].men.has(bit):
		d.goneWhen(from, bit)
	default:
		d.goneFor(e, bit)
	}
}

// whyNeverReached looks what could lead to an edge.
func (d *doubles) whyNeverReached(e int32) {
	from := d.edges[e].from
	if d.before[from].round != d.round {
		for _, g := range d.into[from] {
			if d.open(g) {
				d.never(g)
			}
		}
		return
	}
	before := d.before[from].men
	if d.waitsFor(e) {
		clearing, found := d.clearing(e)
		if !found {
			for _, g := range d.over[d.edges[e].to] {
				if d.spares(g, e) && d.open(g) {
					d.never(g)
				}
			}
			return
		}
		if !before.meets(d.own[e]) {
			d.goneFor(e, clearing.and(d.own[e]).first())
			return
		}
	}
	d.goneWhen(from, before.and(d.own[e]).first())
}

// whyNowhere looks what could lead on from a place.
func (d *doubles) whyNowhere(p phutball.Place) {
	for e, end := d.from(p); e < end; e++ {
		if d.open(e) {
			d.out(e)
		}
	}
}

// whyGone looks by what edges the ball comes to a place.
func (d *doubles) whyGone(p phutball.Place, bit int) {
	for _, e := range d.into[p] {
		d.whyGoes(e, bit)
	}
}

// whyOff looks by what edges a man is jumped off an axis.
func (d *doubles) whyOff(p phutball.Place, axis uint8, bit int) {
	for _, e := range d.over[p] {
		if d.axis(e) != axis {
			d.whyGoes(e, bit)
		}
	}
}

// whyGoes claims that an edge is out of use, or a man goes with or before it.
func (d *doubles) whyGoes(e int32, bit int) {
	switch {
	case !d.open(e):
	case d.after[e].round != d.round:
		d.never(e)
	default:
		d.goes(e, bit)
	}
}

// whyLater looks by what edges the ball leaves a place.
func (d *doubles) whyLater(p phutball.Place, bit int) {
	for e, end := d.from(p); e < end; e++ {
		switch {
		case !d.open(e):
		case !d.fits(e):
			d.out(e)
		case !d.own[e].has(bit):
			d.goLater(d.edges[e].to, bit)
		}
	}
}

// series tells the solver what follows for a winning series as a whole.
type series struct {
	*foundation
	doubles *doubles
	looked  int // the level at which doubles have been looked for, or none is
}

const noLevel = -1

func newSeries(f *formula) *series { return &series{newFoundation(f), newDoubles(f), noLevel} }

// doublesLevel is the most decisions after which the solver is told of men jumped twice.
// The reasons are long, and what is learned from them deeper down is worth less than it
// takes.
const doublesLevel = 3

// Rises lets an edge be looked at that may be jumped again.
func (s *series) Rises(v int) {
	s.looked = noLevel
	s.foundation.Rises(v)
}

// Consequences looks for men who would be jumped twice once all that is left is founded
// and of use. It looks once at each level: a second look costs more than it spares.
func (s *series) Consequences() (work int) {
	work = s.foundation.Consequences()
	if level := s.solver.Level(); len(s.foundation.excluded) == 0 && level <= doublesLevel && level != s.looked {
		s.looked = level
		work += s.doubles.consequences()
	}
	return work
}
