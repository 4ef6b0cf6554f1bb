package winone

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard/phutball"
)

// stop is the moment in which a call is stopped: after so much work, or so many looks at the
// time that work has not brought about.
type stop struct{ work, looks int }

const never = math.MaxInt / 2

// fuse is the context of a call that is stopped so. It may be stopped at each place that works.
type fuse struct {
	context.Context
	stop
	clock  *clock
	worked int // up to the last look
	looked int
}

// light begins a call that is to be stopped.
func (s *Solver) light(at stop) *fuse {
	f := &fuse{Context: context.Background(), stop: at, clock: &s.clock}
	s.begin(f, Options{})
	s.clock.passed = clockWork - at.work%clockWork
	f.worked = -s.clock.passed
	s.nodes, s.path, s.limit = 0, s.path[:0], s.most
	return f
}

func (f *fuse) Err() error {
	if f.clock.passed == 0 {
		f.worked += clockWork
	} else {
		f.looked++
	}
	if f.worked >= f.work || f.looked > f.looks {
		return context.Canceled
	}
	return nil
}

// total is how much work was done.
func (f *fuse) total() int { return f.worked + f.clock.passed }

// stoppable are ways that may be stopped anywhere. What they ban they leave banned.
var stoppable = map[string]func(s *Solver, ball phutball.Place) verdict{
	"all ways": (*Solver).decide,
	"thinned and guided search": thinned(func(s *Solver, ball phutball.Place) verdict {
		return s.guided().restart(ball, 1<<40)
	}),
	"best first": bestFirstAnd(func(s *Solver, ball phutball.Place, b *bestFirst) verdict {
		return b.advance(ball, 1<<50)
	}),
	"thinned and race": thinned(bestFirstAnd(func(s *Solver, ball phutball.Place, b *bestFirst) verdict {
		return s.race(ball, s.guided(), b)
	})),
	"formula":                   func(s *Solver, ball phutball.Place) verdict { return s.arranged(ball, arrangementNodes) },
	"formula ordered by pincer": func(s *Solver, ball phutball.Place) verdict { return s.arranged(ball, 0) },
}

// bestFirstAnd gives a way a best-first search, unless there is none.
func bestFirstAnd(way func(s *Solver, ball phutball.Place, b *bestFirst) verdict) func(s *Solver, ball phutball.Place) verdict {
	return func(s *Solver, ball phutball.Place) verdict {
		g := s.graph()
		if g == nil {
			return undecided
		}
		return way(s, ball, newBestFirst(&s.mover, g, &s.failed, mostMemory))
	}
}

// arranged leaves it to a formula whose sets of jumps a search of so many nodes brings into
// order, or else a pincer.
func (s *Solver) arranged(ball phutball.Place, soon uint64) verdict {
	g := s.graph()
	if g == nil {
		return undecided
	}
	f := newFormula(&s.mover, g, ball, mostMemory)
	if f == nil {
		return undecided
	}
	f.arrangement.soon = soon
	return f.advance(1 << 50)
}

// answer lets a way answer with the solver's men, which it must leave as they are.
func (s *Solver) answer(t *testing.T, l phutball.Layout, way func(s *Solver, ball phutball.Place) verdict) verdict {
	t.Helper()
	ball, _ := s.grid.PlaceAt(l.Ball)
	v := lost
	if s.root.run(s.men, ball) {
		s.failed.reset()
		s.failedEnds.reset()
		v = way(s, ball)
	}
	if !slices.Equal(s.men, l.Men) {
		t.Fatalf("%v, %v: other men afterwards", l, s.grid.Rules())
	}
	return v
}

// stopsOf gives the moments to stop a call that took its time: so many, spread over its work,
// and all other looks.
func stopsOf(rng *rand.Rand, whole *fuse, most int) (stops []stop) {
	for i := range most {
		stops = append(stops, stop{work: (i*whole.total() + rng.IntN(whole.total()+1)) / most, looks: never})
	}
	for looks := range whole.looked {
		stops = append(stops, stop{never, looks})
	}
	return stops
}

// Wherever a search is stopped, it has the true answer or none. The same solver has the true
// answer then: what is banned by then no series needs.
func TestStoppedAnywhereNothingIsWrong(t *testing.T) {
	for name, way := range stoppable {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(71, 0))
			stopped := 0
			for board, l := range mixed(rng, 125, 5, 7, 5) {
				s := NewSolver(phutball.NewGrid(board, allRules[rng.IntN(len(allRules))]))
				copy(s.men, l.Men)
				whole := s.light(stop{12 * clockWork, never})
				want := s.answer(t, l, way)
				if want == undecided {
					continue // it takes long
				}
				for _, at := range stopsOf(rng, whole, 20) {
					s.bans.reset()
					s.light(at)
					v := s.answer(t, l, way)
					if v == undecided && s.clock.stopped() {
						stopped++
						s.light(stop{never, never})
						v = s.answer(t, l, way)
					}
					if v != want {
						t.Fatalf("%v, %v: stopped at %+v, the verdict is %d, and %d else", l, s.grid.Rules(), at, v, want)
					}
				}
			}
			if stopped < 100 {
				t.Errorf("stopped %d times: want more", stopped)
			}
		})
	}
}

// What a search holds is whole: where a graph or a formula is stopped, there is none.
func TestWhatIsStoppedIsNotHeld(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 0))
	var stopped [2]int
	for board, l := range mixed(rng, 50, 5, 7, 5) {
		s := NewSolver(phutball.NewGrid(board, phutball.Rules{}))
		ball, _ := s.grid.PlaceAt(l.Ball)
		copy(s.men, l.Men)
		s.light(stop{never, never})
		if !s.root.run(s.men, ball) {
			continue
		}
		g := newGraph(s.root, s.men)
		for i, made := range [...]func() bool{
			func() bool { return newGraph(s.root, s.men) != nil },
			func() bool { return newFormula(&s.mover, g, ball, mostMemory) != nil },
		} {
			whole := s.light(stop{never, never})
			made()
			for _, at := range stopsOf(rng, whole, 20) {
				s.light(at)
				if made() == s.clock.stopped() {
					t.Fatalf("%v, to be stopped at %+v: stopped is %t, and so is that it is made", l, at, s.clock.stopped())
				}
				if s.clock.stopped() {
					stopped[i]++
				}
			}
		}
	}
	if stopped[0] < 200 || stopped[1] < 200 {
		t.Errorf("%d graphs and %d formulas were stopped: want more", stopped[0], stopped[1])
	}
}
