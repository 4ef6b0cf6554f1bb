package phutball

import (
	"errors"
	"fmt"

	"paika/bitboard"
)

// SideName is "ohs" for side 0, which begins and attacks the top row, and "eks"
// for side 1.
func (g *Game) SideName(s bitboard.Side) string { return sideNames[s] }

// Start has the ball on the centre point and no men. It fails on boards that
// have no centre: those with an even number of columns or rows.
func (g *Game) Start() (Position, bitboard.Side, error) {
	board := g.grid.board
	if board.Width%2 == 0 || board.Height%2 == 0 {
		return Position{}, 0, fmt.Errorf("phutball on %v: no start position is defined: want odd numbers of columns and rows", board)
	}
	return Position{Ball: Place(board.Points() / 2)}, 0, nil
}

// Parse reads a position: the rows from the top, with . * @ for vacant points,
// men and the ball, then ohs or eks; "@H20 " in front for a ball off the board;
// or the short form "ball=H10 men=H11,J13 to=ohs". Errors are of type
// *bitboard.SyntaxError.
func (g *Game) Parse(text string) (Position, bitboard.Side, error) {
	l, err := parseOn(text, g.grid.board)
	if err != nil {
		return Position{}, 0, err
	}
	if err := g.grid.rules.Admits(text, l); err != nil {
		return Position{}, 0, err
	}
	p := Position{}
	p.Ball, _ = g.grid.PlaceAt(l.Ball)
	copy(p.Men[:], l.Men)
	if l.Side == 1 {
		p = g.upended(p)
	}
	return p, l.Side, nil
}

// Layout is p, with s to move, as people see it.
func (g *Game) Layout(p Position, s bitboard.Side) Layout {
	if s == 1 {
		p = g.upended(p)
	}
	l := NewLayout(g.grid.board, s, g.grid.where[p.Ball])
	copy(l.Men, p.Men[:])
	return l
}

// Format writes p, with s to move, in rows as Parse reads it.
func (g *Game) Format(p Position, s bitboard.Side) string { return g.Layout(p, s).String() }

// name of a place, by the side that sees it at the top when it lies there.
func (g *Grid) name(p Place, s bitboard.Side) string {
	if s == 1 {
		p = g.Upended(p)
	}
	return PointName(g.board, g.where[p])
}

// Notated lists the legal turns in the order of Turns: "K6-G9-G11" is a series
// of jumps, "K6" places a man.
func (g *Game) Notated(p Position, s bitboard.Side) []bitboard.Turn[Position] {
	if g.over(p) {
		return nil
	}
	p, s = g.upended(p), s.Other()
	turns := g.notatedSeries(nil, g.grid.name(p.Ball, s), p, s)
	g.vacant(&p, func(at Place) {
		q := p
		q.Men.Flip(at)
		turns = append(turns, bitboard.Turn[Position]{Notation: g.grid.name(at, s), To: q})
	})
	return turns
}

// notatedSeries appends what series appends, with the notation of the turn up
// to where the ball is.
func (g *Game) notatedSeries(dst []bitboard.Turn[Position], sofar string, p Position, s bitboard.Side) []bitboard.Turn[Position] {
	for d := range Directions {
		q := p
		if q.Ball = g.grid.Land(p.Men[:], p.Ball, d); q.Ball == Nowhere {
			continue
		}
		g.grid.Clear(q.Men[:], p.Ball, q.Ball, d)
		name := sofar + "-" + g.grid.name(q.Ball, s)
		dst = append(dst, bitboard.Turn[Position]{Notation: name, To: q})
		dst = g.notatedSeries(dst, name, q, s)
	}
	return dst
}

// ParseTurn reads one turn of p in the form that Notated writes. Malformed text
// is an error of type *bitboard.SyntaxError; another names what is illegal and
// why.
func (g *Game) ParseTurn(p Position, s bitboard.Side, text string) (bitboard.Turn[Position], error) {
	l := g.Layout(p, s)
	after, err := g.grid.Play(l, text)
	if err != nil {
		return bitboard.Turn[Position]{}, err
	}
	to := Position{}
	to.Ball, _ = g.grid.PlaceAt(after.Ball)
	copy(to.Men[:], after.Men)
	if after.Side == 1 {
		to = g.upended(to)
	}
	return bitboard.Turn[Position]{Notation: text, To: to}, nil
}

// Play makes a turn, written as in ParseTurn, on a board of any size, and gives
// the layout that it leads to. The layout must be on the grid's board, its ball
// at one of the grid's places. Errors are those of ParseTurn.
func (g *Grid) Play(l Layout, text string) (Layout, error) {
	points, err := g.scanTurn(text)
	if err != nil {
		return Layout{}, err
	}
	after := Layout{l.Board, l.Side.Other(), l.Ball, append([]uint64(nil), l.Men...)}
	if ball, _ := g.PlaceAt(l.Ball); g.goals[ball] != 0 {
		winner := sideNames[0]
		if g.goals[ball] < 0 {
			winner = sideNames[1]
		}
		err = fmt.Errorf("the game is over: the ball is on %s, and %s has won", PointName(g.board, l.Ball), winner)
	} else if len(points) == 1 {
		err = after.placeMan(points[0])
	} else {
		err = g.playSeries(&after, l.Men, points)
	}
	if err != nil {
		return Layout{}, &bitboard.IllegalTurnError{Text: text, Err: err}
	}
	return after, nil
}

// scanTurn reads points with - between them.
func (g *Grid) scanTurn(text string) ([]bitboard.Point, error) {
	var points []bitboard.Point
	for at := 0; ; at++ {
		p, end, err := scanPointName(g.board, text, at)
		if err != nil {
			return nil, err
		}
		if _, ok := g.PlaceAt(p); !ok {
			return nil, &bitboard.SyntaxError{Text: text, Offset: at, What: "no ball gets there: the rule corner-exit is off"}
		}
		points = append(points, p)
		if at = end; at == len(text) {
			return points, nil
		}
		if text[at] != '-' {
			return nil, &bitboard.SyntaxError{Text: text, Offset: at, What: "want - and the next point, or the end"}
		}
	}
}

func (l *Layout) placeMan(p bitboard.Point) error {
	name := PointName(l.Board, p)
	switch {
	case p == l.Ball:
		return fmt.Errorf("%s holds the ball: want a vacant point for a man", name)
	case p.Rank < 0 || p.Rank >= l.Board.Height:
		return fmt.Errorf("%s is off the board: want a vacant point for a man", name)
	case l.Man(p):
		return fmt.Errorf("there is a man on %s: want a vacant point for a man", name)
	}
	l.Place(p)
	return nil
}

// playSeries makes the jumps from point to point, and says which breaks a rule.
// The men that stood when the turn began are given.
func (g *Grid) playSeries(l *Layout, before []uint64, points []bitboard.Point) error {
	if points[0] != l.Ball {
		return fmt.Errorf("the ball is on %s: a series of jumps begins there", PointName(g.board, l.Ball))
	}
	for i, to := range points[1:] {
		from, _ := g.PlaceAt(points[i])
		target, _ := g.PlaceAt(to)
		d, err := g.jumpable(l.Men, before, from, target)
		if err != nil {
			return fmt.Errorf("jump %d, %s-%s: %w", i+1, PointName(g.board, points[i]), PointName(g.board, to), err)
		}
		g.Clear(l.Men, from, target, d)
		l.Ball = to
	}
	return nil
}

// jumpable gives the direction of a jump, or says why it is illegal.
func (g *Grid) jumpable(men, before []uint64, from, to Place) (int, error) {
	switch {
	case g.Halts(from) && !g.onBoard(from):
		return 0, errors.New("the ball is off the board, which ends the turn")
	case g.Halts(from):
		return 0, errors.New("the ball is on a goal row, which ends the turn by the rule goal-stop")
	}
	d, ok := g.direction(from, to)
	if !ok {
		return 0, errors.New("want a point straight or diagonally ahead")
	}
	landing := g.Land(men, from, d)
	if landing == to {
		return d, nil
	}
	at := g.next[from][d]
	for ; at != to && g.Man(men, at); at = g.next[at][d] {
	}
	name := PointName(g.board, g.where[at])
	switch {
	case g.Man(men, at):
		return 0, fmt.Errorf("there is a man on %s: want the first vacant point beyond the men", name)
	case g.Man(before, at):
		return 0, fmt.Errorf("the man on %s has been jumped in this turn, and no man is jumped twice", name)
	case landing == Nowhere:
		return 0, fmt.Errorf("there is no man on %s to jump", name)
	}
	return 0, fmt.Errorf("the jump ends on %s, the first vacant point", name)
}

// direction tells which way a place lies from another, if on a line.
func (g *Grid) direction(from, to Place) (int, bool) {
	for d := range Directions {
		for at := g.next[from][d]; at != Nowhere; at = g.next[at][d] {
			if at == to {
				return d, true
			}
		}
	}
	return 0, false
}
