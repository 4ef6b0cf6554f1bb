package gametest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"paika/bitboard"
)

// mostValued is how many indices the tables may have together that a bitboard.TurnValuer
// is checked with.
const mostValued = 1 << 22

// valuer is a bitboard.TurnValuer with tables, and what they hold.
type valuer[P comparable] struct {
	known  [bitboard.MaxSlices]bitboard.Packed
	marked [bitboard.MaxSlices][]uint64
	look   func(p P, enough bitboard.Values) (seen bitboard.Values, inside bool)
}

// newValuer makes tables of random values of a slice's group and what it needs, with marks
// for those of the group. It is nil where they are too large.
func (c *sliceChecker[P]) newValuer(game bitboard.TurnValuer[P]) *valuer[P] {
	v, sum, random := &valuer[P]{}, uint64(0), rand.New(rand.NewPCG(uint64(c.slice), 0))
	for _, s := range slices.Concat(c.inside, c.needs) {
		n := c.game.Indices(s)
		if sum += n; n > mostValued || sum > mostValued {
			return nil
		}
		v.known[s] = make(bitboard.Packed, bitboard.PackedWords(n))
		for i := range v.known[s] {
			word := random.Uint64()
			v.known[s][i] = word &^ (word & (word >> 1) & 0x5555555555555555 * 3) // 3 is no value
		}
	}
	for _, s := range c.inside {
		v.marked[s] = make([]uint64, (c.game.Indices(s)+63)/64)
		for i := range v.marked[s] {
			v.marked[s][i] = random.Uint64()
		}
	}
	v.look = game.ValueTurns(&v.known, &v.marked)
	return v
}

// at is the value of a place, as a bitboard.TurnValuer tells of it.
func (v *valuer[P]) at(place bitboard.Ref) bitboard.Values {
	s, i := place.Slice(), place.Index()
	value := v.known[s].At(i)
	if marks := v.marked[s]; value != bitboard.Draw && marks != nil && marks[i/64]>>(i%64)&1 != 0 {
		return bitboard.Marked << value
	}
	return 1 << value
}

// checkTurnValuer checks, where the game is a bitboard.TurnValuer, what it tells of the
// turns of Turns: of all, and where it may stop at each of the values.
func (c *sliceChecker[P]) checkTurnValuer(e entry[P]) error {
	game, is := c.game.(bitboard.TurnValuer[P])
	if !is || c.unvalued {
		return nil
	}
	if c.valuer == nil {
		c.valuer = c.newValuer(game)
		c.unvalued = c.valuer == nil
		return c.checkTurnValuer(e)
	}
	all, stays := bitboard.Values(0), false
	for k, place := range c.places(e.turns) {
		if q := e.turns[k]; c.options.Outside(q) {
			all |= 1 << c.game.Ended(q)
			continue
		}
		all |= c.valuer.at(place)
		stays = stays || slices.Contains(c.inside, place.Slice())
	}
	for bit := range 9 {
		enough := bitboard.Values(1 << bit) // nothing, at last
		seen, inside := c.valuer.look(e.p, enough)
		whole := seen == all || seen&enough != 0 && seen&^all == 0
		if !whole || inside != stays {
			return fmt.Errorf("method ValueTurns tells %08b where %08b is enough, inside %v, turns have %08b, %v", seen, enough, inside, all, stays)
		}
	}
	return nil
}
