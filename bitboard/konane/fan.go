package konane

import (
	"paika/bitboard"
	"paika/bitboard/ranking"
)

// A fan is the jumps of the positions of one class of leading sets. What the leading set
// allows is worked out once, with where it leads; which of it a position has is told by
// its trailing set. For a jump goes over points of the one colour and lands on those of
// the other, and so it asks of the trailing set either for stones or for their absence.
type fan struct {
	game     *Game[Word]
	sets     *denseSets
	own, opp int
	part     part
	fixers   uint8 // of the leading set
	jumps    []fanned

	trail dense // the trailing set of the position that is looked at
}

// fanned is a jump of a fan.
type fanned struct {
	mask, want dense // a position has the jump if its trailing set has, of mask, just want
	change     dense // the points of the trailing set that the jump takes or fills
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

// eachFan calls do for each class that indices [lo, hi) of a slice belong to, with those
// that do, and with the fan at the first of them.
func eachFan(g *Game[Word], s bitboard.Slice, lo, hi uint64, do func(f *fan, lo, hi uint64)) {
	x := &g.index
	f := fan{game: g, sets: x.ranks.dense}
	f.own, f.opp = counts(s)
	for lo < hi {
		p := x.part(&x.shapes[s], lo)
		class, rank := (lo-p.base)/p.per, (lo-p.base)%p.per
		f.enter(p, class)
		f.trail = densely(x.unrankSet(rank, p.trail, x.numbers[p.leader.Other()]))
		end := min(hi, p.base+(class+1)*p.per)
		do(&f, lo, end)
		lo = end
	}
}

// next goes to the trailing set of the next rank, if there is one.
func (f *fan) next() { f.trail = f.trail.next() }

// weight is that of the index of the position.
func (f *fan) weight() int { return weightDense(&f.game.index, &f.part, f.fixers, f.trail) }

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
		others, over := lead&^at, Word(0)
		for at&f.game.room[d] != 0 && lead&g.ahead(at, d, 2) == 0 {
			over |= g.ahead(at, d, 1)
			at = g.ahead(at, d, 2)
			taken := densely(over)
			f.add(fanned{mask: taken, want: taken, change: taken}, others|at, over.size())
		}
	}
}

// trailingJumps adds the jumps over the leading set's stones in a direction, as if there
// were stones and empty points for all of them.
func (f *fan) trailingJumps(lead Word, d int) {
	g := wideJumps[Word]{f.game}
	for movers := f.game.room[d] & g.ahead(lead, d^1, 1); movers != 0; movers &= movers - 1 {
		from := movers & -movers
		over, empty := Word(0), Word(0)
		for at := from; at&f.game.room[d] != 0 && lead&g.ahead(at, d, 1) != 0; {
			over |= g.ahead(at, d, 1)
			at = g.ahead(at, d, 2)
			empty |= at
			f.add(fanned{mask: densely(from | empty), want: densely(from), change: densely(from | at)}, lead&^over, over.size())
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

// has tells whether the position has a jump of the fan.
func (f *fan) has(j *fanned) bool { return f.trail&j.mask == j.want }

// index is that of the position after a jump which the present one has.
func (f *fan) index(j *fanned) uint64 {
	moved, colour, base, symmetry, fixers := f.trail^j.change, f.part.leader.Other(), j.base, j.symmetry, j.fixers
	if j.entries != nil {
		entry := j.entries[f.sets.rank(moved)]
		base += uint64(entry>>3) * j.per
		symmetry, fixers = int(entry&7), j.classes.Fixers[entry>>3]
		moved, colour = j.rest, f.part.leader
	}
	return base + f.sets.leastRank(moved, colour, symmetry, j.trailing, fixers)
}
