package fanorona

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
)

// Whatever stands in the tables below, a settler comes to the values of Settle: with no
// room, with the least in which rows find place, with the most that is of use, and with what
// lies between.
func TestSettlersComeToTheValuesOfSettle(t *testing.T) {
	random, byRows := rand.New(rand.NewPCG(3, 4)), 0
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
				lo := random.Uint64N(g.Indices(s))
				compareSettling(t, g, s, lo, &known, nil)
				least, most := g.SettleRoom(s)
				if most == 0 {
					continue
				}
				byRows++
				for _, words := range []uint64{least, least + 1, most - 1, most, least + random.Uint64N(most-least+1), (9*least + most) / 10} {
					compareSettling(t, g, s, lo, &known, make([]uint64, max(least, words)))
				}
			}
		}
	}
	if byRows < 20 {
		t.Errorf("%d slices were settled by rows", byRows)
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

// compareSettling looks at some thousand indices from lo on.
func compareSettling(t *testing.T, g *Game, s bitboard.Slice, lo uint64, known *[bitboard.MaxSlices]bitboard.Packed, room []uint64) {
	t.Helper()
	settler := g.Settler(s, known, room)
	hi := min(lo+5000, g.Indices(s))
	first := lo &^ 31
	best := make(bitboard.Packed, bitboard.PackedWords(hi-first))
	var inside, counted uint64
	for from := lo; from < hi; {
		to, err := settler.Ready(from, runInOrder)
		if err != nil {
			t.Fatal(err)
		}
		for to = min(to, hi); from < to; {
			next := min(from&^31+2048, to)
			inside += settler.Settle(best[(from-first)/32:], from, next)
			from = next
		}
	}
	var all bitboard.Edges
	g.Settle(s, lo, hi, &all)
	weights := g.Weights(nil, s, lo, hi)
	for k, fate := range all.Fates {
		if got, want := best.At(lo-first+uint64(k)), settledValue(&all, k, known); got != want {
			t.Fatalf("%v %v, slice %s, index %d, %d words of room: %v, want %v", g.board, g.rules, g.SliceName(s), lo+uint64(k), len(room), got, want)
		}
		if fate == bitboard.Open || fate == bitboard.Lost || fate == bitboard.Drawn {
			counted += uint64(weights[k])
		}
	}
	if inside != counted {
		t.Fatalf("%v %v, slice %s from index %d on: %d positions inside, want %d", g.board, g.rules, g.SliceName(s), lo, inside, counted)
	}
}

// runInOrder is a bitboard.Run.
func runInOrder(parts uint64, do func(part uint64)) error {
	for part := range parts {
		do(part)
	}
	return nil
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
