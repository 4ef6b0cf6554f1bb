package fanorona

import (
	"math/bits"

	"paika/bitboard"
)

// ValueTurns makes a function that looks up the turns of a stone before it makes those of
// the next. It is for those who check what a kernel came to, and shares with kernels no
// more than the numbering itself: which set leads, its class, and its representative.
func (g *Game) ValueTurns(known *[bitboard.MaxSlices]bitboard.Packed) func(p Position, enough bitboard.Values) (seen bitboard.Values, inside bool) {
	l := &lookout{game: g, known: known}
	return l.look
}

// A lookout looks up where turns lead. It keeps the leading sets that it has met. It is
// for one goroutine.
type lookout struct {
	game  *Game
	known *[bitboard.MaxSlices]bitboard.Packed

	enough, seen bitboard.Values // of the position in hand
	turns        []Position      // captures of the stone in hand
	kept         [64]keptFrame   // of leading sets after captures

	// Where paikas lead. The set that leads there is in hand until another one does: as it
	// stands, with its frame, or before it moves, with its steps.
	to     bitboard.Slice
	values bitboard.Packed
	lead   uint64
	frame  frame
	steps  []framedStep

	// What the lowest stones of the set in hand count for, by their number; and how much
	// more with a stone less below each, and with one more.
	same, lower, higher [64]uint64
}

// look looks up the turns of a position.
func (l *lookout) look(p Position, enough bitboard.Values) (seen bitboard.Values, inside bool) {
	if p.Own == 0 || p.Opp == 0 {
		return 0, false
	}
	l.enough, l.seen = enough, 0
	own, opp := bits.OnesCount64(p.Own), bits.OnesCount64(p.Opp)
	if movers := l.game.capturers(p.Own, p.Opp); movers != 0 {
		l.captures(p, own, movers)
		return l.seen, false
	}
	to := slice(opp, own)
	if to != l.to {
		l.to, l.lead = to, 0
	}
	l.values = l.known[to]
	if leads(opp, own) {
		l.trailingPaikas(p, own, opp)
	} else {
		l.leadingPaikas(p, own, opp)
	}
	return l.seen, l.seen != 0
}

// see takes in the value at an index of the slice that paikas lead to, and tells whether
// that is enough.
func (l *lookout) see(i uint64) bool {
	l.seen |= 1 << (l.values.Load(i) & 3)
	return l.seen&l.enough != 0
}

// captures looks at the captures of a side with so many stones, the longest ones of each
// stone first: these win most often.
func (l *lookout) captures(p Position, own int, movers uint64) {
	for ; movers != 0; movers &= movers - 1 {
		from := movers & -movers
		l.turns = l.game.sequences(l.turns[:0], p.Own^from, p.Opp, from, from, 0)
		for k := len(l.turns) - 1; k >= 0; k-- {
			q, v := &l.turns[k], bitboard.Loss
			if left := bits.OnesCount64(q.Own); left != 0 {
				v = l.known[slice(left, own)&(bitboard.MaxSlices-1)].At(l.rank(*q, left, own))
			}
			if l.seen |= 1 << (v & 3); l.seen&l.enough != 0 {
				return
			}
		}
	}
}

// rank is the index of a position with so many stones.
func (l *lookout) rank(p Position, own, opp int) uint64 {
	lead, trail, k, m := p.Own, p.Opp, own, opp
	if !leads(own, opp) {
		lead, trail, k, m = p.Opp, p.Own, opp, own
	}
	x, kept := &l.game.index, &l.kept[lead*0x9e3779b97f4a7c15>>58]
	if kept.set != lead {
		kept.keep(x, x.sets(k), lead)
	}
	base := uint64(kept.class) * x.pascal[(x.size-k)&63][m&63]
	f := frame{base: base, free: kept.free, fixers: kept.fixers}
	return x.rank(&f, x.apply(int(kept.symmetry), trail))
}

// trailingPaikas looks at the paikas of a set that does not lead what follows.
func (l *lookout) trailingPaikas(p Position, own, opp int) {
	x := &l.game.index
	if p.Opp != l.lead {
		l.lead, l.frame = p.Opp, x.frame(p.Opp, opp, own)
	}
	set := x.apply(l.frame.symmetry, p.Own)
	if l.frame.fixers != 0 {
		l.fixedPaikas(set)
	} else {
		l.freePaikas(set, own)
	}
}

// fixedPaikas looks at the paikas of a set in a frame that symmetries fix.
func (l *lookout) fixedPaikas(set uint64) {
	for rest := set; rest != 0; rest &= rest - 1 {
		from := rest & -rest
		for targets := l.targets(from, set); targets != 0; targets &= targets - 1 {
			if l.see(l.game.index.rank(&l.frame, set^from|targets&-targets)) {
				return
			}
		}
	}
}

// targets is where a stone of a set in the frame can step to.
func (l *lookout) targets(from, set uint64) uint64 {
	return l.game.adjacent[bits.TrailingZeros64(from)&63] & l.frame.free &^ set
}

// freePaikas looks at the paikas of a set of so many stones in any other frame. Its rank
// is a sum over its stones, and a step changes what those count for that it passes.
func (l *lookout) freePaikas(set uint64, stones int) {
	l.place(set)
	free, same, lower, higher := l.frame.free, &l.same, &l.lower, &l.higher
	j := 0
	for rest := set; rest != 0; rest &= rest - 1 {
		others := l.frame.base + same[stones&63] - same[(j+1)&63] + same[j&63]
		for targets := l.targets(rest&-rest, set); targets != 0; targets &= targets - 1 {
			under := targets&-targets - 1
			below := bits.OnesCount64(set & under)
			count := &l.game.index.pascal[bits.OnesCount64(free&under)&63]
			i := others
			if below > j {
				i += lower[below&63] - lower[(j+1)&63] + count[below&63]
			} else {
				i += higher[j&63] - higher[below&63] + count[(below+1)&63]
			}
			if l.see(i) {
				return
			}
		}
		j++
	}
}

// place sums up what the stones of a set count for.
func (l *lookout) place(set uint64) {
	var same, lower, higher uint64
	j := 0
	for ; set != 0; set &= set - 1 {
		ways := &l.game.index.pascal[bits.OnesCount64(l.frame.free&(set&-set-1))&63]
		count := ways[(j+1)&63]
		same += count
		lower += ways[j&63] - count
		higher += ways[(j+2)&63] - count
		j++
		l.same[j&63], l.lower[j&63], l.higher[j&63] = same, lower, higher
	}
}

// A framedStep is a step of a leading set, and the frame of what it leads to.
type framedStep struct {
	to    uint64
	frame frame
}

// leadingPaikas looks at the paikas of a set that leads what follows.
func (l *lookout) leadingPaikas(p Position, own, opp int) {
	x := &l.game.index
	if p.Own != l.lead {
		l.lead = p.Own
		l.takeSteps(own, opp)
	}
	set, symmetry := p.Opp, 0
	for k := range l.steps {
		s := &l.steps[k]
		if s.to&p.Opp != 0 {
			continue
		}
		if s.frame.symmetry != symmetry {
			symmetry = s.frame.symmetry
			set = x.apply(symmetry, p.Opp)
		}
		if l.see(x.rank(&s.frame, set)) {
			return
		}
	}
}

// takeSteps finds the steps of the leading set, by symmetries.
func (l *lookout) takeSteps(own, opp int) {
	g, x := l.game, &l.game.index
	l.steps = l.steps[:0]
	for symmetry := range x.spreads {
		for rest := l.lead; rest != 0; rest &= rest - 1 {
			from := rest & -rest
			for targets := g.adjacent[bits.TrailingZeros64(from)&63] & g.points &^ l.lead; targets != 0; targets &= targets - 1 {
				to := targets & -targets
				if f := x.frame(l.lead^from|to, own, opp); f.symmetry == symmetry {
					l.steps = append(l.steps, framedStep{to, f})
				}
			}
		}
	}
}
