package fanorona

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/bitboard/gametest"
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
						known[slice(own, opp)] = gametest.RandomDepths(random, g.Indices(slice(own, opp)), longest)
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
						room := make([]uint64, max(least, words))
						if fits, err := gametest.CompareDepthSettler(g, s, lo, &known, room); !fits || err != nil {
							t.Fatalf("%v %v, %d words of room, a settler: %v, %v", g.board, g.rules, len(room), fits, err)
						}
					}
				}
			}
		}
	}
	if byRows < 60 {
		t.Errorf("%d slices were settled by rows", byRows)
	}
}

// On large boards rows do the same.
func TestDepthSettlersOfLargeBoards(t *testing.T) {
	random, byRows := rand.New(rand.NewPCG(7, 8)), 0
	for i, board := range largeBoards {
		g, err := New(board, Rules{Direction: DirectionRule(i), StalemateDraws: i == 0})
		if err != nil {
			t.Fatal(err)
		}
		var known [bitboard.MaxSlices][]bitboard.Depth
		for _, s := range []bitboard.Slice{slice(1, 1), slice(1, 2), slice(2, 1), slice(2, 2), slice(1, 3)} {
			known[s] = gametest.RandomDepths(random, g.Indices(s), 60)
		}
		for _, s := range []bitboard.Slice{slice(2, 2), slice(1, 3), slice(3, 1), slice(2, 3)} {
			least, most := g.DepthRoom(s)
			if most == 0 {
				continue
			}
			byRows++
			lo := random.Uint64N(g.Indices(s))
			for _, words := range []uint64{least, (least + most) / 2, most} {
				if fits, err := gametest.CompareDepthSettler(g, s, lo, &known, make([]uint64, words)); !fits || err != nil {
					t.Fatalf("%v %v, %d words of room, a settler: %v, %v", g.board, g.rules, words, fits, err)
				}
			}
		}
	}
	if byRows < 9 {
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
