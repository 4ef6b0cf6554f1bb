package phutball

import (
	"fmt"

	"paika/bitboard"
)

// stops marks the places of a turn, in order; later ones are "+".
const stops = "123456789abcdefghijklmnopqrstuvwxyz"

// Draw shows a position, rows from the top with their numbers, columns with
// their letters, and rows off the board where the ball gets there: "@" is the
// ball, "*" a man, "." a vacant point, and 1, 2, ... where a turn, if one is given,
// ends its jumps or places a man. Errors are those of Play.
func (g *Grid) Draw(l Layout, turn string) (string, error) {
	marks := make(map[bitboard.Point]byte)
	if turn != "" {
		if _, err := g.Play(l, turn); err != nil {
			return "", err
		}
		points, err := g.scanTurn(turn)
		if err != nil {
			return "", err
		}
		if len(points) > 1 {
			points = points[1:] // the ball's own
		}
		for i, p := range points {
			if i < len(stops) {
				marks[p] = stops[i]
			} else {
				marks[p] = '+'
			}
		}
	}
	var text []byte
	for rank := l.Board.Height; rank >= -1; rank-- {
		if row := l.drawRow(rank, marks); row != nil {
			text = append(append(text, row...), '\n')
		}
	}
	text = append(text, "    "...)
	for file := range l.Board.Width {
		name := PointName(l.Board, bitboard.Point{File: file})
		text = append(text, ' ', name[len(name)-2])
	}
	return string(text), nil
}

// drawRow is a row of the drawing, or nil for one off the board with nothing to
// show.
func (l *Layout) drawRow(rank int, marks map[bitboard.Point]byte) []byte {
	off := rank < 0 || rank == l.Board.Height
	row := fmt.Appendf(nil, "%3d ", rank+1)
	shown := !off
	for file := range l.Board.Width {
		p := bitboard.Point{File: file, Rank: rank}
		sign := byte('.')
		switch mark, landed := marks[p]; {
		case landed:
			sign, shown = mark, true
		case p == l.Ball:
			sign, shown = '@', true
		case off:
			sign = ' '
		case l.Man(p):
			sign = '*'
		}
		row = append(row, ' ', sign)
	}
	if !shown {
		return nil
	}
	return row
}
