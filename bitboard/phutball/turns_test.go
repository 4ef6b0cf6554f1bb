package phutball

import (
	"math/rand/v2"
	"slices"
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
			if n, whole := g.CountWhile(p, func() bool { return true }); n != uint64(all) || !whole {
				t.Fatalf("%s: %d turns, all of them %v, want %d", g.Format(p, 0), n, whole, all)
			}
			for _, most := range []int{-3, 0, 1, 2, 50, max(0, all-1), all, all + 1, 1 << 20} {
				if got, want := g.CountTo(p, most), max(0, min(all, most)); got != want {
					t.Fatalf("%s, at most %d: %d turns, want %d", g.Format(p, 0), most, got, want)
				}
				if got := g.MoreTurnsThan(p, most); got != (all > most) {
					t.Fatalf("%s: more than %d turns: %v, of %d", g.Format(p, 0), most, got, all)
				}
			}
		}
	}
}

func TestTurnsAreWalkedAsTheyAreListed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, rules := range []Rules{{}, {GoalStop: true}, {CornerExit: true, ReturnFromOff: true}} {
		for _, board := range []bitboard.Board{{Width: 5, Height: 9}, {Width: 7, Height: 11}} {
			g, err := New(board, rules)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 200 {
				p := randomPosition(g, rng, 5+i%30)
				all := g.Turns(nil, p)
				for _, most := range []int{1, 2, 50, len(all), len(all) + 1} {
					var got []Position
					g.WalkTurns(p, func(after Position) bool {
						got = append(got, after)
						return len(got) < most
					})
					if want := all[:min(most, len(all))]; !slices.Equal(got, want) {
						t.Fatalf("%s, at most %d: %d turns, or others than the first %d", g.Format(p, 0), most, len(got), len(want))
					}
				}
			}
		}
	}
}

// TestACountThatIsNoLongerWantedStops, of more turns than could ever be counted.
func TestACountThatIsNoLongerWantedStops(t *testing.T) {
	g, err := New(Default, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	g.vacant(&p, func(at Place) {
		if at%2 != p.Ball%2 { // an odd number of steps away: the board is 15 points wide
			p.Men.Flip(at)
		}
	})
	asked := 0
	turns, all := g.CountWhile(p, func() bool { asked++; return asked < 3 })
	if all || asked != 3 || turns < 2*countedAtOnce || turns > 4*countedAtOnce {
		t.Errorf("%d turns, all of them %v, asked %d times", turns, all, asked)
	}
	if !g.MoreTurnsThan(p, 1<<20) {
		t.Error("it has no million turns")
	}
}
