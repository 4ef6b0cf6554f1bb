package winone

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard/phutball"
)

// The proof-number search must visit the same nodes on every machine.
func TestEstimatesOfWinsAreFoundWithoutAClock(t *testing.T) {
	game, err := phutball.New(phutball.Default, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	l := newLookout(game)
	rng := rand.New(rand.NewPCG(3, 0))
	for range 200 {
		layout := Hard()[rng.IntN(3)].Make(game.Board(), rng)
		p, _, err := game.Parse(layout.String())
		if err != nil {
			t.Fatal(err)
		}
		r, err := l.solver.Position(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.wins(p); got != r.Win {
			t.Errorf("%v: the estimate says %v, the answer is %v after %d nodes", layout, got, r.Win, r.Nodes)
		}
	}
}
