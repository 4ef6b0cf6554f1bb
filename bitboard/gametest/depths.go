package gametest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"paika/bitboard"
)

// deepValuer is tables with distances, and what a bitboard.DepthValuer makes of them.
type deepValuer struct {
	known  [bitboard.MaxSlices][]bitboard.Depth
	derive bitboard.DepthDeriver
}

// depths makes tables of random depths of a slice and of what its group needs, once. It is
// nil where they would be too large, or the game is no bitboard.DepthValuer, or derives
// nothing.
func (c *sliceChecker[P]) depths() (*deepValuer, error) {
	game, is := c.game.(bitboard.DepthValuer)
	if !is || c.deep != nil || c.values() == nil {
		return c.deep, nil
	}
	v, random := &deepValuer{}, rand.New(rand.NewPCG(uint64(c.slice), 3))
	for _, s := range slices.Concat(c.needs, []bitboard.Slice{c.slice}) {
		v.known[s] = make([]bitboard.Depth, c.game.Indices(s))
		for i := range v.known[s] {
			v.known[s][i] = randomDepth(random)
		}
	}
	begin, err := game.ValueDepths(c.slice, &v.known, RunInOrder)
	if begin == nil || err != nil {
		return nil, err
	}
	v.derive = begin()
	c.deep = v
	return v, nil
}

// randomDepth is mostly a win, so that not each position is won.
func randomDepth(random *rand.Rand) bitboard.Depth {
	distance := random.IntN(20)
	switch random.IntN(12) {
	case 0:
		return 0
	case 1:
		return bitboard.MakeDepth(bitboard.Loss, distance)
	}
	return bitboard.MakeDepth(bitboard.Win, 1+distance)
}

// checkDepthValuer checks, where the game is a bitboard.DepthValuer, that it derives the
// depths that it should, and leaves those alone that are held, or lie elsewhere.
func (c *sliceChecker[P]) checkDepthValuer(entries []entry[P]) error {
	v, err := c.depths()
	if v == nil || err != nil {
		return err
	}
	lo, hi := entries[0].index, entries[len(entries)-1].index+1
	before := v.known[c.slice]
	table := slices.Clone(before)
	held := make([]uint64, (len(entries)+63)/64)
	held[0] = ^uint64(0) // what stands there must not matter
	over := v.derive(table[lo:], held, lo, hi)
	if err := c.checkTold("ValueDepths", entries, held, over); err != nil {
		return err
	}
	for i := max(lo, 1) - 1; i < min(hi+1, c.indices); i++ {
		want := before[i]
		if i >= lo && i < hi {
			want = c.deepened(v, entries[i-lo], want)
		}
		if got := table[i]; got != want {
			return fmt.Errorf("index %d: method ValueDepths tells %v, want %v", i, got.Outcome(), want.Outcome())
		}
	}
	return nil
}

// deepened is the depth of an index once a bitboard.DepthValuer has been there.
func (c *sliceChecker[P]) deepened(v *deepValuer, e entry[P], stored bitboard.Depth) bitboard.Depth {
	switch {
	case e.weight == 0:
		return 0
	case c.held(e):
		return stored
	case len(e.turns) == 0:
		return bitboard.MakeDepth(c.game.Ended(e.p), 0)
	}
	var after []bitboard.Depth
	for k, place := range c.places(e.turns) {
		if q := e.turns[k]; c.options.Outside(q) {
			after = append(after, bitboard.MakeDepth(c.game.Ended(q), 0))
		} else {
			after = append(after, v.known[place.Slice()][place.Index()])
		}
	}
	verdict, _ := bitboard.VerdictDepth(after)
	return verdict
}
