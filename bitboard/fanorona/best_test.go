package fanorona

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
)

// Whatever stands in the tables below, SettleBest comes to the values of Settle.
func TestSettleBestComesToTheValuesOfSettle(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{3, 3}, {4, 3}, {5, 3}, {5, 5}} {
		for direction := NoRepeat; direction <= NeverTwice; direction++ {
			g, err := New(bitboard.Board{Width: size[0], Height: size[1]}, Rules{Direction: direction})
			if err != nil {
				t.Fatal(err)
			}
			var known [bitboard.MaxSlices]bitboard.Packed
			for own := 1; own <= 4; own++ {
				for opp := 1; opp <= 4; opp++ {
					known[slice(own, opp)] = randomTable(random, g.Indices(slice(own, opp)))
				}
			}
			for _, s := range []bitboard.Slice{slice(2, 2), slice(4, 2), slice(2, 4), slice(3, 3), slice(3, 1)} {
				compareSettling(t, g, s, random.Uint64N(g.Indices(s)), &known)
			}
		}
	}
}

// randomTable has wins, losses and draws.
func randomTable(random *rand.Rand, indices uint64) bitboard.Packed {
	table := make(bitboard.Packed, bitboard.PackedWords(indices))
	for i := range indices {
		table.Set(i, bitboard.Value(random.IntN(3)))
	}
	return table
}

// compareSettling looks at a run of indices from lo on.
func compareSettling(t *testing.T, g *Game, s bitboard.Slice, lo uint64, known *[bitboard.MaxSlices]bitboard.Packed) {
	t.Helper()
	hi := min(lo+2000, g.Indices(s))
	var all, best bitboard.Edges
	g.Settle(s, lo, hi, &all)
	g.SettleBest(s, lo, hi, known, &best)
	for k := range all.Fates {
		got, want := settledValue(&best, k, known), settledValue(&all, k, known)
		if got != want {
			t.Fatalf("%v %v, slice %s, index %d: %s, want %s", g.board, g.rules, g.SliceName(s), lo+uint64(k), got, want)
		}
	}
}

// settledValue says what the fate of an entry and its edges come to.
func settledValue(e *bitboard.Edges, k int, known *[bitboard.MaxSlices]bitboard.Packed) string {
	switch e.Fates[k] {
	case bitboard.Won:
		return "won"
	case bitboard.ByEdges:
		verdict := "lost"
		for _, ref := range edgesOf(e, k) {
			switch known[ref.Slice()].At(ref.Index()) {
			case bitboard.Loss:
				return "won"
			case bitboard.Draw:
				verdict = "drawn"
			}
		}
		return verdict
	}
	return [...]string{bitboard.Gap: "gap", bitboard.Open: "open", bitboard.Lost: "over and lost", bitboard.Drawn: "over and drawn"}[e.Fates[k]]
}
