package konane

import (
	"slices"
	"sync"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// Every value follows from tables of other slices. They are derived line by line: a line is
// possible with some leading sets, and with the trailing sets that have some points and lack
// others. What it makes of those keeps their order, since a set is ranked by its highest
// points first. So the ranks of the trailing sets before a turn and after it are two lists,
// made once for a slice, that go with each other entry by entry; and what becomes of the
// ranks after the turn, where the leading set is moved to its representative, is a third.
//
// It is another way than that of the kernel's fans, and shares the numbering with them alone:
// lines are told by files and ranks, positions by lists, and no position is made.

// maxTaken is the most stones that a turn takes.
const maxTaken = (maxSide - 1) / 2

// A lookahead derives the values of positions of one slice, or their depths.
type lookahead struct {
	game     *Game[Word]
	slice    bitboard.Slice
	lines    [2][]line                // by side to move
	landings [2][maxTaken + 1]landing // by side to move, and stones that a turn takes

	making  sync.Mutex
	lists   map[listing][]uint32
	entries int // of these lists
	keeps   int // so many of them: keptEntries
}

// keptEntries is the most entries of lists that a lookahead keeps, of 4 bytes each. Where there
// are few leading sets for many trailing ones, lists are long, and seldom of use again.
const keptEntries = 1 << 23

// roomBlock is the indices for whose positions an outlook is taken to keep what it sees.
const roomBlock = 1 << 14

// A landing is where turns that take so many stones lead. The opponent moves there.
type landing struct {
	table    bitboard.Packed  // of values, or
	depths   []bitboard.Depth // of depths
	leads    bool             // the leading set is the opponent's
	trailing bitboard.Side    // the colour of the trailing set, once it is moved to a representative's
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

// ValueSparse derives all values of a slice, on a board of at most 64 points and behind the opening.
func (g *Game[S]) ValueSparse(s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed, _ bitboard.Run) (func() bitboard.SparseDeriver, error) {
	one := g.derivable(s)
	if one == nil {
		return nil, nil
	}
	l := newLookahead(one, s, func(n *landing, after bitboard.Slice) bool { n.table = known[after]; return n.table != nil })
	return func() bitboard.SparseDeriver { return (&outlook{lookahead: l}).derive }, nil
}

// ValueDepths derives all depths of a slice, where ValueSparse derives the values.
func (g *Game[S]) ValueDepths(s bitboard.Slice, known *[bitboard.MaxSlices][]bitboard.Depth, _ bitboard.Run) (func() bitboard.DepthDeriver, error) {
	one := g.derivable(s)
	if one == nil {
		return nil, nil
	}
	l := newLookahead(one, s, func(n *landing, after bitboard.Slice) bool { n.depths = known[after]; return n.depths != nil })
	return func() bitboard.DepthDeriver { return (&outlook{lookahead: l}).deriveDepths }, nil
}

// SparseRoom is the room for the lists of a slice, or a little more.
func (g *Game[S]) SparseRoom(s bitboard.Slice) (shared, each uint64) {
	one := g.derivable(s)
	if one == nil {
		return 0, 0
	}
	all, class := one.listed(s)
	each = roomBlock * (1 + 1 + 4) / 8
	if all > keptEntries {
		all, each = keptEntries, each+class/2
	}
	return all/2 + 1, each
}

// DepthsRoom is what SparseRoom is: the lists do not depend on the metric.
func (g *Game[S]) DepthsRoom(s bitboard.Slice) (shared, each uint64) { return g.SparseRoom(s) }

// listed bounds the entries of all lists of a slice, and of those for one leading set.
func (g *Game[S]) listed(s bitboard.Slice) (all, class uint64) {
	x := &g.index
	own, opp := counts(s)
	for _, p := range x.shapes[s].parts {
		if p.size == 0 || own == 0 {
			continue
		}
		var taken [maxTaken + 1]uint64 // sets to choose, by stones taken
		for _, l := range g.lines(p.mover) {
			if l.taken <= opp {
				before, _ := l.choices(&p)
				many := before.many(len(x.numbers[before.colour]), &x.ranks.choose)
				taken[l.taken] = many
				all = ranking.Sum(all, many)
			}
		}
		for n, many := range taken {
			if many == 0 {
				continue
			}
			moved := x.ranks.choose.Ways(len(x.numbers[p.leader.Other()]), p.trailAfter(n))
			all = ranking.Sum(all, ranking.Product(movements(len(x.symmetries)), moved))
			class = ranking.Sum(class, ranking.Product(directions*uint64(p.lead), 2*many+moved))
		}
	}
	return all, class
}

// newLookahead is a slice's. known gives a landing the table of a slice, if there is one.
func newLookahead(g *Game[Word], s bitboard.Slice, known func(n *landing, after bitboard.Slice) bool) *lookahead {
	l := &lookahead{game: g, slice: s, lists: make(map[listing][]uint32), keeps: keptEntries}
	own, opp := counts(s)
	for mover := range bitboard.Side(2) {
		l.lines[mover] = g.lines(mover)
	}
	for taken := 1; taken <= min(maxTaken, opp); taken++ {
		after := slice(opp-taken, own)
		var at landing
		if !known(&at, after) {
			continue // no turn takes so many
		}
		for mover := range bitboard.Side(2) {
			p := g.index.shapes[after].parts[mover.Other()]
			leading := mover
			if p.ownLeads {
				leading = mover.Other()
			}
			classes := g.index.sets(p.leader, p.lead)
			at.leads, at.trailing, at.part = p.ownLeads, p.leader.Other(), p
			at.entries, at.fixers = classes.Entries[leading^p.leader], classes.Fixers
			l.landings[mover][taken] = at
		}
	}
	return l
}

// choices are the trailing sets with which a line is possible, and what it makes of them.
func (l *line) choices(p *part) (before, after choice) {
	before = choice{colour: p.leader.Other(), size: p.trail}
	after = choice{colour: p.leader.Other(), size: p.trailAfter(l.taken)}
	if p.ownLeads {
		before.with, after.without = l.over, l.over
		return before, after
	}
	before.with, before.without = l.from, l.between|l.to
	after.with, after.without = l.to, l.from|l.between
	return before, after
}

// trailAfter is the size of the trailing set after a turn that takes so many stones.
func (p *part) trailAfter(taken int) int {
	if p.ownLeads {
		return p.trail - taken
	}
	return p.trail
}

// leadAfter is what a line makes of a leading set, if it is possible with that.
func (l *line) leadAfter(p *part, lead dense) (after dense, possible bool) {
	if p.ownLeads {
		return lead ^ l.from ^ l.to, lead&(l.from|l.between|l.to) == l.from
	}
	return lead ^ l.over, lead&l.over == l.over
}

// listing is what there is a list of: a choice or a movement.
type listing interface {
	list(x *index[Word]) []uint32
}

// list makes a list, or gives the one that is kept.
func (l *lookahead) list(of listing) []uint32 {
	l.making.Lock()
	defer l.making.Unlock()
	list, made := l.lists[of]
	if made {
		return list
	}
	list = of.list(&l.game.index)
	if l.entries += len(list); l.entries > l.keeps {
		clear(l.lists)
		l.entries = len(list)
	}
	l.lists[of] = list
	return list
}

// An outlook looks from the positions of one class of leading sets after the other. It is for
// one goroutine.
type outlook struct {
	*lookahead
	part     part
	class    uint64
	passages []passage // of the class; nil before the first one

	weights []uint8 // of the positions in hand
	seen    []uint8 // what the turns of each lead to, as bitboard.Values; or
	best    []reply // the best of these
	places  [512]uint64
}

// A passage is a line that is possible with a leading set.
type passage struct {
	before, after []uint32 // ranks of the trailing sets
	*landing

	// Where the leading set leads after the turn as well:
	class uint64   // the index of its class
	moved []uint32 // by rank of a trailing set, that of the moved one; nil if they are the same

	// Where the trailing set does:
	lead  dense     // the leading set after the turn
	ranks [8]uint64 // its rank by symmetry, as long as no fixers matter
}

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
	o.seen = append(o.seen[:0], make([]uint8, hi-lo)...)
	o.each(lo, hi, func(n *passage, first uint64, before []uint32, start uint32, places []uint64) {
		seen := o.seen[first:]
		for i, at := range places {
			seen[before[i]-start] |= 1 << n.table.At(at)
		}
	})
	first := lo &^ 31
	for i, weight := range o.weigh(lo, hi) {
		v := bitboard.Draw
		if weight != 0 {
			seen := bitboard.Values(o.seen[i])
			if v = seen.Verdict(); seen == 0 {
				v = bitboard.Loss
				over += uint64(weight)
			}
		}
		values.Set(lo+uint64(i)-first, v)
	}
	return over
}

// deriveDepths is a bitboard.DepthDeriver. It derives all depths.
func (o *outlook) deriveDepths(depths []bitboard.Depth, held []uint64, lo, hi uint64) (over uint64) {
	clear(held)
	o.best = slices.Grow(o.best[:0], int(hi-lo))[:hi-lo]
	for i := range o.best {
		o.best[i] = noReply
	}
	o.each(lo, hi, func(n *passage, first uint64, before []uint32, start uint32, places []uint64) {
		best := o.best[first:]
		for i, at := range places {
			b := &best[before[i]-start]
			*b = min(*b, replyTo(n.depths[at]))
		}
	})
	for i, weight := range o.weigh(lo, hi) {
		depth := bitboard.Depth(0)
		if weight != 0 {
			if depth = o.best[i].depth(); o.best[i] == noReply {
				over += uint64(weight)
			}
		}
		depths[i] = depth
	}
	return over
}

// weigh tells the weights of indices.
func (o *outlook) weigh(lo, hi uint64) []uint8 {
	o.weights = o.game.Weights(o.weights[:0], o.slice, lo, hi)
	return o.weights
}

// each looks where turns of the positions of [lo, hi) lead: to places of the landing of a
// turn, from trailing sets of the ranks before. That of rank start has the index lo+first.
func (o *outlook) each(lo, hi uint64, look func(n *passage, first uint64, before []uint32, start uint32, places []uint64)) {
	x := &o.game.index
	for at := lo; at < hi; {
		p := x.part(&x.shapes[o.slice], at)
		class, rank := (at-p.base)/p.per, (at-p.base)%p.per
		if o.passages == nil || o.part != *p || o.class != class {
			o.enter(p, class)
		}
		many := min(hi-at, p.per-rank)
		for k := range o.passages {
			n := &o.passages[k]
			before, after := n.within(uint32(rank), uint32(rank+many))
			for len(before) > 0 {
				places := o.places[:min(len(before), len(o.places))]
				n.follow(places, after, o)
				look(n, at-lo, before, uint32(rank), places)
				before, after = before[len(places):], after[len(places):]
			}
		}
		at += many
	}
}

// enter works out the turns of a class.
func (o *outlook) enter(p *part, class uint64) {
	x := &o.game.index
	sets := x.ranks.dense
	o.part, o.class, o.passages = *p, class, slices.Grow(o.passages[:0], 1)
	lead := densely(x.sets(p.leader, p.lead).Representatives[class])
	_, opp := counts(o.slice)
	for k := range o.lines[p.mover&1] {
		l := &o.lines[p.mover&1][k]
		leadAfter, possible := l.leadAfter(p, lead)
		if !possible || l.taken > opp {
			continue
		}
		before, after := l.choices(p)
		n := passage{landing: &o.landings[p.mover&1][l.taken]}
		if n.before = o.list(before); len(n.before) == 0 {
			continue
		}
		n.after = o.list(after)
		if n.leads != p.ownLeads {
			entry := n.entries[sets.rank(leadAfter)]
			n.class = n.part.base + uint64(entry>>3)*n.part.per
			if m := (movement{after.colour, after.size, int(entry & 7), n.trailing, n.fixers[entry>>3]}); m.symmetry != 0 || m.fixers != 0 {
				n.moved = o.list(m)
			}
		} else {
			n.lead = leadAfter
			for symmetry := range x.symmetries {
				n.ranks[symmetry&7] = sets.leastRank(leadAfter, p.leader, symmetry, n.trailing, 0)
			}
		}
		o.passages = append(o.passages, n)
	}
}

// within is the part of the lists with ranks before the turn in [lo, hi).
func (n *passage) within(lo, hi uint32) (before, after []uint32) {
	from, _ := slices.BinarySearch(n.before, lo)
	to, _ := slices.BinarySearch(n.before, hi)
	return n.before[from:to], n.after[from:to]
}

// follow finds the indices of the positions with trailing sets of these ranks after the turn.
func (n *passage) follow(places []uint64, after []uint32, o *outlook) {
	after = after[:len(places)]
	switch {
	case n.leads == o.part.ownLeads:
		n.followLed(places, after, o)
	case n.moved == nil:
		for i, rank := range after {
			places[i] = n.class + uint64(rank)
		}
	default:
		for i, rank := range after {
			places[i] = n.class + uint64(n.moved[rank])
		}
	}
}

// followLed is follow where what trails now leads after the turn.
func (n *passage) followLed(places []uint64, after []uint32, o *outlook) {
	for i, rank := range after {
		entry := n.entries[rank]
		class, symmetry := entry>>3, entry&7
		trail := n.ranks[symmetry]
		if fixers := n.fixers[class]; fixers != 0 {
			trail = o.game.index.ranks.dense.leastRank(n.lead, o.part.leader, int(symmetry), n.trailing, fixers)
		}
		places[i] = n.part.base + uint64(class)*n.part.per + trail
	}
}
