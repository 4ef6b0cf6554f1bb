package catalogue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

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
	// own: a *bitboard.SyntaxError, a *StartError, or one that wraps ErrMemory where
	// its board is too large. An error beside the answers wraps ErrMemory where
	// there is too little for any, or is the context's.
	WinInOne(ctx context.Context, positions []string, o WinInOneOptions) ([]Answer[WinInOne], error)

	// WinInOneFromCNF lays out a board on which the side to move wins in one
	// exactly if the formula, in DIMACS form, can be satisfied, and answers for
	// it. The board is as large as the formula needs. The time of the options is
	// for reading and laying it out, too. Errors name the line of the formula, or
	// wrap ErrMemory or winone.ErrTooLarge where its board is too large.
	WinInOneFromCNF(ctx context.Context, formula io.Reader, o WinInOneOptions) (WinInOne, error)
}

// Draws is an Instance of a game whose positions are hard to read as text.
type Draws interface {
	Instance

	// Draw shows a position, as it is written on a board of any size, from the
	// top, and numbers the places of a turn if one is given. Errors: those of
	// reading the position, what is illegal about the turn, or ErrTooLargeToDraw.
	Draw(position, turn string) (string, error)
}

// ErrUndecided says that a limit was reached before the answer.
var ErrUndecided = errors.New("not decided within the limits")

// ErrTooLargeToDraw says that nobody could look at a drawing.
var ErrTooLargeToDraw = errors.New("the board is too large to be drawn")

// mostDrawn bounds the boards that are drawn, in points.
const mostDrawn = 1 << 16

// WinInOneOptions say what is looked for.
type WinInOneOptions struct {
	Shortest bool          // a winning series with the fewest jumps
	Time     time.Duration // how long each position may take; 0 for no limit
	Workers  int           // goroutines; fewer where there is no memory for so many
	Memory   uint64        // bytes that the whole program may take; 0 for no bound

	// AnyBoard takes each position on the board that it names itself, of any size.
	// Without it all are on the instance's board, and one on another is an error.
	AnyBoard bool
}

// WinInOne tells whether the side to move wins with one move of the ball.
type WinInOne struct {
	Position string  `json:"position"`         // empty where a formula was not decided
	Over     bool    `json:"over"`             // the ball is in a goal: nobody wins with a turn
	Winner   string  `json:"winner,omitempty"` // the side that has won then
	Win      *bool   `json:"win"`              // null if not decided
	Limit    string  `json:"limit,omitempty"`  // what was met before the answer: "time" or "memory"
	Series   *string `json:"series"`           // a winning series in notation, or null
	Jumps    int     `json:"jumps"`            // of the series
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

// estimateNodes is how many jumps an estimate tries to see a win, at the most. No
// more than one in ten thousand of the boards that are hard for the solver takes so
// many. It is no time: the search visits the same nodes on every machine.
const estimateNodes = 20_000

// wins tells whether the side to move wins with this turn, or that it does not if
// that takes long to see.
func (l *lookout) wins(p phutball.Position) bool {
	r, err := l.solver.Position(context.Background(), p, winone.Options{Nodes: estimateNodes})
	return err == nil && r.Win
}

// Draw draws, on the board that the position itself gives.
func (n phutballInstance) Draw(position, turn string) (string, error) {
	layout, err := n.layout(position)
	if err != nil {
		return "", err
	}
	if layout.Board.Points() > mostDrawn {
		return "", fmt.Errorf("%w: it is %v", ErrTooLargeToDraw, layout.Board)
	}
	return phutball.NewGrid(layout.Board, n.game.Rules()).Draw(layout, turn)
}

// layout reads a position on the board that it names itself.
func (n phutballInstance) layout(position string) (phutball.Layout, error) {
	if position == Start {
		p, side, err := n.parse(position)
		if err != nil {
			return phutball.Layout{}, err
		}
		return n.game.Layout(p, side), nil
	}
	layout, err := phutball.ParseLayout(position, n.game.Board())
	if err == nil {
		err = n.game.Rules().Admits(position, layout)
	}
	return layout, err
}
