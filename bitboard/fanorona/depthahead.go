package fanorona

import (
	"cmp"
	"math/bits"
	"slices"

	"paika/bitboard"
)

// A lookahead with depths.
//
// Where distances are asked for, a row has a number for each place of the one stone: of the
// reply that it is to come there, the less the better for the side that makes it. The words
// of a row have a bit of all numbers each, the highest one first, so that the numbers of all
// places are compared at once.

// mostWidth is the most bits that such a number has.
const mostWidth = 8

// replies numbers those depths that captures lead to: the losses from the quickest on, a
// draw, and the wins up to the quickest. The last number, all ones, is that of no capture.
type replies struct {
	width  int
	number []uint8          // by the depth that a capture leads to
	zeros  [][]uint64       // by number: a word for each bit, all ones where that is 0
	depths []bitboard.Depth // by number, of a position whose best capture it is
}

// newReplies numbers the depths of some tables. It tells false where these have too many.
func newReplies(tables [][]bitboard.Depth) (r *replies, fits bool) {
	occurs := make([]bool, 1<<16)
	occurs[bitboard.MakeDepth(bitboard.Loss, 0)] = true // a capture that takes all
	for _, t := range tables {
		for _, d := range t {
			occurs[d] = true
		}
	}
	var all []bitboard.Depth
	for d, is := range occurs {
		if is {
			all = append(all, bitboard.Depth(d))
		}
	}
	slices.SortFunc(all, func(a, b bitboard.Depth) int { return cmp.Compare(worth(a), worth(b)) })
	r = &replies{width: bits.Len(uint(len(all))), number: make([]uint8, len(occurs))}
	if r.width > mostWidth {
		return nil, false
	}
	for n, d := range all {
		r.number[d] = uint8(n)
		r.depths = append(r.depths, depthBefore(d))
		zeros := make([]uint64, r.width)
		for w := range zeros {
			zeros[w] = uint64(n)>>(r.width-1-w)&1 - 1
		}
		r.zeros = append(r.zeros, zeros)
	}
	return r, true
}

// worth orders depths by what it is to come there, the best first.
func worth(d bitboard.Depth) int {
	switch d.Value() {
	case bitboard.Loss:
		return d.Distance() - bitboard.MaxDistance - 1
	case bitboard.Win:
		return bitboard.MaxDistance + 1 - d.Distance()
	}
	return 0
}

// depthBefore is the depth of a position whose best capture leads to another.
func depthBefore(d bitboard.Depth) bitboard.Depth {
	switch d.Value() {
	case bitboard.Loss:
		return bitboard.MakeDepth(bitboard.Win, d.Distance()+1)
	case bitboard.Win:
		return bitboard.MakeDepth(bitboard.Loss, d.Distance()+1)
	}
	return 0
}

// DepthsRoom is the room for rows of distances, as numbers of as many bits as they may have.
func (g *Game) DepthsRoom(s bitboard.Slice) (shared, each uint64) {
	return g.newLookahead(s, mostWidth).room()
}

// ValueDepths derives by patterns, where that pays and there are not too many depths.
func (g *Game) ValueDepths(s bitboard.Slice, known *[bitboard.MaxSlices][]bitboard.Depth, run bitboard.Run) (func() bitboard.DepthDeriver, error) {
	l := g.newLookahead(s, mostWidth)
	if l == nil {
		return nil, nil
	}
	var below [][]bitboard.Depth
	for left := 1; left < l.opp; left++ {
		below = append(below, known[slice(left, l.own)])
	}
	var fits bool
	if l.replies, fits = newReplies(below); !fits {
		return nil, nil
	}
	l.width = uint64(l.replies.width)
	err := l.open(run, func(r *valueRows, left int, class uint64) { l.readDepths(r, class, known[slice(left, l.own)]) })
	if err != nil {
		return nil, err
	}
	return func() bitboard.DepthDeriver { return newForesight(l).deriveDepths }, nil
}

// readDepths is read of a table with depths. Where no position is, rows have the last number.
func (l *lookahead) readDepths(r *valueRows, class uint64, table []bitboard.Depth) {
	x, key := &l.game.index, r.keys.Representatives[class]
	words := r.words[l.width*class*r.per:][:l.width*r.per]
	for k := range words {
		words[k] = ^uint64(0)
	}
	c := x.walker(r.keys, bits.OnesCount64(key), r.rest+1)
	c.enter(class)
	c.first()
	var ranks [64]uint64
	for more := true; more; more = c.step() {
		zeros := l.replies.zeros[l.replies.number[table[l.indexAfter(&c, key)]]]
		c.ranksWithout(&ranks, c.trailing)
		for j := range c.trailing {
			point := c.free[c.subset.At(j)&63].points
			for w, word := range words[l.width*ranks[j&63]:][:len(zeros)] {
				words[l.width*ranks[j&63]:][w] = word &^ (zeros[w] & point)
			}
		}
	}
}

// deriveDepths is a bitboard.DepthDeriver.
func (f *foresight) deriveDepths(depths []bitboard.Depth, held []uint64, lo, hi uint64) (over uint64) {
	c, first := f.game.cursor(f.own, f.opp), lo
	clear(held)
	for lo < hi {
		c.enter(lo / c.per)
		f.game.markTargets(&c, f.ownLeads)
		f.take(&c)
		end := min(hi, c.frame.base+c.per)
		for c.seek(lo); lo < end; lo++ {
			if d, leftOut := f.depth(&c); leftOut {
				depths[lo-first] = d
			} else {
				held[(lo-first)/64] |= 1 << ((lo - first) % 64)
			}
			c.step()
		}
	}
	return 0
}

// depth is that of the cursor's position, or 0 at a gap, as value has it.
func (f *foresight) depth(c *cursor) (d bitboard.Depth, leftOut bool) {
	switch {
	case c.frame.fixers != 0 && f.game.index.weight(&c.frame, c.set()) == 0:
		return 0, true
	case c.quiet():
		return 0, false
	case f.opp == 1:
		return bitboard.MakeDepth(bitboard.Win, 1), !f.game.Quiet(c.position(f.ownLeads))
	}
	if f.upper != c.upper[1].points {
		f.gatherReplies(c)
	}
	best := f.best[c.subset.At(0)&63]
	if int(best) >= len(f.replies.depths) {
		return 0, false // no pattern was found
	}
	return f.replies.depths[best], true
}

// gatherReplies collects the best reply for every place of the lowest trailing stone, as
// gather does.
func (f *foresight) gatherReplies(c *cursor) {
	f.upper = c.upper[1].points
	var ranks [64]uint64
	c.ranksWithout(&ranks, c.trailing)
	lowest, top := uint64(c.subset.At(0)), c.subset.At(1)
	row := f.found[f.width*ranks[0]:][:f.width]
	for k := range top {
		f.best[k&63] = numberIn(row, c.free[k&63].points)
	}
	many := 2
	if f.ownLeads {
		many = c.trailing
	}
	for j := 1; j < many; j++ {
		stone := c.free[c.subset.At(j)&63].points
		rows := f.found[f.width*(ranks[j&63]-lowest):][:f.width*uint64(top)]
		for k := range top {
			f.best[k&63] = min(f.best[k&63], numberIn(rows[f.width*uint64(k):][:f.width], stone))
		}
	}
}

// numberIn is the number in a row for a point.
func numberIn(row []uint64, point uint64) (number uint8) {
	at := bits.TrailingZeros64(point)
	for _, word := range row {
		number = number<<1 | uint8(word>>(at&63)&1)
	}
	return number
}

// noteLast notes captures that take all stones: number 0.
func (f *foresight) noteLast(rank, places uint64) {
	row := f.found[f.width*rank:][:f.width]
	for w := range row {
		row[w] &^= places
	}
}

// noteReplies is note with depths.
func (f *foresight) noteReplies(p *pattern, stones, rank uint64) {
	if p.rows == nil {
		f.noteLast(rank, ^p.shut)
		return
	}
	x := &f.game.index
	after := x.apply(p.frame.symmetry, p.moved|stones)
	fresh := p.rows.words[f.width*(p.frame.base+x.rankSet(after, p.frame.free)):][:f.width]
	back := x.inverses[p.frame.symmetry&7]
	row := f.found[f.width*rank:][:len(fresh)]
	var moved [mostWidth]uint64
	open, better := f.free&^(p.stones|stones|p.shut), uint64(0)
	for w, word := range fresh {
		word = x.apply(back, word)
		moved[w&(mostWidth-1)] = word
		differs := (word ^ row[w]) & open
		better |= differs &^ word
		if open &^= differs; open|better == 0 {
			return
		}
	}
	for w := range row {
		row[w] ^= (row[w] ^ moved[w&(mostWidth-1)]) & better
	}
}
