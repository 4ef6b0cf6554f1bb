package fanorona

import (
	"math/rand/v2"
	"testing"
)

// A squeezed set has the numbers of its points, whatever else is in it.
func TestSqueezeNumbersPoints(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		points, set := random.Uint64()|random.Uint64(), random.Uint64()
		s, want, number := newSqueeze(points), uint64(0), 0
		for bit := range 64 {
			if points>>bit&1 != 0 {
				want |= set >> bit & 1 << number
				number++
			}
		}
		if got := s.apply(set); got != want {
			t.Fatalf("points %x of %x: %x, want %x", points, set, got, want)
		}
	}
}
