package fanorona

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/bitboard/gametest"
)

// Patterns come to what turns lead to, one by one, whatever the tables say: with depths that
// nobody could come to, and as many as numbers have bits for.
func TestValueDepthsIsALookAhead(t *testing.T) {
	derived := 0
	for _, board := range []bitboard.Board{{Width: 3, Height: 3}, {Width: 5, Height: 3}, {Width: 4, Height: 4}, {Width: 5, Height: 5}} {
		for _, rule := range []DirectionRule{NoRepeat, NoRepeatOrReverse, NeverTwice} {
			g, err := New(board, Rules{Direction: rule, StalemateDraws: rule == NoRepeatOrReverse})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []bitboard.Slice{slice(1, 1), slice(2, 1), slice(1, 2), slice(2, 2), slice(3, 2), slice(2, 3), slice(3, 3), slice(1, 4), slice(2, 4), slice(4, 2)} {
				for _, longest := range []int{1, 9, 126} {
					if checkDepths(t, g, s, longest) {
						derived++
					}
				}
			}
		}
	}
	if derived < 300 {
		t.Errorf("%d slices were derived", derived)
	}
}

// checkDepths tells whether a lookahead pays.
func checkDepths(t *testing.T, g *Game, s bitboard.Slice, longest int) (pays bool) {
	t.Helper()
	const most = 1 << 13 // indices that are looked at
	random := rand.New(rand.NewPCG(uint64(s), 2))
	var known [bitboard.MaxSlices][]bitboard.Depth
	own, opp := counts(s)
	for left := 1; left < opp; left++ {
		known[slice(left, own)] = mostlyDeep(random, g.Indices(slice(left, own)), longest)
	}
	begin, err := g.ValueDepths(s, &known, gametest.RunInOrder)
	if err != nil {
		t.Fatal(err)
	}
	if begin == nil {
		return false
	}
	n := g.Indices(s)
	table, derive := mostlyDeep(random, n, longest), begin()
	lo := min(n, random.Uint64N(64)*64)
	hi := min(n, lo+most)
	want := slices.Clone(table)
	for i := lo; i < hi; i++ {
		switch p, weight := g.Unrank(s, i); {
		case weight == 0:
			want[i] = 0
		case !g.Quiet(p):
			want[i] = lookAhead(g, p, &known)
		}
	}
	for held := make([]uint64, 16); lo < hi; lo += 1000 {
		derive(table[lo:], held, lo, min(lo+1000, hi))
	}
	for i := range n {
		if table[i] != want[i] {
			p, _ := g.Unrank(s, i)
			t.Fatalf("%v, %v: %s: %v, want %v", g.Board(), g.Rules(), g.Format(p, 0), table[i].Outcome(), want[i].Outcome())
		}
	}
	return true
}

// lookAhead is the depth of a position by those that its turns lead to.
func lookAhead(g *Game, p Position, known *[bitboard.MaxSlices][]bitboard.Depth) bitboard.Depth {
	var after []bitboard.Depth
	for _, q := range g.Turns(nil, p) {
		if q.Own == 0 {
			after = append(after, bitboard.MakeDepth(bitboard.Loss, 0))
			continue
		}
		s, i := g.Rank(q)
		after = append(after, known[s][i])
	}
	verdict, _ := bitboard.VerdictDepth(after)
	return verdict
}

// mostlyDeep makes depths of which most are wins, up to so many turns.
func mostlyDeep(random *rand.Rand, n uint64, longest int) []bitboard.Depth {
	depths := make([]bitboard.Depth, n)
	for i := range depths {
		switch random.IntN(12) {
		case 0:
		case 1:
			depths[i] = bitboard.MakeDepth(bitboard.Loss, random.IntN(longest+1))
		default:
			depths[i] = bitboard.MakeDepth(bitboard.Win, random.IntN(longest+1))
		}
	}
	return depths
}

// More depths than numbers have bits for are derived one by one.
func TestValueDepthsRefusesTooMany(t *testing.T) {
	g := testGame(t, 5, 5)
	for many, want := range map[int]bool{0: true, 255: true, 256: false} {
		var known [bitboard.MaxSlices][]bitboard.Depth
		for left := 1; left < 3; left++ {
			known[slice(left, 3)] = make([]bitboard.Depth, g.Indices(slice(left, 3)))
			for i := range max(0, many-2) { // beside a draw, and a loss at once
				known[slice(left, 3)][i] = bitboard.MakeDepth(bitboard.Win, 30*i)
			}
		}
		if begin, err := g.ValueDepths(slice(3, 3), &known, gametest.RunInOrder); err != nil || begin != nil != want {
			t.Errorf("%d depths: %v, %v, want %v", many, begin != nil, err, want)
		}
	}
}
