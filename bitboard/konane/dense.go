package konane

import (
	"math/bits"
	"unsafe"

	"paika/bitboard"
)

// A dense set is a set of points of one colour on a board of at most 64 points: bit i
// is the i-th point of the colour. Of two sets of as many points, the one of lower rank
// is the lower number.
type dense uint64

// A board of at most 64 points has at most maxDense of a colour, in denseBytes bytes.
const (
	maxDense   = 32
	denseBytes = maxDense / 8
)

// densely packs a set of points of one colour, the i-th of which is 2i or 2i+1.
func densely(s Word) dense {
	d := uint64(s|s>>1) & 0x5555555555555555
	d = (d | d>>1) & 0x3333333333333333
	d = (d | d>>2) & 0x0f0f0f0f0f0f0f0f
	d = (d | d>>4) & 0x00ff00ff00ff00ff
	d = (d | d>>8) & 0x0000ffff0000ffff
	return dense((d | d>>16) & 0x00000000ffffffff)
}

// next is the set of the next rank, of a set that has points.
func (d dense) next() dense {
	lowest := d & -d
	risen := d + lowest
	return risen | (d^risen)>>2>>(uint(bits.TrailingZeros64(uint64(d)))&63)
}

// pointOf is the place of a point in dense sets.
func pointOf(point Word) uint8 { return uint8(bits.TrailingZeros64(uint64(point)) / 2) }

// A block is at most 64 dense sets of one size, with ranks that follow each other.
type block struct {
	sets [64]dense
	has  [64]uint64 // by point, which sets have it, a bit each; of anyPoint, which sets are there
}

// anyPoint is no point, but one that all sets of a block have.
const anyPoint = 63

// fill makes the block so many sets from one on, and tells the set that comes next. What has
// tells beyond those means nothing.
func (b *block) fill(d dense, many int) (next dense) {
	for i := range many {
		b.sets[i&63] = d
		d = d.next()
	}
	h := (*[maxDense]uint64)(b.has[:])
	for i := range h {
		h[i] = uint64(b.sets[i]) | uint64(b.sets[i+maxDense])<<maxDense
	}
	transpose(h)
	b.has[anyPoint] = ^uint64(0) >> (64 - uint(many))
	return d
}

// transpose makes two matrices of 32 rows and columns of bits, one in the lower bits of each
// word and one in the upper, what they are with rows and columns exchanged.
func transpose(m *[32]uint64) {
	for side, lower := 16, uint64(0x0000ffff0000ffff); side != 0; side, lower = side/2, lower^lower<<(side/2) {
		for i := 0; i < 32; i = (i + side + 1) &^ side {
			swap := (m[i]>>side ^ m[i+side]) & lower
			m[i] ^= swap << side
			m[i+side] ^= swap
		}
	}
}

// denseSets ranks dense sets and moves them through symmetries, a byte at a time.
type denseSets struct {
	ranks  [denseBytes][maxDense][256]uint32 // by byte, number of points below, and points
	images [][2][denseBytes][256]uint32      // by symmetry, colour, byte, and points
	small  bool                              // no colour has points beyond the second byte
}

// denseSetsBytes is what they take with so many symmetries, in bytes.
func denseSetsBytes(symmetries int) uint64 {
	return uint64(unsafe.Sizeof(denseSets{})) + uint64(symmetries)*uint64(unsafe.Sizeof(denseSets{}.images[0]))
}

// newDenseSets fills the tables for a numbering.
func newDenseSets(x *index[Word]) *denseSets {
	d := &denseSets{
		images: make([][2][denseBytes][256]uint32, len(x.symmetries)),
		small:  len(x.numbers[black]) <= 16,
	}
	for b := range denseBytes {
		for below := range min(8*b+1, maxDense) {
			for points := range 256 {
				j := below
				for rest := points; rest != 0; rest &= rest - 1 {
					d.ranks[b][below][points] += uint32(x.ranks.choose[j][8*b+bits.TrailingZeros8(uint8(rest))])
					j++
				}
			}
		}
	}
	for m := range x.symmetries {
		for colour, numbers := range x.numbers {
			for i, number := range numbers {
				image := uint32(1) << (x.symmetries[m].to[number] / 2)
				for points := range 256 {
					if points>>(i%8)&1 != 0 {
						d.images[m][colour][i/8][points] |= image
					}
				}
			}
		}
	}
	return d
}

// rank is a set's number among those of its size.
func (d *denseSets) rank(s dense) uint64 {
	n1 := bits.OnesCount8(uint8(s))
	rank := uint64(d.ranks[0][0][s&255]) + uint64(d.ranks[1][n1][s>>8&255])
	if d.small {
		return rank
	}
	n2, n3 := bits.OnesCount16(uint16(s)), bits.OnesCount32(uint32(s)&0xffffff)
	return rank + uint64(d.ranks[2][n2][s>>16&255]) + uint64(d.ranks[3][n3][s>>24&255])
}

// image is a set of points of a colour, moved through a symmetry.
func (d *denseSets) image(m int, colour bitboard.Side, s dense) dense {
	t := &d.images[m][colour&1]
	image := t[0][s&255] | t[1][s>>8&255]
	if !d.small {
		image |= t[2][s>>16&255] | t[3][s>>24&255]
	}
	return dense(image)
}

// leastRank is the rank of a set of points of a colour, moved through a symmetry: the least
// that it has there, on points of the colour after, or as an image under one of the fixers,
// a bit each.
func (d *denseSets) leastRank(s dense, colour bitboard.Side, symmetry int, after bitboard.Side, fixers uint8) uint64 {
	if symmetry != 0 {
		s = d.image(symmetry, colour, s)
	}
	least := s
	for ; fixers != 0; fixers &= fixers - 1 {
		least = min(least, d.image(bits.TrailingZeros8(fixers), after, s))
	}
	return d.rank(least)
}

// weightDense is weight on boards of one word.
func weightDense(x *index[Word], p *part, fixers uint8, trail dense) int {
	switch {
	case p.lead+p.trail == 0:
		return 1 // every symmetry fixes the empty board
	case fixers == 0:
		return len(x.symmetries)
	}
	fixing := 1
	for ; fixers != 0; fixers &= fixers - 1 {
		switch image := x.ranks.dense.image(bits.TrailingZeros8(fixers), p.leader.Other(), trail); {
		case image == trail:
			fixing++
		case image < trail:
			return 0
		}
	}
	return len(x.symmetries) / fixing
}

// rankDense is rank on boards of one word.
func rankDense(x *index[Word], p Position[Word], mover bitboard.Side, s *shape) uint64 {
	part := &s.parts[mover&1]
	lead, trail, leader := densely(p.Own), densely(p.Opp), mover
	if !part.ownLeads {
		lead, trail, leader = trail, lead, mover.Other()
	}
	sets, t := x.ranks.dense, x.sets(part.leader, part.lead)
	entry := t.Entries[(leader^part.leader)&1][sets.rank(lead)]
	rank := sets.leastRank(trail, leader.Other(), int(entry&7), part.leader.Other(), t.Fixers[entry>>3])
	return part.base + uint64(entry>>3)*part.per + rank
}
