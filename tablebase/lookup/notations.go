package lookup

import "paika/bitboard"

// Notations writes turns out for people, each once, however often it is asked for: a game
// writes a turn with all others of its position, of which there can be many thousands, and
// a record of a game can have many variations from one position. For one goroutine.
type Notations[P comparable] struct {
	game    bitboard.Notation[P]
	written map[asked[P]]string
}

// asked is a turn, where it is made and by whom.
type asked[P comparable] struct {
	from   P
	side   bitboard.Side
	number int
}

// NewNotations writes turns as a game does.
func NewNotations[P comparable](game bitboard.Notation[P]) *Notations[P] {
	return &Notations[P]{game, make(map[asked[P]]string)}
}

// Of is the notation of a turn from a position in which that side moves.
func (n *Notations[P]) Of(from P, side bitboard.Side, turn Turn[P]) string {
	what := asked[P]{from, side, turn.Number}
	text, known := n.written[what]
	if !known {
		text = n.game.Notated(from, side)[turn.Number].Notation
		n.written[what] = text
	}
	return text
}
