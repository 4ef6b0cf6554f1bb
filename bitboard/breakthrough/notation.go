package breakthrough

import (
	"errors"
	"fmt"
	"math/bits"

	"paika/bitboard"
)

var (
	sideNames   = [2]string{"white", "black"}
	sideWords   = [2]string{"w", "b"} // as a position's text has them
	sideLetters = [2]byte{'W', 'B'}
)

// SideName is "white" for side 0, which begins, and "black" for side 1.
func (g *Game) SideName(s bitboard.Side) string { return sideNames[s] }

// Start has pawns on the two ranks nearest to each side. It never fails.
func (g *Game) Start() (Position, bitboard.Side, error) {
	pawns := g.first | g.first<<g.board.Width
	return Position{pawns, g.turned(pawns)}, 0, nil
}

// bit is the set of a point, as the side to move sees it.
func (g *Game) bit(p bitboard.Point, s bitboard.Side) uint64 {
	n := p.Rank*g.board.Width + p.File
	if s == 1 {
		n = g.board.Points() - 1 - n
	}
	return 1 << n
}

// name is that of the one point of a set.
func (g *Game) name(bit uint64, s bitboard.Side) string {
	if s == 1 {
		bit = g.turned(bit)
	}
	n := bits.TrailingZeros64(bit)
	return bitboard.Point{File: n % g.board.Width, Rank: n / g.board.Width}.String()
}

// Parse reads a position: the ranks from the top, W and B for pawns and . for
// empty points, then w or b for the side to move. Errors are of type
// *bitboard.SyntaxError.
func (g *Game) Parse(text string) (Position, bitboard.Side, error) {
	pawns, end, err := g.board.ScanStones(text, g.drawn) // as White sees them
	if err != nil {
		return Position{}, 0, err
	}
	s, err := bitboard.ScanSide(text, end, sideWords)
	if err != nil {
		return Position{}, 0, err
	}
	for side, set := range pawns {
		if n := bits.OnesCount64(set); n > 2*g.board.Width {
			what := fmt.Sprintf("%d pawns of %s: want at most %d", n, sideNames[side], 2*g.board.Width)
			return Position{}, 0, &bitboard.SyntaxError{Text: text, Offset: 0, What: what}
		}
	}
	if pawns[0]|pawns[1] == 0 {
		return Position{}, 0, &bitboard.SyntaxError{Text: text, Offset: 0, What: "no pawns: want at least one W or B"}
	}
	if s == 1 {
		return Position{g.turned(pawns[1]), g.turned(pawns[0])}, s, nil
	}
	return Position{pawns[0], pawns[1]}, s, nil
}

// Format writes p, with s to move, as Parse reads it.
func (g *Game) Format(p Position, s bitboard.Side) string {
	rows := g.board.FormatRows(func(point bitboard.Point) byte {
		switch bit := g.bit(point, s); {
		case p.Own&bit != 0:
			return sideLetters[s]
		case p.Opp&bit != 0:
			return sideLetters[s.Other()]
		}
		return '.'
	})
	return rows + " " + sideWords[s]
}

// Notated lists the turns in the order of Turns: "a2-a3", or "a2xb3" for a
// capture.
func (g *Game) Notated(p Position, s bitboard.Side) []bitboard.Turn[Position] {
	var turns []bitboard.Turn[Position]
	for _, to := range g.Turns(nil, p) {
		own := g.turned(to.Opp)
		from, at := p.Own&^own, own&^p.Own
		turns = append(turns, bitboard.Turn[Position]{Notation: g.name(from, s) + link(p, at) + g.name(at, s), To: to})
	}
	return turns
}

// link stands between the points of a turn.
func link(p Position, to uint64) string {
	if p.Opp&to != 0 {
		return "x"
	}
	return "-"
}

// ParseTurn reads one turn of p in the form that Notated writes. Malformed text is
// an error of type *bitboard.SyntaxError; another says which rule is broken.
func (g *Game) ParseTurn(p Position, s bitboard.Side, text string) (bitboard.Turn[Position], error) {
	var none bitboard.Turn[Position]
	start, at, err := g.board.ScanPoint(text, 0)
	if err != nil {
		return none, err
	}
	if at == len(text) || text[at] != '-' && text[at] != 'x' {
		return none, &bitboard.SyntaxError{Text: text, Offset: at, What: "want - or, for a capture, x and the point that the pawn goes to"}
	}
	target, end, err := g.board.ScanPoint(text, at+1)
	if err != nil {
		return none, err
	}
	if end != len(text) {
		return none, &bitboard.SyntaxError{Text: text, Offset: end, What: "want nothing after the turn"}
	}
	from, to := g.bit(start, s), g.bit(target, s)
	if err := g.check(p, s, from, to, text[at:at+1]); err != nil {
		return none, &bitboard.IllegalTurnError{Text: text, Err: err}
	}
	return bitboard.Turn[Position]{Notation: text, To: g.moved(p, from, to)}, nil
}

// check says which rule a turn breaks, if it breaks one.
func (g *Game) check(p Position, s bitboard.Side, from, to uint64, linked string) error {
	bare := Position{Own: from}
	switch {
	case g.over(p):
		return errors.New("the game is over")
	case p.Opp&from != 0:
		return fmt.Errorf("the pawn on %s is %s's, and %s is to move", g.name(from, s), sideNames[s.Other()], sideNames[s])
	case p.Own&from == 0:
		return fmt.Errorf("there is no pawn on %s", g.name(from, s))
	case g.ahead(from, bare)&to == 0:
		return errors.New("a pawn goes one rank ahead, straight or diagonally")
	case p.Own&to != 0:
		return fmt.Errorf("%s is occupied", g.name(to, s))
	case g.ahead(from, p)&to == 0:
		return fmt.Errorf("%s is occupied, and a pawn captures diagonally", g.name(to, s))
	case linked != link(p, to):
		return fmt.Errorf("write %s between the points: - for a turn, x for a capture", link(p, to))
	}
	return nil
}
