package mobility

import (
	"slices"
	"testing"

	"paika/bitboard/konane"
	"paika/solver/naive"
	"paika/solver/proofnumber"
)

// TestEstimatesAreOverWhereTheGameIs, and nowhere else, while the opening is played, too.
func TestEstimatesAreOverWhereTheGameIs(t *testing.T) {
	for _, setup := range slices.Concat(setups(), removals) {
		g := newGame(t, "4x4", setup)
		estimate := Estimate(g)
		outcomes, err := naive.Solve(t.Context(), g, start(t, g))
		if err != nil {
			t.Fatal(err)
		}
		for p := range outcomes {
			for _, attacker := range []bool{true, false} {
				phi, delta := estimate(p, attacker)
				if over := g.Count(p) == 0; over != (phi == 0) || over != (delta == 0) {
					t.Fatalf("%v, %s: %d and %d, over %v", g.Rules(), g.Format(p, g.Mover(p)), phi, delta, over)
				}
			}
		}
	}
}

// TestEstimatesSaveNodes of a search by proof numbers that knows nothing else of the game: they are the same
// in every run, and fewer than half of those where turns are counted.
func TestEstimatesSaveNodes(t *testing.T) {
	g := newGame(t, "6x5", removals[2])
	nodes := func(estimate proofnumber.Estimate[konane.Position[konane.Word]]) uint64 {
		table, err := proofnumber.NewTable(1 << 26)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		s, err := proofnumber.New[konane.Position[konane.Word]](g, table, proofnumber.Options[konane.Position[konane.Word]]{Estimate: estimate, Sets: 1 << 26})
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Solve(t.Context(), start(t, g), true)
		if err != nil || r.Verdict != proofnumber.Refuted {
			t.Fatalf("%v, %v: want it refuted that the first player wins", r.Verdict, err)
		}
		return r.Nodes
	}
	guided, counted := nodes(Estimate(g)), nodes(nil)
	if guided > counted/2 {
		t.Errorf("%d nodes with the estimate, %d without", guided, counted)
	}
}
