package catalogue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"paika/bitboard"
	"paika/bitboard/phutball"
	"paika/internal/parallel"
	"paika/internal/usage"
	"paika/solver/winone"
)

// What win-in-one takes, in bytes.
const (
	programBytes = 32 << 20 // the program, with nothing to solve
	shareBytes   = 8 << 20  // a worker, at the least
	textBytes    = 8        // a point, while a position is read and printed
)

// share is how many workers there are, and the bytes that each may take, garbage
// included; 0 for no bound.
func (o WinInOneOptions) share() (workers int, bytes uint64, err error) {
	workers = max(1, o.Workers)
	if o.Memory == 0 {
		return workers, 0, nil
	}
	if need := uint64(programBytes + shareBytes); o.Memory < need {
		return 0, 0, fmt.Errorf("%w: win-in-one takes %s, and %s", ErrMemory, usage.Needed(need), usage.Allowed(o.Memory))
	}
	bytes = o.Memory - programBytes
	workers = int(min(uint64(workers), bytes/shareBytes))
	return workers, bytes / uint64(workers), nil
}

// WinInOne hands the positions to the workers, one at a time.
func (n phutballInstance) WinInOne(ctx context.Context, positions []string, o WinInOneOptions) ([]Answer[WinInOne], error) {
	workers, bytes, err := o.share()
	if err != nil {
		return nil, err
	}
	solvers := make([]*winSolvers, min(workers, len(positions)))
	for i := range solvers {
		solvers[i] = n.winSolvers(workers, bytes, o)
	}
	answers, answered := make([]Answer[WinInOne], len(positions)), make([]bool, len(positions))
	err = parallel.Each(ctx, len(solvers), uint64(len(positions)), func(ctx context.Context, worker int, i uint64) (err error) {
		answers[i], err = solvers[worker].answer(ctx, positions[i], o)
		answered[i] = err == nil
		return err
	})
	if err != nil {
		answers = answers[:slices.Index(answered, false)]
	}
	return answers, err
}

// timer is the time of one question.
type timer struct {
	began time.Time
	limit time.Duration // 0 for none
}

func start(o WinInOneOptions) timer { return timer{time.Now(), o.Time} }

// context ends when the time does.
func (t timer) context(ctx context.Context) (context.Context, context.CancelFunc) {
	if t.limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, t.began.Add(t.limit))
}

// left is what a search may take: 0 for no limit.
func (t timer) left() time.Duration {
	if t.limit == 0 {
		return 0
	}
	return max(1, t.limit-time.Since(t.began))
}

// unfinished is the answer where the time ended before the search began; else it
// is the error.
func (t timer) unfinished(ctx context.Context, err error) (WinInOne, error) {
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		return WinInOne{}, err
	}
	return WinInOne{Limit: string(winone.TimeLimit), Seconds: time.Since(t.began).Seconds()}, nil
}

// winSolvers are the solvers of one worker.
type winSolvers struct {
	phutballInstance
	workers int             // that there are
	bytes   uint64          // that each may take; 0 for no bound
	allowed uint64          // that all may take, and the program
	boards  *winone.Solvers // none before the first question
}

// keptShare is the share of a worker's memory that solvers of earlier boards may take.
const keptShare = 8

func (n phutballInstance) winSolvers(workers int, bytes uint64, o WinInOneOptions) *winSolvers {
	return &winSolvers{phutballInstance: n, workers: workers, bytes: bytes, allowed: o.Memory}
}

// solver gives the solver on a board. Errors: the context's, while it is made.
func (s *winSolvers) solver(ctx context.Context, board bitboard.Board) (*winone.Solver, error) {
	if s.boards == nil {
		s.boards = winone.NewSolvers(s.game.Rules(), s.bytes/keptShare)
	}
	return s.boards.On(ctx, board)
}

// answer answers for one position, and keeps a panic to it: nobody knows in what state the
// solvers are then, so that others are made for the next. Errors beside the answer are the
// context's.
func (s *winSolvers) answer(ctx context.Context, position string, o WinInOneOptions) (answer Answer[WinInOne], err error) {
	mistake := parallel.Guard(func() { answer, err = s.ask(ctx, position, o) })
	if mistake != nil {
		s.boards = nil
		return Answer[WinInOne]{Err: mistake}, nil
	}
	return answer, err
}

// ask is answer, with panics.
func (s *winSolvers) ask(ctx context.Context, position string, o WinInOneOptions) (answer Answer[WinInOne], err error) {
	t := start(o)
	var layout phutball.Layout
	if o.AnyBoard {
		layout, answer.Err = s.layout(position)
	} else {
		var p phutball.Position
		var side bitboard.Side
		if p, side, answer.Err = s.parse(position); answer.Err == nil {
			layout = s.game.Layout(p, side)
		}
	}
	if answer.Err == nil {
		answer.Err = s.fits(layout.Board)
	}
	if answer.Err == nil {
		answer.Result, err = s.solve(ctx, layout, o, t)
		answer.Result.Position = layout.String()
	}
	return answer, err
}

// boardNeeds is what a board takes before any search, in bytes.
func boardNeeds(board bitboard.Board) uint64 {
	return winone.Bytes(board) + textBytes*uint64(board.Points())
}

// fits fails, with an error that wraps ErrMemory, where a board takes more than half
// of what there is. The other half is for its search, and for others that are kept.
func (s *winSolvers) fits(board bitboard.Board) error {
	need := boardNeeds(board)
	if s.bytes == 0 || need <= s.bytes/2 {
		return nil
	}
	workers, with := uint64(s.workers), ""
	if workers > 1 {
		with = fmt.Sprintf(" with %d workers", workers)
	}
	return fmt.Errorf("%w: to search a board of %v%s takes %s, and %s",
		ErrMemory, board, with, usage.Needed(programBytes+2*need*workers), usage.Allowed(s.allowed))
}

// memory is what the solver of a board may take: besides the board half of what is
// left, since garbage gets the other half.
func (s *winSolvers) memory(board bitboard.Board) uint64 {
	if s.bytes == 0 {
		return 0
	}
	need := boardNeeds(board)
	return winone.Bytes(board) + (s.bytes-s.bytes/keptShare-need)/2
}

// solve answers for a layout, and leaves its text to the caller: that of a large
// board takes time. Errors are the context's.
func (s *winSolvers) solve(ctx context.Context, layout phutball.Layout, o WinInOneOptions, t timer) (WinInOne, error) {
	laying, cancel := t.context(ctx)
	defer cancel()
	solver, err := s.solver(laying, layout.Board)
	if err != nil {
		return t.unfinished(ctx, err)
	}
	r, err := solver.Layout(ctx, layout, winone.Options{Shortest: o.Shortest, Time: t.left(), Memory: s.memory(layout.Board)})
	if err != nil {
		return WinInOne{}, err
	}
	var answer WinInOne
	if r.Decided {
		answer.Win = &r.Win
	}
	if r.Win {
		series := r.Notation(solver.Grid())
		answer.Series, answer.Jumps, answer.Shortest, answer.Least = &series, r.Jumps(), r.Shortest, r.Least
	}
	ball, _ := solver.Grid().PlaceAt(layout.Ball)
	switch goal := solver.Grid().Goal(ball); {
	case goal > 0:
		answer.Over, answer.Winner = true, s.game.SideName(0)
	case goal < 0:
		answer.Over, answer.Winner = true, s.game.SideName(1)
	}
	answer.Limit, answer.Nodes, answer.Seconds = string(r.Limit), r.Nodes, time.Since(t.began).Seconds()
	return answer, nil
}
