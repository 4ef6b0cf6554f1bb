package lookup

import (
	"cmp"
	"math"

	"paika/bitboard"
)

// Rating is what a position is worth to the side to move, if it is known.
type Rating struct {
	bitboard.Outcome
	Known bool
}

// Reply is the rating, for the side that makes a turn, of one that leads to a
// position rated r.
func (r Rating) Reply() Rating {
	r.Value = r.Value.Reply()
	if r.Distance != bitboard.UnknownDistance {
		r.Distance++
	}
	return r
}

// Compare orders ratings best first for the side to move: the quickest win, the
// draw, the slowest loss, and last what is not known. A win without distance comes
// after those that have one. A loss without distance comes before those at once and
// after the others.
func Compare(a, b Rating) int {
	if c := cmp.Compare(a.class(), b.class()); c != 0 || !a.Known {
		return c
	}
	switch a.Value {
	case bitboard.Win:
		return cmp.Compare(a.hurry(), b.hurry())
	case bitboard.Loss:
		return cmp.Compare(b.delay(), a.delay())
	}
	return 0
}

// compareNear orders ratings by what is certain where some are not known: a win at
// once comes first and a loss at once last.
func compareNear(a, b Rating) int {
	return cmp.Compare(a.near(), b.near())
}

// Turns that settle the game at once: one that wins, and at most the reply to one
// that loses.
const (
	winAtOnce  = 1
	lossAtOnce = 2
)

func (r Rating) dated() bool { return r.Known && r.Distance != bitboard.UnknownDistance }

// hurry is the turns that a win takes, as it is compared.
func (r Rating) hurry() int {
	if !r.dated() {
		return math.MaxInt
	}
	return r.Distance
}

// delay is twice the turns that a loss takes, as it is compared: without distance
// it takes more than those at once.
func (r Rating) delay() int {
	if !r.dated() {
		return 2*lossAtOnce + 1
	}
	return 2 * r.Distance
}

func (r Rating) near() int {
	switch {
	case !r.dated():
		return 0
	case r.Value == bitboard.Win && r.Distance == winAtOnce:
		return -1
	case r.Value == bitboard.Loss && r.Distance <= lossAtOnce:
		return 1 + lossAtOnce - r.Distance
	}
	return 0
}

func (r Rating) class() int {
	switch {
	case !r.Known:
		return 3
	case r.Value == bitboard.Win:
		return 0
	case r.Value == bitboard.Draw:
		return 1
	}
	return 2
}
