package konane

import (
	"math/bits"

	"paika/bitboard"
)

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

// SettleRoom is 0: to settle by fans takes no room.
func (g *Game[S]) SettleRoom(bitboard.Slice) (least, most uint64) { return 0, 0 }

// Settler needs no room.
func (g *Game[S]) Settler(s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed, _ []uint64) (_ bitboard.Settler, fits bool) {
	slice, fits := g.byFans(s)
	return &settler{slice, known}, fits
}

// Settle decides all positions.
func (t *settler) Settle(dst bitboard.Packed, lo, hi uint64) (inside uint64) {
	first := lo &^ 31
	eachFan(t.game, t.slice, lo, hi, func(f *fan, lo uint64, many int) {
		all, numbered := f.block.has[anyPoint], f.numbered()
		turns, won, drawn := f.values(t.known, numbered)
		inside += f.positions(numbered &^ turns)
		dst.OrBits(lo-first, won|drawn|all&^numbered, all&^won)
	})
	return inside
}

// values tells of some positions which have turns, which have one to a lost position, and
// which one to a drawn position, as far as they were looked at.
func (f *fan) values(known *[bitboard.MaxSlices]bitboard.Packed, some uint64) (turns, won, drawn uint64) {
	have := uint64(0)
	for k := range f.jumps {
		j := &f.jumps[k]
		have = f.having(j, have)
		turns |= have
		open := have & some &^ won
		if open == 0 {
			continue
		}
		table := known[j.slice&(bitboard.MaxSlices-1)]
		for _, i := range f.follow(j, open) {
			v := uint64(table.At(i))
			at := open & -open
			won |= at & -(v >> 1)
			drawn |= at &^ -(v>>1 | v&1)
			open &= open - 1
		}
	}
	return turns, won, drawn
}

// A depthSettler settles a slice by fans for the metric dtw.
type depthSettler struct {
	byFans
	known *[bitboard.MaxSlices][]bitboard.Depth
}

// DepthRoom is 0: to settle by fans takes no room.
func (g *Game[S]) DepthRoom(bitboard.Slice) (least, most uint64) { return 0, 0 }

// DepthSettler needs no room.
func (g *Game[S]) DepthSettler(s bitboard.Slice, known *[bitboard.MaxSlices][]bitboard.Depth, _ []uint64) (_ bitboard.DepthSettler, fits bool) {
	slice, fits := g.byFans(s)
	return &depthSettler{slice, known}, fits
}

// Settle decides all positions.
func (t *depthSettler) Settle(dst []bitboard.Depth, lo, hi uint64) (inside uint64) {
	first := lo
	eachFan(t.game, t.slice, lo, hi, func(f *fan, lo uint64, many int) {
		numbered := f.numbered()
		var best [64]prospect
		turns := f.prospects(&best, t.known, numbered)
		stuck := numbered &^ turns
		inside += f.positions(stuck)
		for i := range dst[lo-first:][:many] {
			d := best[i&63].depth()
			if stuck>>i&1 != 0 {
				d = bitboard.MakeDepth(bitboard.Loss, 0)
			}
			dst[lo-first+uint64(i)] = d
		}
	})
	return inside
}

// A prospect is where a turn leads: the better, the greater. 0 is that of no turn.
type prospect uint16

// The prospects of turns to a won position rise with the distance, the draw comes next, and
// those of turns to a lost position fall.
const (
	drawing prospect = bitboard.MaxDistance + 1
	winning prospect = 2 * drawing
)

// prospects finds the best of each of some positions, and tells which positions have turns.
func (f *fan) prospects(best *[64]prospect, known *[bitboard.MaxSlices][]bitboard.Depth, some uint64) (turns uint64) {
	base := [4]prospect{bitboard.Draw: drawing, bitboard.Loss: winning | bitboard.MaxDistance}
	have := uint64(0)
	for k := range f.jumps {
		j := &f.jumps[k]
		have = f.having(j, have)
		turns |= have
		rest := have & some
		if rest == 0 {
			continue
		}
		table := known[j.slice&(bitboard.MaxSlices-1)]
		for _, i := range f.follow(j, rest) {
			d := table[i]
			at := &best[bits.TrailingZeros64(rest)&63]
			*at = max(*at, base[d.Value()&3]^prospect(d.Distance()))
			rest &= rest - 1
		}
	}
	return turns
}

// depth is what the best turn comes to.
func (p prospect) depth() bitboard.Depth {
	switch {
	case p > drawing:
		return bitboard.MakeDepth(bitboard.Win, int(p^winning^bitboard.MaxDistance)+1)
	case p == drawing || p == 0:
		return 0
	}
	return bitboard.MakeDepth(bitboard.Loss, int(p)+1)
}
