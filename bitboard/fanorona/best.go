package fanorona

import (
	"math/bits"

	"paika/bitboard"
)

// SettleBest is Settle for those who ask only who wins: captures are looked up as
// they are found, and the first that wins is enough.
func (g *Game) SettleBest(s bitboard.Slice, lo, hi uint64, known *[bitboard.MaxSlices]bitboard.Packed, e *bitboard.Edges) {
	own, opp := counts(s)
	h := hunt{game: g, known: known, own: own}
	g.settle(own, opp, lo, hi, e, h.settleCaptures)
}

// A hunt looks for a capture that wins.
type hunt struct {
	game  *Game
	known *[bitboard.MaxSlices]bitboard.Packed
	own   int // stones of the side to move

	last  bool           // a capture takes the last enemy stone
	best  bitboard.Ref   // where a best capture leads, if none does
	worth bitboard.Value // of best, to the side that moves there

	kept [64]keptFrame
}

// settleCaptures appends the edge of a best capture, unless that takes the last
// enemy stone.
func (h *hunt) settleCaptures(p Position, e *bitboard.Edges) bitboard.Fate {
	h.last, h.worth = false, unseen
	for rest := p.Own; rest != 0; rest &= rest - 1 {
		from := rest & -rest // sequences sees by itself where it has no capture
		if h.sequences(p.Own^from, p.Opp, from, from, 0) {
			break
		}
	}
	if h.last {
		return bitboard.Won
	}
	e.Refs = append(e.Refs, h.best)
	return bitboard.ByEdges
}

// unseen is worse than any value.
const unseen bitboard.Value = 3

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

// wins tells whether a capture wins that leaves these stones, and keeps the best.
func (h *hunt) wins(own, left uint64) bool {
	if left == 0 {
		h.last = true
		return true
	}
	many := bits.OnesCount64(left)
	s, i := slice(many, h.own), h.rank(own, left, many)
	switch v := h.known[s&(bitboard.MaxSlices-1)].At(i); {
	case v == bitboard.Loss:
		h.best, h.worth = bitboard.MakeRef(s, i), v
		return true
	case v == bitboard.Draw && h.worth != bitboard.Draw || h.worth == unseen:
		h.best, h.worth = bitboard.MakeRef(s, i), v
	}
	return false
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
		h.keep(kept, lead, k)
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

// keep notes that of a set of k points.
func (h *hunt) keep(kept *keptFrame, set uint64, k int) {
	x := &h.game.index
	t := x.sets(k)
	entry := t.Entries[0][x.rankSet(set, x.points)]
	class := entry >> 3
	*kept = keptFrame{set, x.points &^ t.Representatives[class], class, uint8(entry & 7), t.Fixers[class]}
}
