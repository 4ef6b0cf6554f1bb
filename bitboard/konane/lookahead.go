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

// A lookahead derives the values of positions of one slice.
type lookahead struct {
	game     *Game[Word]
	slice    bitboard.Slice
	jumps    Jumps
	steps    [directions]int
	landings [2][maxTaken + 1]landing // by side to move, and stones that a jump takes
}

// A landing is where jumps that take so many stones lead. The opponent moves there.
type landing struct {
	table    bitboard.Packed
	leads    bool          // the leading set is the opponent's
	trailing bitboard.Side // the colour of the trailing set
	part     part
	entries  []uint32 // of leading sets
	fixers   []uint8
}

// SparseRoom is none.
func (g *Game[S]) SparseRoom(bitboard.Slice) (shared, each uint64) { return 0, 0 }

// ValueSparse derives all values of slices on boards of at most 64 points, but not in the
// opening.
func (g *Game[S]) ValueSparse(s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed, _ bitboard.Run) (func() bitboard.SparseDeriver, error) {
	one, fits := any(g).(*Game[Word])
	own, opp := counts(s)
	if !fits || g.opens(own+opp) {
		return nil, nil
	}
	l := newLookahead(one, s, known)
	return func() bitboard.SparseDeriver { return (&outlook{lookahead: l}).derive }, nil
}

func newLookahead(g *Game[Word], s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed) *lookahead {
	l := &lookahead{game: g, slice: s, jumps: NewJumps(g), steps: [...]int{1, -1, g.board.Width, -g.board.Width}}
	own, opp := counts(s)
	for taken := 1; taken <= min(maxTaken, opp); taken++ {
		after := slice(opp-taken, own)
		if known[after] == nil {
			continue // no turn takes so many
		}
		for mover := range bitboard.Side(2) {
			p := g.index.shapes[after].parts[mover.Other()]
			leader := mover
			if p.ownLeads {
				leader = mover.Other()
			}
			classes := g.index.sets(p.leader, p.lead)
			l.landings[mover][taken] = landing{
				table: known[after], leads: p.ownLeads, trailing: leader.Other(), part: p,
				entries: classes.Entries[leader^p.leader], fixers: classes.Fixers,
			}
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
}

// derive is a bitboard.SparseDeriver. It derives all values.
func (o *outlook) derive(table bitboard.Packed, held []uint64, lo, hi uint64) (over uint64) {
	x := &o.game.index
	clear(held)
	for lo < hi {
		p := x.part(&x.shapes[o.slice], lo)
		class, rank := (lo-p.base)/p.per, (lo-p.base)%p.per
		o.enter(p, class, rank)
		for end := min(hi, p.base+(class+1)*p.per); ; o.step() {
			v, weight := bitboard.Draw, weightDense(x, &o.part, o.fixers, o.trailing)
			if weight != 0 {
				seen := o.values()
				if v = seen.Verdict(); seen == 0 {
					v = bitboard.Loss
					over += uint64(weight)
				}
			}
			table.Set(lo, v)
			if lo++; lo == end {
				break
			}
		}
	}
	return over
}

// enter goes to a trailing set of a class.
func (o *outlook) enter(p *part, class, rank uint64) {
	x := &o.game.index
	classes := x.sets(p.leader, p.lead)
	o.part, o.fixers, o.lead = *p, classes.Fixers[class], classes.Representatives[class]
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

// values is what the turns of the position lead to, up to the first lost one.
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
	landings := &o.landings[o.part.mover&1]
	for taken := 1; taken <= maxTaken; taken++ {
		left ^= densePoint(bits.RotateLeft64(at, step))
		at = bits.RotateLeft64(at, 2*step)
		seen |= 1 << o.value(&landings[taken], left, others|densePoint(at))
		over := bits.RotateLeft64(at, step)
		if seen>>bitboard.Loss != 0 || at&room == 0 || over&s.opp == 0 || bits.RotateLeft64(over, step)&s.empty == 0 {
			break
		}
	}
	return seen
}

// densePoint is the dense set of a point.
func densePoint(point uint64) dense { return 1 << (bits.TrailingZeros64(point) / 2 & 63) }

// value is that of the position after a turn, of those who move next and of the others.
func (o *outlook) value(n *landing, next, others dense) bitboard.Value {
	lead, trail := next, others
	if !n.leads {
		lead, trail = others, next
	}
	sets := o.game.index.ranks.dense
	entry := n.entries[sets.rank(lead)]
	class := entry >> 3
	rank := sets.leastRank(trail, n.trailing, int(entry&7), n.part.leader.Other(), n.fixers[class])
	return n.table.At(n.part.base + uint64(class)*n.part.per + rank)
}
