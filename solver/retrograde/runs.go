package retrograde

import (
	"iter"
	"math/bits"
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

// A sorter puts references in order. It is for one goroutine.
type sorter struct {
	spare  []bitboard.Ref
	counts [1 << digitBits]uint32
}

const (
	digitBits = 11      // sorted by at a time
	fewToSort = 1 << 10 // references are sorted faster by comparing them
)

// inOrder puts references in order, each of them once: kernels are faster on rising indices,
// and a position may wait for several of its turns. What it returns is good until the next
// call, and refs is not any more.
func (s *sorter) inOrder(refs []bitboard.Ref) []bitboard.Ref {
	if len(refs) < fewToSort {
		slices.Sort(refs)
		return slices.Compact(refs)
	}
	var differ bitboard.Ref // bits in which not all are alike
	for _, r := range refs {
		differ |= r ^ refs[0]
	}
	s.spare = slices.Grow(s.spare[:0], len(refs))
	from, to := refs, s.spare[:len(refs)]
	for shift := bits.TrailingZeros64(uint64(differ)); differ>>shift != 0; shift += digitBits {
		s.byDigit(to, from, shift)
		from, to = to, from
	}
	s.spare = to
	return slices.Compact(from)
}

// byDigit copies references in the order of the digit at a shift, and those of one digit in
// the order that they have.
func (s *sorter) byDigit(to, from []bitboard.Ref, shift int) {
	clear(s.counts[:])
	for _, r := range from {
		s.counts[r>>shift&(1<<digitBits-1)]++
	}
	sum := uint32(0)
	for digit, many := range s.counts {
		s.counts[digit] = sum
		sum += many
	}
	for _, r := range from {
		next := &s.counts[r>>shift&(1<<digitBits-1)]
		to[*next] = r
		*next++
	}
}
