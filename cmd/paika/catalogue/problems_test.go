package catalogue_test

import (
	"errors"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	"paika/solver/proofnumber"
)

// A search for a problem is refused before it begins, with tables and without, where table, tree
// and sets do not fit: what is said to be needed is enough, and less is not.
func TestProblemsAreSearchedWithinTheMemory(t *testing.T) {
	game, _ := catalogue.Find("fanorona")
	instance, err := game.Open("3x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	stored := t.TempDir()
	if _, err := instance.Build(t.Context(), stored, catalogue.BuildOptions{Pieces: 2, Metric: bitboard.WDL, Workers: 1, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	problems := []catalogue.Problem{{Position: catalogue.Start, Claim: "white-not-lost"}}
	for _, dir := range []string{"", stored} {
		for _, method := range []proofnumber.Method{proofnumber.DFPN, proofnumber.PN, proofnumber.PN2} {
			o := catalogue.SolveOptions{Method: method, Pieces: 2, Nodes: 100, Table: 32 << 20, Sets: 64 << 20, Memory: 16 << 20}
			begun := false
			o.Progress = func(int) { begun = true }
			var short *prover.MemoryError
			if _, err := instance.Solve(t.Context(), dir, problems, o); !errors.As(err, &short) || begun {
				t.Errorf("%v, tables in %q: error %v, begun %t, want a *MemoryError and nothing begun", method, dir, err, begun)
				continue
			}
			if least := o.Table + o.Sets; short.Need < least || short.Need > 1<<30 {
				t.Errorf("%v, tables in %q: %d bytes are needed, want %d or more", method, dir, short.Need, least)
			}
			o.Memory = short.Need - 1
			if _, err := instance.Solve(t.Context(), dir, problems, o); !errors.As(err, &short) {
				t.Errorf("%v, tables in %q: a byte too little: error %v", method, dir, err)
			}
			o.Memory = short.Need
			if _, err := instance.Solve(t.Context(), dir, problems, o); err != nil {
				t.Errorf("%v, tables in %q: what is needed is not enough: %v", method, dir, err)
			}
		}
	}
}
