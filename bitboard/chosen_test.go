package bitboard

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Chosen goes over what is set, between its bounds alone, and stops where it is told to.
func TestChosenGoesOverWhatIsSet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	chosen := []uint64{random.Uint64(), 0, random.Uint64() | 1<<63}
	for _, lo := range []uint64{0, 5, 64} {
		for many := range uint64(193) {
			var want, got []uint64
			for i := range many {
				if chosen[i/64]>>(i%64)&1 != 0 {
					want = append(want, lo+i)
				}
			}
			for i := range Chosen(lo, lo+many, chosen) {
				got = append(got, i)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("[%d, %d): %v, want %v", lo, lo+many, got, want)
			}
		}
	}
	for i := range Chosen(0, 192, []uint64{1, 1, 1}) {
		if i == 64 {
			break
		}
	}
}
