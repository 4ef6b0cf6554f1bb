package winone

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard/phutball"
)

// No series that wins jumps an edge that is banned: found by trying all jumps.
func TestThinSparesWinningSeries(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(51, 0))
	spared, banned := 0, 0
	for board, l := range mixed(rng, few(t, 5000), 5, 6, 5) {
		grid := phutball.NewGrid(board, allRules[rng.IntN(len(allRules))])
		alone(func(s *Solver, ball phutball.Place) verdict {
			before := len(s.root.edges)
			series := winningSeries(grid, s.men, ball, 20)
			if !s.thin(ball) {
				if len(series) > 0 {
					t.Fatalf("%v, %v: lost, and the series %v wins", l, grid.Rules(), series[0])
				}
				return lost
			}
			banned += before - len(s.root.edges)
			for _, path := range series {
				for i, to := range path[1:] {
					spared++
					if !slices.ContainsFunc(s.root.edges, func(e edge) bool { return e.from == path[i] && e.to == to }) {
						t.Fatalf("%v, %v: a jump of the series %v is banned", l, grid.Rules(), path)
					}
				}
			}
			return undecided
		}, grid, l)
	}
	if spared < 1000 || banned < 1000 {
		t.Errorf("%d jumps spared, %d edges banned: want more", spared, banned)
	}
}

// The jump into a dead end is banned, so that the searches know of it before they begin.
func TestThinBansDeadEnds(t *testing.T) {
	s, ball, enter, other := deadEnd(t)
	g := newGraph(s.root, s.men)
	if !s.thin(ball) {
		t.Fatal("thinned, the board is lost")
	}
	for e, want := range map[int32]bool{enter(g): true, other(g): false} {
		j := g.edges[e]
		if got := s.bans.has(j.from, int(j.direction), len(g.jumped(e))+1); got != want {
			t.Errorf("the jump to %v is banned: %t, want %t", s.grid.Where(j.to), got, want)
		}
	}
}
