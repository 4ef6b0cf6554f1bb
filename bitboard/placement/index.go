package placement

import (
	"math/bits"
	"slices"
	"sort"
	"sync"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// part is where pieces of a kind may stand together with the same others.
type part struct {
	kind int
	zone uint64
}

// maxParts is what the counts of a block's key leave room for.
const maxParts = 64 / keyBits

const keyBits = 7

// zones lists the parts by kind.
func zones(kinds []Kind) []part {
	var parts []part
	for i, k := range kinds {
		for rest := k.Region; rest != 0; {
			zone := rest
			for _, other := range kinds {
				if low := rest & -rest; other.Region&low != 0 {
					zone &= other.Region
				} else {
					zone &^= other.Region
				}
			}
			parts = append(parts, part{i, zone})
			rest &^= zone
		}
	}
	return parts
}

// placed is a part with a number of pieces, which have so many ways to stand on
// the points that those placed before leave free.
type placed struct {
	part
	count int
	ways  uint64
}

// block is the positions of a slice that have the same number of pieces in each
// part.
type block struct {
	base    uint64 // index of the first
	size    uint64 // indices
	per     uint64 // indices to a class of the leading set
	lead    placed // empty where every set is too large
	classes *classes
	rest    []placed
}

// slice is its blocks, worked out on first use.
type slice struct {
	once               sync.Once
	blocks             []block
	byCounts           map[uint64]int // number of a block by its key
	indices, positions uint64
}

// slice gives one that may have been asked for before.
func (x *Space[P]) slice(s bitboard.Slice) *slice {
	sl := &x.slices[s]
	sl.once.Do(func() {
		sl.byCounts = make(map[uint64]int)
		x.addBlocks(sl, make([]int, 0, len(x.parts)), x.counts(s))
	})
	return sl
}

// addBlocks adds the blocks that begin with these counts in the first parts and
// have so many pieces of each kind in the others.
func (x *Space[P]) addBlocks(s *slice, counts []int, left Counts) {
	n := len(counts)
	if n == len(x.parts) {
		if left.total() == 0 {
			x.addBlock(s, counts)
		}
		return
	}
	p := x.parts[n]
	free := bits.OnesCount64(p.zone)
	for i, count := range counts {
		if x.parts[i].zone == p.zone {
			free -= count
		}
	}
	for count := min(free, left[p.kind]); count >= 0; count-- {
		next := left
		next[p.kind] -= count
		x.addBlocks(s, append(counts, count), next)
	}
}

func (x *Space[P]) addBlock(s *slice, counts []int) {
	b := block{base: s.indices, per: 1}
	first, most := -1, uint64(0)
	for i, count := range counts {
		if w := ways(bits.OnesCount64(x.parts[i].zone), count); w > most && w <= mostLeading {
			first, most = i, w
		}
	}
	taken := make(map[uint64]int) // points, by zone
	if first >= 0 {
		b.lead = placed{x.parts[first], counts[first], most}
		taken[b.lead.zone] = b.lead.count
	}
	for i, count := range counts {
		if i != first {
			p := placed{part: x.parts[i], count: count}
			p.ways = ways(bits.OnesCount64(p.zone)-taken[p.zone], count)
			taken[p.zone] += count
			b.rest = append(b.rest, p)
			b.per = ranking.Product(b.per, p.ways)
		}
	}
	b.classes = x.classesOf(b.lead.zone, b.lead.count)
	b.size = ranking.Product(uint64(len(b.classes.representatives)), b.per)
	s.byCounts[key(counts)] = len(s.blocks)
	s.blocks = append(s.blocks, b)
	s.indices = ranking.Sum(s.indices, b.size)
	s.positions = ranking.Sum(s.positions, ranking.Product(ways(bits.OnesCount64(b.lead.zone), b.lead.count), b.per))
}

// key packs the counts of a block.
func key(counts []int) (k uint64) {
	for _, count := range counts {
		k = k<<keyBits | uint64(count)
	}
	return k
}

// rank is the index of a position in its slice.
func (x *Space[P]) rank(s *slice, sets Sets) uint64 {
	var k uint64
	for _, p := range x.parts {
		k = k<<keyBits | uint64(bits.OnesCount64(sets[p.kind]&p.zone))
	}
	b := &s.blocks[s.byCounts[k]]
	entry := b.classes.entries[rankSet(sets[b.lead.kind]&b.lead.zone, b.lead.zone)]
	class := entry >> symmetryBits
	if m := entry & (maxSymmetries - 1); m != 0 {
		sets = x.image(sets, int(m))
	}
	least := b.restRank(sets)
	for fixers := b.classes.fixers[class]; fixers != 0; fixers &= fixers - 1 {
		least = min(least, b.restRank(x.image(sets, bits.TrailingZeros16(fixers))))
	}
	return b.base + uint64(class)*b.per + least
}

// restRank numbers all sets of a position but the leading one.
func (b *block) restRank(sets Sets) (rank uint64) {
	taken := sets[b.lead.kind] & b.lead.zone
	for _, p := range b.rest {
		set := sets[p.kind] & p.zone
		rank = rank*p.ways + rankSet(set, p.zone&^taken)
		taken |= set
	}
	return rank
}

// image of all sets under a symmetry.
func (x *Space[P]) image(sets Sets, m int) Sets {
	for i := range x.config.Kinds {
		sets[i] = x.symmetries[m].apply(sets[i])
	}
	return sets
}

// weight is the number of positions that the index at a cursor stands for, 0 for
// a gap.
func (x *Space[P]) weight(c *cursor) int {
	fixing := 1
	for fixers := c.block.classes.fixers[c.class]; fixers != 0; fixers &= fixers - 1 {
		image := x.image(c.sets, bits.TrailingZeros16(fixers))
		if image == c.sets {
			fixing++
		} else if c.block.restRank(image) < c.restRank {
			return 0
		}
	}
	return len(x.symmetries) / fixing
}

// A cursor goes from index to index of a slice. What stays from one to the next is
// not looked up again.
type cursor struct {
	slice    *slice
	block    *block
	class    uint64
	restRank uint64
	sets     Sets

	digits [maxParts]uint64 // ranks of the sets of block.rest
	pieces [maxParts]uint64 // those sets
}

func (c *cursor) seek(i uint64) {
	anew := c.block == nil || i < c.block.base || i-c.block.base >= c.block.size
	if anew {
		blocks := c.slice.blocks
		c.block = &blocks[sort.Search(len(blocks), func(n int) bool { return blocks[n].base+blocks[n].size > i })]
	}
	b := c.block
	i -= b.base
	class, rest := i/b.per, i%b.per
	anew = anew || class != c.class
	c.class, c.restRank = class, rest
	var digits [maxParts]uint64
	for j, p := range slices.Backward(b.rest) {
		digits[j], rest = rest%p.ways, rest/p.ways
	}
	taken := b.classes.representatives[class]
	c.sets = Sets{}
	c.sets[b.lead.kind] = taken
	for j, p := range b.rest {
		if anew = anew || digits[j] != c.digits[j]; anew {
			c.digits[j] = digits[j]
			c.pieces[j] = unrankSet(digits[j], p.count, p.zone&^taken)
		}
		taken |= c.pieces[j]
		c.sets[p.kind] |= c.pieces[j]
	}
}
