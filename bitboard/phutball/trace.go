package phutball

import (
	"math/bits"
	"slices"

	"paika/bitboard"
)

// Where turns into a set of positions begin, for all positions at once: for those who verify
// tables. It is another way than that of sets.go, and shares the rules with it and the
// numbering.
//
// Below, men are a number with a bit for every point, the ball's among them. A frame is an
// array of bits by that number, for one place of the ball: its word k has the men whose
// points from the seventh on, the upper ones, are the bits of k, and a bit of a word tells of
// the six lower points. Turning the board is an exchange of points in pairs, and exchanging
// two bits of the number takes a few shifts for a word, or for two.
//
// A turn ends with the board upside down. Once a frame tells for every place where a turn
// may end, it takes one pass over rising numbers to find where the ball may get by further
// jumps: each takes men away. Placing a man adds one, so that it meets words that the pass
// has not come to.

// lowerPoints are the points of a word's bits, in number.
const lowerPoints = 6

// withoutPoint has the bits of a word that lack one of the lower points.
var withoutPoint = [lowerPoints]uint64{
	0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
	0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff,
}

// trace is what is known of a board before any set is.
type trace struct {
	index    *index
	words    uint64 // of a frame
	mirror   exchange
	upend    exchange
	turn     exchange
	frames   []frame
	within   []hop // of all frames, over lower men alone
	parts    uint  // upper points, the last ones, that divide the work
	playing  int   // frames of places where turns begin and end; they come first
	ofPlaces []int // frames; none where a series is over, and the ball off the board
}

// none is no frame.
const none = -1

// frame is a place where the ball may stand during a turn.
type frame struct {
	place  Place
	first  uint64 // its first word
	own    uint64 // the bit of its point among the upper ones, or none
	room   uint64 // the bits of a word that lack its point, if that is a lower one
	scores bool   // a turn that ends here wins
	ranked bool   // the index has the ball here, and not mirrored
	hops   []hop  // by direction, and from shorter ones to longer
}

// hop is a jump.
type hop struct {
	from, to int    // frames; to none where it ends the game and wins
	first    uint64 // the first word of to
	over     uint64 // upper men jumped
	land     uint64 // the upper point where it lands, or none
	fewer    uint64 // the bits of a word after it: they lack the lower men jumped, and the ball's point
	shift    uint   // the lower men jumped, as a number
	next     int    // of the frame's hops, the first one in another direction
}

// newTrace is nil where an index does not fill words.
func newTrace(g *Grid, x *index) *trace {
	if !x.fits() || x.points <= lowerPoints {
		return nil
	}
	t := &trace{index: x, words: 1 << (x.points - lowerPoints), ofPlaces: make([]int, g.Places())}
	t.parts = uint(min(8, x.points-lowerPoints-1))
	last := bitboard.Point{File: g.board.Width - 1, Rank: g.board.Height - 1}
	t.mirror = newExchange(g, func(p bitboard.Point) bitboard.Point { p.File = last.File - p.File; return p })
	t.upend = newExchange(g, func(p bitboard.Point) bitboard.Point { p.Rank = last.Rank - p.Rank; return p })
	t.turn = newExchange(g, func(p bitboard.Point) bitboard.Point {
		return bitboard.Point{File: last.File - p.File, Rank: last.Rank - p.Rank}
	})
	for _, playing := range [...]bool{true, false} {
		for p := range Place(g.Places()) {
			if (g.goals[p] == 0) == playing {
				t.addFrame(g, p)
			}
		}
		if playing {
			t.playing = len(t.frames)
		}
	}
	for i := range t.frames {
		t.addHops(g, i)
	}
	return t
}

// addFrame adds the frame of a place, if there is something to know of it: where the ball
// goes on, or a turn ends on the board.
func (t *trace) addFrame(g *Grid, p Place) {
	t.ofPlaces[p] = none
	if !g.onBoard(p) && g.Halts(p) {
		return
	}
	t.ofPlaces[p] = len(t.frames)
	f := frame{place: p, first: t.words * uint64(len(t.frames)), room: ^uint64(0), scores: g.goals[p] > 0}
	if g.onBoard(p) {
		f.ranked = g.goals[p] == 0 && !t.index.balls[p].mirrors
		if p < lowerPoints {
			f.room = withoutPoint[p]
		} else {
			f.own = 1 << (p - lowerPoints)
		}
	}
	t.frames = append(t.frames, f)
}

// addHops adds the jumps from a frame.
func (t *trace) addHops(g *Grid, from int) {
	f := &t.frames[from]
	if g.Halts(f.place) {
		return
	}
	for d := range Directions {
		begin := len(f.hops)
		h := hop{from: from, fewer: f.room}
		for at := g.next[f.place][d]; at != Nowhere && g.onBoard(at); {
			if at < lowerPoints {
				h.fewer &= withoutPoint[at]
				h.shift += 1 << at
			} else {
				h.over |= 1 << (at - lowerPoints)
			}
			if at = g.next[at][d]; at != Nowhere {
				t.addHop(g, f, h, at)
			}
		}
		for i := range f.hops[begin:] {
			f.hops[begin+i].next = len(f.hops)
		}
	}
}

// addHop adds a jump that lands on a place, but for one that ends the game and loses.
func (t *trace) addHop(g *Grid, f *frame, h hop, at Place) {
	if h.to = t.ofPlaces[at]; h.to == none && g.goals[at] < 0 {
		return
	}
	if h.to != none {
		to := &t.frames[h.to]
		h.first, h.land, h.fewer = to.first, to.own, h.fewer&to.room
	}
	if h.over == 0 && h.to != none {
		t.within = append(t.within, h)
		return
	}
	f.hops = append(f.hops, h)
}

// exchange is points that change places, in pairs.
type exchange struct {
	across [][2]uint  // a lower point, and an upper one by its bit
	lower  [][2]uint  // both lower, the lesser first
	upper  *spread    // of upper points: those in pairs of such move
	pairs  [][2]Place // all, by the higher point
}

// newExchange is a symmetry that undoes itself.
func newExchange(g *Grid, image func(bitboard.Point) bitboard.Point) (e exchange) {
	to := make([]Place, g.points)
	for p := range to {
		to[p], _ = g.PlaceAt(image(g.where[p]))
	}
	for p, q := range to {
		switch p := Place(p); {
		case q <= p:
			continue
		case q < lowerPoints:
			e.lower = append(e.lower, [2]uint{uint(p), uint(q)})
		case p < lowerPoints:
			e.across = append(e.across, [2]uint{uint(p), uint(q - lowerPoints)})
		}
		e.pairs = append(e.pairs, [2]Place{Place(p), q})
	}
	slices.SortFunc(e.pairs, func(a, b [2]Place) int { return int(a[1] - b[1]) })
	e.upper = newSpreadOf(g.points-lowerPoints, func(i int) Place {
		if q := to[i+lowerPoints]; q >= lowerPoints {
			return q - lowerPoints
		}
		return Place(i)
	})
	return e
}

// TraceRoom is the room for the frames of Trace.
func (g *Game) TraceRoom(bitboard.Slice) uint64 {
	if g.trace == nil {
		return 0
	}
	return g.trace.words * uint64(len(g.trace.frames))
}

// Trace follows turns back to where they begin.
func (g *Game) Trace(_ bitboard.Slice, dst, set, room []uint64, run bitboard.Run) error {
	t := tracing{g.trace, dst, set, room}
	if set != nil {
		if err := run(uint64(t.playing), func(part uint64) { t.start(&t.frames[part]) }); err != nil {
			return err
		}
	}
	// Those parts of the men's numbers come first that have fewer of the men by which parts
	// are told apart.
	many := uint64(1) << t.parts
	for men := range t.parts + 1 {
		var equal []uint64
		for part := range many {
			if uint(bits.OnesCount64(part)) == men {
				equal = append(equal, part)
			}
		}
		if err := run(uint64(len(equal)), func(k uint64) { t.pass(equal[k]*(t.words/many), t.words/many) }); err != nil {
			return err
		}
	}
	return nil
}

// tracing is a trace of one set, or, where that is nil, of the wins with this turn.
type tracing struct {
	*trace
	dst, set []uint64
	room     []uint64
}

// start fills the frame of a place where play goes on with the men that a turn may end with.
func (t *tracing) start(f *frame) {
	words, b := t.room[f.first:][:t.words], &t.index.balls[t.index.upended[f.place]]
	switch {
	case b.mirrors:
		t.arrange(words, b, &t.turn, false)
	case b.centred && len(t.mirror.pairs) > 0: // the mirror changes something
		t.arrange(words, b, &t.upend, false)
		t.arrange(words, b, &t.turn, true)
	default:
		t.arrange(words, b, &t.upend, false)
	}
}

// ends is a word of a frame with the men that a turn may end with: such that the position is
// in the set, or is won.
func (t *tracing) ends(i int, upper uint64) uint64 {
	switch f := &t.frames[i]; {
	case t.set != nil && i < t.playing:
		return t.room[f.first+upper]
	case t.set == nil && f.scores:
		return f.room
	}
	return 0
}

// arrange fills a frame with the set, for a ball of the index, with points exchanged. It
// takes as many words at a time as the exchange mixes. Words with a man where the ball is
// stay as they are.
func (t *tracing) arrange(words []uint64, b *ball, e *exchange, add bool) {
	var mixed uint64
	var offsets [1 << lowerPoints]uint64
	for k, pair := range e.across {
		mixed |= 1 << pair[1]
		for i := range 1 << k {
			offsets[1<<k+i] = offsets[i] | 1<<pair[1]
		}
	}
	var block [1 << lowerPoints]uint64
	many := 1 << len(e.across)
	rest := (t.words - 1) &^ mixed
	if b.at >= lowerPoints {
		rest &^= 1 << (b.at - lowerPoints) // there is no man where the ball is
	}
	for upper := uint64(0); ; {
		to := e.upper.apply(upper)
		for i := range many {
			block[i] = t.ranked(b, upper|offsets[i])
		}
		e.apply(block[:many])
		for i, word := range block[:many] {
			if at := &words[to|offsets[i]]; add {
				*at |= word
			} else {
				*at = word
			}
		}
		if upper = (upper - rest) & rest; upper == 0 {
			return
		}
	}
}

// apply exchanges the points of words that differ in the upper points of across.
func (e *exchange) apply(block []uint64) {
	for k, pair := range e.across {
		shift, lacks := uint(1)<<pair[0], withoutPoint[pair[0]]
		for i := range block {
			if i>>k&1 == 0 {
				other := i | 1<<k
				differ := (block[i]>>shift ^ block[other]) & lacks
				block[i] ^= differ << shift
				block[other] ^= differ
			}
		}
	}
	for _, pair := range e.lower {
		shift := uint(1)<<pair[1] - 1<<pair[0]
		one := withoutPoint[pair[1]] &^ withoutPoint[pair[0]] // has the first and lacks the second
		for i, word := range block {
			differ := (word>>shift ^ word) & one
			block[i] = word ^ differ ^ differ<<shift
		}
	}
}

// ranked is a word of the set in a frame of its own, for a ball of the index.
func (t *tracing) ranked(b *ball, upper uint64) (word uint64) {
	if b.at < lowerPoints {
		half := t.set[b.base/64+upper/2] >> (upper % 2 * 32)
		word = insert(half&(1<<32-1), uint(b.at))
	} else {
		own := uint64(1) << (b.at - lowerPoints)
		if upper&own != 0 {
			return 0
		}
		word = t.set[b.base/64+(upper&(own-1)|upper>>1&^(own-1))]
	}
	if b.centred && word != 0 {
		gaps, _ := t.mirrored(upper)
		word &^= gaps
	}
	return word
}

// mirrored tells of a word's men which ones the mirror makes a lesser number of, so that they
// are gaps where the ball is in the middle column, and which ones it leaves as they are.
func (t *trace) mirrored(upper uint64) (gaps, same uint64) {
	same = ^uint64(0) // so far: points with a higher number tell more
	for k := len(t.mirror.pairs) - 1; k >= 0 && same != 0; k-- {
		pair := &t.mirror.pairs[k]
		low, high := having(pair[0], upper), having(pair[1], upper)
		gaps |= same & high &^ low
		same &^= high ^ low
	}
	return gaps, same
}

// mirroredAt is mirrored for the 64 indices of a word, where the ball is in the middle column.
func (t *trace) mirroredAt(b *ball, word uint64) (gaps, same uint64) {
	word -= b.base / 64
	if b.at >= lowerPoints {
		return t.mirrored(stretch(word, b.at-lowerPoints))
	}
	for half := range uint64(2) {
		g, s := t.mirrored(2*word + half)
		lacks := withoutPoint[b.at]
		gaps |= remove(g&lacks, uint(b.at)) << (32 * half)
		same |= remove(s&lacks, uint(b.at)) << (32 * half)
	}
	return gaps, same
}

// twins tells of the 64 indices of a word which ones are gaps, and which ones stand for one
// position. All others stand for two.
func (t *trace) twins(word uint64) (gaps, same uint64) {
	b := &t.index.balls[t.index.classed[word<<6>>(t.index.points-1)]]
	if !b.centred {
		return 0, 0
	}
	return t.mirroredAt(b, word)
}

// weigh is the number of positions that the indices of a word stand for.
func weigh(set, gaps, same uint64) uint64 {
	return uint64(2*bits.OnesCount64(set&^gaps) - bits.OnesCount64(set&same))
}

// tally counts the positions of a word by their values, and tells how many gaps have one.
func (t *trace) tally(positions *[3]uint64, word, won, lost uint64) (filled uint64) {
	gaps, same := t.twins(word)
	positions[bitboard.Win] += weigh(won, gaps, same)
	positions[bitboard.Loss] += weigh(lost, gaps, same)
	positions[bitboard.Draw] += weigh(^(won | lost), gaps, same)
	return uint64(bits.OnesCount64((won | lost) & gaps))
}

// Weigh counts the bits.
func (g *Game) Weigh(_ bitboard.Slice, k, word uint64) (positions uint64) {
	gaps, same := g.trace.twins(k)
	return weigh(word, gaps, same)
}

// having has the bits of a word in which there is a man on a point.
func having(p Place, upper uint64) uint64 {
	if p < lowerPoints {
		return ^withoutPoint[p]
	}
	return -(upper >> (p - lowerPoints) & 1)
}

// insert makes room for a lower point in the numbers of 32 bits: none has it.
func insert(half uint64, p uint) uint64 {
	for k := lowerPoints - 2; k >= int(p); k-- {
		half = (half | half<<(1<<k)) & withoutPoint[k]
	}
	return half
}

// remove undoes insert.
func remove(word uint64, p uint) uint64 {
	for k := int(p); k <= lowerPoints-2; k++ {
		word = (word | word>>(1<<k)) & withoutPoint[k+1]
	}
	return word
}

// pass goes over some words of all frames: what they say of where a turn may end becomes
// what it says of where the ball may get by further jumps.
func (t *tracing) pass(first, words uint64) {
	reach := make([]uint64, len(t.frames))
	jumped := make([]uint64, len(t.frames))
	for upper := first; upper < first+words; upper++ {
		for i := range t.frames {
			f := &t.frames[i]
			if upper&f.own != 0 {
				continue
			}
			jumped[i] = t.leap(f, upper)
			reach[i] = t.ends(i, upper) | jumped[i]
		}
		t.leapWithin(reach, jumped, upper)
		for i := range t.frames {
			f := &t.frames[i]
			if upper&f.own != 0 {
				continue
			}
			if f.ranked {
				if t.set != nil {
					jumped[i] |= t.place(f, upper)
				}
				t.note(f, upper, jumped[i])
			}
			t.room[f.first+upper] = reach[i]
		}
	}
}

// leap is what the jumps over upper men, and those that win, lead to.
func (t *tracing) leap(f *frame, upper uint64) (reached uint64) {
	for k := 0; k < len(f.hops); {
		h := &f.hops[k]
		if upper&h.over != h.over {
			k = h.next
			continue
		}
		k++
		if upper&h.land != 0 {
			continue
		}
		if h.to == none {
			if t.set == nil {
				reached |= h.fewer << h.shift
			}
		} else {
			reached |= t.room[h.first+upper&^h.over] & h.fewer << h.shift
		}
		if h.land != 0 {
			k = h.next // a longer one would need a man there
		}
	}
	return reached
}

// leapWithin adds what the jumps over lower men alone lead to. Such a jump stays within the
// words of the same upper men, and others may follow.
func (t *tracing) leapWithin(reach, jumped []uint64, upper uint64) {
	for again := true; again; {
		again = false
		for k := range t.within {
			h := &t.within[k]
			if upper&(h.land|t.frames[h.from].own) != 0 {
				continue
			}
			more := reach[h.to] & h.fewer << h.shift
			again = again || more&^reach[h.from] != 0
			reach[h.from] |= more
			jumped[h.from] |= more
		}
	}
}

// place is what placing a man leads to.
func (t *tracing) place(f *frame, upper uint64) (reached uint64) {
	words := t.room[f.first:][:t.words]
	here := words[upper]
	for p, lacks := range withoutPoint {
		reached |= here >> (1 << p) & lacks
	}
	for vacant := (t.words - 1) &^ (upper | f.own); vacant != 0; vacant &= vacant - 1 {
		reached |= words[upper|vacant&-vacant]
	}
	return reached
}

// note puts a word of a frame where the index has its positions.
func (t *tracing) note(f *frame, upper, word uint64) {
	b := &t.index.balls[f.place]
	word &= f.room
	if b.centred {
		gaps, _ := t.mirrored(upper)
		word &^= gaps
	}
	if f.place >= lowerPoints {
		t.dst[b.base/64+(upper&(f.own-1)|upper>>1&^(f.own-1))] = word
		return
	}
	at := &t.dst[b.base/64+upper/2]
	if half := remove(word, uint(f.place)); upper%2 == 0 {
		*at = half
	} else {
		*at |= half << 32
	}
}
