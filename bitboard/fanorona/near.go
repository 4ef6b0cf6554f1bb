package fanorona

import "paika/bitboard"

// NearParts is the number of classes of sets that do not move, where both sides have as many
// stones. There paikas lead to positions that the set which did not move leads: all those of
// one such set lead to the same class. In the order of indices each leads to another one.
func (g *Game) NearParts(s bitboard.Slice) uint64 {
	own, opp := counts(s)
	if own != opp {
		return 0
	}
	return g.index.classes[own]
}

// WalkNear goes to the quiet positions in which a class of sets does not move. It is a walk
// over a class of leading sets with the other side to move.
func (g *Game) WalkNear(s bitboard.Slice, class uint64, yield func(uint64, Position, int)) {
	x := &g.index
	own, opp := counts(s)
	c := g.cursor(own, opp)
	c.enter(class)
	g.markTargets(&c, false)
	still := c.leading.Representatives[class]
	var images [8]uint64 // of the set that does not move, by symmetry
	for symmetry := range x.spreads {
		images[symmetry&7] = x.apply(symmetry, still)
	}
	for c.seek(c.frame.base); ; {
		many, lowest := uint64(c.stretch()), c.subset.At(0)&63
		for places := c.quietAmong(^uint64(0) >> (64 - many) << lowest); places != 0; places &= places - 1 {
			set := c.setWith(places)
			if weight := x.weight(&c.frame, set); weight != 0 {
				f := x.frame(set, own, opp)
				yield(x.rank(&f, images[f.symmetry&7]), Position{set, still}, weight)
			}
		}
		if c.rank+many == c.per {
			return
		}
		c.skip(many)
	}
}
