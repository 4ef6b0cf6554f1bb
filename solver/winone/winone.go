package winone

import (
	"context"
	"math/bits"
	"strings"
	"time"

	"paika/bitboard/phutball"
)

// Options say what to look for and how long.
type Options struct {
	// Shortest asks for a winning series with the fewest jumps. Default: any.
	Shortest bool

	// Time is how long to try. The answer is then not decided. Default: 0, no
	// limit.
	Time time.Duration
}

// Result is the answer for one position.
type Result struct {
	// Decided tells whether the answer is known, Win what it is: whether the
	// side to move has a series of jumps that ends in its goal.
	Decided, Win bool

	// Series is such a series: the places where the ball stands, the first and
	// the last among them. It is good until the solver's next call.
	Series []phutball.Place

	// Shortest tells that no winning series has fewer jumps.
	Shortest bool

	// Nodes is the number of jumps tried, a measure of the work that is the same
	// on every machine.
	Nodes uint64
}

// Jumps is the number of jumps of the series.
func (r Result) Jumps() int { return max(0, len(r.Series)-1) }

// Notation writes the series as turns are written, "K6-G9-G11", on the grid
// that it was found on.
func (r Result) Notation(grid *phutball.Grid) string {
	names := make([]string, len(r.Series))
	for i, p := range r.Series {
		names[i] = phutball.PointName(grid.Board(), grid.Where(p))
	}
	return strings.Join(names, "-")
}

// Solver answers for positions on one board, of any size, under one set of
// rules. It keeps its buffers from call to call, and allocates nothing for an
// easy position. One goroutine may use it at a time.
type Solver struct {
	mover
	root       *relaxation
	failed     memory // of the guided search and of the formula
	failedEnds memory // of the pincer and of the search for shorter series
	series     []phutball.Place
}

// NewSolver makes a solver.
func NewSolver(grid *phutball.Grid) *Solver {
	words, b := (grid.Board().Points()+63)/64, newBans(grid)
	return &Solver{
		mover: mover{grid: grid, bans: b, men: make([]uint64, words)},
		root:  newRelaxation(grid, b),
	}
}

// Layout answers for a position as people see it, on the grid's board, and
// gives the series as they see it. Errors: the context's.
func (s *Solver) Layout(ctx context.Context, l phutball.Layout, o Options) (Result, error) {
	ball, _ := s.grid.PlaceAt(l.Ball)
	if l.Side == 0 {
		return s.Solve(ctx, ball, l.Men, o)
	}
	clear(s.men)
	for i, word := range l.Men {
		for ; word != 0; word &= word - 1 {
			man := s.grid.Upended(phutball.Place(i*64 + bits.TrailingZeros64(word)))
			s.men[man>>6] |= 1 << (man & 63)
		}
	}
	r, err := s.solve(ctx, s.grid.Upended(ball), o)
	for i, p := range r.Series {
		r.Series[i] = s.grid.Upended(p)
	}
	return r, err
}

// Position answers for a position of the grid's game. Errors: the context's.
func (s *Solver) Position(ctx context.Context, p phutball.Position, o Options) (Result, error) {
	return s.Solve(ctx, p.Ball, p.Men[:len(s.men)], o)
}

// Solve answers for a ball and a set of men, a bit a point as in phutball.Set
// but as wide as the board. The side to move attacks the top row. Where the game
// is over already, the answer is no. Errors: the context's.
func (s *Solver) Solve(ctx context.Context, ball phutball.Place, men []uint64, o Options) (Result, error) {
	copy(s.men, men)
	return s.solve(ctx, ball, o)
}

// solve answers for the solver's men.
func (s *Solver) solve(ctx context.Context, ball phutball.Place, o Options) (Result, error) {
	s.nodes = 0
	if s.grid.Goal(ball) != 0 {
		return Result{Decided: true}, nil
	}
	s.clock = clock{ctx: ctx}
	if o.Time > 0 {
		s.clock.end = time.Now().Add(o.Time)
	}
	v := s.decide(ball)
	r := Result{Decided: v != undecided, Win: v == won}
	if v == won {
		s.series = append(append(s.series[:0], ball), s.path...)
		r.Shortest = o.Shortest && s.shorten(ball)
		r.Series = s.series
	}
	r.Nodes = s.nodes
	return r, s.clock.err
}

// clock tells when to stop.
type clock struct {
	ctx context.Context
	end time.Time // zero for never
	err error     // the context's, once it is done
}

// over tells whether the time is over or the context done.
func (c *clock) over() bool {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
	return c.err != nil || !c.end.IsZero() && time.Now().After(c.end)
}

// The nodes that each way of searching gets before the next one is tried, and
// what else the solver is tuned by: measured on random boards, on which a
// thousandth takes long.
const (
	dashNodes   = 200
	guidedNodes = 3000
	pincerNodes = 300 // to begin with
	raceNodes   = 2000
	maxStep     = 1 << 16

	// clockNodes is how many nodes of a search pass between looks at the clock.
	clockNodes = 64

	// conflictCost is the time of a conflict of the formula, in nodes of the
	// pincer.
	conflictCost = 4

	// maxTried is the most edges that are put on trial: the time for that grows
	// with the square of their number.
	maxTried = 2500
)

// decide tries the cheap ways first.
func (s *Solver) decide(ball phutball.Place) verdict {
	s.bans.reset()
	s.path, s.limit = s.path[:0], dashNodes
	if v := s.dash(ball); v != undecided {
		return v
	}
	if !s.root.run(s.men, ball) {
		return lost
	}
	s.failed.reset()
	s.path, s.limit = s.path[:0], s.nodes+guidedNodes
	if v := (guided{&s.mover, s.root, &s.failed, nil}).search(ball, key{}); v != undecided {
		return v
	}
	return s.narrow(ball)
}

// narrow bans edges by trial as long as some fail, the cheap trial first, and
// searches from both ends in between, the longer the more often.
func (s *Solver) narrow(ball phutball.Place) verdict {
	if s.ban(func(t *trials) { t.support(ball) }) > 0 && !s.root.run(s.men, ball) {
		return lost
	}
	for nodes := uint64(pincerNodes); ; nodes *= 2 {
		s.failedEnds.reset()
		p := newPincer(&s.mover, newGraph(s.root, s.men), &s.failedEnds)
		if v := p.advance(ball, nodes); v != undecided || s.clock.over() {
			return v
		}
		if len(s.root.edges) > maxTried || s.ban(func(t *trials) { t.support(ball); t.run(ball) }) == 0 {
			return s.race(ball, p)
		}
		if !s.root.run(s.men, ball) {
			return lost
		}
	}
}

// ban bans the edges of the root's relaxation that fail a test and tells how
// many it has banned.
func (s *Solver) ban(test func(*trials)) int {
	t := newTrials(newGraph(s.root, s.men))
	test(t)
	banned := 0
	for i, e := range t.edges {
		if t.failed(i) && s.bans.add(e.from, int(e.direction), len(t.jumped(int32(i)))+1) {
			banned++
		}
	}
	return banned
}

// race alternates between the search from both ends and the formula, which both
// remember what they found out.
func (s *Solver) race(ball phutball.Place, p *pincer) verdict {
	var f *formula
	for step := raceNodes; ; step = min(2*step, maxStep) {
		if v := p.advance(ball, uint64(step)); v != undecided || s.clock.over() {
			return v
		}
		if f == nil {
			f = newFormula(&s.mover, s.root, p.graph, &s.failed, ball)
		}
		s.path, s.limit = s.path[:0], ^uint64(0)
		if v := f.advance(step / conflictCost); v != undecided || s.clock.over() {
			return v
		}
	}
}
