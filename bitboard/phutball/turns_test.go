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
			if series, bound := len(g.series(nil, p)), mostSeries(p.Men.Len(), 1<<20); series > bound {
				t.Fatalf("%s: %d series, want at most %d", g.Format(p, 0), series, bound)
			}
			for _, most := range []int{1, 2, 50, max(0, all-1), all, all + 1, 1 << 20} {
				if got, want := g.CountTo(p, most), min(all, most); got != want {
					t.Fatalf("%s, at most %d: %d turns, want %d", g.Format(p, 0), most, got, want)
				}
				if got := g.MoreTurnsThan(p, most); got != (all > most) {
					t.Fatalf("%s: more than %d turns: %v, of %d", g.Format(p, 0), most, got, all)
				}
			}
		}
	}
}
