package ranks

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Numbers are those of the plain way, one after the other.
func TestRanksAreNumberedInTheirOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, span := range []uint32{1, 2, 50, 3 * fewest, math.MaxUint32} {
		for _, from := range []uint32{0, 1, 2, 3, 1000} {
			var order Order
			added := make(map[uint32]bool)
			for _, count := range []int{0, 1, fewest, 5 * fewest} {
				for range count {
					rank := from + uint32(random.Uint64N(uint64(min(span, math.MaxUint32-from))+1))
					order.Add(rank)
					added[rank] = true
				}
				next := uint32(0)
				for i, rank := range slices.Sorted(maps.Keys(added)) {
					if i == 0 {
						next = min(max(rank, 1), 2)
					}
					if got := order.Number(rank); got != next {
						t.Fatalf("from %d: rank %d has number %d, want %d", from, rank, got, next)
					}
					next++
				}
				if order.Highest() != max(1, next)-1 {
					t.Errorf("from %d: the highest is %d, want %d", from, order.Highest(), max(1, next)-1)
				}
			}
		}
	}
}

// Ranks without gaps stay as they are, as certificates have them that are written here.
func TestRanksWithoutGapsStay(t *testing.T) {
	for from := uint32(leastFirst); from <= mostFirst; from++ {
		var order Order
		const highest = 3 * fewest
		for rank := uint32(highest); rank > from; rank-- {
			order.Add(rank)
		}
		order.Add(from)
		for rank := from; rank <= highest; rank++ {
			if got := order.Number(rank); got != rank {
				t.Fatalf("from %d: rank %d became %d", from, rank, got)
			}
		}
	}
}

// Ranks that come again take no memory.
func TestRanksThatComeAgainAreHeldOnce(t *testing.T) {
	var order Order
	for i := range uint32(20 * fewest) {
		order.Add(i % fewest)
	}
	if len(order.ranks) >= 2*fewest {
		t.Errorf("%d ranks are held", len(order.ranks))
	}
}
