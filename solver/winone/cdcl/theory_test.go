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

		for v := 1; v <= n*rng.IntN(2); v++ { // what is found out beforehand changes no answer
			clever.Probe(v)
		}
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
