package fanorona

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/bitboard/gametest"
)

// Patterns laid over trailing sets come to what turns lead to, one by one, whatever the
// tables say: under all rules, from the middle of a leading set on, and where symmetries fix
// many of these.
func TestValueSparseIsALookAhead(t *testing.T) {
	derived := 0
	for _, board := range []bitboard.Board{{Width: 3, Height: 3}, {Width: 5, Height: 3}, {Width: 4, Height: 4}, {Width: 5, Height: 5}} {
		for _, rule := range []DirectionRule{NoRepeat, NoRepeatOrReverse, NeverTwice} {
			g, err := New(board, Rules{Direction: rule, StalemateDraws: rule == NoRepeatOrReverse})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []bitboard.Slice{slice(1, 1), slice(2, 1), slice(1, 2), slice(2, 2), slice(3, 2), slice(2, 3), slice(3, 3), slice(1, 4), slice(2, 4), slice(4, 2)} {
				if checkSparse(t, g, s) {
					derived++
				}
			}
		}
	}
	if derived < 100 {
		t.Errorf("%d slices were derived", derived)
	}
}

// checkSparse tells whether a lookahead pays.
func checkSparse(t *testing.T, g *Game, s bitboard.Slice) (pays bool) {
	t.Helper()
	const most = 1 << 15 // indices that are looked at
	random := rand.New(rand.NewPCG(uint64(s), 1))
	var known [bitboard.MaxSlices]bitboard.Packed
	own, opp := counts(s)
	for left := 1; left < opp; left++ {
		known[slice(left, own)] = mostlyWon(random, g.Indices(slice(left, own)))
	}
	begin, err := g.ValueSparse(s, &known, gametest.RunInOrder)
	if err != nil {
		t.Fatal(err)
	}
	if begin == nil {
		return false
	}
	n := g.Indices(s)
	table, derive := mostlyWon(random, n), begin()
	look := g.ValueTurns(&known)
	lo := min(n, random.Uint64N(64)*64)
	hi := min(n, lo+most)
	want := append(bitboard.Packed(nil), table...)
	for i := lo; i < hi; i++ {
		switch p, weight := g.Unrank(s, i); {
		case weight == 0:
			want.Set(i, bitboard.Draw)
		case !g.Quiet(p):
			seen, _ := look(p, 1<<bitboard.Loss)
			want.Set(i, seen.Verdict())
		}
	}
	for held := make([]uint64, 16); lo < hi; lo += 1000 {
		derive(table[lo/32:], held, lo, min(lo+1000, hi))
	}
	for i := range n {
		if table.At(i) != want.At(i) {
			p, _ := g.Unrank(s, i)
			t.Fatalf("%v, %v: %s: %v, want %v", g.Board(), g.Rules(), g.Format(p, 0), table.At(i), want.At(i))
		}
	}
	return true
}

// On large boards they do the same.
func TestLookaheadsOfLargeBoards(t *testing.T) {
	derived := 0
	for i, board := range largeBoards {
		g, err := New(board, Rules{Direction: DirectionRule(i), StalemateDraws: i == 0})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []bitboard.Slice{slice(1, 1), slice(2, 1), slice(1, 2), slice(2, 2), slice(1, 3), slice(3, 1)} {
			if checkSparse(t, g, s) {
				derived++
			}
			if checkDepths(t, g, s, 9) {
				derived++
			}
		}
	}
	if derived < 36 {
		t.Errorf("%d slices were derived", derived)
	}
}

// Room is told as it is taken.
func TestSparseRoomIsWhatIsTaken(t *testing.T) {
	g := testGame(t, 5, 3)
	for _, s := range []bitboard.Slice{slice(1, 3), slice(2, 2), slice(2, 3), slice(3, 2), slice(3, 3), slice(7, 7)} {
		for _, width := range []uint64{valueWidth, mostWidth} {
			own, opp := counts(s)
			l := g.newLookahead(s, width)
			want, each := l.room()
			if l == nil {
				continue
			}
			if err := l.open(func(uint64, func(uint64)) error { return nil }, nil); err != nil {
				t.Fatal(err)
			}
			var got uint64
			for left := 1; left < opp; left++ {
				got += uint64(len(l.after[left].words))
			}
			if got != want || uint64(len(newForesight(l).found)) != each {
				t.Errorf("%dv%d: %d words, want %d and %d", own, opp, got, want, each)
			}
		}
	}
}
