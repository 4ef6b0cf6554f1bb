package derived

import (
	"slices"
	"sync"

	"paika/bitboard"
)

// Game is what a kernel is derived from.
type Game[P comparable] interface {
	bitboard.Rules[P]
	bitboard.Space[P]

	// Unmoves appends to dst every position from which one turn inside the same
	// group of slices leads to p, each once.
	Unmoves(dst []P, p P) []P
}

// Kernel is the bitboard.Kernel of a game, by calls of the fine contract. It uses
// the game's bitboard.BatchRanker, where there is one. It is safe for concurrent
// use on different Edges.
//
// A turn that ends the game outside all slices decides its position if it wins.
// One that draws there cannot be told by edges: a game with such ends has to hold
// them in a slice. One that loses there is left out: the position must have
// another turn. A slice that holds a position which is over and won for the side to
// move is a fault of the game: methods panic.
type Kernel[P comparable] struct {
	game   Game[P]
	batch  bitboard.BatchRanker[P] // nil where the game is none
	once   sync.Once               // for groups
	groups map[bitboard.Slice]*bitboard.Group
}

// NewKernel gives the kernel of a game. It asks nothing of the game yet, so that
// the game may still be in the making.
func NewKernel[P comparable](game Game[P]) *Kernel[P] {
	batch, _ := any(game).(bitboard.BatchRanker[P])
	return &Kernel[P]{game: game, batch: batch}
}

// Settle tells the fate of every index by the turns of its position.
func (k *Kernel[P]) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	e.Reset()
	from := k.from(s)
	gaps := func(to uint64) {
		for lo+uint64(len(e.Fates)) < to {
			e.Fates = append(e.Fates, bitboard.Gap)
			e.Ends = append(e.Ends, uint32(len(e.Refs)))
		}
	}
	k.game.Walk(s, lo, hi, func(i uint64, p P, _ int) bool {
		gaps(i)
		fate := from.fate(p)
		if fate == bitboard.ByEdges {
			e.Refs = from.refs(e.Refs)
		}
		e.Fates = append(e.Fates, fate)
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
		return true
	})
	gaps(hi)
}

// Weights tells how many positions each index stands for.
func (k *Kernel[P]) Weights(dst []uint8, s bitboard.Slice, lo, hi uint64) []uint8 {
	begin := len(dst)
	dst = append(dst, make([]uint8, hi-lo)...)
	k.game.Walk(s, lo, hi, func(i uint64, _ P, weight int) bool {
		dst[begin+int(i-lo)] = uint8(weight)
		return true
	})
	return dst
}

// Forward gives the turns of each position.
func (k *Kernel[P]) Forward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	e.Reset()
	from := k.from(s)
	for _, i := range indices {
		p, _ := k.game.Unrank(s, i)
		from.list(p)
		e.Refs = from.refs(e.Refs)
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

// Backward gives those of each position's unmoves that are open.
func (k *Kernel[P]) Backward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	e.Reset()
	from := k.from(s)
	var befores []P
	for _, i := range indices {
		p, _ := k.game.Unrank(s, i)
		befores = k.game.Unmoves(befores[:0], p)
		open := befores[:0]
		for _, before := range befores {
			if from.fate(before) == bitboard.Open {
				open = append(open, before)
			}
		}
		e.Refs = k.rank(e.Refs, open)
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

// rank appends the places of positions that slices hold.
func (k *Kernel[P]) rank(dst []bitboard.Ref, positions []P) []bitboard.Ref {
	if k.batch != nil {
		return k.batch.RankAll(dst, positions)
	}
	for _, p := range positions {
		dst = append(dst, bitboard.MakeRef(k.game.Rank(p)))
	}
	return dst
}

// turning follows the turns of the positions of one group.
type turning[P comparable] struct {
	*Kernel[P]
	group  *bitboard.Group
	turns  []P              // of the position looked at last
	slices []bitboard.Slice // in which they lie
}

func (k *Kernel[P]) from(s bitboard.Slice) turning[P] {
	return turning[P]{Kernel: k, group: k.groupOf(s)}
}

// fate of a position. Where it is told by edges, its turns are at hand afterwards.
func (t *turning[P]) fate(p P) bitboard.Fate {
	t.turns, t.slices = t.game.Turns(t.turns[:0], p), t.slices[:0]
	if len(t.turns) == 0 {
		switch t.game.Ended(p) {
		case bitboard.Loss:
			return bitboard.Lost
		case bitboard.Draw:
			return bitboard.Drawn
		}
		panic("a slice holds a position that is over and won for the side to move: see bitboard.Rules")
	}
	fate := bitboard.ByEdges
	for _, q := range t.turns {
		s := t.game.SliceOf(q)
		t.slices = append(t.slices, s)
		switch {
		case slices.Contains(t.group.Slices, s):
			fate = bitboard.Open
		case !slices.Contains(t.group.Needs, s) && t.game.Ended(q) == bitboard.Loss:
			return bitboard.Won
		}
	}
	return fate
}

// list has the turns of a position at hand.
func (t *turning[P]) list(p P) {
	t.turns, t.slices = t.game.Turns(t.turns[:0], p), t.slices[:0]
	for _, q := range t.turns {
		t.slices = append(t.slices, t.game.SliceOf(q))
	}
}

// refs appends the places that the turns at hand lead to.
func (t *turning[P]) refs(dst []bitboard.Ref) []bitboard.Ref {
	held := t.turns[:0]
	for i, s := range t.slices {
		if slices.Contains(t.group.Slices, s) || slices.Contains(t.group.Needs, s) {
			held = append(held, t.turns[i])
		}
	}
	return t.rank(dst, held)
}

// groupOf is the group of a slice.
func (k *Kernel[P]) groupOf(s bitboard.Slice) *bitboard.Group {
	k.once.Do(k.listGroups)
	if group := k.groups[s]; group != nil {
		return group
	}
	return &bitboard.Group{Slices: []bitboard.Slice{s}}
}

// listGroups takes note of the groups. A board that can't have tables has none.
func (k *Kernel[P]) listGroups() {
	k.groups = make(map[bitboard.Slice]*bitboard.Group)
	groups, err := k.game.Groups()
	if err != nil {
		return
	}
	for i := range groups {
		for _, s := range groups[i].Slices {
			k.groups[s] = &groups[i]
		}
	}
}
