package konane

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
)

// All images of a position have one least image, and it is one of them: what
// exchanges the colours makes the other side the one to move.
func TestLeastImageIsThatOfAllImages(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, board := range []bitboard.Board{{Width: 3, Height: 3}, {Width: 5, Height: 1}, {Width: 6, Height: 3}, {Width: 4, Height: 4}, {Width: 8, Height: 8}} {
		g, err := New[Word](board, Rules{})
		if err != nil {
			t.Fatal(err)
		}
		all := NewSymmetries(g)
		for range 100 {
			stones, mover := Word(rng.Uint64())&g.points, bitboard.Side(rng.IntN(2))
			own, opp := uint64(stones&g.colours[mover]), uint64(stones&g.colours[mover.Other()])
			leastOwn, leastOpp, exchanges := all.Least(own, opp)
			to := mover
			if exchanges {
				to = mover.Other()
			}
			if leastOwn&^uint64(g.colours[to]) != 0 || leastOpp&^uint64(g.colours[to.Other()]) != 0 {
				t.Fatalf("%v: %x %x stand on points of the wrong colour", board, leastOwn, leastOpp)
			}
			found := false
			for i := range all {
				a, b := uint64(Word(own).image(&all[i])), uint64(Word(opp).image(&all[i]))
				found = found || a == leastOwn && b == leastOpp
				if c, d, _ := all.Least(a, b); c != leastOwn || d != leastOpp {
					t.Fatalf("%v: %x %x and its image %x %x have different least images", board, own, opp, a, b)
				}
			}
			if !found {
				t.Fatalf("%v: %x %x is no image of %x %x", board, leastOwn, leastOpp, own, opp)
			}
		}
	}
}

// On boards of several words, too, one position stands for all images, and has
// the same number of turns.
func TestOnePositionStandsForAllImages(t *testing.T) {
	onePositionStandsForAllImages[Word](t, bitboard.Board{Width: 6, Height: 6})
	onePositionStandsForAllImages[Word](t, bitboard.Board{Width: 7, Height: 7})
	onePositionStandsForAllImages[Word](t, bitboard.Board{Width: 8, Height: 1})
	onePositionStandsForAllImages[Pair](t, bitboard.Board{Width: 9, Height: 9})
	onePositionStandsForAllImages[Pair](t, bitboard.Board{Width: 10, Height: 11})
	onePositionStandsForAllImages[Quad](t, bitboard.Board{Width: 12, Height: 12})
	onePositionStandsForAllImages[Quad](t, bitboard.Board{Width: 14, Height: 14})
}

func onePositionStandsForAllImages[S Set[S]](t *testing.T, board bitboard.Board) {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 0))
	g, err := New[S](board, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		mover := bitboard.Side(rng.IntN(2))
		var p Position[S]
		for n := range board.Points() {
			switch {
			case rng.IntN(2) == 0:
			case g.colourOf(n) == mover:
				p.Own = p.Own.with(n)
			default:
				p.Opp = p.Opp.with(n)
			}
		}
		r, found := g.Representative(p), false
		for i := range g.index.symmetries {
			m := &g.index.symmetries[i]
			image := Position[S]{p.Own.image(m), p.Opp.image(m)}
			found = found || image == r
			if other := g.Representative(image); other != r {
				t.Fatalf("%v: %s is represented by %s, its image by %s", board, g.Format(p, 0), g.Format(r, 0), g.Format(other, 0))
			}
		}
		if !found || len(g.Turns(nil, p)) != len(g.Turns(nil, r)) {
			t.Errorf("%v: %s is represented by %s", board, g.Format(p, 0), g.Format(r, 0))
		}
	}
}

// BenchmarkRepresentative folds positions in which half of the points have stones, as a search does for every
// turn that it looks up: so many that no processor learns by heart which image is the least.
func BenchmarkRepresentative(b *testing.B) {
	for _, board := range []string{"7x7", "7x6", "8x8"} {
		b.Run(board, func(b *testing.B) {
			g := newGame[Word](b, board, Rules{})
			rng := rand.New(rand.NewPCG(3, 0))
			positions := make([]Position[Word], 1<<18)
			for i := range positions {
				stones, mover := Word(rng.Uint64())&g.points, bitboard.Side(i%2)
				positions[i] = Position[Word]{stones & g.colours[mover], stones & g.colours[mover.Other()]}
			}
			for i := 0; b.Loop(); i++ {
				g.Representative(positions[i%len(positions)])
			}
		})
	}
}
