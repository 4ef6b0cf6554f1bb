package winone

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard/phutball"
)

// winningSeries lists series that win, as places, up to so many, and looks at no more
// jumps than that allows.
func winningSeries(grid *phutball.Grid, men []uint64, ball phutball.Place, most int) (all [][]phutball.Place) {
	jumps := 20_000
	path := []phutball.Place{ball}
	var walk func()
	walk = func() {
		from := path[len(path)-1]
		if grid.Goal(from) > 0 {
			all = append(all, slices.Clone(path))
			return
		}
		for d := range phutball.Directions {
			to := grid.Land(men, from, d)
			if to == phutball.Nowhere || len(all) == most || jumps == 0 {
				continue
			}
			jumps--
			grid.Clear(men, from, to, d)
			path = append(path, to)
			walk()
			path = path[:len(path)-1]
			grid.Clear(men, from, to, d)
		}
	}
	walk()
	return all
}

// holdsOf tells whether a clause is true of a series that makes some jumps.
func (f *formula) holdsOf(clause []int, jumped func(e int32) bool) bool {
	return slices.ContainsFunc(clause, func(l int) bool { return f.trueOf(max(l, -l), jumped) == (l > 0) })
}

// trueOf is the value of a variable for such a series.
func (f *formula) trueOf(v int, jumped func(e int32) bool) bool {
	if v <= len(f.edges) {
		return jumped(int32(v - 1))
	}
	b := f.bundles[v-1-len(f.edges)]
	for e := range int32(len(f.edges)) {
		member := false
		switch b.kind {
		case comes:
			member = f.edges[e].to == b.place && int(f.edges[e].direction^4) == b.direction
		case leaves:
			member = f.edges[e].from == b.place && int(f.edges[e].direction) == b.direction
		case takes:
			member = slices.Contains(f.jumped(e), b.place) && int(f.axis(e)) == b.direction
		}
		if member && jumped(e) {
			return true
		}
	}
	return false
}

// Whatever the formula learns, and every reason of the foundation and the doubles that it
// keeps, is true of each series that wins: found by trying all jumps.
func TestClausesAreTrueOfWinningSeries(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(31, 0))
	clauses := 0
	for board, l := range mixed(rng, few(t, 2000), 5, 6, 5) {
		grid := phutball.NewGrid(board, allRules[rng.IntN(len(allRules))])
		alone(func(s *Solver, ball phutball.Place) verdict {
			series := winningSeries(grid, s.men, ball, 20)
			if len(series) == 0 {
				return undecided
			}
			f := s.formula(ball)
			if clauses%2 == 1 {
				f = s.pinching(ball)
			}
			var learned [][]int
			f.solver.Record(func(clause []int) { learned = append(learned, clause) })
			f.told = func(clause []int) { learned = append(learned, clause) }
			v := f.advance(1 << 18)
			clauses += len(learned)
			for _, path := range series {
				jumped := func(e int32) bool {
					for i, to := range path[1:] {
						if f.edges[e].from == path[i] && f.edges[e].to == to {
							return true
						}
					}
					return false
				}
				for _, clause := range learned {
					if !f.holdsOf(clause, jumped) {
						t.Fatalf("%v, %v: %v is false of the series %v", l, grid.Rules(), clause, path)
					}
				}
			}
			return v
		}, grid, l)
	}
	if clauses < 1000 {
		t.Errorf("%d clauses looked at: want more", clauses)
	}
}
