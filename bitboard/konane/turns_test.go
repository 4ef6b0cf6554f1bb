package konane

import (
	"testing"

	"paika/bitboard"
)

// Who asks whether the game is over, or for a few turns, has none listed.
func TestTurnsAreCountedWithoutAList(t *testing.T) {
	g := newGame[Quad](t, "16x16", Rules{})
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		all := len(g.Turns(nil, p))
		if all == 0 {
			break
		}
		for _, most := range []int{1, 3, all, all + 1} {
			if got, want := bitboard.CountTurns(g, p, most), min(all, most); got != want {
				t.Fatalf("%d turns up to %d, want %d", got, most, want)
			}
		}
		if bitboard.Over(g, p) {
			t.Fatal("the game is over where there are turns")
		}
		if taken := testing.AllocsPerRun(10, func() { bitboard.Over(g, p) }); taken > 0 {
			t.Fatalf("to tell whether the game is over takes %v allocations", taken)
		}
		p = g.Turns(nil, p)[all/2]
	}
}
