package fanorona

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"paika/bitboard"
)

var (
	sideNames   = [2]string{"white", "black"}
	sideWords   = [2]string{"w", "b"} // as a position's text has them
	sideLetters = [2]byte{'W', 'B'}
)

// SideName is "white" for side 0, which begins, and "black" for side 1.
func (g *Game) SideName(s bitboard.Side) string { return sideNames[s] }

// Start is the position with White below, Black above, and a middle rank that
// alternates from each edge up to its empty centre. It fails on boards that
// have no middle: those with an even number of files or ranks.
func (g *Game) Start() (Position, bitboard.Side, error) {
	if g.board.Width%2 == 0 || g.board.Height%2 == 0 {
		return Position{}, 0, fmt.Errorf("fanorona on %v: no start position is defined: want odd numbers of files and ranks", g.board)
	}
	var white, black uint64
	centre, middle := g.board.Width/2, g.board.Height/2
	for rank := range g.board.Height {
		for file := range g.board.Width {
			left, even := file < centre, min(file, g.board.Width-1-file)%2 == 0
			switch {
			case rank == middle && file == centre:
			case rank > middle || rank == middle && left == even:
				black |= g.bit(file, rank)
			default:
				white |= g.bit(file, rank)
			}
		}
	}
	return Position{white, black}, 0, nil
}

// Parse reads a position: the ranks from the top, W and B for stones and . for
// empty points, then w or b for the side to move. Errors are of type
// *bitboard.SyntaxError.
func (g *Game) Parse(text string) (Position, bitboard.Side, error) {
	stones, end, err := g.board.ScanStones(text, g.drawn)
	if err != nil {
		return Position{}, 0, err
	}
	s, err := bitboard.ScanSide(text, end, sideWords)
	if err != nil {
		return Position{}, 0, err
	}
	if stones[0]|stones[1] == 0 {
		return Position{}, 0, &bitboard.SyntaxError{Text: text, Offset: 0, What: "no stones: want at least one W or B"}
	}
	return Position{stones[s], stones[s.Other()]}, s, nil
}

// Format writes p, with s to move, as Parse reads it.
func (g *Game) Format(p Position, s bitboard.Side) string {
	var room [2 * 64]byte // more than any board takes
	text := g.board.AppendRows(room[:0], func(point bitboard.Point) byte {
		switch bit := g.bit(point.File, point.Rank); {
		case p.Own&bit != 0:
			return sideLetters[s]
		case p.Opp&bit != 0:
			return sideLetters[s.Other()]
		}
		return '.'
	})
	return string(append(append(text, ' '), sideWords[s]...))
}

// Notated lists the legal turns in the order of Turns: "e2-e3" is a paika,
// "f2-e3A" captures by approach, "d3-e3W" by withdrawal, and a longer sequence
// goes on with the next point and its letter, "f4-e4W-e3A".
func (g *Game) Notated(p Position, _ bitboard.Side) []bitboard.Turn[Position] {
	var turns []bitboard.Turn[Position]
	if p.Own == 0 || p.Opp == 0 {
		return nil
	}
	var name []byte
	movers := g.capturers(p.Own, p.Opp)
	if movers == 0 {
		for _, to := range g.paikas(nil, p) {
			name = g.appendPoint(append(g.appendPoint(name[:0], p.Own&^to.Opp), '-'), to.Opp&^p.Own)
			turns = append(turns, bitboard.Turn[Position]{Notation: string(name), To: to})
		}
		return turns
	}
	var ends []int // of the name up to each step
	for ; movers != 0; movers &= movers - 1 {
		from := movers & -movers
		name = g.appendPoint(name[:0], from)
		ends = append(ends[:0], len(name))
		g.follow(p, from, func(c capture) bool {
			name = append(g.appendPoint(append(name[:ends[c.step]], '-'), c.to), c.letter)
			ends = append(ends[:c.step+1], len(name))
			turns = append(turns, bitboard.Turn[Position]{Notation: string(name), To: Position{c.left, p.Own ^ from | c.to}})
			return true
		})
	}
	return turns
}

// TurnName implements bitboard.TurnNamer. A stone never comes back to where its turn began, so
// that the position tells which one moved.
func (g *Game) TurnName(p Position, _ bitboard.Side, to Position) (notation string, found bool) {
	from := p.Own &^ to.Opp
	if p.Opp == 0 || bits.OnesCount64(from) != 1 {
		return "", false
	}
	var room [64]byte
	name := g.appendPoint(room[:0], from)
	if g.Quiet(p) {
		var paikas [64]Position
		if !slices.Contains(g.paikas(paikas[:0], p), to) {
			return "", false
		}
		return string(g.appendPoint(append(name, '-'), to.Opp&^p.Own)), true
	}
	var steps [64]capture // each enters another point
	others := p.Own ^ from
	g.follow(p, from, func(c capture) bool {
		steps[c.step] = c
		if (Position{c.left, others | c.to}) != to {
			return true
		}
		for _, s := range steps[:c.step+1] {
			name = append(g.appendPoint(append(name, '-'), s.to), s.letter)
		}
		found = true
		return false
	})
	if !found {
		return "", false
	}
	return string(name), true
}

// appendPoint appends the name of the one point of a set.
func (g *Game) appendPoint(name []byte, bit uint64) []byte {
	n := bits.TrailingZeros64(bit)
	return bitboard.Point{File: n % int(g.stride), Rank: n / int(g.stride)}.Append(name)
}

// pointName is the same alone.
func (g *Game) pointName(bit uint64) string { return string(g.appendPoint(nil, bit)) }

// ParseTurn reads one turn of p in the form that Notated writes. Malformed
// text is an error of type *bitboard.SyntaxError; another names the step that
// is illegal and why.
func (g *Game) ParseTurn(p Position, s bitboard.Side, text string) (bitboard.Turn[Position], error) {
	from, steps, err := g.scanTurn(text)
	if err != nil {
		return bitboard.Turn[Position]{}, err
	}
	to, err := g.play(p, s, from, steps)
	if err != nil {
		return bitboard.Turn[Position]{}, &bitboard.IllegalTurnError{Text: text, Err: err}
	}
	return bitboard.Turn[Position]{Notation: text, To: to}, nil
}

// written is a step as the text of a turn gives it.
type written struct {
	to     uint64
	letter byte // 'A', 'W' or 0 for none
}

// scanTurn takes the text of a turn apart.
func (g *Game) scanTurn(text string) (from uint64, steps []written, err error) {
	point, at, err := g.board.ScanPoint(text, 0)
	if err != nil {
		return 0, nil, err
	}
	from = g.bit(point.File, point.Rank)
	for at < len(text) || len(steps) == 0 {
		if at == len(text) || text[at] != '-' {
			return 0, nil, &bitboard.SyntaxError{Text: text, Offset: at, What: wantBehind(steps)}
		}
		point, at, err = g.board.ScanPoint(text, at+1)
		if err != nil {
			return 0, nil, err
		}
		step := written{to: g.bit(point.File, point.Rank)}
		if at < len(text) && (text[at] == 'A' || text[at] == 'W') {
			step.letter = text[at]
			at++
		}
		steps = append(steps, step)
	}
	return from, steps, nil
}

// wantBehind says what may stand behind a turn's first point or a step.
func wantBehind(steps []written) string {
	switch {
	case len(steps) == 0:
		return "want - and the point stepped to"
	case steps[len(steps)-1].letter == 0:
		return "want A (approach), W (withdrawal), - and the next point, or the end"
	}
	return "want - and the next point, or the end"
}

// play makes the steps of a turn one by one and says which breaks a rule.
func (g *Game) play(p Position, s bitboard.Side, from uint64, steps []written) (Position, error) {
	if err := g.movable(p, s, from); err != nil {
		return Position{}, err
	}
	others, opp, at, visited, barred := p.Own^from, p.Opp, from, from, uint8(0)
	for i, step := range steps {
		fail := func(err error) (Position, error) {
			return Position{}, fmt.Errorf("step %d, %s-%s: %w", i+1, g.pointName(at), g.pointName(step.to), err)
		}
		if err := g.enterable(others|opp, at, step.to, visited, barred); err != nil {
			return fail(err)
		}
		d := g.direction(at, step.to)
		approach, withdrawal := g.captured(opp, at, d)
		if step.letter == 0 && approach|withdrawal == 0 {
			if err := g.paikaAllowed(p, i, len(steps)); err != nil {
				return fail(err)
			}
			return Position{opp, others | step.to}, nil
		}
		taken, err := chosen(step.letter, approach, withdrawal)
		if err != nil {
			return fail(err)
		}
		opp &^= taken
		at, visited, barred = step.to, visited|step.to, barred&g.keepBars|g.bars[d]
	}
	return Position{opp, others | at}, nil
}

// movable says why no turn starts on a point, if none can.
func (g *Game) movable(p Position, s bitboard.Side, from uint64) error {
	mover, opponent := g.SideName(s), g.SideName(s.Other())
	switch {
	case p.Own == 0:
		return fmt.Errorf("the game is over: %s has no stones", mover)
	case p.Opp == 0:
		return fmt.Errorf("the game is over: %s has no stones", opponent)
	case p.Opp&from != 0:
		return fmt.Errorf("the stone on %s is %s's, and %s is to move", g.pointName(from), opponent, mover)
	case p.Own&from == 0:
		return fmt.Errorf("there is no stone on %s", g.pointName(from))
	}
	return nil
}

// enterable says why a stone may not step from one point to another, whatever
// it captures, if it may not.
func (g *Game) enterable(occupied, at, to, visited uint64, barred uint8) error {
	joined := g.adjacent[bits.TrailingZeros64(at)]&to != 0
	switch {
	case at == to:
		return errors.New("the stone stays where it is")
	case !joined && g.diagonal(at, to):
		return fmt.Errorf("no line joins the points: %s is a weak point, with no diagonals", g.pointName(at))
	case !joined:
		return errors.New("no line joins the points: want neighbours")
	case occupied&to != 0:
		return fmt.Errorf("%s is occupied", g.pointName(to))
	case visited&to != 0:
		return errors.New("a point may not be entered twice in one turn")
	case barred>>g.direction(at, to)&1 == 0:
		return nil
	case g.rules.Direction == NeverTwice:
		return errors.New("no direction may be taken twice in one turn")
	}
	return errors.New("a stone may not go on in the direction of the step before")
}

// diagonal tells whether two points are neighbours on a diagonal, be there a
// line or not.
func (g *Game) diagonal(a, b uint64) bool {
	i, j := bits.TrailingZeros64(a), bits.TrailingZeros64(b)
	files, ranks := i%int(g.stride)-j%int(g.stride), i/int(g.stride)-j/int(g.stride)
	return files*files == 1 && ranks*ranks == 1
}

// paikaAllowed says why step i of a turn may not be one without capture, if it
// may not.
func (g *Game) paikaAllowed(p Position, i, steps int) error {
	switch {
	case i > 0:
		return errors.New("nothing is captured, and a turn goes on by captures alone")
	case !g.Quiet(p):
		return fmt.Errorf("nothing is captured, and capture is compulsory: %s is possible", g.firstCapture(p))
	case steps > 1:
		return errors.New("nothing is captured, and a step without capture ends the turn")
	}
	return nil
}

// firstCapture names the first turn of a position that has captures. There may be more than anyone
// has room for.
func (g *Game) firstCapture(p Position) (name string) {
	movers := g.capturers(p.Own, p.Opp)
	from := movers & -movers
	g.follow(p, from, func(c capture) bool {
		name = string(append(g.appendPoint(append(g.appendPoint(nil, from), '-'), c.to), c.letter))
		return false
	})
	return name
}

// chosen gives the stones that a step takes by the letter written. One of them
// is written, or there is something to take.
func chosen(letter byte, approach, withdrawal uint64) (uint64, error) {
	switch {
	case letter == 'A' && approach != 0:
		return approach, nil
	case letter == 'W' && withdrawal != 0:
		return withdrawal, nil
	case letter == 'A':
		return 0, nothing("approach", 'W', withdrawal)
	case letter == 'W':
		return 0, nothing("withdrawal", 'A', approach)
	case withdrawal == 0:
		return 0, errors.New("the step captures by approach: write A behind it")
	case approach == 0:
		return 0, errors.New("the step captures by withdrawal: write W behind it")
	}
	return 0, errors.New("the step can capture by approach or by withdrawal: write A or W behind it")
}

// nothing says that there is nothing to capture one way, and what the other
// letter would capture.
func nothing(way string, other byte, taken uint64) error {
	if taken == 0 {
		return fmt.Errorf("there is nothing to capture by %s", way)
	}
	return fmt.Errorf("there is nothing to capture by %s: want %c", way, other)
}
