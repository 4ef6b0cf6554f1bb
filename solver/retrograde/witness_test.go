package retrograde

import (
	"testing"

	"paika/bitboard"
)

// A witness is a turn that leads to no win by the distance. Where some turn never will, the
// position can't lose. Where all are won it has lost, and a settled loss wins.
func TestAWitnessLeadsToNoWinYet(t *testing.T) {
	const distance = 5
	final := bitboard.MakeDepth(bitboard.Win, 21)
	near := bitboard.MakeDepth(bitboard.Win, 5) | inPlay
	far := bitboard.MakeDepth(bitboard.Win, 7) | inPlay
	lost := bitboard.MakeDepth(bitboard.Loss, 6) | inPlay
	open, waiting := bitboard.OpenDepth, witnessMark(17)
	for _, c := range []struct {
		values []bitboard.Depth
		want   int            // which of them is the witness, or one below for none
		value  bitboard.Depth // what is known without one
	}{
		{[]bitboard.Depth{final, open}, 1, 0},
		{[]bitboard.Depth{waiting, near}, 0, 0},
		{[]bitboard.Depth{notLost, near}, 0, 0},
		{[]bitboard.Depth{near, far, final}, 1, 0},
		{[]bitboard.Depth{near, open, far}, 1, 0},
		{[]bitboard.Depth{open, 0}, -1, notLost},
		{[]bitboard.Depth{0, open}, -1, notLost},
		{[]bitboard.Depth{open, lost}, -1, notLost},
		{nil, -1, notLost},
		{[]bitboard.Depth{final, near}, -1, bitboard.MakeDepth(bitboard.Loss, 22)},
		{[]bitboard.Depth{near, near}, -1, bitboard.MakeDepth(bitboard.Loss, 6)},
		{[]bitboard.Depth{bitboard.MakeDepth(bitboard.Loss, 0)}, -1, bitboard.MakeDepth(bitboard.Win, 1)},
		{[]bitboard.Depth{lost, bitboard.MakeDepth(bitboard.Loss, 8), 0, bitboard.MakeDepth(bitboard.Loss, 6), open, final}, -1, bitboard.MakeDepth(bitboard.Win, 7)},
	} {
		turns, want := make([]bitboard.Ref, len(c.values)), c.value
		for i := range turns {
			turns[i] = bitboard.MakeRef(3, uint64(100+i))
		}
		if c.want >= 0 {
			want = witnessMark(turns[c.want])
		}
		if got := result(turns, c.values, distance); got != want {
			t.Errorf("turns to %#x: %#x, want %#x", c.values, got, want)
		}
	}
}

// Marks are neither that of positions that can't lose nor that of those without a witness.
func TestMarksOfWitnessesAreTheirOwn(t *testing.T) {
	seen := make(map[bitboard.Depth]bool)
	for i := range uint64(100_000) {
		mark := witnessMark(bitboard.MakeRef(bitboard.Slice(i%7), i*i))
		if !undecided(mark) || mark == notLost || mark == bitboard.OpenDepth {
			t.Fatalf("mark %#x", mark)
		}
		seen[mark] = true
	}
	if len(seen) < bitboard.MaxDistance*9/10 {
		t.Errorf("%d marks", len(seen))
	}
}
