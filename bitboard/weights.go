package bitboard

import "slices"

// AppendWeight appends one weight for so many indices: for kernels whose Weights knows that
// they are alike.
func AppendWeight(dst []uint8, weight uint8, indices uint64) []uint8 {
	start := len(dst)
	dst = slices.Grow(dst, int(indices))[:start+int(indices)]
	for i := range dst[start:] {
		dst[start+i] = weight
	}
	return dst
}
