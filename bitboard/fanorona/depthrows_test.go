package fanorona

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
)

// Whatever stands in the tables below, a depthSettler comes to the depths of Settle: with
// short distances and with long ones, with the least room in which rows find place, with the
// most that is of use, and with what lies between.
func TestDepthSettlersComeToTheDepthsOfSettle(t *testing.T) {
	random, byRows := rand.New(rand.NewPCG(5, 6)), 0
	for _, size := range [][2]int{{3, 3}, {4, 3}, {5, 3}, {5, 5}} {
		for direction := NoRepeat; direction <= NeverTwice; direction++ {
			rules := Rules{Direction: direction, StalemateDraws: direction == NoRepeatOrReverse}
			g, err := New(bitboard.Board{Width: size[0], Height: size[1]}, rules)
			if err != nil {
				t.Fatal(err)
			}
			for _, longest := range []int{3, 60, 252} {
				var known [bitboard.MaxSlices][]bitboard.Depth
				for own := 1; own <= 4; own++ {
					for opp := 1; opp <= 4; opp++ {
						known[slice(own, opp)] = randomDepths(random, g.Indices(slice(own, opp)), longest)
					}
				}
				for _, s := range []bitboard.Slice{slice(2, 2), slice(4, 2), slice(2, 4), slice(3, 3), slice(3, 1), slice(1, 4)} {
					least, most := g.DepthRoom(s)
					if most == 0 {
						continue
					}
					byRows++
					lo := random.Uint64N(g.Indices(s))
					for _, words := range []uint64{least, most, least + random.Uint64N(most-least+1), (9*least + most) / 10} {
						compareDepths(t, g, s, lo, &known, make([]uint64, max(least, words)))
					}
				}
			}
		}
	}
	if byRows < 60 {
		t.Errorf("%d slices were settled by rows", byRows)
	}
}

// Distances that a number has no bits for are not settled by rows.
func TestDepthSettlersRefuseLongDistances(t *testing.T) {
	g := testGame(t, 5, 5)
	for longest, want := range map[int]bool{0: true, 252: true, 253: false, 1000: false} {
		var known [bitboard.MaxSlices][]bitboard.Depth
		for left := 1; left < 3; left++ {
			known[slice(left, 3)] = make([]bitboard.Depth, g.Indices(slice(left, 3)))
		}
		known[slice(2, 3)][7] = bitboard.MakeDepth(bitboard.Win-bitboard.Value(longest%2)+1, longest)
		_, most := g.DepthRoom(slice(3, 3))
		if _, fits := g.DepthSettler(slice(3, 3), &known, make([]uint64, most)); fits != want {
			t.Errorf("distances up to %d: %v, want %v", longest, fits, want)
		}
	}
}

// randomDepths has wins, losses and draws: who makes the last turn has won.
func randomDepths(random *rand.Rand, indices uint64, longest int) []bitboard.Depth {
	table := make([]bitboard.Depth, indices)
	for i := range table {
		switch distance := random.IntN(longest + 1); {
		case random.IntN(3) == 0:
		case distance%2 == 0:
			table[i] = bitboard.MakeDepth(bitboard.Loss, distance)
		default:
			table[i] = bitboard.MakeDepth(bitboard.Win, distance)
		}
	}
	return table
}

// compareDepths looks at some thousand indices from lo on.
func compareDepths(t *testing.T, g *Game, s bitboard.Slice, lo uint64, known *[bitboard.MaxSlices][]bitboard.Depth, room []uint64) {
	t.Helper()
	settler, fits := g.DepthSettler(s, known, room)
	if !fits {
		t.Fatal("distances are too long")
	}
	hi := min(lo+3000, g.Indices(s))
	depths := make([]bitboard.Depth, hi-lo)
	var inside, counted uint64
	for from := lo; from < hi; {
		to, err := settler.Ready(from, runInOrder)
		if err != nil {
			t.Fatal(err)
		}
		for to = min(to, hi); from < to; {
			next := min(from+1000, to)
			inside += settler.Settle(depths[from-lo:next-lo], from, next)
			from = next
		}
	}
	var all bitboard.Edges
	g.Settle(s, lo, hi, &all)
	weights := g.Weights(nil, s, lo, hi)
	for k, fate := range all.Fates {
		if got, want := depths[k], settledDepth(&all, k, known); got != want {
			t.Fatalf("%v %v, slice %s, index %d, %d words of room: %+v, want %+v", g.board, g.rules, g.SliceName(s), lo+uint64(k), len(room), got.Outcome(), want.Outcome())
		}
		if fate == bitboard.Open || fate == bitboard.Lost || fate == bitboard.Drawn {
			counted += uint64(weights[k])
		}
	}
	if inside != counted {
		t.Fatalf("%v %v, slice %s from index %d on: %d positions inside, want %d", g.board, g.rules, g.SliceName(s), lo, inside, counted)
	}
}

// settledDepth says what the fate of an entry and its edges come to.
func settledDepth(e *bitboard.Edges, k int, known *[bitboard.MaxSlices][]bitboard.Depth) bitboard.Depth {
	switch e.Fates[k] {
	case bitboard.Won:
		return bitboard.MakeDepth(bitboard.Win, 1)
	case bitboard.Lost:
		return bitboard.MakeDepth(bitboard.Loss, 0)
	case bitboard.Open:
		return bitboard.OpenDepth
	case bitboard.ByEdges:
		quickest, slowest, draws := bitboard.MaxDistance, 0, false
		for _, ref := range edgesOf(e, k) {
			switch d := known[ref.Slice()][ref.Index()]; d.Value() {
			case bitboard.Loss:
				quickest = min(quickest, d.Distance())
			case bitboard.Win:
				slowest = max(slowest, d.Distance())
			default:
				draws = true
			}
		}
		switch {
		case quickest < bitboard.MaxDistance:
			return bitboard.MakeDepth(bitboard.Win, quickest+1)
		case !draws:
			return bitboard.MakeDepth(bitboard.Loss, slowest+1)
		}
	}
	return 0
}
