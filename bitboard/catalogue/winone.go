package catalogue

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"paika/bitboard"
	"paika/bitboard/phutball"
	"paika/solver/proofnumber"
	"paika/solver/winone"
)

// WinsInOne is an Instance of a game whose turns are so rich that it is hard to
// tell whether one of them wins.
type WinsInOne interface {
	Instance

	// WinInOne answers for many positions at once, each with an error of its
	// own, a *bitboard.SyntaxError.
	WinInOne(ctx context.Context, positions []string, o WinInOneOptions) ([]Answer[WinInOne], error)

	// WinInOneFromCNF lays out a board on which the side to move wins in one
	// exactly if the formula, in DIMACS form, can be satisfied, and answers for
	// it. The board is as large as the formula needs.
	WinInOneFromCNF(ctx context.Context, formula io.Reader, o WinInOneOptions) (WinInOne, error)
}

// Draws is an Instance of a game whose positions are hard to read as text.
type Draws interface {
	Instance

	// Draw shows a position, as it is written on a board of any size, from the
	// top, and numbers the places of a turn if one is given. Errors: those of
	// reading the position, or what is illegal about the turn.
	Draw(position, turn string) (string, error)
}

// ErrUndecided says that a limit was reached before the answer.
var ErrUndecided = errors.New("not decided within the limits")

// WinInOneOptions say what is looked for.
type WinInOneOptions struct {
	Shortest bool          // a winning series with the fewest jumps
	Time     time.Duration // how long each position may take; 0 for no limit
	Workers  int           // goroutines
}

// WinInOne tells whether the side to move wins with one move of the ball.
type WinInOne struct {
	Position string  `json:"position"`
	Win      *bool   `json:"win"`    // null if not decided
	Series   *string `json:"series"` // a winning series in notation, or null
	Jumps    int     `json:"jumps"`  // of the series
	Shortest bool    `json:"shortest"`
	Nodes    uint64  `json:"nodes"` // jumps tried
	Seconds  float64 `json:"seconds"`
}

// phutballInstance adds what Phutball alone has.
type phutballInstance struct {
	*instance[phutball.Position]
	game *phutball.Game
}

func openPhutball(a about, board bitboard.Board, rules phutball.Rules) (Instance, error) {
	game, err := phutball.New(board, rules)
	if err != nil {
		return nil, err
	}
	n := newInstance(a, game)
	n.begin = estimateWins(game)
	return phutballInstance{n, game}, nil
}

// Where the proof numbers of a position of Phutball begin; see estimateWins. These
// were the best of some tried on boards from 3x9 to 9x9.
const (
	sure     = 1 << 9 // what can't be, since a turn or two decide it
	remote   = 16     // that the side to move wins, where nothing is near
	detached = 100    // turns more to be answered where the other side threatens nothing
)

// estimateWins looks a turn or two ahead for the proof-number search. Where the
// side to move wins with this turn, it is as good as won. Where the other side
// would, if it had the turn, only the turns that parry that have to be answered,
// and they are counted. So a search for a win follows threats first. It finds each
// win again by the rules: no proof rests on this.
func estimateWins(game *phutball.Game) proofnumber.Estimate[phutball.Position] {
	lookouts := sync.Pool{New: func() any {
		return &lookout{game: game, solver: winone.NewSolver(game.Grid())}
	}}
	return func(p phutball.Position, _ bool) (phi, delta uint32) {
		l := lookouts.Get().(*lookout)
		defer lookouts.Put(l)
		return l.estimate(p)
	}
}

// lookout is the estimates of one goroutine at a time.
type lookout struct {
	game   *phutball.Game
	solver *winone.Solver
	turns  []phutball.Position
}

func (l *lookout) estimate(p phutball.Position) (phi, delta uint32) {
	turns := uint32(l.game.Count(p))
	if turns == 0 {
		return 0, 0
	}
	if l.wins(p) {
		return 1, sure
	}
	if passed, _ := l.game.Pass(p); !l.wins(passed) {
		return remote, turns + detached
	}
	parries := uint32(0)
	l.turns = l.game.Turns(l.turns[:0], p)
	for _, q := range l.turns {
		if l.game.Count(q) > 0 && !l.wins(q) {
			parries++
		}
	}
	if parries == 0 {
		return sure, 1
	}
	return remote, parries
}

// wins tells whether the side to move wins with this turn, or that it does not if
// that takes long to see.
func (l *lookout) wins(p phutball.Position) bool {
	r, err := l.solver.Position(context.Background(), p, winone.Options{Time: time.Second})
	return err == nil && r.Win
}

// WinInOne gives every worker a solver, and a share of the positions.
func (n phutballInstance) WinInOne(ctx context.Context, positions []string, o WinInOneOptions) ([]Answer[WinInOne], error) {
	answers := make([]Answer[WinInOne], len(positions))
	workers := max(1, min(o.Workers, len(positions)))
	group, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		group.Go(func() error {
			solver := winone.NewSolver(n.game.Grid())
			for i := w; i < len(positions); i += workers {
				p, side, err := n.parse(positions[i])
				if err != nil {
					answers[i].Err = err
					continue
				}
				if answers[i].Result, err = winInOne(ctx, solver, n.game.Grid(), n.game.Layout(p, side), o); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return answers, group.Wait()
}

// Draw draws, on the board that the position itself gives.
func (n phutballInstance) Draw(position, turn string) (string, error) {
	layout, err := phutball.ParseLayout(position, n.game.Board())
	if err != nil {
		return "", err
	}
	return phutball.NewGrid(layout.Board, n.game.Rules()).Draw(layout, turn)
}

func (n phutballInstance) WinInOneFromCNF(ctx context.Context, formula io.Reader, o WinInOneOptions) (WinInOne, error) {
	cnf, err := winone.ReadDIMACS(formula)
	if err != nil {
		return WinInOne{}, err
	}
	layout := winone.FromCNF(cnf)
	grid := phutball.NewGrid(layout.Board, n.game.Rules())
	return winInOne(ctx, winone.NewSolver(grid), grid, layout, o)
}

func winInOne(ctx context.Context, solver *winone.Solver, grid *phutball.Grid, layout phutball.Layout, o WinInOneOptions) (WinInOne, error) {
	began := time.Now()
	r, err := solver.Layout(ctx, layout, winone.Options{Shortest: o.Shortest, Time: o.Time})
	if err != nil {
		return WinInOne{}, err
	}
	answer := WinInOne{Position: layout.String(), Nodes: r.Nodes, Seconds: time.Since(began).Seconds()}
	if r.Decided {
		answer.Win = &r.Win
	}
	if r.Win {
		series := r.Notation(grid)
		answer.Series, answer.Jumps, answer.Shortest = &series, r.Jumps(), r.Shortest
	}
	return answer, nil
}
