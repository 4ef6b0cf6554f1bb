package winone

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard/phutball"
)

// relaxedPlay tells whether a plan wins if each man may both stand and have gone: its edges
// are jumped as soon as the ball has been where they begin and, where a man stands on the
// landing, one of them has taken him away on another line.
func relaxedPlay(p *planner, ball phutball.Place, gone points) bool {
	been := map[phutball.Place]bool{ball: true}
	var done []int32
	for more := true; more; {
		more = false
		for _, e := range p.plan {
			cleared := !p.waitsFor(e, gone) || slices.ContainsFunc(done, func(c int32) bool {
				return slices.Contains(p.jumped(c), p.edges[e].to) && p.spares(c, e)
			})
			if slices.Contains(done, e) || !been[p.edges[e].from] || !cleared {
				continue
			}
			if p.grid.Goal(p.edges[e].to) > 0 {
				return len(done) == len(p.plan)-1
			}
			been[p.edges[e].to] = true
			done = append(done, e)
			more = true
		}
	}
	return false
}

// Wherever a winning series has come to there is a plan, and it can be played. It has no
// edge over a man who has gone.
func TestPlansAreRelaxedSeries(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(81, 0))
	states := 0
	for board, l := range mixed(rng, few(t, 2500), 5, 6, 5) {
		grid := phutball.NewGrid(board, allRules[rng.IntN(len(allRules))])
		alone(func(s *Solver, ball phutball.Place) verdict {
			b := s.bestFirst()
			for _, path := range winningSeries(grid, s.men, ball, 20) {
				gone := make(points, b.words)
				for i, at := range path[:len(path)-1] {
					states++
					if !b.plans.find(at, gone) {
						t.Fatalf("%v, %v: no plan after %d jumps of the series %v", l, grid.Rules(), i, path)
					}
					for _, e := range b.plans.plan {
						if !b.stand(e, gone) {
							t.Fatalf("%v, %v: the plan after %d jumps of %v jumps a man who has gone", l, grid.Rules(), i, path)
						}
					}
					if !relaxedPlay(b.plans, at, gone) {
						t.Fatalf("%v, %v: the plan after %d jumps of %v can't be played", l, grid.Rules(), i, path)
					}
					for e, end := b.from(at); e < end; e++ {
						if b.edges[e].to == path[i+1] && b.stand(e, gone) && !b.plans.waitsFor(e, gone) {
							for _, man := range b.jumped(e) {
								gone.add(man)
							}
							break
						}
					}
				}
			}
			return undecided
		}, grid, l)
	}
	if states < 1000 {
		t.Errorf("%d states of winning series: want more", states)
	}
}

// beginsBestFirst is a board that is left to the best-first search after some nodes.
func beginsBestFirst(t *testing.T) phutball.Layout {
	t.Helper()
	return hardBoards(t)[0].layout
}

// A run that has had its nodes is followed by another, and no more nodes are made than the
// call may have.
func TestBestFirstKeepsItsNodes(t *testing.T) {
	l := beginsBestFirst(t)
	s := NewSolver(phutball.NewGrid(large, phutball.Rules{}))
	const before = dashNodes + guidedNodes + restartNodes // the least
	for nodes := uint64(before + 1); nodes < before+400; nodes += 13 {
		r, err := s.Layout(t.Context(), l, Options{Nodes: nodes})
		if err != nil || r.Nodes > nodes || !r.Decided && (r.Limit != NodesLimit || r.Nodes < nodes) {
			t.Fatalf("%d nodes are allowed: %+v, %v", nodes, r, err)
		}
	}
}

// States are kept within their memory: a run ends there, and with it nothing is decided that
// was not seen whole.
func TestBestFirstKeepsItsMemory(t *testing.T) {
	l := beginsBestFirst(t)
	want, _ := alone(func(s *Solver, ball phutball.Place) verdict { return s.decide(ball) }, phutball.NewGrid(large, phutball.Rules{}), l)
	for _, bytes := range []uint64{0, 1, 1 << 10, 1 << 16} {
		alone(func(s *Solver, ball phutball.Place) verdict {
			b := newBestFirst(&s.mover, newGraph(s.root, s.men), &s.failed, bytes)
			v := b.advance(ball, 1<<20)
			if v != undecided && v != want {
				t.Errorf("%d bytes: verdict %d, want %d or none", bytes, v, want)
			}
			if most := b.bound + phutball.Directions; uint64(cap(b.open)) > 4*most || uint64(len(b.states)) > most {
				t.Errorf("%d bytes: %d states, %d allowed", bytes, len(b.states), b.bound)
			}
			if b.run < 2 {
				t.Errorf("%d bytes: %d runs: want more", bytes, b.run)
			}
			return v
		}, phutball.NewGrid(large, phutball.Rules{}), l)
	}
}
