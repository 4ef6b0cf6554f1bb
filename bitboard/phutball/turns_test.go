package phutball

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
)

func TestCountToCountsAsFarAsAsked(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for _, rules := range []Rules{{}, {GoalStop: true}, {CornerExit: true, ReturnFromOff: true}} {
		g, err := New(bitboard.Board{Width: 7, Height: 9}, rules)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 300 {
			p := randomPosition(g, rng, 5+i%30)
			all := len(g.Turns(nil, p))
			for _, most := range []int{1, 2, 50, all, all + 1, 1 << 20} {
				if got, want := g.CountTo(p, most), min(all, most); got != want {
					t.Fatalf("%s, at most %d: %d turns, want %d", g.Format(p, 0), most, got, want)
				}
			}
		}
	}
}
