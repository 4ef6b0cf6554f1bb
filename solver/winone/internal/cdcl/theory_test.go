package cdcl

import (
	"math/rand/v2"
	"testing"
)

// rules is a theory of clauses with one negative literal each, the first.
type rules struct {
	solver  *Solver
	clauses [][]int
}

func (rules) Falls(int) {}
func (rules) Rises(int) {}

func (r rules) Consequences() (work int) {
	for _, c := range r.clauses {
		all := true
		for _, v := range c[1:] {
			all = all && r.solver.False(v)
		}
		if head := -c[0]; all && !r.solver.False(head) {
			r.solver.Exclude([]int{head}, c[1:])
			if r.solver.True(head) {
				break
			}
		}
	}
	return len(r.clauses)
}

// A theory gives the answers that its clauses would, and so does a group of
// variables of which one at most is true.
func TestTheoriesAndGroupsAnswerAsClauses(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	satisfiable := 0
	for range 1000 {
		const n = 12
		clauses := randomFormula(rng, n)[:25]
		var told [][]int
		for range 10 + rng.IntN(20) {
			p := rng.Perm(n)
			told = append(told, []int{-p[0] - 1, p[1] + 1, p[2] + 1}[:2+rng.IntN(2)])
		}
		groups := [][]int{{1, 2, 3, 4}, {3, 5, 6}, {7}, {6, 8, 9, 10, 11}}

		plain, clever := New(n), New(n)
		for _, c := range clauses {
			plain.Add(c...)
			clever.Add(c...)
		}
		for _, group := range groups {
			clever.AtMostOne(group...)
		}
		all := told
		for _, group := range groups {
			for i, a := range group {
				for _, b := range group[:i] {
					all = append(all, []int{-a, -b})
				}
			}
		}
		for _, c := range all {
			plain.Add(c...)
		}
		clever.Ask(rules{clever, told})

		want, _ := plain.Run(1 << 20)
		got, _ := clever.Run(1 << 20)
		if got != want {
			t.Fatalf("%v, theory %v: %d, want %d", clauses, told, got, want)
		}
		if got == Satisfiable {
			satisfiable++
			if !satisfies(clever, clauses) || !satisfies(clever, all) {
				t.Fatalf("%v, theory %v: the model does not satisfy it", clauses, told)
			}
		}
	}
	if satisfiable < 100 || satisfiable > 900 {
		t.Errorf("%d of 1000 formulas are satisfiable: want a fair share of both", satisfiable)
	}
}

// The theory's reasons that are kept as clauses follow like all others.
func TestClausesKeptFollow(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 0))
	lemmas := 0
	for range 300 {
		n := 6 + rng.IntN(25)
		clauses := randomFormula(rng, n)
		s := New(n)
		told := rules{solver: s}
		for range 3 * n {
			told.clauses = append(told.clauses, []int{-1 - rng.IntN(n), 1 + rng.IntN(n), 1 + rng.IntN(n)})
		}
		for _, c := range clauses {
			s.Add(c...)
		}
		s.Ask(told)
		shown := 0
		s.Record(func(clause []int) {
			shown++
			against := New(n)
			for _, c := range append(clauses, told.clauses...) {
				against.Add(c...)
			}
			for _, l := range clause {
				against.Add(-l)
			}
			if status, _ := against.Run(1 << 20); status != Unsatisfiable {
				t.Fatalf("%v, theory %v: %v does not follow", clauses, told.clauses, clause)
			}
		})
		s.Run(1 << 20)
		lemmas += shown - s.met
	}
	if lemmas < 100 {
		t.Errorf("%d reasons kept: want more", lemmas)
	}
}

// wordy is a formula whose first decision makes many variables false, from which a
// theory excludes many others, each for all of these.
func wordy() (s *Solver, reasons int) {
	const causes, excluded = 200, 100
	s = New(1 + causes + excluded)
	s.First(1)
	told := rules{solver: s}
	var because []int
	for v := 2; v < 2+causes; v++ {
		s.Add(-1, -v)
		because = append(because, v)
	}
	for v := 2 + causes; v < 2+causes+excluded; v++ {
		told.clauses = append(told.clauses, append([]int{-v}, because...))
	}
	s.Ask(told)
	return s, 4 * causes * excluded
}

func TestReasonsOfATheoryAreCounted(t *testing.T) {
	s, reasons := wordy()
	before := s.Bytes()
	if status, _ := s.Run(1); status != Satisfiable {
		t.Fatalf("status %d", status)
	}
	if taken := s.Bytes() - before; taken < uint64(reasons) {
		t.Errorf("%d bytes more, and the reasons take %d", taken, reasons)
	}
	s.Add(1, 2, 3) // goes back to the beginning
	if taken := s.Bytes() - before; taken > 1000 {
		t.Errorf("%d bytes more without any reason", taken)
	}
}

func TestIsFullWhereTheReasonsAreTooMany(t *testing.T) {
	s, reasons := wordy()
	s.Limit(s.Bytes()+uint64(reasons)/2, nil)
	if status, _ := s.Run(1); status != Full {
		t.Errorf("status %d, want %d", status, Full)
	}
	s.Limit(s.Bytes()+2*uint64(reasons), nil)
	if status, _ := s.Run(1); status != Satisfiable {
		t.Errorf("with more memory: status %d, want %d", status, Satisfiable)
	}
}

// changes is a theory that keeps account of what it is told.
type changes struct {
	t      *testing.T
	solver *Solver
	false  map[int]bool
}

func (c changes) Falls(variable int) {
	if c.false[variable] {
		c.t.Fatalf("%d falls twice", variable)
	}
	c.false[variable] = true
}

func (c changes) Rises(variable int) {
	if !c.false[variable] {
		c.t.Fatalf("%d rises, and has not fallen", variable)
	}
	delete(c.false, variable)
}

func (c changes) Consequences() (work int) {
	for v := 1; v < len(c.solver.reasons); v++ {
		if c.solver.False(v) != c.false[v] {
			c.t.Fatalf("%d is false: %v, and the theory was told %v", v, c.solver.False(v), c.false[v])
		}
	}
	return 0
}

func TestATheoryKnowsWhatIsFalse(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 0))
	for range 100 {
		const n = 30
		s := New(n)
		for _, c := range randomFormula(rng, n) {
			s.Add(c...)
		}
		s.Ask(changes{t, s, map[int]bool{}})
		for status := Unknown; status == Unknown; {
			status, _ = s.Run(1 + rng.IntN(5))
		}
	}
}
