package cdcl

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomFormula has clauses of 1 to 3 literals, mostly 3, near the ratio where
// half of the formulas can be satisfied.
func randomFormula(rng *rand.Rand, n int) [][]int {
	var clauses [][]int
	for range n*38/10 + rng.IntN(n) {
		size := 3
		if rng.IntN(40) == 0 {
			size = 1 + rng.IntN(3)
		}
		var c []int
		for range size {
			l := 1 + rng.IntN(n)
			if rng.IntN(2) == 0 {
				l = -l
			}
			c = append(c, l)
		}
		clauses = append(clauses, c)
	}
	return clauses
}

func satisfies(s *Solver, clauses [][]int) bool {
	for _, c := range clauses {
		if !slices.ContainsFunc(c, func(l int) bool { return s.True(max(l, -l)) == (l > 0) }) {
			return false
		}
	}
	return true
}

// solve runs the solver, in steps, until it knows.
func solve(t *testing.T, rng *rand.Rand, variables int, clauses [][]int) bool {
	t.Helper()
	s := New(variables)
	for _, c := range clauses {
		s.Add(c...)
	}
	status := Unknown
	for status == Unknown {
		status, _ = s.Run(1 + rng.IntN(50))
	}
	if status == Satisfiable && !satisfies(s, clauses) {
		t.Fatalf("%v: the model does not satisfy it", clauses)
	}
	return status == Satisfiable
}

// satisfiable is the plainest solver that is there: it tries both values of a
// variable of the shortest clause.
func satisfiable(clauses [][]int) bool {
	if len(clauses) == 0 {
		return true
	}
	shortest := slices.MinFunc(clauses, func(a, b []int) int { return len(a) - len(b) })
	if len(shortest) == 0 {
		return false
	}
	l := shortest[0]
	return satisfiable(given(l, clauses)) || satisfiable(given(-l, clauses))
}

// given is what remains to be satisfied once a literal is true.
func given(literal int, clauses [][]int) [][]int {
	var left [][]int
	for _, c := range clauses {
		if slices.Contains(c, literal) {
			continue
		}
		if slices.Contains(c, -literal) {
			c = slices.DeleteFunc(slices.Clone(c), func(l int) bool { return l == -literal })
		}
		left = append(left, c)
	}
	return left
}

func TestAgreesWithThePlainestSolver(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	formulas := 500
	if testing.Short() {
		formulas = 100
	}
	found := 0
	for range formulas {
		n := 3 + rng.IntN(40)
		clauses := randomFormula(rng, n)
		want := satisfiable(clauses)
		if got := solve(t, rng, n, clauses); got != want {
			t.Fatalf("%v: satisfiable is %v, the plainest solver says %v", clauses, got, want)
		}
		if want {
			found++
		}
	}
	if found < formulas/4 || found > formulas*3/4 {
		t.Errorf("%d of %d formulas are satisfiable: want a fair share of both", found, formulas)
	}
}

// Models are counted by forbidding each that is found.
func TestAddAfterAModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 200 {
		n := 3 + rng.IntN(7)
		clauses := randomFormula(rng, n)[:2*n]
		want := 0
		for assignment := range 1 << n {
			if !slices.ContainsFunc(clauses, func(c []int) bool {
				return !slices.ContainsFunc(c, func(l int) bool { return assignment>>(max(l, -l)-1)&1 == 1 == (l > 0) })
			}) {
				want++
			}
		}
		s := New(n)
		for _, c := range clauses {
			s.Add(c...)
		}
		got := 0
		for {
			status, _ := s.Run(1 << 30)
			if status == Unsatisfiable {
				break
			}
			got++
			var other []int
			for v := 1; v <= n; v++ {
				if s.True(v) {
					other = append(other, -v)
				} else {
					other = append(other, v)
				}
			}
			s.Add(other...)
		}
		if got != want {
			t.Fatalf("%v: %d models, want %d", clauses, got, want)
		}
	}
}

// No n+1 pigeons fit in n holes: hard for resolution, so that clauses pile up
// and are dropped.
func TestPigeons(t *testing.T) {
	status, conflicts := crowded(8).Run(1 << 20)
	if status != Unsatisfiable {
		t.Errorf("status %d after %d conflicts, want unsatisfiable", status, conflicts)
	}
}

func TestLuby(t *testing.T) {
	for i, want := range []uint64{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8} {
		if got := Luby(uint64(i)); got != want {
			t.Errorf("term %d is %d, want %d", i, got, want)
		}
	}
}

// BenchmarkRandomFormulas solves the same formulas, of 150 variables where half
// of them can be satisfied.
func BenchmarkRandomFormulas(b *testing.B) {
	const variables, formulas, want = 150, 50, 28
	rng := rand.New(rand.NewPCG(3, 0))
	var all [][][]int
	for range formulas {
		all = append(all, threeLiterals(rng, variables, variables*426/100))
	}
	for b.Loop() {
		found := 0
		for _, clauses := range all {
			s := New(variables)
			for _, c := range clauses {
				s.Add(c...)
			}
			status := Unknown
			for status == Unknown {
				status, _ = s.Run(1000)
			}
			if status == Satisfiable {
				found++
			}
		}
		if found != want {
			b.Fatalf("%d formulas can be satisfied, want %d", found, want)
		}
	}
}

// threeLiterals is a formula of clauses with three variables each.
func threeLiterals(rng *rand.Rand, variables, clauses int) [][]int {
	var all [][]int
	for range clauses {
		var c []int
		for _, v := range rng.Perm(variables)[:3] {
			c = append(c, (v+1)*(1-2*rng.IntN(2)))
		}
		all = append(all, c)
	}
	return all
}
