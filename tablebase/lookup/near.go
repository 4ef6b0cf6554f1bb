package lookup

import (
	"paika/bitboard"
)

// lookAhead bounds the turns that are looked at beyond those of a position, all of
// them together. The start of Phutball has 285 turns with as many replies each.
const lookAhead = 1 << 17

// look is one look ahead, as far as it may go.
type look[P comparable] struct {
	rules bitboard.Rules[P]
	left  int // turns that may still be looked at
	turns []P
}

func (l *Lookup[P]) look() *look[P] { return &look[P]{rules: l.game, left: lookAhead} }

// winsAtOnce tells whether the side to move of p has a turn that ends the game and
// wins it, as far as may be looked.
func (k *look[P]) winsAtOnce(p P) bool {
	if bitboard.CountTurns(k.rules, p, k.left+1) > k.left {
		return false
	}
	k.turns = k.rules.Turns(k.turns[:0], p)
	k.left -= len(k.turns)
	for _, to := range k.turns {
		if bitboard.Over(k.rules, to) && k.rules.Ended(to) == bitboard.Loss {
			return true
		}
	}
	return false
}

// date is the rating r of p, in which the game is not over, with the distance of a
// win at once where there is one.
func (k *look[P]) date(p P, r Rating) Rating {
	if r.dated() || r.Known && r.Value != bitboard.Win || !k.winsAtOnce(p) {
		return r
	}
	return Rating{bitboard.Outcome{Value: bitboard.Win, Distance: winAtOnce}, true}
}

// Dated is a position with what the rules tell where the tables do not: the win with this
// turn, and its distance.
func (l *Lookup[P]) Dated(r Rated[P]) Rated[P] {
	if !r.Over && r.Err == nil {
		r.Rating = l.look().date(r.Position, r.Rating)
	}
	return r
}

// settle rates a position that one of its turns wins at once.
func (t *Listed[P]) settle() {
	for _, turn := range t.Turns {
		if worth := turn.Worth(); worth.near() < 0 {
			t.Rating = worth
		}
	}
}
