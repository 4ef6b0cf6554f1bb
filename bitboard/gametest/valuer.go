package gametest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"paika/bitboard"
)

// mostValued is how many indices the tables may have together that a bitboard.TurnValuer
// or a bitboard.SparseValuer is checked with.
const mostValued = 1 << 22

// valuer is tables, and what a game that is a bitboard.TurnValuer or a
// bitboard.SparseValuer makes of them.
type valuer[P comparable] struct {
	known  [bitboard.MaxSlices]bitboard.Packed
	marked [bitboard.MaxSlices]bitboard.Packed // known, with more values of the group, 3 among them
	look   func(p P, enough bitboard.Values) (seen bitboard.Values, inside bool)
	derive bitboard.SparseDeriver
}

// values is the checker's valuer, or nil where its tables would be too large.
func (c *sliceChecker[P]) values() *valuer[P] {
	if c.valuer == nil && !c.unvalued {
		c.valuer = c.newValuer()
		c.unvalued = c.valuer == nil
	}
	return c.valuer
}

// newValuer makes tables of random values of a slice's group and what it needs. It is nil where
// they are too large.
func (c *sliceChecker[P]) newValuer() *valuer[P] {
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
	v.marked = v.known
	if game, is := c.game.(bitboard.TurnValuer[P]); is {
		for _, s := range c.inside {
			v.marked[s] = slices.Clone(v.known[s])
			for i := range v.marked[s] {
				v.marked[s][i] |= random.Uint64()
			}
		}
		v.look = game.ValueTurns(&v.marked)
	}
	return v
}

// sparse is the checker's valuer with what derives its slice. It is nil where its tables would be
// too large, or the game is no bitboard.SparseValuer, or derives nothing.
func (c *sliceChecker[P]) sparse() (*valuer[P], error) {
	game, is := c.game.(bitboard.SparseValuer)
	if !is {
		return nil, nil
	}
	v := c.values()
	if v == nil || v.derive != nil {
		return v, nil
	}
	begin, err := game.ValueSparse(c.slice, &v.known, RunInOrder)
	if begin == nil || err != nil {
		return nil, err
	}
	v.derive = begin()
	return v, nil
}

// at is the value of a place, as a bitboard.TurnValuer tells of it.
func (v *valuer[P]) at(place bitboard.Ref) bitboard.Values {
	return 1 << v.marked[place.Slice()].At(place.Index())
}

// checkTurnValuer checks, where the game is a bitboard.TurnValuer, what it tells of the
// turns of Turns: of all, and where it may stop at each of the values.
func (c *sliceChecker[P]) checkTurnValuer(e entry[P]) error {
	v := c.values()
	if v == nil || v.look == nil {
		return nil
	}
	all, stays := c.outlook(v, e.turns)
	for bit := range 5 {
		enough := bitboard.Values(1 << bit) // nothing, at last
		seen, inside := v.look(e.p, enough)
		whole := seen == all || seen&enough != 0 && seen&^all == 0
		if !whole || inside != stays {
			return fmt.Errorf("method ValueTurns tells %04b where %04b is enough, inside %v, turns have %04b, %v", seen, enough, inside, all, stays)
		}
	}
	return nil
}

// outlook is the values that turns lead to, and whether one stays in the group and none ends the
// game and wins it.
func (c *sliceChecker[P]) outlook(v *valuer[P], turns []P) (all bitboard.Values, inside bool) {
	wins := false
	for k, place := range c.places(turns) {
		if q := turns[k]; c.options.Outside(q) {
			all |= 1 << c.game.Ended(q)
			wins = wins || c.game.Ended(q) == bitboard.Loss
			continue
		}
		all |= v.at(place)
		inside = inside || slices.Contains(c.inside, place.Slice())
	}
	return all, inside && !wins
}

// checkTold checks what the deriver of a method tells of entries beside their values: which are
// held, and in how many positions of the others the game is over.
func (c *sliceChecker[P]) checkTold(method string, entries []entry[P], held []uint64, over uint64) error {
	for k, e := range entries {
		if told, want := held[k/64]>>(k%64)&1 != 0, c.held(e); told != want {
			return c.at(e, fmt.Errorf("method %s tells that it is held is %v, want %v", method, told, want))
		}
		if len(e.turns) == 0 && !c.held(e) {
			over -= uint64(e.weight)
		}
	}
	if over != 0 {
		lo, hi := entries[0].index, entries[len(entries)-1].index+1
		return fmt.Errorf("indices [%d, %d): method %s counts %d positions too many where the game is over", lo, hi, method, int64(over))
	}
	return nil
}

// checkSparseValuer checks, where the game is a bitboard.SparseValuer, that it derives the
// values that it should, and leaves those alone that are held, or lie elsewhere.
func (c *sliceChecker[P]) checkSparseValuer(entries []entry[P]) error {
	v, err := c.sparse()
	if v == nil || err != nil {
		return err
	}
	lo, hi := entries[0].index, entries[len(entries)-1].index+1
	before := v.known[c.slice]
	table := slices.Clone(before)
	held := make([]uint64, (len(entries)+63)/64)
	held[0] = ^uint64(0) // what stands there must not matter
	over := v.derive(table[lo/32:], held, lo, hi)
	if err := c.checkTold("ValueSparse", entries, held, over); err != nil {
		return err
	}
	for i := max(lo, 1) - 1; i < min(hi+1, c.indices); i++ {
		want := before.At(i)
		if i >= lo && i < hi {
			want = c.derived(v, entries[i-lo], want)
		}
		if got := table.At(i); got != want {
			return fmt.Errorf("index %d: method ValueSparse tells %v, want %v", i, got, want)
		}
	}
	return nil
}

// held tells whether a bitboard.SparseValuer leaves a value alone.
func (c *sliceChecker[P]) held(e entry[P]) bool {
	game, is := c.game.(bitboard.Sparse[P])
	return is && e.weight != 0 && game.Holds(e.p)
}

// derived is the value of an index once a bitboard.SparseValuer has been there.
func (c *sliceChecker[P]) derived(v *valuer[P], e entry[P], stored bitboard.Value) bitboard.Value {
	switch {
	case e.weight == 0:
		return bitboard.Draw
	case c.held(e):
		return stored
	}
	if len(e.turns) == 0 {
		return c.game.Ended(e.p)
	}
	all, _ := c.outlook(v, e.turns)
	return all.Verdict()
}
