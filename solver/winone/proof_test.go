package winone

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// refutation is a solver's reasons why no series wins, in the checker's variables.
type refutation struct {
	t       *testing.T
	grid    *phutball.Grid
	checker *checker
	clauses int
	exits   int // clauses of sets that have no order
}

// hop gives the number of an edge.
func (r *refutation) hop(e edge) int {
	i, found := r.checker.byEnds[[2]bitboard.Point{r.grid.Where(e.from), r.grid.Where(e.to)}]
	if !found {
		r.t.Fatalf("no jump from %v to %v", r.grid.Where(e.from), r.grid.Where(e.to))
	}
	return i
}

// accept fails unless a clause is accepted.
func (r *refutation) accept(clause []int) {
	r.clauses++
	if !r.checker.accept(clause) {
		r.t.Fatalf("clause %d does not follow: %v", r.clauses, clause)
	}
}

// bundle gives the variable of a bundle, or 0.
func (r *refutation) bundle(b bundle) int {
	at, beside := r.grid.Where(b.place), r.grid.Where(r.grid.Next(b.place, b.direction))
	s, found := r.checker.sides[at]
	switch {
	case !found:
		return 0
	case b.kind == comes:
		return s.comes[sideOf(at, beside)]
	case b.kind == leaves:
		return s.leaves[sideOf(at, beside)]
	}
	return s.takes[lineOf(at, beside)]
}

// literal translates a literal of a formula.
func (r *refutation) literal(f *formula, l int) int {
	v, edges := max(l, -l), len(f.edges)
	if v <= edges {
		v = r.hop(f.edges[v-1]) + 1
	} else {
		v = r.bundle(f.bundles[v-1-edges])
	}
	if v == 0 {
		r.t.Fatalf("the checker has no such variable: %d", l)
	}
	if l < 0 {
		return -v
	}
	return v
}

// refute answers for a layout by a formula alone, and has every step
// checked. It tells false where no answer is found.
func refute(t *testing.T, l phutball.Layout, work uint64, of func(s *Solver, ball phutball.Place) *formula) (verdict, int) {
	grid := phutball.NewGrid(l.Board, phutball.Rules{})
	r := &refutation{t: t, grid: grid, checker: newChecker(l)}
	v, _ := alone(func(s *Solver, ball phutball.Place) verdict {
		f := of(s, ball)
		f.solver.Record(func(clause []int) {
			var told []int
			for _, l := range clause {
				told = append(told, r.literal(f, l))
			}
			r.accept(told)
		})
		f.told = func(clause []int) {
			var exits []int
			for _, l := range clause {
				exits = append(exits, r.hop(f.edges[l-1]))
			}
			r.exits++
			if !r.checker.acceptExits(exits) {
				t.Fatalf("%v: a series wins without the jumps %v", l, exits)
			}
		}
		return f.advance(work)
	}, grid, l)
	if v == lost && !r.checker.accept(nil) {
		t.Fatalf("%v: lost, and the checker does not see why", l)
	}
	if v == won && r.checker.refuted {
		t.Fatalf("%v: won, and the checker says that it cannot be", l)
	}
	return v, r.clauses
}

// Each step to the answer "no" is checked by rules that stand here alone.
func TestRefutationsAreChecked(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(12, 0))
	lostBoards, boards := 0, few(t, 50)
	for _, l := range mixed(rng, boards, 6, 8, 5) {
		if v, _ := refute(t, l, 1<<18, (*Solver).formula); v == lost {
			lostBoards++
		}
		refute(t, l, 1<<18, (*Solver).pinching)
	}
	if lostBoards < boards/4 {
		t.Errorf("%d of %d boards are lost: want a fair share", lostBoards, boards)
	}
}

// Hard boards that are lost take hundreds of clauses. Those that the formula alone does
// not refute with little work are left out: the checker takes a minute for ten thousand clauses.
func TestHardRefutationsAreChecked(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	refuted := 0
	for _, h := range hardBoards(t) {
		if h.told.win {
			continue
		}
		switch v, clauses := refute(t, h.layout, 1<<23, (*Solver).formula); {
		case v == won:
			t.Errorf("%v: won, want it lost", h.layout)
		case v == lost && clauses >= 100:
			refuted++
		}
	}
	if refuted < 5 {
		t.Errorf("%d boards refuted: want more", refuted)
	}
}

// The checker accepts nothing that a winning series contradicts.
func TestCheckerAcceptsNothingWrong(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 0))
	checked := 0
	for checked < 200 {
		board := bitboard.Board{Width: 5 + rng.IntN(5), Height: 6 + rng.IntN(5)}
		l := Random(board, rng, 20+rng.IntN(20), true)
		grid := phutball.NewGrid(board, phutball.Rules{})
		r, err := NewSolver(grid).Layout(t.Context(), l, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Win {
			continue
		}
		checked++
		c := newChecker(l)
		if c.refuted {
			t.Fatalf("%v: won, and the checker says that it cannot be", l)
		}
		for i, to := range r.Series[1:] {
			hop, found := c.byEnds[[2]bitboard.Point{grid.Where(r.Series[i]), grid.Where(to)}]
			if !found || c.accept([]int{-(hop + 1)}) {
				t.Fatalf("%v: the checker says that jump %d of %s cannot be", l, i+1, r.Notation(grid))
			}
		}
	}
}
