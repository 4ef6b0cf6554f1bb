package catalogue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sync/errgroup"

	"paika/bitboard"
	"paika/bitboard/phutball"
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
	Drawing  string  `json:"-"` // the board, and where the ball lands on its way
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
	return phutballInstance{newInstance(a, game), game}, nil
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
	answer.Drawing = draw(layout, grid, r.Series)
	return answer, nil
}

// stops marks the points where the ball lands, in order; later ones are "+".
const stops = "123456789abcdefghijklmnopqrstuvwxyz"

// draw shows the rows from the top with their numbers, and marks the points of a
// series.
func draw(layout phutball.Layout, grid *phutball.Grid, series []phutball.Place) string {
	marks := make(map[bitboard.Point]byte)
	for i, place := range series[min(1, len(series)):] {
		mark := byte('+')
		if i < len(stops) {
			mark = stops[i]
		}
		marks[grid.Where(place)] = mark
	}
	var text []byte
	for rank := layout.Board.Height; rank >= -1; rank-- {
		off := rank < 0 || rank == layout.Board.Height
		row := fmt.Appendf(nil, "%3d ", rank+1)
		shown := !off
		for file := range layout.Board.Width {
			p := bitboard.Point{File: file, Rank: rank}
			sign := byte('.')
			switch mark, landed := marks[p]; {
			case landed:
				sign, shown = mark, true
			case p == layout.Ball:
				sign, shown = '@', true
			case off:
				sign = ' '
			case layout.Man(p):
				sign = '*'
			}
			row = append(row, ' ', sign)
		}
		if shown {
			text = append(append(text, row...), '\n')
		}
	}
	text = append(text, "    "...)
	for file := range layout.Board.Width {
		name := phutball.PointName(layout.Board, bitboard.Point{File: file})
		text = append(text, ' ', name[len(name)-2])
	}
	return string(text)
}
