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
			for _, most := range []int{1, 2, 50, all, all + 1, 1 << 20} {
				if got, want := g.CountTo(p, most), min(all, most); got != want {
					t.Fatalf("%s, at most %d: %d turns, want %d", g.Format(p, 0), most, got, want)
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
