package fanorona

import "paika/bitboard"

// A settler settles a slice. By rows, if it has room for them: then it looks up where
// captures lead once for a row. Else it looks for the captures of each position.
type settler struct {
	game     *Game
	own, opp int
	ownLeads bool
	known    *[bitboard.MaxSlices]bitboard.Packed
	rows     *rowFinder // or nil
}

// Settler needs room where rows save time.
func (g *Game) Settler(s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed, room []uint64) (_ bitboard.Settler, fits bool) {
	own, opp := counts(s)
	t := &settler{game: g, own: own, opp: opp, ownLeads: leads(own, opp), known: known}
	if len(room) == 0 {
		return t, true
	}
	t.rows = g.newRowFinder(s, wdlWords)
	t.rows.known = known
	t.rows.open(room)
	return t, true
}

// Ready finds the rows of as many classes of leading sets as there is room for: for theirs,
// and for those that captures lead to.
func (t *settler) Ready(lo uint64, run bitboard.Run) (hi uint64, err error) {
	if t.rows == nil {
		return t.game.Indices(slice(t.own, t.opp)), nil
	}
	per := t.game.cursor(t.own, t.opp).per
	class, err := t.rows.find(lo/per, run)
	return class * per, err
}

// Settle tells quiet positions by marked targets.
func (t *settler) Settle(dst bitboard.Packed, lo, hi uint64) (inside uint64) {
	p := settlerPass{settler: t, cursor: t.game.cursor(t.own, t.opp), dst: dst, first: lo &^ 31}
	p.near.finder = t.rows
	p.alone = hunt{game: t.game, known: t.known, own: t.own}
	for c := &p.cursor; lo < hi; {
		c.enter(lo / c.per)
		t.game.markTargets(c, t.ownLeads)
		p.near.leave()
		end := min(hi, c.frame.base+c.per)
		p.settle(lo, end)
		lo = end
	}
	return p.inside
}

// A settlerPass is what one call of Settle works with.
type settlerPass struct {
	*settler
	cursor cursor
	near   nearRows
	alone  hunt
	dst    bitboard.Packed
	first  uint64 // index of the first value in dst
	inside uint64
}

// settle sets the values of indices [lo, hi) of the cursor's class.
func (p *settlerPass) settle(lo, hi uint64) {
	c, weight := &p.cursor, len(p.game.index.spreads)
	for c.seek(lo); lo < hi; lo++ {
		if c.frame.fixers != 0 {
			weight = p.game.index.weight(&c.frame, c.set())
		}
		v := bitboard.Settled
		switch {
		case weight == 0:
		case c.quiet():
			p.inside += uint64(weight)
			v = p.quiet(c.position(p.ownLeads))
		default:
			v = p.captures()
		}
		p.dst.Or(lo-p.first, v)
		c.step()
	}
}

// captures is the value of the cursor's position, which has a capture.
func (p *settlerPass) captures() bitboard.Value {
	switch {
	case p.opp == 1:
		return bitboard.Win // it takes the last stone
	case p.rows != nil:
		return p.near.value(&p.cursor)
	}
	return p.alone.captures(p.cursor.position(p.ownLeads))
}

// quiet is the value of a position without a capture.
func (t *settler) quiet(p Position) bitboard.Value {
	switch t.game.settleQuiet(p) {
	case bitboard.Lost:
		return bitboard.Loss
	case bitboard.Drawn:
		return bitboard.Settled
	}
	return bitboard.Draw
}
