package foreign

import (
	"fmt"
	"strings"

	"paika/bitboard"
	"paika/bitboard/record"
)

// fanoronaTurn reads "f4e4-, e3+", which is f4-e4W-e3A here.
func fanoronaTurn(board bitboard.Board, text string) (string, error) {
	text = strings.ToLower(strings.Join(strings.Fields(text), ""))
	from, at, err := board.ScanPoint(text, 0)
	if err != nil {
		return "", err
	}
	var turn strings.Builder
	turn.WriteString(from.String())
	for {
		to, end, err := board.ScanPoint(text, at)
		if err != nil {
			return "", err
		}
		turn.WriteString("-" + to.String())
		if at = end; at < len(text) && text[at] == '+' {
			turn.WriteByte('A')
			at++
		} else if at < len(text) && text[at] == '-' {
			turn.WriteByte('W')
			at++
		}
		if at == len(text) {
			return turn.String(), nil
		}
		if text[at] != ',' {
			return "", &bitboard.SyntaxError{Text: text, Offset: at, What: "want + (approach), - (withdrawal), a comma and the next point, or the end"}
		}
		at++
	}
}

// toFanorona writes f4-e4W-e3A as "f4e4-, e3+".
func toFanorona(turn string) string {
	points := strings.Split(turn, "-")
	turn = points[0] + strings.Join(points[1:], ", ")
	return strings.NewReplacer("A", "+", "W", "-").Replace(turn)
}

// konaneTurn reads "d4", a removal, and "e4-e8".
func konaneTurn(board bitboard.Board, text string) (string, error) {
	text = strings.ToLower(strings.Join(strings.Fields(text), ""))
	from, at, err := board.ScanPoint(text, 0)
	if err != nil {
		return "", err
	}
	if at == len(text) {
		return "-" + from.String(), nil
	}
	if text[at] != '-' {
		return "", &bitboard.SyntaxError{Text: text, Offset: at, What: "want - and the point where the stone lands, or the end"}
	}
	to, at, err := board.ScanPoint(text, at+1)
	if err != nil {
		return "", err
	}
	if at != len(text) {
		return "", &bitboard.SyntaxError{Text: text, Offset: at, What: "want nothing after the turn"}
	}
	return from.String() + "-" + to.String(), nil
}

// points are those of a turn of Konane as it is written here: one of a removal, two of a
// jump.
func points(board bitboard.Board, turn string) (all []bitboard.Point, err error) {
	for part := range strings.SplitSeq(strings.TrimPrefix(turn, "-"), "-") {
		p, end, err := board.ScanPoint(part, 0)
		if err != nil {
			return nil, err
		}
		if end != len(part) {
			return nil, fmt.Errorf("turn %s: want points with a hyphen between", bitboard.Quote(turn))
		}
		all = append(all, p)
	}
	if removal := turn[0] == '-'; len(all) > 2 || removal != (len(all) == 1) {
		return nil, fmt.Errorf("turn %s: want a removal or a jump", bitboard.Quote(turn))
	}
	if len(all) == 2 {
		files, ranks := all[1].File-all[0].File, all[1].Rank-all[0].Rank
		if files != 0 && ranks != 0 || (files+ranks)%2 != 0 || all[0] == all[1] {
			return nil, fmt.Errorf("turn %s: want a jump along a file or a rank", bitboard.Quote(turn))
		}
	}
	return all, nil
}

// opens tells whether Black, who removes the first stone, may take the one on a point:
// an own one from the centre or a corner.
func opens(board bitboard.Board, p bitboard.Point) bool {
	w, h := board.Width, board.Height
	corner := (p.File == 0 || p.File == w-1) && (p.Rank == 0 || p.Rank == h-1)
	centre := (p.File == w/2 || p.File == (w-1)/2) && (p.Rank == h/2 || p.Rank == (h-1)/2)
	return (corner || centre) && (p.File+p.Rank)%2 == 0
}

// removed fails where a turn of a game with removals, of that number from 0, is none that
// the other programs have there.
func removed(board bitboard.Board, i int, n *record.Node, all []bitboard.Point) error {
	if (len(all) == 1) != (i < 2) || i == 0 && !opens(board, all[0]) {
		return unwritable(n.At, "turn %d, %s: Black removes a stone from the centre or a corner, White one beside it, and then stones jump", i+1, n.Turn)
	}
	return nil
}
