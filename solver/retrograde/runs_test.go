package retrograde

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
)

// TestSorterSorts puts lists of any length, of one slice and of several, in order, one after the
// other as a worker does.
func TestSorterSorts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var s sorter
	var refs []bitboard.Ref
	for _, many := range []int{0, 1, 5, fewToSort - 1, fewToSort, 3 * fewToSort, 2 * fewToSort, 5 * fewToSort} {
		for _, indices := range []int64{1, 100, 1 << digitBits, 1<<digitBits + 1, 1 << 22, 1 << 40} {
			for _, group := range []int{1, 2} {
				refs = refs[:0]
				for range many {
					refs = append(refs, bitboard.MakeRef(bitboard.Slice(130+63*random.IntN(group)), uint64(random.Int64N(indices))))
				}
				want := slices.Clone(refs)
				slices.Sort(want)
				want = slices.Compact(want)
				if refs = s.inOrder(refs); !slices.Equal(refs, want) {
					t.Fatalf("%d references to %d slices of %d indices are not in order, each of them once", many, group, indices)
				}
			}
		}
	}
}
