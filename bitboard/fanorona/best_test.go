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
			rules := Rules{Direction: direction, StalemateDraws: direction == NoRepeatOrReverse}
			g, err := New(bitboard.Board{Width: size[0], Height: size[1]}, rules)
			if err != nil {
				t.Fatal(err)
			}
			var known [bitboard.MaxSlices]bitboard.Packed
			for own := 1; own <= 4; own++ {
				for opp := 1; opp <= 4; opp++ {
					known[slice(own, opp)] = randomTable(random, g.Indices(slice(own, opp)))
				}
			}
			for _, s := range []bitboard.Slice{slice(2, 2), slice(4, 2), slice(2, 4), slice(3, 3), slice(3, 1), slice(1, 4)} {
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

// compareSettling looks at a run of indices from about lo on.
func compareSettling(t *testing.T, g *Game, s bitboard.Slice, lo uint64, known *[bitboard.MaxSlices]bitboard.Packed) {
	t.Helper()
	lo &^= 31
	hi := min(lo+2000, g.Indices(s))
	var all bitboard.Edges
	g.Settle(s, lo, hi, &all)
	best := make(bitboard.Packed, bitboard.PackedWords(hi-lo))
	best.Set(0, bitboard.Settled) // what was there before is gone
	inside := g.SettleBest(best, s, lo, hi, known)
	var counted uint64
	weights := g.Weights(nil, s, lo, hi)
	for k, fate := range all.Fates {
		if got, want := best.At(uint64(k)), settledValue(&all, k, known); got != want {
			t.Fatalf("%v %v, slice %s, index %d: %v, want %v", g.board, g.rules, g.SliceName(s), lo+uint64(k), got, want)
		}
		if fate == bitboard.Open || fate == bitboard.Lost || fate == bitboard.Drawn {
			counted += uint64(weights[k])
		}
	}
	if inside != counted {
		t.Fatalf("%v %v, slice %s from index %d on: %d positions inside, want %d", g.board, g.rules, g.SliceName(s), lo, inside, counted)
	}
}

// settledValue says what the fate of an entry and its edges come to.
func settledValue(e *bitboard.Edges, k int, known *[bitboard.MaxSlices]bitboard.Packed) bitboard.Value {
	switch e.Fates[k] {
	case bitboard.Won:
		return bitboard.Win
	case bitboard.Lost:
		return bitboard.Loss
	case bitboard.Open:
		return bitboard.Draw
	case bitboard.ByEdges:
		verdict := bitboard.Loss
		for _, ref := range edgesOf(e, k) {
			switch known[ref.Slice()].At(ref.Index()) {
			case bitboard.Loss:
				return bitboard.Win
			case bitboard.Draw:
				verdict = bitboard.Settled
			}
		}
		return verdict
	}
	return bitboard.Settled
}
