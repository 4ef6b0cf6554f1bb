package winone

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

var allRules = []phutball.Rules{
	{}, {GoalStop: true}, {CornerExit: true}, {ReturnFromOff: true},
	{GoalStop: true, CornerExit: true}, {GoalStop: true, ReturnFromOff: true}, {CornerExit: true, ReturnFromOff: true},
	{GoalStop: true, CornerExit: true, ReturnFromOff: true},
}

// samples are boards of all sizes and densities on which the naive search ends.
func samples(rng *rand.Rand, n int, yield func(l phutball.Layout, rules phutball.Rules, fewest int)) {
	const jumps = 15_000
	for i := 0; i < n; {
		board := bitboard.Board{Width: 1 + rng.IntN(15), Height: 3 + rng.IntN(17)}
		l := Random(board, rng, 5+rng.IntN(50), true)
		if rng.IntN(2) == 0 {
			l.Side = 1
		}
		rules := allRules[rng.IntN(len(allRules))]
		if fewest, ended := naiveOf(l, rules, jumps).fewest(l.Ball, l.Side == 0); ended {
			yield(l, rules, fewest)
			i++
		}
	}
}

// replay makes the turn and fails unless it ends in the goal of its side.
func replay(t *testing.T, grid *phutball.Grid, l phutball.Layout, r Result) {
	t.Helper()
	text := r.Notation(grid)
	after, err := grid.Play(l, text)
	if err != nil {
		t.Fatalf("%v: %v", l, err)
	}
	if won := l.Side == 0 && after.Ball.Rank >= l.Board.Height-1 || l.Side == 1 && after.Ball.Rank <= 0; !won {
		t.Fatalf("%v: the series %s does not end in the goal", l, text)
	}
}

func TestAgreesWithNaive(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 0))
	samples(rng, few(t, 1500), func(l phutball.Layout, rules phutball.Rules, fewest int) {
		grid := phutball.NewGrid(l.Board, rules)
		s := NewSolver(grid)
		r, err := s.Layout(t.Context(), l, Options{})
		if err != nil || !r.Decided || r.Win != (fewest > 0) {
			t.Fatalf("%v, %v: %+v, %v, want a series of %d jumps", l, rules, r, err, fewest)
		}
		if !r.Win {
			return
		}
		replay(t, grid, l, r)
		r, err = s.Layout(t.Context(), l, Options{Shortest: true})
		if err != nil || !r.Shortest || r.Jumps() != fewest {
			t.Fatalf("%v, %v: %+v, %v, want the shortest of %d jumps", l, rules, r, err, fewest)
		}
		replay(t, grid, l, r)
	})
}

// Whether a man who is jumped leaves those of another jump standing that lands on his
// place: looked at man by man.
func TestEdgesInLineDoNotSpareEachOther(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 0))
	pairs := 0
	for range 100 {
		l := Random(bitboard.Board{Width: 12, Height: 12}, rng, 30+rng.IntN(40), true)
		s := NewSolver(phutball.NewGrid(l.Board, allRules[rng.IntN(len(allRules))]))
		ball, _ := s.grid.PlaceAt(l.Ball)
		s.begin(t.Context(), Options{})
		if !s.root.run(l.Men, ball) {
			continue
		}
		g := newGraph(s.root, l.Men)
		for e := range int32(len(g.edges)) {
			if !g.lands[e] {
				continue
			}
			for _, c := range g.over[g.edges[e].to] {
				pairs++
				want := !slices.ContainsFunc(g.jumped(e), func(man phutball.Place) bool {
					return man == g.edges[c].from || man == g.edges[c].to || slices.Contains(g.jumped(c), man)
				})
				if got := g.spares(c, e); got != want {
					t.Fatalf("%v: %+v spares %+v: %v, want %v", l, g.edges[c], g.edges[e], got, want)
				}
			}
		}
	}
	if pairs < 1000 {
		t.Errorf("%d pairs looked at: want more", pairs)
	}
}

// ways are the parts of the solver, each made to answer alone.
var ways = map[string]func(s *Solver, ball phutball.Place) verdict{
	"relaxation and guided search": func(s *Solver, ball phutball.Place) verdict {
		return s.guided().search(ball, key{})
	},
	"guided search begun anew":  func(s *Solver, ball phutball.Place) verdict { return s.guided().restart(ball, 1<<40) },
	"pincer":                    func(s *Solver, ball phutball.Place) verdict { return s.pincer().advance(ball, 1<<40) },
	"landmarks":                 func(s *Solver, ball phutball.Place) verdict { return s.marking().advance(ball, 1<<40) },
	"best first":                func(s *Solver, ball phutball.Place) verdict { return s.bestFirst().advance(ball, 1<<50) },
	"opening":                   opened,
	"formula ordered by pincer": func(s *Solver, ball phutball.Place) verdict { return s.pinching(ball).advance(1 << 50) },
	"formula":                   func(s *Solver, ball phutball.Place) verdict { return s.formula(ball).advance(1 << 50) },
	"thinned and pincer":        thinned(func(s *Solver, ball phutball.Place) verdict { return s.pincer().advance(ball, 1<<40) }),
	"thinned and best first":    thinned(func(s *Solver, ball phutball.Place) verdict { return s.bestFirst().advance(ball, 1<<50) }),
	"thinned and formula":       thinned(func(s *Solver, ball phutball.Place) verdict { return s.formula(ball).advance(1 << 50) }),
}

func (s *Solver) pincer() *pincer {
	return newPincer(&s.mover, newGraph(s.root, s.men), &s.failedEnds)
}

func (s *Solver) bestFirst() *bestFirst {
	return newBestFirst(&s.mover, newGraph(s.root, s.men), &s.failed, mostMemory)
}

func (s *Solver) formula(ball phutball.Place) *formula {
	return newFormula(&s.mover, newGraph(s.root, s.men), ball, mostMemory)
}

// pinching is a formula whose sets of jumps a pincer brings into order, however few they are.
func (s *Solver) pinching(ball phutball.Place) *formula {
	f := s.formula(ball)
	f.arrangement.soon = 0
	return f
}

// thinned is a way without edges that have no support, or for which a man would be jumped
// twice.
func thinned(way func(s *Solver, ball phutball.Place) verdict) func(s *Solver, ball phutball.Place) verdict {
	return func(s *Solver, ball phutball.Place) verdict {
		if !s.thin(ball) {
			return lost
		}
		return way(s, ball)
	}
}

// alone lets one way answer for a layout with Ohs to move.
func alone(way func(s *Solver, ball phutball.Place) verdict, grid *phutball.Grid, l phutball.Layout) (verdict, Result) {
	s := NewSolver(grid)
	ball, _ := grid.PlaceAt(l.Ball)
	s.men = slices.Clone(l.Men)
	s.begin(context.Background(), Options{})
	if !s.root.run(s.men, ball) {
		return lost, Result{}
	}
	s.failed.reset()
	s.failedEnds.reset()
	s.limit = s.most
	v := way(s, ball)
	return v, Result{Series: append([]phutball.Place{ball}, s.path...)}
}

func TestEveryWayAgreesWithNaive(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(2, 0))
			samples(rng, few(t, 500), func(l phutball.Layout, rules phutball.Rules, fewest int) {
				if l.Side == 1 {
					return
				}
				grid := phutball.NewGrid(l.Board, rules)
				v, r := alone(way, grid, l)
				if v == undecided || (v == won) != (fewest > 0) {
					t.Fatalf("%v, %v: verdict %d, want a series of %d jumps", l, rules, v, fewest)
				}
				if v == won {
					replay(t, grid, l, r)
				}
			})
		})
	}
}

// Boards too large for the naive search: the search from both ends against the
// formula, on boards that the relaxation alone does not decide.
func TestSearchAgreesWithFormula(t *testing.T) {
	t.Parallel()
	const nodes, work = 3000, 1 << 24
	rng := rand.New(rand.NewPCG(3, 0))
	compared, wins := 0, 0
	for i := range few(t, 2500) {
		board := bitboard.Board{Width: 7 + rng.IntN(5), Height: 9 + rng.IntN(5)}
		l := Random(board, rng, 20+rng.IntN(25), true)
		if i%3 == 0 {
			families := Hard()
			l = families[rng.IntN(len(families))].Make(board, rng)
		}
		grid := phutball.NewGrid(board, allRules[rng.IntN(len(allRules))])
		want, _ := alone(func(s *Solver, ball phutball.Place) verdict { return s.marking().advance(ball, nodes) }, grid, l)
		if want == undecided {
			continue
		}
		v, r := alone(func(s *Solver, ball phutball.Place) verdict { return s.formula(ball).advance(work) }, grid, l)
		if v == undecided {
			continue
		}
		if compared++; v != want {
			t.Fatalf("%v, %v: the formula says %d, the search %d", l, grid.Rules(), v, want)
		}
		if v == won {
			replay(t, grid, l, r)
			wins++
		}
	}
	if all := few(t, 2500); compared < all*9/10 || wins < compared/4 || wins > compared*3/4 {
		t.Errorf("%d of %d boards compared, %d won: want most, and a fair share of both answers", compared, all, wins)
	}
}

// few is a number of samples: fewer in a short test.
func few(t *testing.T, n int) int {
	t.Helper()
	if testing.Short() {
		return n / 5
	}
	return n
}

// The rows of FACTS.md, Phutball: win in one for Ohs and for Eks.
func TestPublishedPositions(t *testing.T) {
	grid := phutball.NewGrid(phutball.Default, phutball.Rules{})
	s := NewSolver(grid)
	for position, want := range map[string][2]bool{
		"ball=H10 men=H11":                           {false, false},
		"ball=H10 men=H11,J13,J14,H15,G16":           {false, false},
		"ball=H10 men=H11,H13,H15,H17":               {false, false},
		"ball=H17 men=H18,H19":                       {true, false},
		"ball=H17 men=H18":                           {true, false},
		"ball=H3 men=H2,J2":                          {false, true},
		"ball=B10 men=A10":                           {false, false},
		"ball=H10 men=G9,G10,G11,H9,H11,J9,J10,J11":  {false, false},
		"ball=H10 men=D5,D7,F9,H11,H13,K15,M5,M7,M9": {false, false},
	} {
		for side, name := range []string{"ohs", "eks"} {
			l, err := phutball.ParseLayout(position+" to="+name, phutball.Default)
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Layout(t.Context(), l, Options{})
			if err != nil || !r.Decided || r.Win != want[side] {
				t.Errorf("%s, %s: %+v, %v, want %v", position, name, r, err, want[side])
			}
		}
	}
}

func TestNothingIsWonWhenTheGameIsOver(t *testing.T) {
	s := NewSolver(phutball.NewGrid(phutball.Default, phutball.Rules{}))
	for _, ball := range []string{"H19", "H20", "H1", "H0"} {
		l, err := phutball.ParseLayout(fmt.Sprintf("ball=%s men=H18,H2 to=ohs", ball), phutball.Default)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := s.Layout(t.Context(), l, Options{}); err != nil || !r.Decided || r.Win {
			t.Errorf("ball on %s: %+v, %v", ball, r, err)
		}
	}
}

// The same solver gives the same answer with the same work, whatever it did
// before.
func TestSolverIsDeterministic(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	grid := phutball.NewGrid(phutball.Default, phutball.Rules{})
	used := NewSolver(grid)
	for range 300 {
		l := Random(phutball.Default, rng, 30, true)
		a, errA := used.Layout(t.Context(), l, Options{})
		b, errB := NewSolver(grid).Layout(t.Context(), l, Options{})
		if errA != nil || errB != nil || a.Win != b.Win || a.Nodes != b.Nodes || a.Notation(grid) != b.Notation(grid) {
			t.Fatalf("%v: %+v, %v and %+v, %v", l, a, errA, b, errB)
		}
	}
}

func TestEasyBoardsAllocateNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	s := NewSolver(phutball.NewGrid(phutball.Default, phutball.Rules{}))
	var layouts []phutball.Layout
	for range 500 {
		layouts = append(layouts, Random(phutball.Default, rng, 15, false))
	}
	solve := func() {
		for _, l := range layouts {
			if r, err := s.Layout(t.Context(), l, Options{}); err != nil || !r.Decided {
				t.Fatal(r, err)
			}
		}
	}
	// The runtime allocates now and then on its own account.
	if n := testing.AllocsPerRun(3, solve); n > float64(len(layouts))/100 {
		t.Errorf("%v allocations for %d boards, want none", n, len(layouts))
	}
}

// stubborn is a board that keeps the solver busy for a while.
func stubborn(t *testing.T) (*Solver, phutball.Layout) {
	t.Helper()
	board := bitboard.Board{Width: 40, Height: 60}
	rng := rand.New(rand.NewPCG(6, 0))
	grid := phutball.NewGrid(board, phutball.Rules{})
	for range 1000 {
		l := Random(board, rng, 27, false)
		s := NewSolver(grid)
		r, err := s.Layout(t.Context(), l, Options{Nodes: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Decided {
			return s, l
		}
	}
	t.Fatal("no board kept the solver busy")
	return nil, phutball.Layout{}
}

func TestStopsWithItsContextAndInTime(t *testing.T) {
	s, l := stubborn(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := s.Layout(ctx, l, Options{}); !errors.Is(err, context.Canceled) || r.Decided {
		t.Errorf("%+v, %v, want %v", r, err, context.Canceled)
	}
	if r, err := s.Layout(t.Context(), l, Options{Time: time.Nanosecond}); err != nil || r.Decided || r.Win {
		t.Errorf("%+v, %v, want it undecided", r, err)
	}
}
