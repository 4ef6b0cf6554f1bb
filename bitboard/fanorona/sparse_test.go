package fanorona

import "testing"

// Held passes by what surely has a capture, and comes to what each position tells, wherever a
// call begins and ends.
func TestHeldPassesByNothing(t *testing.T) {
	for _, c := range []struct {
		board string
		most  int // stones
	}{{"3x3", 7}, {"5x3", 6}, {"4x5", 5}} {
		g := newGame(t, c.board, Rules{})
		for own := 1; own < c.most; own++ {
			for opp := 1; own+opp <= c.most; opp++ {
				s := slice(own, opp)
				n := g.Indices(s)
				want := make([]bool, n)
				g.Walk(s, 0, n, func(i uint64, p Position, _ int) bool {
					want[i] = g.Quiet(p)
					return true
				})
				for _, block := range []uint64{n, 64, 1000} {
					held := make([]uint64, (block+63)/64)
					for lo := uint64(0); lo < n; lo += block {
						hi := min(lo+block, n)
						g.Held(held[:(hi-lo+63)/64], s, lo, hi)
						for i := lo; i < hi; i++ {
							if got := held[(i-lo)/64]>>((i-lo)%64)&1 != 0; got != want[i] {
								t.Fatalf("%s, %s index %d in blocks of %d: held %v, want %v", c.board, g.SliceName(s), i, block, got, want[i])
							}
						}
					}
				}
			}
		}
	}
}
