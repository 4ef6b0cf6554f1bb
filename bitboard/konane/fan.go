package konane

import (
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// A fan is the jumps of the positions of one class of leading sets. What the leading set
// allows is worked out once, with where it leads; which of it a position has is told by
// its trailing set. For a jump goes over points of the one colour and lands on those of
// the other, and so it asks of the trailing set either for stones or for their absence.
// That is told of 64 positions at once, a bit each.
type fan struct {
	game     *Game[Word]
	sets     *denseSets
	own, opp int
	part     part
	fixers   uint8 // of the leading set
	jumps    []fanned

	block block      // the trailing sets of the positions that are looked at
	after [64]uint64 // room for follow
}

// A fanned is a jump of a fan. The jumps of a stone in a direction follow each other, and
// each asks for what the one before it does, and for one point more.
type fanned struct {
	first  bool   // of its stone in its direction
	given  uint8  // of the first, the point where the trailing set has a stone, or anyPoint
	point  uint8  // where the trailing set has a stone, or none
	none   uint64 // all bits, if it has none there
	change dense  // the points of the trailing set that the jump takes or fills
	follower
}

// A follower finds the index of the position after a jump. Mostly the leading set leads
// there, too. Then its class is known, and so is how it is moved to the representative.
type follower struct {
	slice    bitboard.Slice
	base     uint64 // of the class; of the part where the trailing set leads
	symmetry int
	fixers   uint8
	trailing bitboard.Side // the colour of the trailing set there

	// Where the trailing set leads, its rank tells class and symmetry.
	entries []uint32
	classes *ranking.Classes[Word]
	per     uint64
	rest    dense // what was the leading set, after the jump
}

// eachFan calls do for indices [lo, hi) of a slice, at most 64 of one class at once. The fan
// looks at their positions: bit i is that of index lo+i.
func eachFan(g *Game[Word], s bitboard.Slice, lo, hi uint64, do func(f *fan, lo uint64, many int)) {
	x := &g.index
	f := fan{game: g, sets: x.ranks.dense}
	f.own, f.opp = counts(s)
	for lo < hi {
		p := x.part(&x.shapes[s], lo)
		class, rank := (lo-p.base)/p.per, (lo-p.base)%p.per
		f.enter(p, class)
		trail := densely(x.unrankSet(rank, p.trail, x.numbers[p.leader.Other()]))
		for end := min(hi, p.base+(class+1)*p.per); lo < end; {
			many := int(min(end-lo, 64))
			trail = f.block.fill(trail, many)
			do(&f, lo, many)
			lo += uint64(many)
		}
	}
}

// enter works out the jumps of the positions of a class.
func (f *fan) enter(p *part, class uint64) {
	t := f.game.index.sets(p.leader, p.lead)
	f.part, f.fixers, f.jumps = *p, t.Fixers[class], f.jumps[:0]
	for d := range directions {
		if p.ownLeads {
			f.leadingJumps(t.Representatives[class], d)
		} else {
			f.trailingJumps(t.Representatives[class], d)
		}
	}
}

// leadingJumps adds the jumps of the leading set's stones in a direction, as if there
// were opponents on all points.
func (f *fan) leadingJumps(lead Word, d int) {
	g := wideJumps[Word]{f.game}
	for movers := lead; movers != 0; movers &= movers - 1 {
		at := movers & -movers
		others, taken := lead&^at, Word(0)
		for at&f.game.room[d] != 0 && lead&g.ahead(at, d, 2) == 0 {
			over := g.ahead(at, d, 1)
			first := taken == 0
			taken |= over
			at = g.ahead(at, d, 2)
			f.add(fanned{first: first, given: anyPoint, point: pointOf(over), change: densely(taken)}, others|at, taken.size())
		}
	}
}

// trailingJumps adds the jumps over the leading set's stones in a direction, as if there
// were stones and empty points for all of them.
func (f *fan) trailingJumps(lead Word, d int) {
	g := wideJumps[Word]{f.game}
	for movers := f.game.room[d] & g.ahead(lead, d^1, 1); movers != 0; movers &= movers - 1 {
		from := movers & -movers
		taken := Word(0)
		for at := from; at&f.game.room[d] != 0 && lead&g.ahead(at, d, 1) != 0; {
			taken |= g.ahead(at, d, 1)
			at = g.ahead(at, d, 2)
			f.add(fanned{first: taken.size() == 1, given: pointOf(from), point: pointOf(at), none: ^uint64(0), change: densely(from | at)}, lead&^taken, taken.size())
		}
	}
}

// add adds a jump that takes so many stones, if the opponent has as many, and what it
// makes of the leading set.
func (f *fan) add(j fanned, lead Word, taken int) {
	if taken > f.opp {
		return
	}
	x := &f.game.index
	j.slice = slice(f.opp-taken, f.own)
	after := &x.shapes[j.slice].parts[f.part.mover.Other()]
	stays, leader := after.ownLeads != f.part.ownLeads, f.part.leader // own are the opponent's stones now
	if !stays {
		leader = leader.Other()
	}
	classes := x.sets(after.leader, after.lead)
	entries := classes.Entries[leader^after.leader]
	j.base, j.trailing = after.base, after.leader.Other()
	if stays {
		entry := entries[f.sets.rank(densely(lead))]
		j.base += uint64(entry>>3) * after.per
		j.symmetry, j.fixers = int(entry&7), classes.Fixers[entry>>3]
	} else {
		j.entries, j.classes, j.per, j.rest = entries, classes, after.per, densely(lead)
	}
	f.jumps = append(f.jumps, j)
}

// having tells which positions have a jump, by those that have the one before it.
func (f *fan) having(j *fanned, before uint64) uint64 {
	if j.first {
		before = f.block.has[j.given&63]
	}
	return before & (f.block.has[j.point&63] ^ j.none)
}

// follow finds the indices of the positions after a jump that some have, in their order.
// They stay until the next call.
func (f *fan) follow(j *fanned, some uint64) []uint64 {
	n := 0
	if j.entries == nil && j.fixers == 0 {
		for ; some != 0; some &= some - 1 {
			moved := f.block.sets[bits.TrailingZeros64(some)] ^ j.change
			f.after[n&63] = j.base + f.sets.rank(f.sets.image(j.symmetry, f.part.leader.Other(), moved))
			n++
		}
		return f.after[:n]
	}
	for ; some != 0; some &= some - 1 {
		f.after[n&63] = f.index(j, f.block.sets[bits.TrailingZeros64(some)]^j.change)
		n++
	}
	return f.after[:n]
}

// index is that of the position after a jump that leaves this trailing set.
func (f *fan) index(j *fanned, moved dense) uint64 {
	colour, base, symmetry, fixers := f.part.leader.Other(), j.base, j.symmetry, j.fixers
	if j.entries != nil {
		entry := j.entries[f.sets.rank(moved)]
		base += uint64(entry>>3) * j.per
		symmetry, fixers = int(entry&7), j.classes.Fixers[entry>>3]
		moved, colour = j.rest, f.part.leader
	}
	return base + f.sets.leastRank(moved, colour, symmetry, j.trailing, fixers)
}

// numbered tells which indices stand for positions.
func (f *fan) numbered() uint64 {
	all := f.block.has[anyPoint]
	if f.fixers == 0 {
		return all
	}
	gaps := uint64(0)
	for i := range bits.Len64(all) {
		if f.weight(i) == 0 {
			gaps |= 1 << i
		}
	}
	return all &^ gaps
}

// positions is how many some indices stand for.
func (f *fan) positions(some uint64) (sum uint64) {
	if f.fixers == 0 {
		return uint64(bits.OnesCount64(some) * f.weight(0))
	}
	for ; some != 0; some &= some - 1 {
		sum += uint64(f.weight(bits.TrailingZeros64(some)))
	}
	return sum
}

// weight is that of index i.
func (f *fan) weight(i int) int {
	return weightDense(&f.game.index, &f.part, f.fixers, f.block.sets[i&63])
}
