package konane

import "paika/bitboard"

// Settle tells the fate of every index: lost where the side to move has no
// turn, else decided by smaller slices.
func (g *Game[S]) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	e.Reset()
	if lo >= hi {
		return
	}
	x := &g.index
	c := x.cursor(s)
	own, opp := counts(s)
	opens := g.opens(own + opp)
	var turns []Position[S]
	c.seek(lo)
	for i := lo; ; c.next() {
		fate := bitboard.Gap
		if c.weight() != 0 {
			fate = bitboard.Lost
			turns = g.Turns(turns[:0], c.position())
			for _, p := range turns {
				fate = bitboard.ByEdges
				next, mover := slice(p.Own.size(), own), c.part.mover.Other()
				if opens {
					next, mover = g.SliceOf(p), g.Mover(p)
				}
				e.Refs = append(e.Refs, bitboard.MakeRef(next, x.rank(p, mover, &x.shapes[next])))
			}
		}
		e.Fates = append(e.Fates, fate)
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
		if i++; i == hi {
			return
		}
	}
}

// Weights tells how many positions each index stands for: as many for all of a class, where
// no symmetry fixes its leading set.
func (g *Game[S]) Weights(dst []uint8, s bitboard.Slice, lo, hi uint64) []uint8 {
	c := g.index.cursor(s)
	for lo < hi {
		c.seek(lo)
		many := min(hi-lo, c.part.per-c.rank)
		lo += many
		if c.fixers == 0 {
			dst = bitboard.AppendWeight(dst, uint8(c.weight()), many)
			continue
		}
		for dst = append(dst, uint8(c.weight())); many > 1; many-- {
			c.step()
			dst = append(dst, uint8(c.weight()))
		}
	}
	return dst
}

// Forward has no edges for any index: no position is open, since every turn leads to
// a smaller slice.
func (g *Game[S]) Forward(_ bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	noEdges(indices, e)
}

// Backward has no edges either: no turn stays in a slice, since every turn leads to a
// smaller one.
func (g *Game[S]) Backward(_ bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	noEdges(indices, e)
}

func noEdges(indices []uint64, e *bitboard.Edges) {
	e.Reset()
	e.Ends = append(e.Ends, make([]uint32, len(indices))...)
}
