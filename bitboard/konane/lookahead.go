package konane

import (
	"math/bits"

	"paika/bitboard"
)

// Every value follows from tables of other slices, so that a walk over the positions of one
// derives them all. It is another way than that of the kernel's fans, and shares the
// numbering with them and the rules: the jumps of each position are found as Jumps finds
// them, by shifts, and where they lead is ranked by what the jump changes of both sets.

// maxTaken is the most stones that a turn takes.
const maxTaken = (maxSide - 1) / 2

// A lookahead derives the values of positions of one slice, or their depths.
type lookahead struct {
	game     *Game[Word]
	slice    bitboard.Slice
	jumps    Jumps
	steps    [directions]int
	landings [2][maxTaken + 1]landing // by side to move, and stones that a jump takes
}

// A landing is where jumps that take so many stones lead. The opponent moves there.
type landing struct {
	table    bitboard.Packed  // of values, or
	depths   []bitboard.Depth // of depths
	leads    bool             // the leading set is the opponent's
	trailing bitboard.Side    // the colour of the trailing set
	part     part
	entries  []uint32 // of leading sets
	fixers   []uint8
}

// derivable is the game where it derives a slice: on a board of at most 64 points, and not in the
// opening. Else it is nil.
func (g *Game[S]) derivable(s bitboard.Slice) *Game[Word] {
	one, fits := any(g).(*Game[Word])
	own, opp := counts(s)
	if !fits || g.opens(own+opp) {
		return nil
	}
	return one
}

// SparseRoom is none.
func (g *Game[S]) SparseRoom(bitboard.Slice) (shared, each uint64) { return 0, 0 }

// ValueSparse derives all values of the slices that are derivable.
func (g *Game[S]) ValueSparse(s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed, _ bitboard.Run) (func() bitboard.SparseDeriver, error) {
	one := g.derivable(s)
	if one == nil {
		return nil, nil
	}
	l := newLookahead(one, s, func(n *landing, after bitboard.Slice) bool { n.table = known[after]; return n.table != nil })
	return func() bitboard.SparseDeriver { return (&outlook{lookahead: l}).derive }, nil
}

// DepthsRoom is none.
func (g *Game[S]) DepthsRoom(bitboard.Slice) (shared, each uint64) { return 0, 0 }

// ValueDepths derives the depths of the same slices.
func (g *Game[S]) ValueDepths(s bitboard.Slice, known *[bitboard.MaxSlices][]bitboard.Depth, _ bitboard.Run) (func() bitboard.DepthDeriver, error) {
	one := g.derivable(s)
	if one == nil {
		return nil, nil
	}
	l := newLookahead(one, s, func(n *landing, after bitboard.Slice) bool { n.depths = known[after]; return n.depths != nil })
	return func() bitboard.DepthDeriver { return (&outlook{lookahead: l}).deriveDepths }, nil
}

// newLookahead is a slice's. known gives a landing the table of a slice, if there is one.
func newLookahead(g *Game[Word], s bitboard.Slice, known func(n *landing, after bitboard.Slice) bool) *lookahead {
	l := &lookahead{game: g, slice: s, jumps: NewJumps(g), steps: [...]int{1, -1, g.board.Width, -g.board.Width}}
	own, opp := counts(s)
	for taken := 1; taken <= min(maxTaken, opp); taken++ {
		after := slice(opp-taken, own)
		var at landing
		if !known(&at, after) {
			continue // no turn takes so many
		}
		for mover := range bitboard.Side(2) {
			p := g.index.shapes[after].parts[mover.Other()]
			leader := mover
			if p.ownLeads {
				leader = mover.Other()
			}
			classes := g.index.sets(p.leader, p.lead)
			at.leads, at.trailing, at.part = p.ownLeads, leader.Other(), p
			at.entries, at.fixers = classes.Entries[leader^p.leader], classes.Fixers
			l.landings[mover][taken] = at
		}
	}
	return l
}

// An outlook looks from the positions of one leading set after the other. It is for one
// goroutine.
type outlook struct {
	*lookahead
	part     part
	fixers   uint8  // of the leading set
	lead     Word   // the leading set
	free     Word   // the points of the trailing set's colour
	lowest   []Word // by size, the first set of these
	trail    Word
	trailing dense // the same
	leading  dense

	best reply // of the turns of the position in hand, where there are depths

	// What jumps make of the leading set does not depend on the trailing one: by direction,
	// point, and stones taken.
	led  [directions][64][maxTaken + 1]led
	many uint32 // leading sets so far
}

// led is the entry of a leading set after a jump, as long as the one before is in hand.
type led struct{ when, entry uint32 }

// A reply is what a turn makes of a depth that it leads to, the less the better for the side
// that makes it: losses from the quickest on, a draw, wins up to the quickest.
type reply uint32

const (
	drawnReply reply = 1 << 14
	noReply    reply = 1 << 16 // there is no turn
)

// replyTo is that of a depth, without a branch: which it is nobody can foretell.
func replyTo(d bitboard.Depth) reply {
	distance, won, lost := uint16(d>>2), uint16(d&1), uint16(d>>1&1)
	return reply(distance ^ -won | (won^lost^1)<<14)
}

// depth is that of a position of whose turns this is the best.
func (r reply) depth() bitboard.Depth {
	switch {
	case r == noReply:
		return bitboard.MakeDepth(bitboard.Loss, 0)
	case r < drawnReply:
		return bitboard.MakeDepth(bitboard.Win, int(r)+1)
	case r == drawnReply:
		return 0
	}
	return bitboard.MakeDepth(bitboard.Loss, int(^uint16(r))+1)
}

// derive is a bitboard.SparseDeriver. It derives all values.
func (o *outlook) derive(values bitboard.Packed, held []uint64, lo, hi uint64) (over uint64) {
	clear(held)
	first := lo &^ 31
	o.each(lo, hi, func(i uint64, weight int) {
		v := bitboard.Draw
		if weight != 0 {
			seen := o.values()
			if v = seen.Verdict(); seen == 0 {
				v = bitboard.Loss
				over += uint64(weight)
			}
		}
		values.Set(i-first, v)
	})
	return over
}

// deriveDepths is a bitboard.DepthDeriver. It derives all depths.
func (o *outlook) deriveDepths(depths []bitboard.Depth, held []uint64, lo, hi uint64) (over uint64) {
	clear(held)
	o.each(lo, hi, func(i uint64, weight int) {
		depth := bitboard.Depth(0)
		if weight != 0 {
			o.best = noReply
			o.values()
			if depth = o.best.depth(); o.best == noReply {
				over += uint64(weight)
			}
		}
		depths[i-lo] = depth
	})
	return over
}

// each goes to each position of [lo, hi), and tells its weight.
func (o *outlook) each(lo, hi uint64, do func(i uint64, weight int)) {
	for x := &o.game.index; lo < hi; {
		p := x.part(&x.shapes[o.slice], lo)
		class, rank := (lo-p.base)/p.per, (lo-p.base)%p.per
		o.enter(p, class, rank)
		for end := min(hi, p.base+(class+1)*p.per); ; o.step() {
			do(lo, weightDense(x, &o.part, o.fixers, o.trailing))
			if lo++; lo == end {
				break
			}
		}
	}
}

// enter goes to a trailing set of a class.
func (o *outlook) enter(p *part, class, rank uint64) {
	x := &o.game.index
	classes := x.sets(p.leader, p.lead)
	o.part, o.fixers, o.lead = *p, classes.Fixers[class], classes.Representatives[class]
	if o.many++; o.many == 0 {
		clear(o.led[:]) // after 1<<32 of them
		o.many = 1
	}
	colour := p.leader.Other()
	o.free = o.game.colours[colour]
	o.lowest = o.lowest[:0]
	for size := range p.trail + 1 {
		o.lowest = append(o.lowest, x.unrankSet(0, size, x.numbers[colour]))
	}
	o.trail = x.unrankSet(rank, p.trail, x.numbers[colour])
	o.leading, o.trailing = densely(o.lead), densely(o.trail)
}

// step goes to the trailing set of the next rank, which there must be: the lowest stone
// that can rise does, and those below it go to the lowest points.
func (o *outlook) step() {
	risen := ((o.trail | ^o.free) + o.trail&-o.trail) & o.free
	o.trail = risen | o.lowest[(o.trail&^risen).size()-1]
	o.trailing = o.trailing.next()
}

// values is what the turns of the position lead to, up to the first lost one. Where there
// are depths, it finds the best of all turns, and tells nothing.
func (o *outlook) values() (seen bitboard.Values) {
	s := stones{own: uint64(o.lead), opp: uint64(o.trail), mine: o.leading, theirs: o.trailing}
	if !o.part.ownLeads {
		s = stones{own: uint64(o.trail), opp: uint64(o.lead), mine: o.trailing, theirs: o.leading}
	}
	s.empty = o.jumps.Empty(s.own, s.opp)
	right, left, up, down := o.jumps.Ahead(s.own, s.opp, s.empty)
	for d, movers := range [directions]uint64{right, left, up, down} {
		for ; movers != 0; movers &= movers - 1 {
			if seen |= o.follow(&s, movers&-movers, d); seen>>bitboard.Loss != 0 {
				return seen
			}
		}
	}
	return seen
}

// stones is a position, with its sets in both forms.
type stones struct {
	own, opp, empty uint64
	mine, theirs    dense
}

// follow is what the turns of a stone in a direction lead to, up to the first lost one. The
// first jump is possible.
func (o *outlook) follow(s *stones, at uint64, d int) (seen bitboard.Values) {
	room, step := o.jumps.room[d], o.steps[d]
	others, left := s.mine^densePoint(at), s.theirs
	landings, after := &o.landings[o.part.mover&1], &o.led[d][bits.TrailingZeros64(at)&63]
	for taken := 1; taken <= maxTaken; taken++ {
		left ^= densePoint(bits.RotateLeft64(at, step))
		at = bits.RotateLeft64(at, 2*step)
		n := &landings[taken]
		if i := o.index(n, &after[taken], left, others|densePoint(at)); n.depths != nil {
			o.best = min(o.best, replyTo(n.depths[i]))
		} else {
			seen |= 1 << n.table.At(i)
		}
		over := bits.RotateLeft64(at, step)
		if seen>>bitboard.Loss != 0 || at&room == 0 || over&s.opp == 0 || bits.RotateLeft64(over, step)&s.empty == 0 {
			break
		}
	}
	return seen
}

// densePoint is the dense set of a point.
func densePoint(point uint64) dense { return 1 << (pointOf(Word(point)) & 63) }

// index is that of the position after a turn, of those who move next and of the others. It
// keeps in after what the jump makes of the leading set, if that leads there, too.
func (o *outlook) index(n *landing, after *led, next, others dense) uint64 {
	lead, trail := next, others
	if !n.leads {
		lead, trail = others, next
	}
	sets := o.game.index.ranks.dense
	if n.leads == o.part.ownLeads {
		after = &led{} // what trails now leads there
	}
	entry := after.entry
	if after.when != o.many {
		entry = n.entries[sets.rank(lead)]
		after.when, after.entry = o.many, entry
	}
	class := entry >> 3
	rank := sets.leastRank(trail, n.trailing, int(entry&7), n.part.leader.Other(), n.fixers[class])
	return n.part.base + uint64(class)*n.part.per + rank
}
