package catalogue

import (
	"errors"
	"fmt"

	"paika/bitboard/phutball"
)

// Draws is an Instance of a game whose positions are hard to read as text.
type Draws interface {
	Instance

	// Draw shows a position, as it is written on a board of any size, from the
	// top, and numbers the places of a turn if one is given. Errors: those of
	// reading the position, what is illegal about the turn, or ErrTooLargeToDraw.
	Draw(position, turn string) (string, error)
}

// ErrTooLargeToDraw says that nobody could look at a drawing.
var ErrTooLargeToDraw = errors.New("the board is too large to be drawn")

// mostDrawn bounds the boards that are drawn, in points.
const mostDrawn = 1 << 16

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
