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

	// Time is how long to try. The answer is then not decided. Default: 0, no
	// limit.
	Time time.Duration

	// Nodes is the most jumps to try. The answer is then not decided, and the same
	// on every machine. Default: 0, no limit.
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
	failed     memory // of the guided search and of the formula
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
	dashNodes     = 200
	guidedNodes   = 3000
	restartNodes  = 60_000 // they take less time than a hundred of the pincer
	pincerNodes   = 300    // to begin with
	mostPincer    = 300    // between trials
	raceNodes     = 300
	narrowedNodes = 60_000 // once trials have made the relaxation smaller
	maxStep       = 1 << 13

	// formulaShare is the work that the formula's search gets for the pincer's, and its
	// probes get half as much.
	formulaShare = 2

	// guidedWork is the pincer's work for which the guided search gets a node, as long as
	// it has had fewer than luckyNodes: what it finds, it mostly finds by then. Later it
	// gets one for as much work as lateWork.
	guidedWork = 8
	luckyNodes = 1_500_000
	lateWork   = 128

	// trialWork is what the trials of a question may take. A graph that is too large
	// for them is left to the formula, which does not probe it either.
	trialWork = 1 << 24

	// probeWork is what the formula's probes may take, in all.
	probeWork = 1 << 28

	// leadWork is the work that the formula gets before the race, for each pair of
	// edges. Many series are found in it.
	leadWork = 2

	// fewBanned is the share of edges, one in so many, below which trials are not
	// repeated: the formula finds what is left, and more.
	fewBanned = 50
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

// narrow bans edges by trial as long as a fair share fails, the cheap trial first, and
// searches from both ends in between. First it tries its luck with many short searches,
// and goes on with them whenever there are fewer edges.
func (s *Solver) narrow(ball phutball.Place) verdict {
	if s.ban(func(t *trials) { t.support(ball) }) > 0 && !s.root.run(s.men, ball) {
		return lost
	}
	guided := s.guided()
	if v := guided.restart(ball, restartNodes); v != undecided || s.ended() {
		return v
	}
	guided.weight = 0
	narrowed, left := false, trialWork
	for nodes := uint64(pincerNodes); ; nodes = mostPincer {
		g := s.graph()
		if g == nil {
			return undecided
		}
		s.failedEnds.reset()
		p := newPincer(&s.mover, g, &s.failedEnds)
		if v := p.advance(ball, nodes); v != undecided || s.ended() {
			return v
		}
		edges := len(s.root.edges)
		if left -= trialCost(edges); narrowed || left < 0 {
			return s.race(ball, guided, p)
		}
		banned := s.ban(func(t *trials) { t.support(ball); t.run(ball) })
		if banned == 0 {
			return s.race(ball, guided, p)
		}
		if !s.root.run(s.men, ball) {
			return lost
		}
		narrowed = banned <= edges/fewBanned
		if v := guided.restart(ball, narrowedNodes); v != undecided || s.ended() {
			return v
		}
	}
}

// graph is that of the root's relaxation. It is nil where a limit was met before it
// was whole, or where there is no room for it and what searches it.
func (s *Solver) graph() *graph {
	if s.ended() {
		return nil
	}
	bytes := graphPlaceBytes*uint64(s.grid.Places()) + graphEdgeBytes*uint64(len(s.root.edges)) + graphManBytes*s.root.jumped
	if bytes > s.room/2 {
		s.clock.met = MemoryLimit
		return nil
	}
	g := newGraph(s.root, s.men)
	if s.clock.stopped() {
		return nil
	}
	return g
}

// ban bans the edges of the root's relaxation that fail a test and tells how
// many it has banned. Where a limit is met it is none.
func (s *Solver) ban(test func(*trials)) int {
	g := s.graph()
	if g == nil {
		return 0
	}
	t := newTrials(g, &s.clock)
	test(t)
	if s.clock.stopped() {
		return 0
	}
	banned := 0
	for i, e := range t.edges {
		if t.failed(i) && s.bans.add(e.from, int(e.direction), len(t.jumped(int32(i)))+1) {
			banned++
		}
	}
	return banned
}

// race alternates between the search from both ends, many short searches, and the
// formula, which all remember what they found out. Where the formula takes too much
// memory, the searches go on alone.
func (s *Solver) race(ball phutball.Place, g *guided, p *pincer) verdict {
	work, v := p.worked(ball, raceNodes)
	if v != undecided || s.ended() {
		return v
	}
	if v := g.restart(ball, g.share(work)); v != undecided || s.ended() {
		return v
	}
	f := newFormula(&s.mover, p.graph, ball, s.room/4)
	if f != nil {
		s.path, s.limit = s.path[:0], s.most
		cost := trialCost(len(f.edges))
		if v := f.advance(uint64(min(leadWork*cost, probeWork/4))); v != undecided || s.ended() {
			return v
		}
		f.probed = cost > trialWork
	}
	for step := uint64(raceNodes); ; step = min(2*step, maxStep) {
		if f != nil {
			s.path, s.limit = s.path[:0], s.most
			if v := f.advance(formulaShare * work); v != undecided || s.ended() {
				return v
			}
			narrower, v := s.probe(ball, f, work)
			if v != undecided || s.ended() {
				return v
			}
			if narrower != nil {
				p = narrower
			}
			if f.full {
				f = nil
			}
		}
		if v := g.restart(ball, g.share(work)); v != undecided || s.ended() {
			return v
		}
		if work, v = p.worked(ball, step); v != undecided || s.ended() {
			return v
		}
	}
}

// probe lets the formula probe edges for about some work. Once it has probed enough, the
// edges that it found out of use one by one are banned. It gives a search with those
// left then, if any were banned.
func (s *Solver) probe(ball phutball.Place, f *formula, work uint64) (*pincer, verdict) {
	if f.full || f.probed {
		return nil, undecided
	}
	if v := f.probe(work); v != undecided || s.ended() || !f.probed {
		return nil, v
	}
	banned := 0
	for i, e := range f.edges {
		if f.never(int32(i)) && s.bans.add(e.from, int(e.direction), len(f.jumped(int32(i)))+1) {
			banned++
		}
	}
	if banned == 0 {
		return nil, undecided
	}
	if !s.root.run(s.men, ball) {
		return nil, lost
	}
	g := s.graph()
	if g == nil {
		return nil, undecided
	}
	s.failedEnds.reset()
	return newPincer(&s.mover, g, &s.failedEnds), undecided
}
