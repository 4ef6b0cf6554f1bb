package konane

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"paika/bitboard"
)

var (
	sideNames   = [2]string{"black", "white"}
	sideWords   = [2]string{"b", "w"} // as a position's text has them
	sideLetters = [2]byte{'x', 'o'}
)

// SideName is "black" for side 0 and "white" for side 1.
func (g *Game[S]) SideName(s bitboard.Side) string { return sideNames[s] }

// Start is the full board, where the first player removes a stone, or under
// the other openings the board with its two gaps. It never fails.
func (g *Game[S]) Start() (Position[S], bitboard.Side, error) {
	stones := g.colours
	if g.rules.Opening.Removes() {
		return Position[S]{stones[black], stones[white]}, black, nil
	}
	for _, n := range g.missing {
		c := g.colourOf(n)
		stones[c] = stones[c].without(n)
	}
	first := g.rules.first()
	return Position[S]{stones[first], stones[first.Other()]}, first, nil
}

// Parse reads a position: the ranks from the top, x for Black's stones, o for
// White's and . for empty points, then b or w for the side to move, which means nothing while
// the opening is played. Errors are of type *bitboard.SyntaxError.
func (g *Game[S]) Parse(text string) (Position[S], bitboard.Side, error) {
	occupied, end, err := g.scanBoard(text)
	if err != nil {
		return Position[S]{}, 0, err
	}
	s, err := bitboard.ScanSide(text, end, sideWords)
	if err != nil {
		return Position[S]{}, 0, err
	}
	p := Position[S]{occupied.meet(g.colours[s]), occupied.meet(g.colours[s.Other()])}
	return p, g.lastRemover(p, s), nil
}

// scanBoard reads the board that text begins with, and gives the points with stones and the offset
// behind it.
func (g *Game[S]) scanBoard(text string) (occupied S, end int, err error) {
	if occupied, faultless := g.scanFaultless(text); faultless {
		return occupied, g.drawn.end, nil
	}
	return g.scanRows(text)
}

// scanRows is scanBoard, and says what is wrong.
func (g *Game[S]) scanRows(text string) (occupied S, end int, err error) {
	var misplaced error
	end, err = g.board.ScanRows(text, 0, "xo.", func(p bitboard.Point, letter byte) {
		n := g.number(p)
		c := g.colourOf(n)
		switch letter {
		case sideLetters[c]:
			occupied = occupied.with(n)
		case sideLetters[c.Other()]:
			if misplaced == nil {
				offset := (g.board.Height-1-p.Rank)*(g.board.Width+1) + p.File
				what := fmt.Sprintf("%v is one of %s's points: want %c or .", p, sideNames[c], sideLetters[c])
				misplaced = &bitboard.SyntaxError{Text: text, Offset: offset, What: what}
			}
		}
	})
	return occupied, end, cmp.Or(err, misplaced)
}

// scanFaultless is scanBoard of a text in which nothing is wrong up to the space behind the board. Of any
// other it tells false.
func (g *Game[S]) scanFaultless(text string) (occupied S, faultless bool) {
	stones, faultless := g.drawn.scan(text)
	if !faultless {
		return occupied, false
	}
	width := g.board.Width
	for rank, at := g.board.Height-1, 0; rank >= 0; rank, at = rank-1, at+width+1 {
		occupied = occupied.withRun(rank*width, stones.run(at, width))
	}
	return occupied, true
}

// lastRemover is the side that removes the last stone, where the opening does: it plays the stone's
// colour, whatever the text says, and no stone tells afterwards. Else it is the side given.
func (g *Game[S]) lastRemover(p Position[S], s bitboard.Side) bitboard.Side {
	if left := p.Own.union(p.Opp); left.size() == 1 && g.opens(1) {
		return g.colourOf(left.first())
	}
	return s
}

// Format writes p as Parse reads it. The side to move is the one that p tells;
// s counts on the empty board alone.
func (g *Game[S]) Format(p Position[S], s bitboard.Side) string {
	var stones places
	width, occupied := g.board.Width, p.Own.union(p.Opp)
	for rank, at := g.board.Height-1, 0; rank >= 0; rank, at = rank-1, at+width+1 {
		stones.put(at, width, occupied.run(rank*width))
	}
	var room [8*mostEights + 1]byte
	text := g.drawn.draw(room[:0], &stones)[:g.drawn.end+1]
	return string(append(text, sideWords[g.SideToMove(p, s)]...))
}

// Notated lists the legal turns in the order of Turns: "-d4" removes a stone,
// "e4-e8" jumps from e4, over the stones between, to land on e8 at last.
func (g *Game[S]) Notated(p Position[S], _ bitboard.Side) []bitboard.Turn[Position[S]] {
	var turns []bitboard.Turn[Position[S]]
	for _, to := range g.Turns(nil, p) {
		turns = append(turns, bitboard.Turn[Position[S]]{Notation: g.turnName(p, to), To: to})
	}
	return turns
}

// TurnName implements bitboard.TurnNamer.
func (g *Game[S]) TurnName(p Position[S], _ bitboard.Side, to Position[S]) (notation string, found bool) {
	left, entered := g.changes(p, to)
	w := written{removal: g.Opening(p)}
	if left.size() != 1 || !w.removal && entered.size() != 1 {
		return "", false
	}
	w.from = g.point(left.first())
	if !w.removal {
		w.to = g.point(entered.first())
	}
	if after, err := g.play(p, w); err != nil || after != to {
		return "", false
	}
	return g.turnName(p, to), true
}

// changes are the points that the player leaves by a turn from p, or empties in the opening, and those that it
// enters.
func (g *Game[S]) changes(p, to Position[S]) (left, entered S) {
	if g.Opening(p) {
		return p.Own.union(p.Opp).minus(to.Own).minus(to.Opp), entered
	}
	return p.Own.minus(to.Opp), to.Opp.minus(p.Own)
}

// turnName is the notation of the turn from p to a position.
func (g *Game[S]) turnName(p, to Position[S]) string {
	var room [8]byte // two points, and a dash
	left, entered := g.changes(p, to)
	if g.Opening(p) {
		return string(g.appendPoint(append(room[:0], '-'), left))
	}
	return string(g.appendPoint(append(g.appendPoint(room[:0], left), '-'), entered))
}

// name is that of the one point of a set.
func (g *Game[S]) name(set S) string { return string(g.appendPoint(nil, set)) }

// appendPoint appends the name of the one point of a set.
func (g *Game[S]) appendPoint(name []byte, set S) []byte { return g.point(set.first()).Append(name) }

// ParseTurn reads one turn of p in the form that Notated writes. Malformed
// text is an error of type *bitboard.SyntaxError; another names the jump that
// is illegal and why.
func (g *Game[S]) ParseTurn(p Position[S], _ bitboard.Side, text string) (bitboard.Turn[Position[S]], error) {
	w, err := g.scanTurn(text, g.Opening(p))
	if err != nil {
		return bitboard.Turn[Position[S]]{}, err
	}
	to, err := g.play(p, w)
	if err != nil {
		return bitboard.Turn[Position[S]]{}, &bitboard.IllegalTurnError{Text: text, Err: err}
	}
	return bitboard.Turn[Position[S]]{Notation: text, To: to}, nil
}

// written is a turn as its text gives it: the removal of the stone on from, or
// its jump to another point.
type written struct {
	removal  bool
	from, to bitboard.Point
}

// removalWanted says what a turn of the opening is, of one that is written as if it were a jump.
func removalWanted(from bitboard.Point) string {
	return fmt.Sprintf("the opening is not over: want the removal of a stone, written as -%v", from)
}

// scanTurn takes the text of a turn apart, be it one of the opening.
func (g *Game[S]) scanTurn(text string, opening bool) (written, error) {
	var w written
	at := 0
	if w.removal = strings.HasPrefix(text, "-"); w.removal {
		at = 1
	}
	var err error
	if w.from, at, err = g.board.ScanPoint(text, at); err != nil {
		return written{}, err
	}
	if !w.removal {
		if at == len(text) || text[at] != '-' {
			if opening {
				return written{}, &bitboard.SyntaxError{Text: text, What: removalWanted(w.from)}
			}
			return written{}, &bitboard.SyntaxError{Text: text, Offset: at, What: "want - and the point where the stone lands at last"}
		}
		if w.to, at, err = g.board.ScanPoint(text, at+1); err != nil {
			return written{}, err
		}
	}
	if at != len(text) {
		return written{}, &bitboard.SyntaxError{Text: text, Offset: at, What: "want nothing after the turn"}
	}
	return w, nil
}

// play makes a turn, or says which rule it breaks.
func (g *Game[S]) play(p Position[S], w written) (Position[S], error) {
	switch opening := g.Opening(p); {
	case opening && !w.removal:
		return Position[S]{}, errors.New(removalWanted(w.from))
	case opening:
		return g.remove(p, w.from)
	case w.removal:
		return Position[S]{}, errors.New("stones are removed in the opening alone: want a jump")
	}
	return g.jump(p, w.from, w.to)
}

// remove makes a removal of the opening.
func (g *Game[S]) remove(p Position[S], from bitboard.Point) (Position[S], error) {
	n := g.number(from)
	if g.removable(p).has(n) {
		return g.removed(p, n), nil
	}
	switch missing := g.points.minus(p.Own).minus(p.Opp); {
	case missing.has(n):
		return Position[S]{}, fmt.Errorf("there is no stone on %v", from)
	case missing.size() == 0:
		return Position[S]{}, fmt.Errorf("opening=%v does not allow %v as the first stone to go", g.rules.Opening, from)
	case g.neighbours(n).meet(missing) != missing:
		return Position[S]{}, fmt.Errorf("%v is not adjacent to the gap on %s", from, g.name(missing))
	default:
		return Position[S]{}, fmt.Errorf("%v is no centre stone, and the gap on %s is beside the centre", from, g.name(missing))
	}
}

// jump makes a turn after the opening.
func (g *Game[S]) jump(p Position[S], from, to bitboard.Point) (Position[S], error) {
	mover := g.Mover(p)
	switch n := g.number(from); {
	case p.Opp.has(n):
		return Position[S]{}, fmt.Errorf("the stone on %v is %s's, and %s is to move", from, sideNames[mover.Other()], sideNames[mover])
	case !p.Own.has(n):
		return Position[S]{}, fmt.Errorf("there is no stone on %v", from)
	case from == to:
		return Position[S]{}, errors.New("the stone stays where it is")
	case from.File != to.File && from.Rank != to.Rank:
		return Position[S]{}, errors.New("a turn goes along one file or one rank")
	case (from.File-to.File+from.Rank-to.Rank)%2 != 0:
		return Position[S]{}, errors.New("a jump goes over one point to the next but one: want a landing an even number of points away")
	}
	step := bitboard.Point{File: cmp.Compare(to.File, from.File), Rank: cmp.Compare(to.Rank, from.Rank)}
	p.Own = p.Own.without(g.number(from))
	for at := from; at != to; {
		over := bitboard.Point{File: at.File + step.File, Rank: at.Rank + step.Rank}
		landing := bitboard.Point{File: over.File + step.File, Rank: over.Rank + step.Rank}
		switch {
		case !p.Opp.has(g.number(over)):
			return Position[S]{}, fmt.Errorf("jump %v-%v: there is no stone on %v to jump over", at, landing, over)
		case p.Own.has(g.number(landing)):
			return Position[S]{}, fmt.Errorf("jump %v-%v: %v is occupied", at, landing, landing)
		}
		p.Opp = p.Opp.without(g.number(over))
		at = landing
	}
	return Position[S]{p.Opp, p.Own.with(g.number(to))}, nil
}
