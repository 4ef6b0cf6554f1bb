package gametest

import (
	"errors"
	"fmt"

	"paika/bitboard"
)

// mostNear is how many indices a slice may have that a bitboard.NearWalker is checked with.
const mostNear = 1 << 18

// near is the weights that a walk of a bitboard.NearWalker tells, by index. It is nil where the
// game has none, or the slice is too large.
func (c *sliceChecker[P]) near() (weights map[uint64]int, err error) {
	game, is := c.game.(bitboard.NearWalker[P])
	if !is || c.nearWeights != nil || c.indices > mostNear {
		return c.nearWeights, nil
	}
	parts := game.NearParts(c.slice)
	if parts == 0 {
		return nil, nil
	}
	weights = make(map[uint64]int)
	for part := range parts {
		game.WalkNear(c.slice, part, func(i uint64, p P, weight int) {
			s, at := c.game.Rank(p)
			if _, before := weights[i]; before || s != c.slice || at != i {
				err = fmt.Errorf("method WalkNear goes to index %d with %s, for the first time %v", i, c.game.Format(p, 0), !before)
			}
			weights[i] = weight
		})
	}
	c.nearWeights = weights
	return weights, err
}

// checkNearWalker checks, where the game is a bitboard.NearWalker, that it goes to what is held,
// and nowhere else.
func (c *sliceChecker[P]) checkNearWalker(entries []entry[P]) error {
	weights, err := c.near()
	if weights == nil || err != nil {
		return err
	}
	for _, e := range entries {
		weight, goes := weights[e.index]
		if goes != c.held(e) || goes && weight != e.weight {
			return c.at(e, errors.New("method WalkNear passes it by, goes there though it is not held, or weighs it wrong"))
		}
	}
	return nil
}
