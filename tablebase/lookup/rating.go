package lookup

import (
	"cmp"

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
// draw, the slowest loss, and last what is not known. Equals compare as 0, and so do
// wins, or losses, of which one has no distance.
func Compare(a, b Rating) int {
	if c := cmp.Compare(a.class(), b.class()); c != 0 || !a.Known {
		return c
	}
	if a.Distance == bitboard.UnknownDistance || b.Distance == bitboard.UnknownDistance {
		return 0
	}
	switch a.Value {
	case bitboard.Win:
		return cmp.Compare(a.Distance, b.Distance)
	case bitboard.Loss:
		return cmp.Compare(b.Distance, a.Distance)
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
