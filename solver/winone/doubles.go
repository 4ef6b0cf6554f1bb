package winone

import "paika/bitboard/phutball"

// doubles tells the solver of a formula which edges are never jumped since some man would
// have to be jumped twice for them. It marks landmarks, with all edges that are not false
// for good, before anything is decided: deeper down it takes more than it gains.
type doubles struct {
	*landmarks
	formula *formula
	goals   []phutball.Place
	open    int // edges that were not false the last time
}

func newDoubles(f *formula) *doubles {
	n, e := f.graph.grid.Places(), len(f.edges)
	d := &doubles{landmarks: newLandmarks(f.graph, &f.clock, make([]int64, e), make([]bool, n)), formula: f}
	for p := range phutball.Place(n) {
		if len(f.into[p]) > 0 && f.graph.grid.Goal(p) > 0 {
			d.goals = append(d.goals, p)
		}
	}
	return d
}

// consequences excludes edges for which a man would be jumped twice. Nothing may have
// been decided.
func (d *doubles) consequences() (work int) {
	before, open := d.work, 0
	for e := range d.used {
		if !d.formula.never(int32(e)) {
			d.used[e] = d.round + 1
			open++
		}
	}
	if open == d.open {
		return len(d.used)
	}
	d.open = open
	if d.mark(d.formula.ball, d.goals, d.round+1); !d.clock.stopped() {
		d.exclude()
	}
	return len(d.used) + int(d.work-before)
}

// exclude excludes the edges that do not fit.
func (d *doubles) exclude() {
	var twice []int // variables
	for e, used := range d.used {
		if used == d.round && !d.fits(int32(e)) {
			twice = append(twice, d.formula.edgeVariable(int32(e)))
		}
	}
	if len(twice) > 0 {
		d.formula.solver.Exclude(twice, nil)
	}
}

// series tells the solver what follows for a winning series as a whole.
type series struct {
	*foundation
	doubles *doubles
}

// Consequences looks for men who would be jumped twice once all that is left is founded
// and of use.
func (s series) Consequences() (work int) {
	work = s.foundation.Consequences()
	if len(s.foundation.excluded) == 0 && s.solver.Level() == 0 {
		work += s.doubles.consequences()
	}
	return work
}
