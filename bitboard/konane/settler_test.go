package konane

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/bitboard/gametest"
)

// Whatever stands in the tables below, settlers come to what Settle does: on boards where
// symmetries keep the colours and on others, with colours of more than 16 points, and where
// one turn takes several stones.
func TestSettlersComeToWhatSettleDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, c := range []randomTables{
		{"1x1", Traditional, 1, 1}, {"1x5", CornerV, 5, 1}, {"3x3", Traditional, 9, 1}, {"4x3", AnyStone, 12, 1}, {"7x1", CornerH, 7, 1},
		{"4x4", MiddleV, 16, 4}, {"5x3", CornerH, 15, 4}, {"3x9", CornerH, 6, 2}, {"6x6", CornerH, 5, 2}, {"7x7", Traditional, 5, 4}, {"8x8", MiddleH, 4, 2}, {"9x7", CornerH, 4, 2},
	} {
		c.each(t, random, func(t *testing.T, g *Game[Word], s bitboard.Slice, values *[bitboard.MaxSlices]bitboard.Packed, depths *[bitboard.MaxSlices][]bitboard.Depth) {
			lo := random.Uint64N(g.Indices(s))
			if g.Pieces(s) < 4 {
				lo = 0
			}
			opening := g.opens(g.Pieces(s))
			if fits, err := gametest.CompareSettler(g, s, lo, values, nil); fits == opening || err != nil {
				t.Errorf("slice %s, a settler: %v, %v", g.SliceName(s), fits, err)
			}
			if fits, err := gametest.CompareDepthSettler(g, s, lo, depths, nil); fits == opening || err != nil {
				t.Errorf("slice %s, a settler of distances: %v, %v", g.SliceName(s), fits, err)
			}
		})
	}
}

// Where a set takes more than a word, the kernel settles.
func TestLargeBoardsHaveNoSettlers(t *testing.T) {
	g := newGame[Pair](t, "9x9", Rules{})
	if _, fits := g.Settler(slice(1, 1), nil, nil); fits {
		t.Error("9x9 has a settler")
	}
	if _, fits := g.DepthSettler(slice(1, 1), nil, nil); fits {
		t.Error("9x9 has a settler of distances")
	}
}

// The next dense set has the next rank, and images and ranks are those of sets.
func TestDenseSets(t *testing.T) {
	for _, board := range []string{"3x3", "4x3", "5x5", "6x6", "8x8", "9x7"} {
		g := newGame[Word](t, board, Rules{})
		x := &g.index
		sets := x.ranks.dense
		for colour := range bitboard.Side(2) {
			numbers := x.numbers[colour]
			for _, k := range []int{1, 2, min(5, len(numbers)), len(numbers)} {
				ways := x.ranks.choose.Ways(len(numbers), k)
				d := densely(x.unrankSet(0, k, numbers))
				for rank := uint64(0); rank < min(ways, 3000); rank++ {
					s := x.unrankSet(rank, k, numbers)
					if d != densely(s) || sets.rank(d) != rank {
						t.Fatalf("%s, set %d of %d points of side %d: %b with rank %d, want %b", board, rank, k, colour, d, sets.rank(d), densely(s))
					}
					for m := range x.symmetries {
						if got, want := sets.image(m, colour, d), densely(s.image(&x.symmetries[m])); got != want {
							t.Fatalf("%s, set %b of side %d: image %d is %b, want %b", board, d, colour, m, got, want)
						}
					}
					d = d.next()
				}
				last := x.unrankSet(ways-1, k, numbers)
				if sets.rank(densely(last)) != ways-1 {
					t.Fatalf("%s, last set of %d points of side %d: rank %d, want %d", board, k, colour, sets.rank(densely(last)), ways-1)
				}
			}
		}
	}
}

// A block has the sets of the next ranks, and tells of each point which of them have it.
func TestBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	var b block
	for range 1000 {
		first, many := dense(random.Uint32()>>random.IntN(31)|1), 1+random.IntN(64)
		next, want := b.fill(first, many), first
		for i := range many {
			if b.sets[i] != want {
				t.Fatalf("%d sets from %b on: number %d is %b, want %b", many, first, i, b.sets[i], want)
			}
			for point := range maxDense {
				if got := b.has[point]>>i&1 != 0; got != (want>>point&1 != 0) {
					t.Fatalf("%d sets from %b on: number %d has point %d: %v, want %v", many, first, i, point, got, !got)
				}
			}
			want = want.next()
		}
		if all := b.has[anyPoint]; next != want || bits.OnesCount64(all) != many || bits.Len64(all) != many {
			t.Fatalf("%d sets from %b on: %b come next, and sets %b are there", many, first, next, all)
		}
	}
}

// randomTables is a board, and of which of its slices there are random tables.
type randomTables struct {
	board   string
	opening OpeningKind
	most    int // stones
	skip    int // slices out of so many, at random
}

// each calls check with slices for which, and for all below, there are random tables.
func (r randomTables) each(t *testing.T, random *rand.Rand, check func(*testing.T, *Game[Word], bitboard.Slice, *[bitboard.MaxSlices]bitboard.Packed, *[bitboard.MaxSlices][]bitboard.Depth)) {
	t.Run(r.board, func(t *testing.T) {
		g := newGame[Word](t, r.board, Rules{Opening: Opening{Kind: r.opening}})
		groups, err := g.Groups()
		if err != nil {
			t.Fatal(err)
		}
		var values [bitboard.MaxSlices]bitboard.Packed
		var depths [bitboard.MaxSlices][]bitboard.Depth
		for _, group := range groups {
			s := group.Slices[0]
			if g.Pieces(s) > r.most {
				break
			}
			values[s] = gametest.RandomValues(random, g.Indices(s))
			depths[s] = gametest.RandomDepths(random, g.Indices(s), 12)
			if random.IntN(r.skip) == 0 {
				check(t, g, s, &values, &depths)
			}
		}
	})
}
