package winone

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard/phutball"
)

// opened answers for what the first jumps that must be leave, if any must be.
func opened(s *Solver, ball phutball.Place) verdict {
	p := s.marking()
	edges, v := p.opening(ball, 1)
	switch {
	case v != undecided:
		return v
	case len(edges) > 0:
		return s.playOn(p.list(edges))
	}
	return p.advance(ball, 1<<40)
}

// Every winning series begins with the opening: found by trying all jumps.
func TestOpeningBeginsWinningSeries(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(32, 0))
	begun, decided := 0, 0
	for board, l := range mixed(rng, few(t, 5000), 5, 6, 5) {
		grid := phutball.NewGrid(board, allRules[rng.IntN(len(allRules))])
		v, r := alone(func(s *Solver, ball phutball.Place) verdict {
			p := s.marking()
			edges, v := p.opening(ball, 1+uint64(rng.IntN(3)))
			if v != undecided {
				decided++
			}
			if slices.Contains(p.gone, true) {
				t.Fatalf("%v, %v: a man is still gone after the opening", l, grid.Rules())
			}
			for _, path := range winningSeries(grid, s.men, ball, 20) {
				if v == lost {
					t.Fatalf("%v, %v: lost, and the series %v wins", l, grid.Rules(), path)
				}
				for i, e := range edges {
					if len(path) < i+2 || p.edges[e].from != path[i] || p.edges[e].to != path[i+1] {
						t.Fatalf("%v, %v: the series %v does not begin with %v", l, grid.Rules(), path, p.list(edges))
					}
				}
				if v == undecided && len(edges) > 0 {
					begun++
				}
			}
			return v
		}, grid, l)
		if v == won {
			replay(t, grid, l, r)
		}
	}
	if all := few(t, 5000); begun < all/10 || decided < all/10 {
		t.Errorf("%d series begun, %d boards decided: want more", begun, decided)
	}
}

// What was found out about the rest of a series does not stand in the way of a shorter one.
func TestShortestAfterOpening(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(33, 0))
	opening := 0
	samples(rng, few(t, 1500), func(l phutball.Layout, rules phutball.Rules, fewest int) {
		if l.Side == 1 || fewest == 0 {
			return
		}
		alone(func(s *Solver, ball phutball.Place) verdict {
			v := opened(s, ball)
			if v != won {
				t.Fatalf("%v, %v: verdict %d, want a series of %d jumps", l, rules, v, fewest)
			}
			opening++
			s.series = append([]phutball.Place{ball}, s.path...)
			if least := s.shorten(ball); least != fewest || len(s.series)-1 != fewest {
				t.Fatalf("%v, %v: %d jumps, and at least %d, want %d", l, rules, len(s.series)-1, least, fewest)
			}
			return v
		}, phutball.NewGrid(l.Board, rules), l)
	})
	if opening < few(t, 1500)/10 {
		t.Errorf("%d boards won: want more", opening)
	}
}
