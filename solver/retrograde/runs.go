package retrograde

import (
	"iter"
	"slices"

	"paika/bitboard"
)

// runs cuts references in runs that lie in one slice, and gives their indices
// in a buffer that is used again for the next run.
func runs(refs []bitboard.Ref, buffer *[]uint64) iter.Seq2[bitboard.Slice, []uint64] {
	return func(yield func(bitboard.Slice, []uint64) bool) {
		for len(refs) > 0 {
			s := refs[0].Slice()
			*buffer = (*buffer)[:0]
			for len(refs) > 0 && refs[0].Slice() == s {
				*buffer = append(*buffer, refs[0].Index())
				refs = refs[1:]
			}
			if !yield(s, *buffer) {
				return
			}
		}
	}
}

// inOrder puts references in order, in place, each of them once: kernels are faster
// on rising indices, and a position may wait for several of its turns.
func inOrder(refs []bitboard.Ref) []bitboard.Ref {
	slices.Sort(refs)
	return slices.Compact(refs)
}
