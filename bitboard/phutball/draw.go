package phutball

import (
	"fmt"
	"strings"

	"paika/bitboard"
)

// stops marks the places of a turn, in order; later ones are "+".
const stops = "123456789abcdefghijklmnopqrstuvwxyz"

// Draw shows a position, rows from the top with their numbers, columns with
// their letters, top down where there are several, and rows and columns off the board where the ball gets there: "@"
// is the ball, "*" a man, "." a vacant point, and 1, 2, ... where a turn, if one is
// given, ends its jumps or places a man. Errors are those of Play.
func (g *Grid) Draw(l Layout, turn string) (string, error) {
	marks := map[bitboard.Point]byte{l.Ball: '@'}
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
	low, high := bitboard.Point{}, bitboard.Point{File: l.Board.Width - 1, Rank: l.Board.Height - 1}
	for p := range marks {
		low.File, low.Rank = min(low.File, p.File), min(low.Rank, p.Rank)
		high.File, high.Rank = max(high.File, p.File), max(high.Rank, p.Rank)
	}
	var text []byte
	for rank := high.Rank; rank >= low.Rank; rank-- {
		text = fmt.Appendf(text, "%3d ", rank+1)
		for file := low.File; file <= high.File; file++ {
			text = append(text, ' ', l.sign(bitboard.Point{File: file, Rank: rank}, marks))
		}
		text = append(text, '\n')
	}
	return string(append(text, l.columns(low.File)...)), nil
}

// columns has the letters of the columns from one that may be off the board. Those of a name lie
// below each other.
func (l *Layout) columns(low int) string {
	var lines []string
	for file := range l.Board.Width {
		name := PointName(l.Board, bitboard.Point{File: file})
		for i, letter := range strings.TrimSuffix(name, "1") {
			if i == len(lines) {
				lines = append(lines, strings.Repeat("  ", 2+file-low))
			}
			lines[i] += " " + string(letter)
		}
	}
	return strings.Join(lines, "\n")
}

// sign is what a drawing has at a point, which may be off the board.
func (l *Layout) sign(p bitboard.Point, marks map[bitboard.Point]byte) byte {
	switch mark, marked := marks[p]; {
	case marked:
		return mark
	case !l.holds(p):
		return ' '
	case l.Man(p):
		return '*'
	}
	return '.'
}
