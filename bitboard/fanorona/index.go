package fanorona

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"paika/bitboard"
)

// The numbering of a slice. Call the set of the player with fewer stones (of
// the side to move, where both have as many) the leading set, the other stones
// the trailing set. Symmetries of the board sort the leading sets in classes,
// each with a representative: the first of its class in the order of rankSet.
//
//	index = class of the leading set × ways to place the trailing set
//	      + rank of the trailing set among the points that the leading set,
//	        moved to its representative, leaves free
//
// The trailing set takes part in that movement. Where symmetries other than
// the identity fix the representative, several movements lead there and the
// least rank counts; the indices of the others are gaps. Such classes are rare
// once the leading set has a few stones, and so are gaps.
//
// Both players have the same leading set before and after a turn without
// capture, so that slices 3v2 and 2v3 share class numbers.

// maxSymmetries is the number of symmetries of a square.
const maxSymmetries = 8

// A spread maps a set of points through a symmetry: the images of the points
// in each byte of the set.
type spread [8][256]uint64

// index is the part of the numbering that all slices share, and the tables of
// leading sets made so far.
type index struct {
	points uint64
	size   int // points on the board

	choose     [64][64]uint64 // choose[j][n]: ways to choose j+1 of n
	spreads    []spread       // a symmetry each, the identity first
	images     [][64]uint64   // the same for single points, by bit number
	rowClasses [64]uint64     // classes of sets of that many points

	making  sync.Mutex
	leading [64]atomic.Pointer[leadingSets]
}

// leadingSets numbers the sets of one size up to symmetry.
type leadingSets struct {
	entries         []uint32 // by rank of the set: its class, and in the lowest 3 bits a symmetry that takes it to the representative
	representatives []uint64 // by class
	fixers          []uint8  // by class: a bit for every symmetry but the identity that fixes the representative
}

func (x *index) init(g *Game) {
	x.points, x.size = g.points, g.board.Points()
	for n := 1; n < 64; n++ {
		x.choose[0][n] = uint64(n)
		for j := 1; j < n; j++ {
			x.choose[j][n] = x.choose[j][n-1] + x.choose[j-1][n-1]
		}
	}
	for _, image := range g.symmetries() {
		var s spread
		for i := range s {
			for b := range 256 {
				for rest := uint64(b) << (8 * i) & x.points; rest != 0; rest &= rest - 1 {
					s[i][b] |= image[bits.TrailingZeros64(rest)]
				}
			}
		}
		x.spreads = append(x.spreads, s)
		x.images = append(x.images, image)
	}
	x.countClasses()
}

// symmetries lists the maps of the board onto itself that keep its lines, as
// the image of each point by bit number, the identity first. A map keeps them
// if it takes strong points to strong points.
func (g *Game) symmetries() [][64]uint64 {
	w, h := g.board.Width, g.board.Height
	var found [][64]uint64
	for m := range maxSymmetries {
		mirrorFiles, mirrorRanks, transpose := m&1 != 0, m&2 != 0, m&4 != 0
		if transpose && w != h {
			continue
		}
		var image [64]uint64
		keeps := true
		for r := range h {
			for f := range w {
				toF, toR := f, r
				if mirrorFiles {
					toF = w - 1 - f
				}
				if mirrorRanks {
					toR = h - 1 - r
				}
				if transpose {
					toF, toR = toR, toF
				}
				keeps = keeps && (f+r)%2 == (toF+toR)%2
				image[bits.TrailingZeros64(g.bit(f, r))] = g.bit(toF, toR)
			}
		}
		if keeps {
			found = append(found, image)
		}
	}
	return found
}

// countClasses counts the classes of sets of every size by Burnside's lemma:
// their number is the mean number of sets that a symmetry fixes. A set is fixed
// if it holds every cycle of the symmetry whole or not at all.
func (x *index) countClasses() {
	for _, image := range x.images {
		fixed := [64]uint64{1} // by size of the set
		for rest := x.points; rest != 0; {
			length := 0
			for at := rest & -rest; rest&at != 0; at = image[bits.TrailingZeros64(at)] {
				rest ^= at
				length++
			}
			for n := x.size; n >= length; n-- {
				fixed[n] += fixed[n-length]
			}
		}
		for n, ways := range fixed {
			x.rowClasses[n] += ways
		}
	}
	for n := range x.rowClasses {
		x.rowClasses[n] /= uint64(len(x.images))
	}
}

// ways is the number of sets of k out of n points, below 2^60 for n up to 60.
func (x *index) ways(n, k int) uint64 {
	switch {
	case k == 0:
		return 1
	case k > n:
		return 0
	}
	return x.choose[k-1][n]
}

// apply moves a set through a symmetry.
func (x *index) apply(symmetry int, set uint64) uint64 {
	s := &x.spreads[symmetry]
	return s[0][set&255] | s[1][set>>8&255] | s[2][set>>16&255] | s[3][set>>24&255] |
		s[4][set>>32&255] | s[5][set>>40&255] | s[6][set>>48&255] | s[7][set>>56]
}

// rankSet numbers a set among those of its size on the free points, densely
// from 0: the sum over its points, by rising bit, of the ways to choose that
// many points from the free ones below.
func (x *index) rankSet(set, free uint64) uint64 {
	var rank uint64
	for j := 0; set != 0; j++ {
		low := set & -set
		rank += x.choose[j&63][bits.OnesCount64(free&(low-1))&63]
		set ^= low
	}
	return rank
}

// sets returns the table of leading sets of k points, made on first use.
func (x *index) sets(k int) *leadingSets {
	if t := x.leading[k&63].Load(); t != nil {
		return t
	}
	return x.makeSets(k)
}

func (x *index) makeSets(k int) *leadingSets {
	x.making.Lock()
	defer x.making.Unlock()
	if t := x.leading[k].Load(); t != nil {
		return t
	}
	t := &leadingSets{
		entries:         make([]uint32, x.ways(x.size, k)),
		representatives: make([]uint64, 0, x.rowClasses[k]),
		fixers:          make([]uint8, 0, x.rowClasses[k]),
	}
	const unseen = ^uint32(0)
	for i := range t.entries {
		t.entries[i] = unseen
	}
	c := cursor{index: x, trailing: k}
	c.place(x.points)
	c.first()
	for rank := range t.entries {
		if t.entries[rank] == unseen {
			class, set := uint32(len(t.representatives)), c.set()
			var fixers uint8
			for s := len(x.spreads) - 1; s >= 0; s-- {
				image := x.apply(s, set)
				if image == set && s != 0 {
					fixers |= 1 << s
				}
				// The inverse takes the image back to the representative.
				t.entries[x.rankSet(image, x.points)] = class<<3 | uint32(x.inverse(s))
			}
			t.representatives = append(t.representatives, set)
			t.fixers = append(t.fixers, fixers)
		}
		c.step()
	}
	x.leading[k].Store(t)
	return t
}

// inverse is the symmetry that undoes another.
func (x *index) inverse(symmetry int) int {
	return slices.IndexFunc(x.images, func(back [64]uint64) bool {
		for rest := x.points; rest != 0; rest &= rest - 1 {
			there := x.images[symmetry][bits.TrailingZeros64(rest)]
			if back[bits.TrailingZeros64(there)] != rest&-rest {
				return false
			}
		}
		return true
	})
}

// A frame is all that the index of a position takes from its leading set.
type frame struct {
	base     uint64 // index of the class's first position
	free     uint64 // points that the representative leaves
	symmetry int    // takes the position to the representative
	fixers   uint8
}

// frame of a leading set of k points and a trailing one of m.
func (x *index) frame(set uint64, k, m int) frame {
	t := x.sets(k)
	entry := t.entries[x.rankSet(set, x.points)]
	class := entry >> 3
	return frame{
		base:     uint64(class) * x.ways(x.size-k, m),
		free:     x.points &^ t.representatives[class],
		symmetry: int(entry & 7),
		fixers:   t.fixers[class],
	}
}

// rank is the index of the position with a trailing set, moved through the
// frame's symmetry already.
func (x *index) rank(f *frame, trailing uint64) uint64 {
	rank := x.rankSet(trailing, f.free)
	for fixers := f.fixers; fixers != 0; fixers &= fixers - 1 {
		image := x.apply(bits.TrailingZeros8(fixers), trailing)
		rank = min(rank, x.rankSet(image, f.free))
	}
	return f.base + rank
}

// weight is the number of positions that an index of the frame stands for, or 0
// if another index stands for them.
func (x *index) weight(f *frame, trailing uint64) int {
	if f.fixers == 0 {
		return len(x.spreads)
	}
	rank, fixing := x.rankSet(trailing, f.free), 1
	for fixers := f.fixers; fixers != 0; fixers &= fixers - 1 {
		image := x.apply(bits.TrailingZeros8(fixers), trailing)
		if image == trailing {
			fixing++
		} else if x.rankSet(image, f.free) < rank {
			return 0
		}
	}
	return len(x.spreads) / fixing
}

// leads tells whether the side to move has the leading set.
func leads(own, opp int) bool { return own <= opp }

// rankPosition is the index of a position whose stone counts are known.
func (x *index) rankPosition(p Position, own, opp int) uint64 {
	if !leads(own, opp) {
		p.Own, p.Opp = p.Opp, p.Own
		own, opp = opp, own
	}
	f := x.frame(p.Own, own, opp)
	return x.rank(&f, x.apply(f.symmetry, p.Opp))
}

// A cursor walks the trailing sets in the order of their ranks, and the classes
// of leading sets above them.
type cursor struct {
	index    *index
	leading  *leadingSets // nil while leading sets themselves are numbered
	trailing int          // stones in the trailing set
	per      uint64       // trailing sets to a class

	class uint64
	rank  uint64
	frame frame
	free  [64]uint64 // the free points, one a word, rising
	count int        // how many they are
	at    [65]int8   // the trailing set's points, rising, as positions in free; then count
	upper [65]uint64 // union of the trailing set's points from each one on
}

func (g *Game) cursor(own, opp int) cursor {
	if !leads(own, opp) {
		own, opp = opp, own
	}
	x := &g.index
	return cursor{index: x, leading: x.sets(own), trailing: opp, per: x.ways(x.size-own, opp), class: ^uint64(0)}
}

// place sets the free points.
func (c *cursor) place(free uint64) {
	c.count = 0
	for rest := free; rest != 0; rest &= rest - 1 {
		c.free[c.count] = rest & -rest
		c.count++
	}
	c.at[c.trailing] = int8(c.count)
}

// first goes to the first trailing set.
func (c *cursor) first() {
	c.rank = 0
	c.fill(c.trailing)
}

// fill puts the lowest n trailing stones on the lowest free points.
func (c *cursor) fill(n int) {
	for j := n - 1; j >= 0; j-- {
		c.at[j] = int8(j)
		c.upper[j] = c.upper[j+1] | c.free[j]
	}
}

// set is the trailing set.
func (c *cursor) set() uint64 { return c.upper[0] }

// step goes to the next trailing set. After the last it tells false.
func (c *cursor) step() bool {
	c.rank++
	if next := c.at[0] + 1; next < c.at[1] {
		c.at[0] = next
		c.upper[0] = c.upper[1] | c.free[next]
		return true
	}
	j := 0
	for ; j < c.trailing && c.at[j]+1 == c.at[j+1]; j++ {
	}
	if j == c.trailing {
		return false
	}
	c.at[j]++
	c.upper[j] = c.upper[j+1] | c.free[c.at[j]]
	c.fill(j)
	return true
}

// near is how far ahead stepping is cheaper than seeking.
const near = 12

// seek goes to an index of the slice.
func (c *cursor) seek(i uint64) {
	class, rank := i/c.per, i%c.per
	if class == c.class && rank >= c.rank && rank < c.rank+near {
		for c.rank < rank {
			c.step()
		}
		return
	}
	if class != c.class {
		c.class = class
		c.frame = frame{
			base:   class * c.per,
			free:   c.index.points &^ c.leading.representatives[class],
			fixers: c.leading.fixers[class],
		}
		c.place(c.frame.free)
	}
	c.rank = rank
	top := c.count
	for j := c.trailing - 1; j >= 0; j-- {
		ways := &c.index.choose[j]
		for top--; ways[top] > rank; top-- {
		}
		rank -= ways[top]
		c.at[j] = int8(top)
		c.upper[j] = c.upper[j+1] | c.free[top]
	}
}

// next goes to the index that follows, which must be in the slice.
func (c *cursor) next() {
	if !c.step() {
		c.seek((c.class + 1) * c.per)
	}
}

// position is where the cursor stands in the slice of (own, opp) stones.
func (c *cursor) position(ownLeads bool) Position {
	lead, trail := c.leading.representatives[c.class], c.upper[0]
	if ownLeads {
		return Position{lead, trail}
	}
	return Position{trail, lead}
}

// Slices are numbered by own stones times 64 plus the opponent's.

func slice(own, opp int) bitboard.Slice { return bitboard.Slice(own<<6 | opp) }

func counts(s bitboard.Slice) (own, opp int) { return int(s >> 6), int(s & 63) }

// Groups lists the groups by rising number of stones, and with the same number
// by rising difference between the two sides. It never fails.
func (g *Game) Groups() ([]bitboard.Group, error) {
	var groups []bitboard.Group
	for n := 2; n <= g.index.size; n++ {
		for small := n / 2; small >= 1; small-- {
			groups = append(groups, group(n-small, small))
		}
	}
	return groups, nil
}

// Pieces is the number of stones of each position of a slice.
func (g *Game) Pieces(s bitboard.Slice) int {
	own, opp := counts(s)
	return own + opp
}

// group of the slices with these counts, either side to move. Captures leave
// the mover's stones alone and some of the opponent's, who moves next.
func group(large, small int) bitboard.Group {
	gr := bitboard.Group{Slices: []bitboard.Slice{slice(large, small)}}
	if large != small {
		gr.Slices = append(gr.Slices, slice(small, large))
	}
	for n := 1; n < small; n++ {
		gr.Needs = append(gr.Needs, slice(n, large))
	}
	for n := 1; n < large && large != small; n++ {
		gr.Needs = append(gr.Needs, slice(n, small))
	}
	return gr
}

// SliceName is "3v2": own stones, opponent's stones.
func (g *Game) SliceName(s bitboard.Slice) string {
	own, opp := counts(s)
	return fmt.Sprintf("%dv%d", own, opp)
}

// ParseSlice reads the name of a slice that can have a table.
func (g *Game) ParseSlice(name string) (bitboard.Slice, error) {
	a, b, _ := strings.Cut(name, "v")
	own, errOwn := strconv.Atoi(a)
	opp, errOpp := strconv.Atoi(b)
	bad := errors.Join(errOwn, errOpp) != nil || own < 1 || opp < 1 || own+opp > g.index.size
	if bad || g.SliceName(slice(own, opp)) != name {
		return 0, fmt.Errorf("slice %s: want OWNvOPPONENT in stones, such as 3v2, at most %d together", bitboard.Quote(name), g.index.size)
	}
	if g.Indices(slice(own, opp)) >= bitboard.MaxIndices {
		return 0, fmt.Errorf("slice %s of %v has more than 2^48 indices", g.SliceName(slice(max(own, opp), min(own, opp))), g.board)
	}
	return slice(own, opp), nil
}

// Indices is the size of the slice's index space, gaps included, or the highest
// number of 64 bits where that is less.
func (g *Game) Indices(s bitboard.Slice) uint64 {
	own, opp := counts(s)
	large, small := max(own, opp), min(own, opp)
	return product(g.index.rowClasses[small], g.index.ways(g.index.size-small, large))
}

// Positions is the number of positions in the slice with no symmetry taken out,
// or the highest number of 64 bits where that is less.
func (g *Game) Positions(s bitboard.Slice) uint64 {
	own, opp := counts(s)
	return product(g.index.ways(g.index.size, own), g.index.ways(g.index.size-own, opp))
}

// product stays at the highest number where it would pass it.
func product(a, b uint64) uint64 {
	if hi, lo := bits.Mul64(a, b); hi == 0 {
		return lo
	}
	return math.MaxUint64
}

// SliceOf tells where a position belongs.
func (g *Game) SliceOf(p Position) bitboard.Slice {
	return slice(bits.OnesCount64(p.Own), bits.OnesCount64(p.Opp))
}

// Rank is the slice and the index of a position with stones of both sides.
func (g *Game) Rank(p Position) (bitboard.Slice, uint64) {
	own, opp := bits.OnesCount64(p.Own), bits.OnesCount64(p.Opp)
	return slice(own, opp), g.index.rankPosition(p, own, opp)
}

// RankAll is Rank of many positions. Neighbours with the same leading set share
// what it takes to rank that.
func (g *Game) RankAll(dst []bitboard.Ref, positions []Position) []bitboard.Ref {
	x := &g.index
	var f frame
	var last uint64
	var slot bitboard.Slice
	for _, p := range positions {
		own, opp := bits.OnesCount64(p.Own), bits.OnesCount64(p.Opp)
		s := slice(own, opp)
		if own == 0 || opp == 0 {
			dst = append(dst, bitboard.MakeRef(s, 0))
			continue
		}
		if !leads(own, opp) {
			p.Own, p.Opp = p.Opp, p.Own
			own, opp = opp, own
		}
		if p.Own != last || s != slot {
			f, last, slot = x.frame(p.Own, own, opp), p.Own, s
		}
		dst = append(dst, bitboard.MakeRef(s, x.rank(&f, x.apply(f.symmetry, p.Opp))))
	}
	return dst
}

// Unrank gives the position of an index and how many it stands for.
func (g *Game) Unrank(s bitboard.Slice, i uint64) (Position, int) {
	own, opp := counts(s)
	c := g.cursor(own, opp)
	c.seek(i)
	return c.position(leads(own, opp)), g.index.weight(&c.frame, c.set())
}

// Walk yields the positions of [lo, hi) that are no gaps.
func (g *Game) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, Position, int) bool) {
	if lo >= hi {
		return
	}
	own, opp := counts(s)
	c, ownLeads := g.cursor(own, opp), leads(own, opp)
	c.seek(lo)
	for i := lo; ; c.next() {
		if w := g.index.weight(&c.frame, c.set()); w != 0 && !yield(i, c.position(ownLeads), w) {
			return
		}
		if i++; i == hi {
			return
		}
	}
}
