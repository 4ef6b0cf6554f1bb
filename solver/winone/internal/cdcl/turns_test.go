package cdcl

import (
	"math/rand/v2"
	"testing"
)

// What is decided first changes no answer.
func TestTheOrderOfDecisionsChangesNoAnswer(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	for range 300 {
		n := 3 + rng.IntN(40)
		clauses := randomFormula(rng, n)
		plain, ordered := New(n), New(n)
		for _, c := range clauses {
			plain.Add(c...)
			ordered.Add(c...)
		}
		for v := 1 + rng.IntN(3); v <= n; v += 1 + rng.IntN(3) {
			ordered.First(v)
		}
		want, _ := plain.Run(1 << 20)
		if got, _ := ordered.Run(1 << 20); got != want || got == Satisfiable && !satisfies(ordered, clauses) {
			t.Fatalf("%v: %d, want %d", clauses, got, want)
		}
	}
}

func TestSomeVariablesAreDecidedFirst(t *testing.T) {
	s := New(9)
	s.First(7, 4)
	s.raise(5)
	s.raise(4)
	if s.Run(1); s.trail[0].variable() != 4 || s.trail[1].variable() != 7 || s.trail[2].variable() != 5 {
		t.Errorf("decided in the order %v, want 4, 7, 5 first", s.trail)
	}
}

// Either way of deciding has its turn.
func TestWaysToDecideAlternate(t *testing.T) {
	s := crowded(7)
	seen := map[bool]bool{}
	for status := Unknown; status == Unknown; {
		seen[s.decidesTrue()] = true
		status, _ = s.Run(1)
	}
	if !seen[true] || !seen[false] {
		t.Errorf("ways seen: %v", seen)
	}
}
