package konane

import "paika/bitboard"

// byFans is a slice that fans settle.
type byFans struct {
	game  *Game[Word]
	slice bitboard.Slice
}

// byFans tells whether fans settle a slice: on boards of at most 64 points, but not in
// the opening.
func (g *Game[S]) byFans(s bitboard.Slice) (slice byFans, fits bool) {
	one, fits := any(g).(*Game[Word])
	own, opp := counts(s)
	return byFans{one, s}, fits && !g.opens(own+opp)
}

// Ready takes up all.
func (t byFans) Ready(uint64, bitboard.Run) (hi uint64, err error) {
	return t.game.Indices(t.slice), nil
}

// A settler settles a slice by fans.
type settler struct {
	byFans
	known *[bitboard.MaxSlices]bitboard.Packed
}

// SettleRoom is none.
func (g *Game[S]) SettleRoom(bitboard.Slice) (least, most uint64) { return 0, 0 }

// Settler needs no room.
func (g *Game[S]) Settler(s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed, _ []uint64) (_ bitboard.Settler, fits bool) {
	slice, fits := g.byFans(s)
	return &settler{slice, known}, fits
}

// Settle decides all positions.
func (t *settler) Settle(dst bitboard.Packed, lo, hi uint64) (inside uint64) {
	first := lo &^ 31
	eachFan(t.game, t.slice, lo, hi, func(f *fan, lo, hi uint64) {
		for ; lo < hi; lo++ {
			v, weight := bitboard.Settled, f.weight()
			if weight != 0 {
				seen := f.values(t.known)
				if v = seen.Verdict(); seen == 0 {
					v = bitboard.Loss
					inside += uint64(weight)
				} else if v == bitboard.Draw {
					v = bitboard.Settled
				}
			}
			dst.Or(lo-first, v)
			f.next()
		}
	})
	return inside
}

// values is what the turns of the position lead to, up to the first lost one.
func (f *fan) values(known *[bitboard.MaxSlices]bitboard.Packed) (seen bitboard.Values) {
	for k := range f.jumps {
		if j := &f.jumps[k]; f.has(j) {
			if seen |= 1 << known[j.slice&(bitboard.MaxSlices-1)].At(f.index(j)); seen>>bitboard.Loss != 0 {
				break
			}
		}
	}
	return seen
}

// A depthSettler settles a slice by fans for the metric dtw.
type depthSettler struct {
	byFans
	known *[bitboard.MaxSlices][]bitboard.Depth
}

// DepthRoom is none.
func (g *Game[S]) DepthRoom(bitboard.Slice) (least, most uint64) { return 0, 0 }

// DepthSettler needs no room.
func (g *Game[S]) DepthSettler(s bitboard.Slice, known *[bitboard.MaxSlices][]bitboard.Depth, _ []uint64) (_ bitboard.DepthSettler, fits bool) {
	slice, fits := g.byFans(s)
	return &depthSettler{slice, known}, fits
}

// Settle decides all positions.
func (t *depthSettler) Settle(dst []bitboard.Depth, lo, hi uint64) (inside uint64) {
	first := lo
	var turns []bitboard.Depth
	eachFan(t.game, t.slice, lo, hi, func(f *fan, lo, hi uint64) {
		for ; lo < hi; lo++ {
			dst[lo-first] = 0
			if weight := f.weight(); weight != 0 {
				turns = f.depths(turns[:0], t.known)
				if dst[lo-first] = bitboard.VerdictDepth(turns); len(turns) == 0 {
					dst[lo-first] = bitboard.MakeDepth(bitboard.Loss, 0)
					inside += uint64(weight)
				}
			}
			f.next()
		}
	})
	return inside
}

// depths appends what the turns of the position lead to.
func (f *fan) depths(turns []bitboard.Depth, known *[bitboard.MaxSlices][]bitboard.Depth) []bitboard.Depth {
	for k := range f.jumps {
		if j := &f.jumps[k]; f.has(j) {
			turns = append(turns, known[j.slice&(bitboard.MaxSlices-1)][f.index(j)])
		}
	}
	return turns
}
