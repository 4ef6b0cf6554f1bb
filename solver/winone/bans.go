package winone

import "paika/bitboard/phutball"

// bans is a set of edges that no winning series jumps.
type bans struct {
	far  []uint32 // by place and direction: a bit for each number of steps that an edge goes
	some bool
}

func newBans(grid *phutball.Grid) *bans {
	return &bans{far: make([]uint32, grid.Places()*phutball.Directions)}
}

func (b *bans) reset() {
	if b.some {
		clear(b.far)
		b.some = false
	}
}

// has tells whether an edge is in the set. Edges of more than 31 steps never are.
func (b *bans) has(from phutball.Place, d, steps int) bool {
	return b.far[int(from)*phutball.Directions+d]>>steps&1 != 0
}

// add puts an edge in the set if it is short enough, which it tells.
func (b *bans) add(from phutball.Place, d, steps int) bool {
	if steps > 31 {
		return false
	}
	b.far[int(from)*phutball.Directions+d] |= 1 << steps
	b.some = true
	return true
}
