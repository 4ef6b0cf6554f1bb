package fanorona

import (
	"math/bits"

	"paika/bitboard"
)

// Settle tells the fate of every index: positions with a capture are decided by
// smaller slices, quiet ones are open unless no stone can move.
func (g *Game) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	e.Reset()
	own, opp := counts(s)
	c, ownLeads := g.cursor(own, opp), leads(own, opp)
	var buffer [256]Position
	for lo < hi {
		c.enter(lo / c.per)
		g.markTargets(&c, ownLeads)
		end := min(hi, c.frame.base+c.per)
		for c.seek(lo); lo < end; lo++ {
			fate := bitboard.Gap
			switch {
			case c.frame.fixers != 0 && g.index.weight(&c.frame, c.set()) == 0:
			case c.quiet():
				fate = g.settleQuiet(c.position(ownLeads))
			default:
				fate = g.settleCaptures(c.position(ownLeads), own, buffer[:0], e)
			}
			e.Fates = append(e.Fates, fate)
			e.Ends = append(e.Ends, uint32(len(e.Refs)))
			c.step()
		}
	}
}

// markTargets lets each free point mark where a step would capture a stone there, or
// a stone there would capture by a step, as long as the target is empty.
func (g *Game) markTargets(c *cursor, ownLeads bool) {
	lead := g.points &^ c.frame.free
	for i := range c.free[:bits.OnesCount64(c.frame.free)] {
		at := &c.free[i]
		if ownLeads {
			at.marks = g.capturedFrom(at.points, lead) & c.frame.free
		} else {
			at.marks = g.capturing(lead, at.points) & c.frame.free
		}
	}
}

// quiet tells, by marked targets, whether the side to move has no capture.
func (c *cursor) quiet() bool { return c.upper[0].marks&^c.upper[0].points == 0 }

// quietAmong tells at which places of the lowest trailing stone the side to move has no
// capture, by marked targets. Of those that the other stones mark it stands on one at most.
func (c *cursor) quietAmong(places uint64) (quiet uint64) {
	upper := &c.upper[1]
	if target := upper.marks &^ upper.points; target != 0 {
		if target&(target-1) != 0 {
			return 0
		}
		places &= 1 << (bits.OnesCount64(c.frame.free&(target-1)) & 63)
	}
	for ; places != 0; places &= places - 1 {
		at := upper.with(&c.free[bits.TrailingZeros64(places)&63])
		if at.marks&^at.points == 0 {
			quiet |= places & -places
		}
	}
	return quiet
}

// capturedFrom is the set of points such that a step of one of the own stones there
// captures an enemy stone, if they are empty.
func (g *Game) capturedFrom(opp, own uint64) (targets uint64) {
	for ; own != 0; own &= own - 1 {
		targets |= g.capturing(opp, own&-own)
	}
	return targets
}

// Weights tells how many positions each index stands for.
func (g *Game) Weights(dst []uint8, s bitboard.Slice, lo, hi uint64) []uint8 {
	c := g.cursor(counts(s))
	for lo < hi {
		c.enter(lo / c.per)
		end := min(hi, c.frame.base+c.per)
		if c.frame.fixers == 0 {
			dst = bitboard.AppendWeight(dst, uint8(len(g.index.spreads)), end-lo)
			lo = end
			continue
		}
		for c.seek(lo); lo < end; lo++ {
			dst = append(dst, uint8(g.index.weight(&c.frame, c.set())))
			c.step()
		}
	}
	return dst
}

// settleCaptures appends an edge for every capture, unless one of them takes
// the last enemy stone.
func (g *Game) settleCaptures(p Position, own int, buffer []Position, e *bitboard.Edges) bitboard.Fate {
	for movers := g.capturers(p.Own, p.Opp); movers != 0; movers &= movers - 1 {
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
	to := slice(opp, own)
	switch {
	case own < opp:
		g.leadingEdges(s, to, indices, e, false)
	case own > opp:
		g.trailingEdges(s, to, indices, e, false)
	default:
		g.evenEdges(s, indices, e)
	}
}

// Backward gives the edges to quiet positions that a paika leads from.
func (g *Game) Backward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	e.Reset()
	own, opp := counts(s)
	from := slice(opp, own)
	switch {
	case own < opp:
		g.trailingEdges(s, from, indices, e, true)
	case own > opp:
		g.leadingEdges(s, from, indices, e, true)
	default:
		g.evenEdgesBack(s, indices, e)
	}
}

// leadingEdges gives the edges by steps of the leading set to positions of another
// slice, all or those with no capture for the set.
func (g *Game) leadingEdges(s, other bitboard.Slice, indices []uint64, e *bitboard.Edges, quiet bool) {
	own, opp := counts(s)
	c, turnings := g.cursor(own, opp), g.turnings(min(own, opp))
	var p passed
	for _, i := range indices {
		c.seek(i)
		if quiet {
			g.findQuiet(c.leading.Representatives[c.class], c.set(), &p)
		}
		e.Refs = g.stepsPast(e.Refs, other, &c, turnings[c.class], c.set(), &p, quiet)
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

// trailingEdges gives the edges by steps of the trailing set, as leadingEdges does.
func (g *Game) trailingEdges(s, other bitboard.Slice, indices []uint64, e *bitboard.Edges, quiet bool) {
	c := g.cursor(counts(s))
	var p passing
	for _, i := range indices {
		entered := c.frame.base
		c.seek(i)
		p.place(&g.index, &c.frame, c.set())
		switch {
		case !quiet:
			e.Refs = g.passes(e.Refs, other, &p)
		case c.frame.base != entered:
			g.markTargets(&c, false)
			c.unite(c.trailing - 1)
			fallthrough
		default:
			e.Refs = g.quietPasses(e.Refs, other, &p, &c)
		}
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

// evenEdges gives the edges by paikas where both sides have as many stones: the
// trailing set leads what follows.
func (g *Game) evenEdges(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	own, opp := counts(s)
	c := g.cursor(own, opp)
	var p passing
	for _, i := range indices {
		c.seek(i)
		f := g.index.frame(c.set(), opp, own)
		p.place(&g.index, &f, g.index.apply(f.symmetry, c.leading.Representatives[c.class]))
		e.Refs = g.passes(e.Refs, s, &p)
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}

// evenEdgesBack gives the edges to quiet positions where both sides have as many
// stones: the trailing set, which moved, leads what was before.
func (g *Game) evenEdgesBack(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	own, opp := counts(s)
	c, turnings := g.cursor(own, opp), g.turnings(own)
	var p passed
	for _, i := range indices {
		c.seek(i)
		entry := c.leading.Entries[0][g.index.rankSet(c.set(), g.index.points)]
		class, trailing := entry>>3, g.index.apply(int(entry&7), c.leading.Representatives[c.class])
		g.findQuiet(c.leading.Representatives[class], trailing, &p)
		e.Refs = g.stepsPast(e.Refs, s, &c, turnings[class], trailing, &p, true)
		e.Ends = append(e.Ends, uint32(len(e.Refs)))
	}
}
