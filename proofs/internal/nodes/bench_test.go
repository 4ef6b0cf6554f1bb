package nodes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/proofs/internal/nodes"
)

// BenchmarkFind measures how long it takes to find a member of a set that is much larger than the
// caches, one by one and many at a time.
func BenchmarkFind(b *testing.B) {
	const members = 1 << 24
	s := nodes.NewValued[[2]uint64](1 << 30)
	defer s.Free()
	at := func(i uint64) ([2]uint64, bitboard.Side) { return [2]uint64{i, i * i}, bitboard.Side(i & 1) }
	for i := range uint64(members) {
		p, side := at(i)
		if _, _, err := s.Add(p, side); err != nil {
			b.Fatal(err)
		}
	}
	for _, many := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("together=%d", many), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			var asked [64]uint64
			for done := 0; b.Loop(); done++ {
				if done%many != 0 {
					continue
				}
				for j := range asked[:many] {
					asked[j] = rng.Uint64N(members)
				}
				s.FindAll(many, func(i int) ([2]uint64, bitboard.Side) { return at(asked[i]) }, func(i int, number uint64, found bool) {
					if !found || number != asked[i] {
						b.Fatalf("member %d is found: %t, as %d", asked[i], found, number)
					}
				})
			}
		})
	}
}
