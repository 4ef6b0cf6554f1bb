package catalogue

import (
	"errors"
	"fmt"

	"paika/bitboard"
)

// ErrTooManyTurns says that a position has more turns than a bound allows.
var ErrTooManyTurns = errors.New("too many turns")

// ErrTooLarge says that a text from outside is larger than is read.
var ErrTooLarge = errors.New("the input is too large")

// countTo is the number of turns of a position, or most if there are more.
func (n *instance[P]) countTo(p P, most int) int {
	if game, ok := n.game.(bitboard.CounterTo[P]); ok {
		return game.CountTo(p, most)
	}
	return min(len(n.game.Turns(nil, p)), most)
}

// listable is the nodes before the bound on turns is passed. It gives the others
// the error.
func (t *tables[P]) listable(nodes []*node[P]) []*node[P] {
	if t.turns == 0 {
		return nodes
	}
	var within []*node[P]
	for left := t.turns; len(nodes) > 0; nodes = nodes[1:] {
		if left -= t.countTo(nodes[0].position, left+1); left < 0 {
			break
		}
		within = append(within, nodes[0])
	}
	for _, n := range nodes {
		n.err = t.tooMany()
	}
	return within
}

func (t *tables[P]) tooMany() error {
	return fmt.Errorf("%w: want at most %d together", ErrTooManyTurns, t.turns)
}

// boundedRules ends a search at a position with too many turns.
type boundedRules[P comparable] struct {
	bitboard.Rules[P]
	tables *tables[P]
	end    func(error)
}

// Turns appends nothing where there are too many, and ends the search.
func (r boundedRules[P]) Turns(dst []P, p P) []P {
	if r.tables.turns > 0 && r.tables.countTo(p, r.tables.turns+1) > r.tables.turns {
		r.end(r.tables.tooMany())
		return dst
	}
	return r.Rules.Turns(dst, p)
}
