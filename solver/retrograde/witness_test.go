package retrograde

import (
	"testing"

	"paika/bitboard"
)

// A witness is a turn that leads to no win by the distance. Where some turn never will, the
// position can't lose.
func TestAWitnessLeadsToNoWinYet(t *testing.T) {
	const distance = 5
	final := bitboard.MakeDepth(bitboard.Win, 21)
	near := bitboard.MakeDepth(bitboard.Win, 5) | inPlay
	far := bitboard.MakeDepth(bitboard.Win, 7) | inPlay
	lost := bitboard.MakeDepth(bitboard.Loss, 6) | inPlay
	open, waiting := bitboard.OpenDepth, witnessMark(17)
	for _, c := range []struct {
		values []bitboard.Depth
		want   int // which of them, or one below for none
	}{
		{[]bitboard.Depth{final, open}, 1},
		{[]bitboard.Depth{waiting, near}, 0},
		{[]bitboard.Depth{notLost, near}, 0},
		{[]bitboard.Depth{near, far, final}, 1},
		{[]bitboard.Depth{far, open}, 1}, // may never be won
		{[]bitboard.Depth{open, 0}, -1},
		{[]bitboard.Depth{open, lost}, -1},
	} {
		turns, want := make([]bitboard.Ref, len(c.values)), notLost
		for i := range turns {
			turns[i] = bitboard.MakeRef(3, uint64(100+i))
		}
		if c.want >= 0 {
			want = witnessMark(turns[c.want])
		}
		if got := witness(turns, c.values, distance); got != want {
			t.Errorf("turns to %#x: mark %#x, want %#x", c.values, got, want)
		}
		if v := verdictDepth(c.values, distance); v != 0 && c.want >= 0 {
			t.Errorf("turns to %#x: decided, and there is a witness", c.values)
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
