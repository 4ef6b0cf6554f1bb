package placement

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"paika/bitboard/ranking"
)

// choose is what ranks are sums of.
var choose = func() *ranking.Binomials {
	c := new(ranking.Binomials)
	c.Fill()
	return c
}()

func ways(n, k int) uint64 { return choose.Ways(n, k) }

// rankSet numbers a set among those of its size on the free points: the sum over
// its points, rising, of the ways to choose that many of the free ones below.
func rankSet(set, free uint64) (rank uint64) {
	for k := 1; set != 0; k++ {
		low := set & -set
		rank += choose[k-1][bits.OnesCount64(free&(low-1))]
		set ^= low
	}
	return rank
}

// unrankSet undoes rankSet for sets of so many points.
func unrankSet(rank uint64, count int, free uint64) (set uint64) {
	below := bits.OnesCount64(free)
	for ; count > 0; count-- {
		high := uint64(1) << (63 - bits.LeadingZeros64(free))
		for below--; choose[count-1][below] > rank; below-- {
			free ^= high
			high = 1 << (63 - bits.LeadingZeros64(free))
		}
		free ^= high
		set |= high
		rank -= choose[count-1][below]
	}
	return set
}

// A symmetry maps a set of points: the images of the points in each byte of it.
type symmetry struct {
	spread  [8][256]uint64
	inverse int // number of the symmetry that undoes it
}

func (s *symmetry) apply(set uint64) (image uint64) {
	for b := range s.spread {
		image |= s.spread[b][set>>(8*b)&255]
	}
	return image
}

// maxSymmetries is a power of 2, so that a class and a symmetry share a word.
const (
	symmetryBits  = 4
	maxSymmetries = 1 << symmetryBits
)

// newSymmetries takes up maps of points, the identity in front.
func newSymmetries(maps [][]int, kinds []Kind) ([]symmetry, error) {
	if len(maps) >= maxSymmetries {
		return nil, fmt.Errorf("%d symmetries: want fewer than %d", len(maps), maxSymmetries)
	}
	all := make([]symmetry, 1+len(maps))
	for m := range all {
		for n := range 64 {
			to := n
			if m > 0 && n < len(maps[m-1]) {
				to = maps[m-1][n]
			}
			if to < 0 || to > 63 {
				return nil, fmt.Errorf("a symmetry takes point %d to %d: want 0 to 63", n, to)
			}
			for b := range 256 {
				if b>>(n%8)&1 != 0 {
					all[m].spread[n/8][b] |= 1 << to
				}
			}
		}
		for _, k := range kinds {
			if all[m].apply(k.Region) != k.Region {
				return nil, errors.New("a symmetry does not keep the region of a kind")
			}
		}
	}
	for m := range all {
		if all[m].inverse = slices.IndexFunc(all, func(back symmetry) bool { return undoes(&back, &all[m]) }); all[m].inverse < 0 {
			return nil, errors.New("the symmetries are no group: one of them is undone by none")
		}
	}
	for first := range all {
		for then := range all {
			if !lists(all, &all[first], &all[then]) {
				return nil, errors.New("the symmetries are no group: one after another comes to none of them")
			}
		}
	}
	return all, nil
}

// lists tells whether one of the symmetries is one after another.
func lists(all []symmetry, first, then *symmetry) bool {
	for m := range all {
		n := 0
		for n < 64 && all[m].apply(1<<n) == then.apply(first.apply(1<<n)) {
			n++
		}
		if n == 64 {
			return true
		}
	}
	return false
}

func undoes(back, there *symmetry) bool {
	for n := range 64 {
		if back.apply(there.apply(1<<n)) != 1<<n {
			return false
		}
	}
	return true
}

// mostLeading bounds the sets of which classes are listed.
const mostLeading = 1 << 20

type classesKey struct {
	zone  uint64
	count int
}

// classes numbers the sets of so many points of a zone up to symmetry.
type classes struct {
	entries         []uint32 // by rank of the set: its class, and in the lowest bits a symmetry that takes it to the representative
	representatives []uint64 // by class
	fixers          []uint16 // by class: a bit for every symmetry but the identity that fixes the representative
}

// classesOf lists them once.
func (x *Space[P]) classesOf(zone uint64, count int) *classes {
	x.making.Lock()
	defer x.making.Unlock()
	key := classesKey{zone, count}
	if c := x.classes[key]; c != nil {
		return c
	}
	const unseen = ^uint32(0)
	c := &classes{entries: slices.Repeat([]uint32{unseen}, int(ways(bits.OnesCount64(zone), count)))}
	for rank := range c.entries {
		if c.entries[rank] == unseen {
			x.addClass(c, zone, unrankSet(uint64(rank), count, zone))
		}
	}
	x.classes[key] = c
	return c
}

// addClass makes a set the representative of a new class.
func (x *Space[P]) addClass(c *classes, zone, set uint64) {
	class := uint32(len(c.representatives))
	var fixers uint16
	for m := len(x.symmetries) - 1; m >= 0; m-- {
		image := x.symmetries[m].apply(set)
		if image == set && m != 0 {
			fixers |= 1 << m
		}
		// The inverse takes the image back to the representative.
		c.entries[rankSet(image, zone)] = class<<symmetryBits | uint32(x.symmetries[m].inverse)
	}
	c.representatives = append(c.representatives, set)
	c.fixers = append(c.fixers, fixers)
}
