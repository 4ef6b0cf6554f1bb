package quiet

import (
	"errors"
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
)

// ErrTooLarge says that a board has more files or more quiet positions than a table
// can hold.
var ErrTooLarge = errors.New("the board is too large for a table of its quiet positions")

const (
	mostFiles = 5       // a word has a bit for each set of the first rank
	mostWords = 1 << 25 // 128 MiB for each side
)

// sets is some of the sets of points of the first rank, a bit for each: for the empty
// one the lowest, for those of the points of n bit n.
type sets uint32

// Table is who wins each quiet position of a board. Reading it is safe for concurrent
// use.
type Table struct {
	game *breakthrough.Game
	layout
	wins []sets // by word: with which the side to move wins
}

// wordsOf is the number of words of a table, each of 4 bytes; it takes twice as many to
// make it. It fails with ErrTooLarge where no table can be made.
func wordsOf(board bitboard.Board) (uint64, error) {
	words := uint64(1)
	for rank := 1; rank < board.Height; rank++ {
		for range board.Width {
			if words *= contents(board, rank); words > mostWords || board.Width > mostFiles {
				return 0, ErrTooLarge
			}
		}
	}
	return words, nil
}

// contents is how many things can stand on a point of a rank of quiet positions.
func contents(board bitboard.Board, rank int) uint64 {
	if rank == 1 || rank >= board.Height-2 {
		return 2 // one side's pawn, or none
	}
	return 3
}

// Wins tells whether the side to move wins a position, from Parse or Turns of the
// table's game. Where the game is over, it tells who has won.
func (t *Table) Wins(p breakthrough.Position) bool {
	switch {
	case p.Own == 0 || p.Opp&t.first != 0:
		return false
	case p.Opp == 0 || p.Own&(t.last|t.brink) != 0:
		return true
	case p.Opp&t.second == 0:
		return t.wins[t.word(p)]>>(p.Own&t.first)&1 != 0
	}
	for _, q := range t.game.Turns(nil, p) { // it captures, or loses
		if !t.Wins(q) {
			return true
		}
	}
	return false
}

// A layout gives the words their numbers.
type layout struct {
	board  bitboard.Board
	first  uint64 // the first rank, as White sees it
	second uint64
	brink  uint64 // the last rank but one
	last   uint64
	left   uint64 // the files at the edges
	right  uint64

	worth [64]uint64 // by point: what a black pawn there adds to a word's number, and a white one takes away
	empty uint64     // the word of no pawns
}

func newLayout(board bitboard.Board) layout {
	w, h := board.Width, board.Height
	l := layout{board: board, first: 1<<w - 1}
	l.second, l.brink, l.last = l.first<<w, l.first<<(w*(h-2)), l.first<<(w*(h-1))
	for rank := range h {
		l.left |= 1 << (rank * w)
		l.right |= 1 << (rank*w + w - 1)
	}
	unit := uint64(1)
	for n := w; n < board.Points(); n++ {
		l.worth[n] = unit
		if n < w*(h-2) {
			l.empty += unit // White can stand there
		}
		unit *= contents(board, n/w)
	}
	return l
}

// word is the number of a quiet position's word.
func (l *layout) word(p breakthrough.Position) uint64 {
	number := l.empty
	for own := p.Own &^ l.first; own != 0; own &= own - 1 {
		number -= l.worth[bits.TrailingZeros64(own)]
	}
	for opp := p.Opp; opp != 0; opp &= opp - 1 {
		number += l.worth[bits.TrailingZeros64(opp)]
	}
	return number
}
