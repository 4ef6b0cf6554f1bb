package fanorona

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// The numbering of a slice. Call the set of the player with fewer stones (of
// the side to move, where both have as many) the leading set, the other stones
// the trailing set. Symmetries of the board sort the leading sets in classes,
// each with a representative (package ranking): the first of its class in the
// order of rankSet.
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

// index is the part of the numbering that all slices share, and the tables of
// leading sets made so far.
type index struct {
	points uint64
	size   int // points on the board

	choose   ranking.Binomials
	pascal   [64][64]uint64   // the same by n and k: those of neighbouring k lie together
	spreads  []ranking.Spread // a symmetry each, the identity first
	images   [][64]uint64     // the same for single points, by bit number
	inverses []int            // by symmetry, the one that undoes it
	leaning  *ranking.Leaning
	classes  [64]uint64 // of the sets of so many points

	making   sync.Mutex
	leading  [64]atomic.Pointer[ranking.Classes[uint64]] // by number of points
	turnings [64]atomic.Pointer[[][]turning]             // the same, by class
}

func (x *index) init(g *Game) {
	x.points, x.size = g.points, g.board.Points()
	x.choose.Fill()
	for n := range x.pascal {
		for k := range n + 1 {
			x.pascal[n][k] = x.ways(n, k)
		}
	}
	symmetries := g.symmetries()
	for _, to := range symmetries {
		x.spreads = append(x.spreads, *ranking.NewSpread(x.points, func(point int) int { return to[point] }))
		var image [64]uint64
		for rest := x.points; rest != 0; rest &= rest - 1 {
			point := bits.TrailingZeros64(rest)
			image[point] = 1 << to[point]
		}
		x.images = append(x.images, image)
		x.inverses = append(x.inverses, ranking.Inverse(symmetries, to))
	}
	x.leaning = ranking.NewLeaning(g.board, func(p bitboard.Point) int { return bits.TrailingZeros64(g.bit(p.File, p.Rank)) }, symmetries)
	copy(x.classes[:], ranking.Count(symmetries, pointsOf(x.points)))
}

// symmetries lists the maps of the board onto itself that keep its lines, by bit
// number, the identity first. A map keeps them if it takes strong points to
// strong points.
func (g *Game) symmetries() []ranking.Permutation {
	var found []ranking.Permutation
	for _, image := range ranking.Maps(g.board) {
		to := make(ranking.Permutation, 64)
		for bit := range to {
			to[bit] = bit // those that are no points stay
		}
		keeps := true
		for r := range g.board.Height {
			for f := range g.board.Width {
				p := image(bitboard.Point{File: f, Rank: r})
				keeps = keeps && (f+r)%2 == (p.File+p.Rank)%2
				to[bits.TrailingZeros64(g.bit(f, r))] = bits.TrailingZeros64(g.bit(p.File, p.Rank))
			}
		}
		if keeps {
			found = append(found, to)
		}
	}
	return found
}

// pointsOf lists a set's points by bit number, rising.
func pointsOf(set uint64) (points []int) {
	for ; set != 0; set &= set - 1 {
		points = append(points, bits.TrailingZeros64(set))
	}
	return points
}

// ways is the number of sets of k out of n points, below 2^60 for n up to 60.
func (x *index) ways(n, k int) uint64 { return x.choose.Ways(n, k) }

// apply moves a set through a symmetry.
func (x *index) apply(symmetry int, set uint64) uint64 {
	if symmetry == 0 {
		return set
	}
	return x.spreads[symmetry].Apply(set)
}

// Representative is, of a position and its images, the one whose own stones are
// upright or, if these do not lean, whose opponent's stones are. Where neither
// lean, it is the one with the least own set as a number, and of those the one with
// the least set of the opponent's.
func (g *Game) Representative(p Position) Position {
	x := &g.index
	symmetry, leans := x.leaning.Upright(p.Own)
	if !leans {
		symmetry, leans = x.leaning.Upright(p.Opp)
	}
	switch {
	case !leans:
		return x.least(p)
	case symmetry == 0:
		return p
	}
	return Position{Own: x.apply(symmetry, p.Own), Opp: x.apply(symmetry, p.Opp)}
}

// least is the image of a position that is the first by its own set as a number,
// and then by the opponent's.
func (x *index) least(p Position) Position {
	least := p
	for i := 1; i < len(x.spreads); i++ {
		own, opp := x.apply(i, p.Own), x.apply(i, p.Opp)
		if own < least.Own || own == least.Own && opp < least.Opp {
			least = Position{Own: own, Opp: opp}
		}
	}
	return least
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

// unrankSet undoes rankSet for sets of so many points.
func (x *index) unrankSet(rank uint64, size int, free uint64) (set uint64) {
	below := bits.OnesCount64(free)
	for j := size - 1; j >= 0; j-- {
		ways := &x.choose[j&63]
		high := uint64(1) << (63 - bits.LeadingZeros64(free)&63)
		for below--; ways[below&63] > rank; below-- {
			free ^= high
			high = 1 << (63 - bits.LeadingZeros64(free)&63)
		}
		free ^= high
		set |= high
		rank -= ways[below&63]
	}
	return set
}

// sets returns the classes of leading sets of k points, found on first use.
func (x *index) sets(k int) *ranking.Classes[uint64] {
	if t := x.leading[k&63].Load(); t != nil {
		return t
	}
	return x.makeSets(k)
}

func (x *index) makeSets(k int) *ranking.Classes[uint64] {
	x.making.Lock()
	defer x.making.Unlock()
	if t := x.leading[k].Load(); t != nil {
		return t
	}
	t := ranking.NewClasses(ranking.Sets[uint64]{
		Many:     x.ways(x.size, k),
		Classes:  x.classes[k],
		Inverses: x.inverses,
		Each: func(yield func(uint64) bool) {
			c := cursor{index: x, trailing: k}
			c.place(x.points)
			c.first()
			for more := true; more && yield(c.set()); more = c.step() {
			}
		},
		Image: func(set uint64, symmetry int) (uint64, int) { return x.apply(symmetry, set), 0 },
		Rank:  func(set uint64) uint64 { return x.rankSet(set, x.points) },
	})
	x.leading[k].Store(t)
	return t
}

// setsBytes is what the classes of sets of k points take, in bytes.
func (x *index) setsBytes(k int) uint64 {
	return ranking.Sum(ranking.Product(4, x.ways(x.size, k)), ranking.Product(9, x.classes[k]))
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
	entry := t.Entries[0][x.rankSet(set, x.points)]
	class := entry >> 3
	return frame{
		base:     uint64(class) * x.ways(x.size-k, m),
		free:     x.points &^ t.Representatives[class],
		symmetry: int(entry & 7),
		fixers:   t.Fixers[class],
	}
}

// rank is the index of the position with a trailing set, moved through the
// frame's symmetry already. Sets have the order of their ranks as numbers, too.
func (x *index) rank(f *frame, trailing uint64) uint64 {
	least := trailing
	for fixers := f.fixers; fixers != 0; fixers &= fixers - 1 {
		least = min(least, x.apply(bits.TrailingZeros8(fixers), trailing))
	}
	return f.base + x.rankSet(least, f.free)
}

// weight is the number of positions that an index of the frame stands for, or 0
// if another index stands for them.
func (x *index) weight(f *frame, trailing uint64) int {
	if f.fixers == 0 {
		return len(x.spreads)
	}
	fixing := 1
	for fixers := f.fixers; fixers != 0; fixers &= fixers - 1 {
		image := x.apply(bits.TrailingZeros8(fixers), trailing)
		if image == trailing {
			fixing++
		} else if image < trailing {
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
	leading  *ranking.Classes[uint64] // nil while leading sets themselves are numbered
	trailing int                      // stones in the trailing set
	per      uint64                   // trailing sets to a class

	class  uint64
	rank   uint64
	frame  frame
	free   [64]marked     // the free points, rising
	subset ranking.Subset // the trailing set, as positions in free
	upper  [65]marked     // union of the trailing set's points from each one on
}

// marked is a set of points, and the points that these mark in the eyes of whoever
// walks the cursor.
type marked struct{ points, marks uint64 }

func (g *Game) cursor(own, opp int) cursor {
	if !leads(own, opp) {
		own, opp = opp, own
	}
	x := &g.index
	return x.walker(x.sets(own), own, opp)
}

// walker is a cursor over trailing sets of so many points, below leading sets of k.
func (x *index) walker(leading *ranking.Classes[uint64], k, trailing int) cursor {
	return cursor{index: x, leading: leading, trailing: trailing, per: x.ways(x.size-k, trailing), frame: frame{base: nowhere}}
}

// place sets the free points.
func (c *cursor) place(free uint64) {
	count := 0
	for rest := free; rest != 0; rest &= rest - 1 {
		c.free[count] = marked{points: rest & -rest}
		count++
	}
	c.subset.Start(count, c.trailing)
}

// first goes to the first trailing set.
func (c *cursor) first() {
	c.rank = 0
	c.subset.First()
	c.unite(c.trailing - 1)
}

// unite puts the trailing set's points together anew, from point j down.
func (c *cursor) unite(j int) {
	for ; j >= 0; j-- {
		c.upper[j] = c.upper[j+1].with(&c.free[c.subset.At(j)&63])
	}
}

// with is the union of both.
func (m marked) with(more *marked) marked {
	return marked{m.points | more.points, m.marks | more.marks}
}

// set is the trailing set.
func (c *cursor) set() uint64 { return c.upper[0].points }

// step goes to the next trailing set. After the last it tells false.
func (c *cursor) step() bool {
	c.rank++
	if c.subset.Rise() {
		c.upper[0] = c.upper[1].with(&c.free[c.subset.At(0)&63])
		return true
	}
	changed := c.subset.Next()
	if changed == c.trailing {
		return false
	}
	c.unite(changed)
	return true
}

// near is how far ahead stepping is cheaper than seeking.
const near = 32

// nowhere is far from every index and rank.
const nowhere = 1 << 63

// seek goes to an index of the slice.
func (c *cursor) seek(i uint64) {
	if i-c.frame.base >= c.per {
		c.enter(i / c.per)
	} else if ahead := i - c.frame.base - c.rank; ahead < near {
		c.skip(ahead)
		return
	}
	c.rank = i - c.frame.base
	c.subset.Seek(&c.index.choose, c.rank)
	c.unite(c.trailing - 1)
}

// skip goes so many indices ahead, which must be in the class.
func (c *cursor) skip(ahead uint64) {
	c.rank += ahead
	c.unite(c.subset.Skip(int(ahead)))
}

// stretch is how many indices there are from here on, the cursor's among them, at which the
// trailing set has other lowest stones alone.
func (c *cursor) stretch() int { return c.subset.At(1) - c.subset.At(0) }

// setWith is the trailing set with its lowest stone at the first of some places, by their
// numbers among the free points.
func (c *cursor) setWith(places uint64) uint64 {
	return c.upper[1].points | c.free[bits.TrailingZeros64(places)&63].points
}

// withoutGaps picks the places at which the cursor's lowest stone makes a position.
func (c *cursor) withoutGaps(places uint64) (positions uint64) {
	if c.frame.fixers == 0 {
		return places
	}
	for ; places != 0; places &= places - 1 {
		if c.index.weight(&c.frame, c.setWith(places)) != 0 {
			positions |= places & -places
		}
	}
	return positions
}

// enter goes to a class, and there to no trailing set yet.
func (c *cursor) enter(class uint64) {
	c.class, c.rank = class, nowhere
	c.frame = frame{
		base:   class * c.per,
		free:   c.index.points &^ c.leading.Representatives[class],
		fixers: c.leading.Fixers[class],
	}
	c.place(c.frame.free)
}

// next goes to the index that follows, which must be in the slice.
func (c *cursor) next() {
	if !c.step() {
		c.seek((c.class + 1) * c.per)
	}
}

// ranksWithout sets the ranks of the trailing set without one of its lowest stones, for
// so many of them.
func (c *cursor) ranksWithout(ranks *[64]uint64, many int) {
	ways := &c.index.pascal
	var rank uint64
	for j := 1; j < c.trailing; j++ {
		rank += ways[c.subset.At(j)&63][j&63]
	}
	ranks[0] = rank
	for j := 1; j < many; j++ {
		rank += ways[c.subset.At(j-1)&63][j&63] - ways[c.subset.At(j)&63][j&63]
		ranks[j&63] = rank
	}
}

// position is where the cursor stands in the slice of (own, opp) stones.
func (c *cursor) position(ownLeads bool) Position {
	lead, trail := c.leading.Representatives[c.class], c.set()
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
		return 0, fmt.Errorf("slice %s: want OWNvOPPONENT in stones, such as 3v2, at least one each and at most %d together", bitboard.Quote(name), g.index.size)
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
	return ranking.Product(g.index.classes[small], g.index.ways(g.index.size-small, large))
}

// Resembles is the slice with a stone less of each side, so that neither gains on the
// other, or with one less of those that one side has more of.
func (g *Game) Resembles(s bitboard.Slice) (smaller bitboard.Slice, exists bool) {
	own, opp := counts(s)
	if own == 1 && opp == 1 {
		return s, false
	}
	return slice(max(own-1, 1), max(opp-1, 1)), true
}

// KernelBytes is what classes of leading sets and their steps take, in bytes.
func (g *Game) KernelBytes(s bitboard.Slice) (bytes uint64) {
	own, opp := counts(s)
	for k := 1; k <= min(own, opp); k++ {
		bytes = ranking.Sum(bytes, ranking.Sum(g.index.setsBytes(k), g.turningsBytes(k)))
	}
	return bytes
}

// Positions is the number of positions in the slice with no symmetry taken out,
// or the highest number of 64 bits where that is less.
func (g *Game) Positions(s bitboard.Slice) uint64 {
	own, opp := counts(s)
	return ranking.Product(g.index.ways(g.index.size, own), g.index.ways(g.index.size-own, opp))
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
	ownLeads := leads(own, opp)
	if !ownLeads {
		own, opp = opp, own
	}
	x := &g.index
	sets, per := x.sets(own), x.ways(x.size-own, opp)
	class, rank := i/per, i%per
	lead := sets.Representatives[class]
	f := frame{base: class * per, free: x.points &^ lead, fixers: sets.Fixers[class]}
	trail := x.unrankSet(rank, opp, f.free)
	weight := x.weight(&f, trail)
	if !ownLeads {
		lead, trail = trail, lead
	}
	return Position{lead, trail}, weight
}

// Tally counts whole words of values where no symmetry fixes the leading set.
func (g *Game) Tally(s bitboard.Slice, values bitboard.Packed, lo, hi uint64) (positions [3]uint64, filled uint64) {
	first := lo &^ 31
	for c := g.cursor(counts(s)); lo < hi; {
		c.enter(lo / c.per)
		end := min(hi, c.frame.base+c.per)
		if c.frame.fixers == 0 {
			many := values.Count(lo-first, end-first)
			for v := range positions {
				positions[v] += many[v] * uint64(len(g.index.spreads))
			}
			lo = end
			continue
		}
		for c.seek(lo); lo < end; lo++ {
			weight, v := g.index.weight(&c.frame, c.set()), values.At(lo-first)
			if weight == 0 && v != bitboard.Draw {
				filled++
			}
			positions[v] += uint64(weight)
			c.step()
		}
	}
	return positions, filled
}

// WalkChosen yields the positions of [lo, hi) that are chosen and no gaps.
func (g *Game) WalkChosen(s bitboard.Slice, lo, hi uint64, chosen []uint64, yield func(uint64, Position, int) bool) {
	own, opp := counts(s)
	c, ownLeads := g.cursor(own, opp), leads(own, opp)
	for i := range bitboard.Chosen(lo, hi, chosen) {
		c.seek(i)
		if w := g.index.weight(&c.frame, c.set()); w != 0 && !yield(i, c.position(ownLeads), w) {
			return
		}
	}
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
