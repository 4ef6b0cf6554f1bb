package gametest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"paika/bitboard"
)

// traced is a random set of indices, and what a game that is a bitboard.Tracer finds of it.
type traced struct {
	set, into, wins []uint64
}

// trace has the checker's slice traced, once for all positions. It is nil where the game
// traces nothing, or has more than mostValued indices to trace.
func (c *sliceChecker[P]) trace() (*traced, error) {
	game, is := c.game.(bitboard.Tracer)
	if !is || c.traced != nil || c.indices > mostValued {
		return c.traced, nil
	}
	words := game.TraceRoom(c.slice)
	if words == 0 {
		return nil, nil
	}
	if len(c.inside) != 1 || c.indices%64 != 0 {
		return nil, fmt.Errorf("a group of %d slices, %d indices: the game traces it all the same", len(c.inside), c.indices)
	}
	random := rand.New(rand.NewPCG(uint64(c.slice), 2))
	t := &traced{set: make([]uint64, c.indices/64), into: make([]uint64, c.indices/64)}
	for i := range t.set {
		t.set[i] = random.Uint64() & random.Uint64() & random.Uint64() // few, so that not each turn leads there
		t.into[i] = random.Uint64()                                    // what stands there must not matter
	}
	room := slices.Repeat([]uint64{random.Uint64()}, int(words)) // neither this
	t.wins = slices.Clone(t.into)
	if err := game.Trace(c.slice, t.into, t.set, room, RunInOrder); err != nil {
		return nil, err
	}
	if err := game.Trace(c.slice, t.wins, nil, room, RunInOrder); err != nil {
		return nil, err
	}
	c.traced = t
	return t, nil
}

// checkTracer checks, where the game is a bitboard.Tracer, that it finds the positions from
// which turns lead into a set, or win, and no others, and weighs bits as Unrank does.
func (c *sliceChecker[P]) checkTracer(entries []entry[P]) error {
	t, err := c.trace()
	if t == nil || err != nil {
		return err
	}
	for _, e := range entries {
		k, bit := e.index/64, uint64(1)<<(e.index%64)
		into := e.weight != 0 && c.leadsInto(t.set, e.turns)
		wins := e.weight != 0 && e.fate == bitboard.Won
		switch got := t.into[k]&bit != 0; {
		case got != into:
			return c.at(e, fmt.Errorf("method Trace tells that a turn leads into the set is %v, want %v", got, into))
		case t.wins[k]&bit != 0 != wins:
			return c.at(e, fmt.Errorf("method Trace tells that a turn wins is %v, want %v", !wins, wins))
		case e.weight != 0 && e.fate != bitboard.Won && e.fate != bitboard.Open:
			return c.at(e, errors.New("the game traces turns, and none stays in the group or wins"))
		}
		if err := c.checkWeigh(k, bit, t.set[k], e); err != nil {
			return c.at(e, err)
		}
	}
	return nil
}

// leadsInto tells whether one of the turns leads into a set.
func (c *sliceChecker[P]) leadsInto(set []uint64, turns []P) bool {
	return slices.ContainsFunc(turns, func(q P) bool {
		if c.options.Outside(q) {
			return false
		}
		s, i := c.game.Rank(q)
		return s == c.slice && set[i/64]>>(i%64)&1 != 0
	})
}

// checkWeigh checks the weight of one bit of a word, alone and beside others.
func (c *sliceChecker[P]) checkWeigh(k, bit, others uint64, e entry[P]) error {
	game := c.game.(bitboard.Tracer)
	alone := game.Weigh(c.slice, k, bit)
	beside := game.Weigh(c.slice, k, others|bit) - game.Weigh(c.slice, k, others&^bit)
	if alone != uint64(e.weight) || beside != alone {
		return fmt.Errorf("method Weigh tells %d, %d beside others, Unrank %d", alone, beside, e.weight)
	}
	return nil
}
