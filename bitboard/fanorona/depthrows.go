package fanorona

import (
	"math/bits"

	"paika/bitboard"
)

// Rows with distances.
//
// Where distances are asked for, a row has a number for each place of the loose stone: how
// good it is to come there, for the side that does, the less the better. The number's bits
// lie in one word each, so that the numbers of all places are compared at once.

// mostPlanes is the most bits that such a number has.
const mostPlanes = 8

// A depthScale numbers what captures make of a position by what they lead to: first the
// wins from the quickest on, then a draw, which has the upper half's first number, then the
// losses up to the quickest. The last number stands for no capture.
type depthScale struct {
	planes int
	rise   []uint8                         // by the depth that a capture leads to
	depths [1 << mostPlanes]bitboard.Depth // by number, of the position before the capture
}

// newDepthScale has room for distances up to one of what captures lead to. It tells false
// where there are too many.
func newDepthScale(longest int) (s depthScale, fits bool) {
	for s.planes = 2; (longest+1)/2+1 >= 1<<(s.planes-1); s.planes++ {
		if s.planes == mostPlanes {
			return s, false
		}
	}
	s.rise = make([]uint8, (longest+1)<<2)
	draw, none := 1<<(s.planes-1), 1<<s.planes-1
	for distance := range longest + 1 {
		win, loss := distance/2, none-(distance+1)/2
		s.rise[bitboard.MakeDepth(bitboard.Loss, distance)] = uint8(win)
		s.rise[bitboard.MakeDepth(bitboard.Win, distance)] = uint8(loss)
		s.depths[win] = bitboard.MakeDepth(bitboard.Win, 2*(distance/2)+1)
		s.depths[loss] = bitboard.MakeDepth(bitboard.Loss, (distance+1)/2*2)
	}
	s.rise[0] = uint8(draw)
	s.depths[draw] = 0
	return s, true
}

// fill sets words, one for each bit from the highest, to those of a depth's number.
func (s *depthScale) fill(words []uint64, d bitboard.Depth) {
	number := uint64(s.rise[d]) << (64 - len(words))
	for w := range words {
		words[w] = uint64(int64(number) >> 63)
		number <<= 1
	}
}

// longestDistance is the longest in some tables.
func longestDistance(tables [][]bitboard.Depth) int {
	longest := bitboard.Depth(0)
	for _, t := range tables {
		for _, d := range t {
			longest = max(longest, d)
		}
	}
	return longest.Distance()
}

// begin takes up a row: there is no capture yet.
func (h *rowHunt) begin(words int) {
	for w := range h.best[:words] {
		h.best[w] = ^uint64(0)
	}
}

// end sets a row's words.
func (h *rowHunt) end(words []uint64) {
	for w, best := range h.best[:len(words)] {
		words[w] = best &^ h.won // a capture that takes all stones is the best there is
	}
}

// compare takes in a row that a capture leads to, moved back through a symmetry, but for
// places that are shut: where the capture is better than the best so far, it takes its place.
// It stops where the bits so far tell that it is nowhere better.
func (h *rowHunt) compare(words []uint64, back int, shut uint64) {
	var fresh [mostPlanes]uint64
	alike, better := h.places&^shut, uint64(0)
	for w, word := range words {
		word = h.game.index.apply(back, word)
		fresh[w&7] = word
		differs := (word ^ h.best[w&7]) & alike
		better |= differs &^ word
		if alike &^= differs; alike|better == 0 {
			return
		}
	}
	for w := range words {
		h.best[w&7] ^= (h.best[w&7] ^ fresh[w&7]) & better
	}
}

// number is that of the best capture of the cursor's position, which has one.
func (n *nearRows) number(c *cursor) uint8 {
	if n.upper != c.upper[1].points {
		n.enter(c)
	}
	lowest, words := c.subset.At(0), int(n.finder.words)
	best := numberAt(n.words[0][:words], c.free[lowest&63].points)
	for j := 1; j < n.many; j++ {
		best = min(best, numberAt(n.words[j&63][words*int(lowest):][:words], n.loose[j&63]))
	}
	return best
}

// numberAt is the number that words have at a point.
func numberAt(words []uint64, point uint64) (number uint8) {
	shift := bits.TrailingZeros64(point) & 63
	for _, w := range words {
		number = number<<1 | uint8(w>>shift&1)
	}
	return number
}

// DepthRoom is the room for rows of distances, as numbers of as many bits as they may have.
func (g *Game) DepthRoom(s bitboard.Slice) (least, most uint64) {
	return g.newRowFinder(s, mostPlanes).bounds()
}

// DepthSettler settles by rows.
func (g *Game) DepthSettler(s bitboard.Slice, known *[bitboard.MaxSlices][]bitboard.Depth, room []uint64) (settler bitboard.DepthSettler, fits bool) {
	if len(room) == 0 {
		return nil, false
	}
	f := g.newRowFinder(s, 0)
	f.depths = known
	var below [][]bitboard.Depth
	for left := 1; left < f.opp; left++ {
		below = append(below, known[slice(left, f.own)])
	}
	if f.scale, fits = newDepthScale(longestDistance(below)); !fits {
		return nil, false
	}
	f.words = uint64(f.scale.planes)
	f.open(room)
	return &depthSettler{f}, true
}

// A depthSettler settles a slice for the metric dtw.
type depthSettler struct{ rows *rowFinder }

// Ready finds rows, as settler.Ready does.
func (t *depthSettler) Ready(lo uint64, run bitboard.Run) (hi uint64, err error) {
	per := t.rows.game.cursor(t.rows.own, t.rows.opp).per
	class, err := t.rows.find(lo/per, run)
	return class * per, err
}

// Settle tells quiet positions by marked targets.
func (t *depthSettler) Settle(dst []bitboard.Depth, lo, hi uint64) (inside uint64) {
	f := t.rows
	c, near := f.game.cursor(f.own, f.opp), nearRows{finder: f}
	for lo < hi {
		c.enter(lo / c.per)
		f.game.markTargets(&c, f.ownLeads)
		near.leave()
		end := min(hi, c.frame.base+c.per)
		inside += t.settle(dst[:end-lo], &c, &near, lo)
		dst, lo = dst[end-lo:], end
	}
	return inside
}

// settle sets the depths from an index of the cursor's class on.
func (t *depthSettler) settle(dst []bitboard.Depth, c *cursor, near *nearRows, lo uint64) (inside uint64) {
	f := t.rows
	weight := len(f.game.index.spreads)
	c.seek(lo)
	for i := range dst {
		if c.frame.fixers != 0 {
			weight = f.game.index.weight(&c.frame, c.set())
		}
		switch {
		case weight == 0:
			dst[i] = 0
		case c.quiet():
			inside += uint64(weight)
			dst[i] = f.game.quietDepth(c.position(f.ownLeads))
		default:
			dst[i] = f.scale.depths[near.number(c)]
		}
		c.step()
	}
	return inside
}

// quietDepth is that of a position without a capture.
func (g *Game) quietDepth(p Position) bitboard.Depth {
	switch g.settleQuiet(p) {
	case bitboard.Lost:
		return bitboard.MakeDepth(bitboard.Loss, 0)
	case bitboard.Drawn:
		return 0
	}
	return bitboard.OpenDepth
}
