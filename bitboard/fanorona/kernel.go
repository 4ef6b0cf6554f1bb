package fanorona

import (
	"math/bits"

	"paika/bitboard"
)

// Settle tells the fate of every index: positions with a capture are decided by
// smaller slices, quiet ones are open unless no stone can move.
func (g *Game) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	e.Reset()
	if lo >= hi {
		return
	}
	own, opp := counts(s)
	c, ownLeads := g.cursor(own, opp), leads(own, opp)
	var buffer [256]Position
	c.seek(lo)
	for i := lo; ; c.next() {
		p := c.position(ownLeads)
		fate := bitboard.Gap
		if g.index.weight(&c.frame, c.set()) != 0 {
			if movers := g.capturers(p.Own, p.Opp); movers != 0 {
				fate = g.settleCaptures(p, own, opp, movers, buffer[:0], e)
			} else {
				fate = g.settleQuiet(p)
			}
		}
		e.Fates = append(e.Fates, fate)
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
		if i++; i == hi {
			return
		}
	}
}

// Weights tells how many positions each index stands for.
func (g *Game) Weights(dst []uint8, s bitboard.Slice, lo, hi uint64) []uint8 {
	if lo >= hi {
		return dst
	}
	c := g.cursor(counts(s))
	c.seek(lo)
	for i := lo; ; c.next() {
		dst = append(dst, uint8(g.index.weight(&c.frame, c.set())))
		if i++; i == hi {
			return dst
		}
	}
}

// settleCaptures appends an edge for every capture, unless one of them takes
// the last enemy stone.
func (g *Game) settleCaptures(p Position, own, opp int, movers uint64, buffer []Position, e *bitboard.Edges) bitboard.Fate {
	for ; movers != 0; movers &= movers - 1 {
		from := movers & -movers
		buffer = g.sequences(buffer, p.Own^from, p.Opp, from, from, 0)
	}
	for _, q := range buffer {
		if q.Own == 0 {
			return bitboard.Won
		}
	}
	for _, q := range buffer {
		left := bits.OnesCount64(q.Own)
		e.Refs = append(e.Refs, bitboard.MakeRef(slice(left, own), g.index.rankPosition(q, left, own)))
	}
	return bitboard.ByEdges
}

// settleQuiet tells whether a quiet position has a turn at all.
func (g *Game) settleQuiet(p Position) bitboard.Fate {
	empty := g.points &^ (p.Own | p.Opp)
	for rest := p.Own; rest != 0; rest &= rest - 1 {
		if g.adjacent[bits.TrailingZeros64(rest)&63]&empty != 0 {
			return bitboard.Open
		}
	}
	if g.rules.StalemateDraws {
		return bitboard.Drawn
	}
	return bitboard.Lost
}

// Forward gives the edges by paikas of quiet positions.
func (g *Game) Forward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	e.Reset()
	own, opp := counts(s)
	c, ownLeads := g.cursor(own, opp), leads(own, opp)
	to := slice(opp, own)
	for _, i := range indices {
		c.seek(i)
		p := c.position(ownLeads)
		empty := g.points &^ (p.Own | p.Opp)
		if leads(opp, own) {
			// The leading set of what follows stays where it is.
			f, image := g.still(&c, p.Opp, opp, own)
			base := g.index.apply(f.symmetry, p.Own)
			for rest := p.Own; rest != 0; rest &= rest - 1 {
				from := bits.TrailingZeros64(rest)
				for targets := g.adjacent[from&63] & empty; targets != 0; targets &= targets - 1 {
					moved := base ^ image[from&63] ^ image[bits.TrailingZeros64(targets)&63]
					e.Refs = append(e.Refs, bitboard.MakeRef(to, g.index.rank(&f, moved)))
				}
			}
		} else {
			for rest := p.Own; rest != 0; rest &= rest - 1 {
				from := rest & -rest
				for targets := g.adjacent[bits.TrailingZeros64(from)&63] & empty; targets != 0; targets &= targets - 1 {
					q := Position{p.Opp, p.Own ^ from | targets&-targets}
					e.Refs = append(e.Refs, bitboard.MakeRef(to, g.index.rankPosition(q, opp, own)))
				}
			}
		}
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

// Backward gives the edges to quiet positions that a paika leads from.
func (g *Game) Backward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	e.Reset()
	own, opp := counts(s)
	c, ownLeads := g.cursor(own, opp), leads(own, opp)
	from := slice(opp, own)
	for _, i := range indices {
		c.seek(i)
		p := c.position(ownLeads)
		empty := g.points &^ (p.Own | p.Opp)
		// The opponent moved, and leads what was before unless it has more stones.
		stays := !leads(opp, own)
		var f frame
		var image *[64]uint64
		var base uint64
		if stays {
			f, image = g.still(&c, p.Own, own, opp)
			base = g.index.apply(f.symmetry, p.Opp)
		}
		for rest := p.Opp; rest != 0; rest &= rest - 1 {
			to := rest & -rest
			for origins := g.adjacent[bits.TrailingZeros64(to)&63] & empty; origins != 0; origins &= origins - 1 {
				q := Position{p.Opp ^ to | origins&-origins, p.Own}
				if g.captures(q.Own, q.Opp) {
					continue
				}
				var rank uint64
				if stays {
					rank = g.index.rank(&f, base^image[bits.TrailingZeros64(to)&63]^image[bits.TrailingZeros64(origins)&63])
				} else {
					rank = g.index.rankPosition(q, opp, own)
				}
				e.Refs = append(e.Refs, bitboard.MakeRef(from, rank))
			}
		}
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

// still is the frame of positions in which a set, the leading set before or
// after a turn of the other side, stays in place: the cursor's own frame if the
// set is its leading set.
func (g *Game) still(c *cursor, set uint64, k, m int) (frame, *[64]uint64) {
	f := c.frame
	if set != c.leading.Representatives[c.class] {
		f = g.index.frame(set, k, m)
	}
	return f, &g.index.images[f.symmetry&7]
}
