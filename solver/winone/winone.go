package winone

import (
	"context"
	"math"
	"math/bits"
	"strings"
	"time"

	"paika/bitboard/phutball"
)

// Options say what to look for and how long.
type Options struct {
	// Shortest asks for a winning series with the fewest jumps, within the same
	// limits. Default: any.
	Shortest bool

	// Time bounds the work: a question that needs longer stays undecided. Default: 0,
	// no limit.
	Time time.Duration

	// Nodes is the most jumps to try: a question that needs more stays undecided, on
	// every machine the same. Default: 0, no limit.
	Nodes uint64

	// Memory is the most bytes that the solver takes, its grid included: garbage
	// comes on top, less than as much again. A board takes Bytes of them. Where the
	// rest is too little the answer is not decided. Default: 0, 16 GiB.
	Memory uint64
}

// Result is the answer for one position.
type Result struct {
	// Decided tells whether the answer is known, Win what it is: whether the
	// side to move has a series of jumps that ends in its goal.
	Decided, Win bool

	// Limit is what ended the search where the answer is not known, or where it is
	// not known whether the series is the shortest and that was asked.
	Limit Limit

	// Series is such a series: the places where the ball stands, the first and
	// the last among them. It is good until the solver's next call.
	Series []phutball.Place

	// Shortest tells that no winning series has fewer jumps.
	Shortest bool

	// Least is a number of jumps that every winning series has, where the shortest was
	// asked for and there is one. It is that of the series exactly if Shortest.
	Least int

	// Nodes is the number of jumps tried, a measure of the work that is the same
	// on every machine.
	Nodes uint64

	// Conflicts is the number of conflicts that the formula met: another, where the
	// board is hard.
	Conflicts uint64
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
	failed     memory // of the guided search
	failedEnds memory // of the pincer and of the search for shorter series
	series     []phutball.Place
}

// NewSolver makes a solver.
func NewSolver(grid *phutball.Grid) *Solver {
	board := grid.Board()
	s := &Solver{mover: mover{
		grid: grid, bans: newBans(grid), men: make([]uint64, (board.Points()+63)/64),
		reach: phutball.Directions * max(board.Width, board.Height),
	}}
	s.root = newRelaxation(grid, s.bans, &s.clock)
	return s
}

// Grid is the grid of its board.
func (s *Solver) Grid() *phutball.Grid { return s.grid }

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
	s.nodes, s.conflicts = 0, 0
	if s.grid.Goal(ball) != 0 {
		return Result{Decided: true}, nil
	}
	s.begin(ctx, o)
	v := s.decide(ball)
	r := Result{Decided: v != undecided, Win: v == won}
	if v == won {
		s.series = append(append(s.series[:0], ball), s.path...)
		if o.Shortest {
			r.Least = s.shorten(ball)
			r.Shortest = r.Least == len(s.series)-1
		}
		r.Series = s.series
	}
	if v == undecided || o.Shortest && v == won && !r.Shortest {
		r.Limit = s.clock.met
	}
	r.Nodes, r.Conflicts = s.nodes, s.conflicts
	s.trim()
	return r, s.clock.err
}

// begin sets the limits of a call.
func (s *Solver) begin(ctx context.Context, o Options) {
	s.clock = clock{ctx: ctx}
	if o.Time > 0 {
		s.clock.end = time.Now().Add(o.Time)
	}
	s.most = math.MaxUint64
	if o.Nodes > 0 {
		s.most = o.Nodes
	}
	s.room = room(s.grid.Board(), o.Memory)
	s.root.mostEdges = int(s.room / 2 / graphEdgeBytes)
	s.failed.bound(s.room / 8)
	s.failedEnds.bound(s.room / 8)
}

// trim lets go of what a solver for many boards had better not keep.
func (s *Solver) trim() {
	s.failed.trim()
	s.failedEnds.trim()
	s.root.trim()
}

// The nodes that each way of searching gets before the next one is tried, and
// what else the solver is tuned by: measured on random boards, on which a
// thousandth takes long.
const (
	dashNodes    = 200
	guidedNodes  = 3000
	restartNodes = 10_000
	furtherNodes = 50_000 // after the best-first search
	pincerNodes  = 300    // they take less time than it takes to make a formula

	// bestFirstWork is the work that the best-first search gets before the race: most of
	// what it finds, it finds by then.
	bestFirstWork = 1 << 19

	// firstTurn is the work of the race's first turn, and each is twice as long as the one
	// before up to the longestTurn.
	firstTurn   = 1 << 19
	longestTurn = 1 << 22

	// formulaShare is the work that the formula gets for that of the pincer, and
	// lateFormulaShare in the longest turns: most boards that are left then are lost, and
	// the formula decides nearly all of those.
	formulaShare     = 8
	lateFormulaShare = 32

	// bestFirstShare is that of the best-first search.
	bestFirstShare = 2

	// guidedWork is the pincer's work for which the guided search gets a node, as long as
	// it has had fewer than luckyNodes: what it finds, it mostly finds by then. Later it
	// gets one for as much work as lateWork.
	guidedWork = 8
	luckyNodes = 1_500_000
	lateWork   = 128
)

// decide tries the cheap ways first.
func (s *Solver) decide(ball phutball.Place) verdict {
	s.bans.reset()
	s.path, s.limit = s.path[:0], s.within(dashNodes)
	if v := s.dash(ball); v != undecided || s.ended() {
		return v
	}
	if !s.root.run(s.men, ball) {
		return lost
	}
	if s.ended() {
		return undecided
	}
	s.failed.reset()
	s.path, s.limit = s.path[:0], s.within(guidedNodes)
	if v := s.guided().search(ball, key{}); v != undecided || s.ended() {
		return v
	}
	return s.narrow(ball)
}

// guided is a search along the root's distances.
func (s *Solver) guided() *guided {
	return &guided{mover: &s.mover, root: s.root, failed: &s.failed, weight: guidedWeight}
}

// narrow goes on with what relaxation has left: it tries its luck with many short searches
// and a best-first search, and then leaves it to the race.
func (s *Solver) narrow(ball phutball.Place) verdict {
	if !s.thin(ball) {
		return lost
	}
	short := s.guided()
	if v := short.restart(ball, restartNodes); v != undecided || s.ended() {
		return v
	}
	g := s.graph()
	if g == nil {
		return undecided
	}
	b := newBestFirst(&s.mover, g, &s.failed, s.room/8)
	v := s.inTurn(
		func() verdict { return b.advance(ball, bestFirstWork) },
		func() verdict { return short.restart(ball, furtherNodes) },
	)
	if v != undecided || s.ended() {
		return v
	}
	short.weight = 0
	return s.race(ball, short, b)
}

// inTurn asks one after the other, until one decides or a limit is met.
func (s *Solver) inTurn(ways ...func() verdict) verdict {
	for _, way := range ways {
		if v := way(); v != undecided || s.ended() {
			return v
		}
	}
	return undecided
}

// graph is that of the root's relaxation. It is nil where a limit was met, or where there
// is no room for it and what searches it.
func (s *Solver) graph() *graph {
	if s.ended() {
		return nil
	}
	if graphBytes(s.root) > s.room/2 {
		s.clock.met = MemoryLimit
		return nil
	}
	return newGraph(s.root, s.men)
}

// race searches from both ends, and then alternates between the best-first search, the
// formula, many short searches and that, which all remember what they found out. Where the
// formula takes too much memory, the searches go on alone. Each turn begins with the opening,
// which is part of the pincer's work.
func (s *Solver) race(ball phutball.Place, short *guided, b *bestFirst) verdict {
	g := b.graph
	s.failedEnds.reset()
	p := newPincer(&s.mover, g, &s.failedEnds)
	if v := p.advance(ball, pincerNodes); v != undecided || s.ended() {
		return v
	}
	var f *formula
	for turn := uint64(firstTurn); ; turn = min(2*turn, longestTurn) {
		end := p.work + turn
		edges, v := p.opening(ball, turn/openingWork)
		if v != undecided || s.ended() {
			return v
		}
		if len(edges) > 0 {
			return s.playOn(g.list(edges))
		}
		if turn == firstTurn {
			f = newFormula(&s.mover, g, ball, s.room/8)
		}
		share := uint64(formulaShare)
		if turn == longestTurn {
			share = lateFormulaShare
		}
		v = s.inTurn(
			func() verdict { return b.advance(ball, bestFirstShare*turn) },
			func() verdict { return f.advance(share * turn) },
			func() verdict { return short.restart(ball, short.share(turn)) },
			func() verdict { return p.workedTo(ball, end) },
		)
		if v != undecided || s.ended() {
			return v
		}
	}
}
