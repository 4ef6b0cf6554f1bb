package fanorona

import (
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// A hunt looks for captures that win.
type hunt struct {
	game  *Game
	known *[bitboard.MaxSlices]bitboard.Packed
	own   int // stones of the side to move

	seen bitboard.Values // where captures of the present position lead
	kept [64]keptFrame
}

// captures is the value of a position with a capture.
func (h *hunt) captures(p Position) bitboard.Value {
	h.seen = 0
	for rest := p.Own; rest != 0; rest &= rest - 1 {
		from := rest & -rest // sequences sees by itself where it has no capture
		if h.sequences(p.Own^from, p.Opp, from, from, 0) {
			return bitboard.Win
		}
	}
	if h.seen == 1<<bitboard.Win {
		return bitboard.Loss
	}
	return bitboard.Settled
}

// sequences looks at what Game.sequences lists, and tells whether to stop.
func (h *hunt) sequences(others, opp, at, visited uint64, barred uint8) (won bool) {
	g := h.game
	targets := g.capturing(opp, at) &^ (others | opp | visited)
	for ; targets != 0; targets &= targets - 1 {
		to := targets & -targets
		d := g.direction(at, to)
		if barred>>(d&7)&1 != 0 {
			continue
		}
		approach, withdrawal := g.captured(opp, at, d)
		bars := barred&g.keepBars | g.bars[d&7]
		left := opp &^ (approach | withdrawal)
		if approach != 0 && withdrawal != 0 {
			if h.wins(others|to, opp&^approach) || h.sequences(others, opp&^approach, to, visited|to, bars) {
				return true
			}
			left = opp &^ withdrawal
		}
		if h.wins(others|to, left) || h.sequences(others, left, to, visited|to, bars) {
			return true
		}
	}
	return false
}

// wins tells whether a capture wins that leaves these stones.
func (h *hunt) wins(own, left uint64) bool {
	if left == 0 {
		return true
	}
	many := bits.OnesCount64(left)
	v := h.known[slice(many, h.own)&(bitboard.MaxSlices-1)].At(h.rank(own, left, many))
	h.seen |= 1 << v
	return v == bitboard.Loss
}

// rank is the index of a position in which the opponent is to move with the stones
// left.
func (h *hunt) rank(own, left uint64, many int) uint64 {
	lead, trail, k, m := left, own, many, h.own
	if !leads(many, h.own) {
		lead, trail, k, m = own, left, h.own, many
	}
	x, kept := &h.game.index, &h.kept[lead*0x9e3779b97f4a7c15>>58]
	if kept.set != lead {
		kept.keep(x, x.sets(k), lead)
	}
	if kept.symmetry != 0 {
		trail = x.apply(int(kept.symmetry), trail)
	}
	base := uint64(kept.class) * x.pascal[(x.size-k)&63][m&63]
	if kept.fixers != 0 {
		return x.rank(&frame{base: base, free: kept.free, fixers: kept.fixers}, trail)
	}
	return base + x.rankSet(trail, kept.free)
}

// A keptFrame is what a leading set gives to frames, whatever the trailing set.
// Captures come to few leading sets again and again.
type keptFrame struct {
	set      uint64
	free     uint64
	class    uint32
	symmetry uint8
	fixers   uint8
}

// keep notes that of one of the sets.
func (kept *keptFrame) keep(x *index, sets *ranking.Classes[uint64], set uint64) {
	entry := sets.Entries[0][x.rankSet(set, x.points)]
	class := entry >> 3
	*kept = keptFrame{set, x.points &^ sets.Representatives[class], class, uint8(entry & 7), sets.Fixers[class]}
}
