package cdcl

import (
	"math/rand/v2"
	"testing"
)

// whim is a guide that chooses open variables without sense, and keeps account.
type whim struct {
	solver *Solver
	rng    *rand.Rand
	asked  *int
}

func (w whim) Choose() int {
	*w.asked++
	for range 3 {
		if v := 1 + w.rng.IntN(len(w.solver.levels)-1); !w.solver.True(v) && !w.solver.False(v) {
			return v
		}
	}
	return 0
}

// What is decided first changes no answer.
func TestAGuideChangesNoAnswer(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	asked := 0
	for range 300 {
		n := 3 + rng.IntN(40)
		clauses := randomFormula(rng, n)
		plain, led := New(n), New(n)
		for _, c := range clauses {
			plain.Add(c...)
			led.Add(c...)
		}
		led.Follow(whim{led, rng, &asked})
		want, _ := plain.Run(1 << 20)
		if got, _ := led.Run(1 << 20); got != want || got == Satisfiable && !satisfies(led, clauses) {
			t.Fatalf("%v: %d, want %d", clauses, got, want)
		}
	}
	if asked < 300 {
		t.Errorf("asked %d times: want it asked often", asked)
	}
}

// Every way of deciding has its turn.
func TestWaysAlternate(t *testing.T) {
	s := crowded(7)
	seen := map[turn]bool{}
	for status := Unknown; status == Unknown; {
		seen[s.turn()] = true
		status, _ = s.Run(1)
	}
	for _, way := range []turn{guided, trueFirst, falseFirst} {
		if !seen[way] {
			t.Errorf("way %d never had its turn", way)
		}
	}
}
