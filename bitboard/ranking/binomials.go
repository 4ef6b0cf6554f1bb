package ranking

import (
	"math"
	"math/bits"
)

// MaxElements bounds the number of things that subsets are made of.
const MaxElements = 128

// Binomials[j][n] is the number of ways to choose j+1 of n things, or the highest
// number of 64 bits where that is less. Fill works them out; filled, they are safe
// for concurrent use.
type Binomials [MaxElements][MaxElements + 1]uint64

// Fill works them out.
func (c *Binomials) Fill() {
	for n := 1; n <= MaxElements; n++ {
		c[0][n] = uint64(n)
		for j := 1; j < n; j++ {
			c[j][n] = Sum(c[j][n-1], c[j-1][n-1])
		}
	}
}

// Ways is the number of sets of k out of n things.
func (c *Binomials) Ways(n, k int) uint64 {
	switch {
	case k == 0:
		return 1
	case k > n:
		return 0
	}
	return c[k-1][n]
}

// Sum is a+b, or the highest number of 64 bits where that is less.
func Sum(a, b uint64) uint64 {
	if s, carry := bits.Add64(a, b, 0); carry == 0 {
		return s
	}
	return math.MaxUint64
}

// Product is a×b, or the highest number of 64 bits where that is less.
func Product(a, b uint64) uint64 {
	if hi, lo := bits.Mul64(a, b); hi == 0 {
		return lo
	}
	return math.MaxUint64
}
