package fanorona

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/bitboard/gametest"
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
					known[slice(own, opp)] = gametest.RandomValues(random, g.Indices(slice(own, opp)))
				}
			}
			for _, s := range []bitboard.Slice{slice(2, 2), slice(4, 2), slice(2, 4), slice(3, 3), slice(3, 1), slice(1, 4)} {
				lo := random.Uint64N(g.Indices(s))
				checkSettler(t, g, s, lo, &known, nil)
				least, most := g.SettleRoom(s)
				if most == 0 {
					continue
				}
				byRows++
				for _, words := range []uint64{least, least + 1, most - 1, most, least + random.Uint64N(most-least+1), (9*least + most) / 10} {
					checkSettler(t, g, s, lo, &known, make([]uint64, max(least, words)))
				}
			}
		}
	}
	if byRows < 20 {
		t.Errorf("%d slices were settled by rows", byRows)
	}
}

// largeBoards have rows of bits up to the end of a word, and an even side.
var largeBoards = []bitboard.Board{{Width: 7, Height: 8}, {Width: 6, Height: 9}, {Width: 9, Height: 6}}

// On large boards rows do the same.
func TestSettlersOfLargeBoards(t *testing.T) {
	random, byRows := rand.New(rand.NewPCG(5, 6)), 0
	for i, board := range largeBoards {
		g, err := New(board, Rules{Direction: DirectionRule(i), StalemateDraws: i == 0})
		if err != nil {
			t.Fatal(err)
		}
		var known [bitboard.MaxSlices]bitboard.Packed
		for _, s := range []bitboard.Slice{slice(1, 1), slice(1, 2), slice(2, 1), slice(2, 2), slice(1, 3)} {
			known[s] = gametest.RandomValues(random, g.Indices(s))
		}
		for _, s := range []bitboard.Slice{slice(2, 2), slice(1, 3), slice(3, 1), slice(2, 3)} {
			lo := random.Uint64N(g.Indices(s))
			checkSettler(t, g, s, lo, &known, nil)
			least, most := g.SettleRoom(s)
			if most == 0 {
				continue
			}
			byRows++
			for _, words := range []uint64{least, (least + most) / 2, most} {
				checkSettler(t, g, s, lo, &known, make([]uint64, words))
			}
		}
	}
	if byRows < 9 {
		t.Errorf("%d slices were settled by rows", byRows)
	}
}

func checkSettler(t *testing.T, g *Game, s bitboard.Slice, lo uint64, known *[bitboard.MaxSlices]bitboard.Packed, room []uint64) {
	t.Helper()
	if fits, err := gametest.CompareSettler(g, s, lo, known, room); !fits || err != nil {
		t.Fatalf("%v %v, %d words of room, a settler: %v, %v", g.board, g.rules, len(room), fits, err)
	}
}
