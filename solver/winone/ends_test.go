package winone

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// witness is a guide that looks at what ends chooses.
type witness struct {
	t *testing.T
	ends
	chosen *int
}

// Choose fails unless the variable is open and one of a series' two ends: it begins the
// series or ends it, or it is a link from or to an edge that is jumped.
func (w witness) Choose() int {
	v := w.ends.Choose()
	if v == none {
		return v
	}
	*w.chosen++
	jumped := func(e int32) bool { return w.solver.True(w.edgeVariable(e)) }
	isEnd := true
	switch edges := len(w.edges); {
	case v <= edges:
		isEnd = w.graph.grid.Goal(w.edges[v-1].to) > 0
	case v <= edges+len(w.links):
		link := w.links[v-1-edges]
		isEnd = jumped(link.before) || jumped(link.after)
	}
	if !isEnd || w.solver.True(v) || w.solver.False(v) {
		w.t.Fatalf("variable %d is no way to go on", v)
	}
	return v
}

func TestASeriesGrowsFromItsEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	chosen := 0
	boards := few(t, 200)
	for range boards {
		board := bitboard.Board{Width: 7 + rng.IntN(5), Height: 9 + rng.IntN(5)}
		l := Random(board, rng, 25+rng.IntN(20), true)
		grid := phutball.NewGrid(board, phutball.Rules{})
		alone(func(s *Solver, ball phutball.Place) verdict {
			f := s.formula(ball)
			f.solver.Follow(witness{t, ends{f}, &chosen})
			return f.advance(1 << 18)
		}, grid, l)
	}
	if chosen < boards {
		t.Errorf("%d variables chosen: want more", chosen)
	}
}
