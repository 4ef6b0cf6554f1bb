package bitboard

import (
	"iter"
	"math/bits"
)

// Chosen goes over the indices i of [lo, hi) whose bit i-lo is set in chosen, in order: for
// games that are a ChosenWalker.
func Chosen(lo, hi uint64, chosen []uint64) iter.Seq[uint64] {
	return func(yield func(i uint64) bool) {
		for k := uint64(0); lo+64*k < hi; k++ {
			for rest := chosen[k]; rest != 0; rest &= rest - 1 {
				i := lo + 64*k + uint64(bits.TrailingZeros64(rest))
				if i >= hi || !yield(i) {
					return
				}
			}
		}
	}
}
