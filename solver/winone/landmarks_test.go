package winone

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// marking is a pincer that uses landmarks from its first run on.
func (s *Solver) marking() *pincer {
	p := s.pincer()
	p.run = 1
	return p
}

// What landmarks exclude no winning series jumps, wherever in it the ball stands.
func TestLandmarksSpareWinningSeries(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(16, 0))
	won, excluded := 0, 0
	for board, l := range mixed(rng, few(t, 1500), 7, 9, 8) {
		grid := phutball.NewGrid(board, allRules[rng.IntN(len(allRules))])
		s := NewSolver(grid)
		r, err := s.Layout(t.Context(), l, Options{Nodes: 5000})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Win || len(r.Series) < 3 {
			continue
		}
		won++
		s.bans.reset()
		s.begin(t.Context(), Options{})
		if !s.root.run(s.men, r.Series[0]) {
			t.Fatalf("%v: won, and relaxed it is lost", l)
		}
		p := s.marking()
		for rest := edgesOf(t, p.graph, r.Series); len(rest) > 0; rest = rest[1:] {
			if !p.relax(p.edges[rest[0]].from) {
				t.Fatalf("%v: %d jumps from the goal there is no way", l, len(rest))
			}
			for _, e := range rest {
				if p.used[e] != p.round {
					t.Fatalf("%v, %v: %s wins, and %+v is excluded %d jumps from the goal", l, grid.Rules(), r.Notation(grid), p.edges[e], len(rest))
				}
			}
			excluded += countOf(p.excluded, p.relaxed)
			p.take(rest[0], p.gone)
		}
	}
	if won < few(t, 1500)/5 || excluded < 1000 {
		t.Errorf("%d boards won, %d edges excluded: want more", won, excluded)
	}
}

// edgesOf gives the edges of a graph that a series jumps.
func edgesOf(t *testing.T, g *graph, series []phutball.Place) (edges []int32) {
	t.Helper()
	for i, to := range series[1:] {
		lo, hi := g.from(series[i])
		n := slices.IndexFunc(g.edges[lo:hi], func(e edge) bool { return e.to == to })
		if n < 0 {
			t.Fatalf("no edge from %v to %v", g.grid.Where(series[i]), g.grid.Where(to))
		}
		edges = append(edges, lo+int32(n))
	}
	return edges
}

func countOf(list []int64, x int64) (n int) {
	for _, y := range list {
		if y == x {
			n++
		}
	}
	return n
}

// deadEnd is a board on which the ball goes from F4 to F6, at once or by H4 and H6, and into
// the goal; or in rounds that it could enter and leave over the man on E4 only: relaxation
// keeps the jumps there, landmarks do not.
func deadEnd(t *testing.T) (s *Solver, ball phutball.Place, enter, other func(g *graph) int32) {
	t.Helper()
	board := bitboard.Board{Width: 9, Height: 9}
	l, err := phutball.ParseLayout("ball=F4 men=E4,D5,C6,B5,C4,F5,F7,F8,G4,H5,G6 to=ohs", board)
	if err != nil {
		t.Fatal(err)
	}
	s = NewSolver(phutball.NewGrid(board, phutball.Rules{}))
	ball, _ = s.grid.PlaceAt(l.Ball)
	edgeTo := func(file, rank int) func(g *graph) int32 {
		return func(g *graph) int32 {
			to, _ := s.grid.PlaceAt(bitboard.Point{File: file, Rank: rank})
			return edgesOf(t, g, []phutball.Place{ball, to})[0]
		}
	}
	copy(s.men, l.Men)
	s.begin(t.Context(), Options{})
	if !s.root.run(s.men, ball) {
		t.Fatal("relaxed, the board is lost")
	}
	return s, ball, edgeTo(3, 3), edgeTo(5, 5)
}

func TestLandmarksExcludeDeadEnds(t *testing.T) {
	s, ball, enter, _ := deadEnd(t)
	p := s.marking()
	e := enter(p.graph)
	if !p.relax(ball) || p.used[e] == p.round || p.excluded[e] != p.relaxed {
		t.Error("the jump into the dead end is kept")
	}
}

// The formula's solver is told of the same, before it has decided anything.
func TestFormulaExcludesDeadEnds(t *testing.T) {
	s, ball, enter, other := deadEnd(t)
	f := s.formula(ball)
	if f.never(enter(f.graph)) {
		t.Fatal("clauses alone exclude the jump into the dead end")
	}
	if v := f.advance(1 << 20); v != won || !f.never(enter(f.graph)) || f.never(other(f.graph)) {
		t.Errorf("verdict %d; the jump into the dead end is kept, or the other is not", v)
	}
}

// Marks are those of the fixpoint: another look at every edge changes none of them. No way goes by
// an edge of which a man has surely gone before.
func TestLandmarksAreAFixpoint(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(41, 0))
	marked, barred := 0, 0
	for board, l := range mixed(rng, few(t, 1000), 7, 9, 8) {
		alone(func(s *Solver, ball phutball.Place) verdict {
			d := newDoubles(s.formula(ball))
			for e := range d.used {
				if rng.IntN(8) > 0 {
					d.used[e] = 1
				}
			}
			d.mark(ball, d.goals, 1)
			before := [][]surely{slices.Clone(d.after), slices.Clone(d.before), slices.Clone(d.cleared), slices.Clone(d.ahead)}
			for e := range int32(len(d.edges)) {
				if d.used[e] != 1 || d.before[d.edges[e].from].round != 1 {
					continue
				}
				if d.before[d.edges[e].from].men.meets(d.own[e]) {
					if barred++; d.after[e].round == 1 {
						t.Fatalf("%v: a way goes by %+v, of which a man has gone before", l, d.edges[e])
					}
				}
				d.pass(e)
			}
			for e := range int32(len(d.edges)) {
				if d.used[e] == 1 && d.fits(e) {
					marked++
					d.lead(d.edges[e].from, d.ahead[d.edges[e].to].men.or(d.own[e]))
				}
			}
			for k, after := range [][]surely{d.after, d.before, d.cleared, d.ahead} {
				if !slices.Equal(before[k], after) {
					t.Fatalf("%v: another look changes marks of kind %d", l, k)
				}
			}
			return undecided
		}, phutball.NewGrid(board, phutball.Rules{}), l)
	}
	if marked < 1000 || barred < 100 {
		t.Errorf("%d edges fit, and on %d a man has gone before: want more", marked, barred)
	}
}
