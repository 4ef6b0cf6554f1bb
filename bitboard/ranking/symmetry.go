package ranking

import (
	"math/bits"
	"slices"

	"paika/bitboard"
)

// maxSymmetries is the number of symmetries of a square.
const maxSymmetries = 8

// Maps lists the maps of a rectangular board onto itself, the identity first:
// mirrored by files, by ranks, both, and, on a square, each of these transposed.
// No two of them are the same.
func Maps(board bitboard.Board) []func(bitboard.Point) bitboard.Point {
	var maps []func(bitboard.Point) bitboard.Point
	w, h := board.Width, board.Height
	for m := range maxSymmetries {
		mirrorFiles, mirrorRanks, transpose := m&1 != 0, m&2 != 0, m&4 != 0
		one := mirrorFiles && w == 1 || mirrorRanks && h == 1 || transpose && w == 1
		if one || transpose && w != h {
			continue
		}
		maps = append(maps, func(p bitboard.Point) bitboard.Point {
			if mirrorFiles {
				p.File = w - 1 - p.File
			}
			if mirrorRanks {
				p.Rank = h - 1 - p.Rank
			}
			if transpose {
				p.File, p.Rank = p.Rank, p.File
			}
			return p
		})
	}
	return maps
}

// A Permutation is a symmetry by the numbers of points: that of each point's
// image.
type Permutation []int

// Inverse is the index, among permutations, of the one that undoes another.
func Inverse(all []Permutation, there Permutation) int {
	return slices.IndexFunc(all, func(back Permutation) bool {
		for n, to := range there {
			if back[to] != n {
				return false
			}
		}
		return true
	})
}

// Count tells how many classes under symmetries there are of the sets of each
// size, from 0 to as many points as are given, by Burnside's lemma: their number
// is the mean number of sets that a symmetry fixes. A set is fixed if it holds
// every cycle of the symmetry whole or not at all. Symmetries must take the points
// given to each other. Sums stop at the highest number of 64 bits; what is counted
// by such a sum is too low.
func Count(all []Permutation, points []int) []uint64 {
	classes := make([]uint64, len(points)+1)
	for _, to := range all {
		fixed := make([]uint64, len(points)+1) // by size of the set
		fixed[0] = 1
		seen := make([]bool, len(to))
		for _, n := range points {
			length := 0
			for ; !seen[n]; n = to[n] {
				seen[n] = true
				length++
			}
			for k := len(points); k >= length && length > 0; k-- {
				fixed[k] = Sum(fixed[k], fixed[k-length])
			}
		}
		for k, ways := range fixed {
			classes[k] = Sum(classes[k], ways)
		}
	}
	for k := range classes {
		classes[k] /= uint64(len(all))
	}
	return classes
}

// A Spread moves sets of points below 64 through a symmetry: the images of the
// points in each byte of a set.
type Spread [8][256]uint64

// NewSpread maps each of some points to its image.
func NewSpread(points uint64, image func(point int) int) *Spread {
	s := new(Spread)
	for ; points != 0; points &= points - 1 {
		n := bits.TrailingZeros64(points)
		for b := range 256 {
			if b>>(n%8)&1 != 0 {
				s[n/8][b] |= 1 << image(n)
			}
		}
	}
	return s
}

// Apply is the image of a set.
func (s *Spread) Apply(set uint64) uint64 {
	image := s[0][set&255] | s[1][set>>8&255] | s[2][set>>16&255] | s[3][set>>24&255]
	if set>>32 == 0 { // on small boards always
		return image
	}
	return image | s[4][set>>32&255] | s[5][set>>40&255] | s[6][set>>48&255] | s[7][set>>56]
}
