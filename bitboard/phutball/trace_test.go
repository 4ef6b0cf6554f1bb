package phutball

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
)

// Turns are traced to where the fine contract has them begin, whatever the set, and what its
// bits at gaps say makes no difference.
func TestTraceFindsWhereTurnsBegin(t *testing.T) {
	for _, board := range append([]string{"1x7", "2x4", "6x3"}, smallBoards...) {
		for _, rules := range allRules {
			t.Run(board+" "+rules.String(), func(t *testing.T) {
				t.Parallel()
				testTrace(t, newGame(t, board, rules))
			})
		}
	}
}

func testTrace(t *testing.T, g *Game) {
	if g.TraceRoom(all) == 0 {
		if g.index.points > lowerPoints {
			t.Fatal("no room, and the board is large enough")
		}
		return
	}
	rng := rand.New(rand.NewPCG(1, 0))
	n := g.Indices(all)
	step := 1 + n>>14 // not all of them, where there are many
	set, dst := make([]uint64, n/64), slices.Repeat([]uint64{rng.Uint64()}, int(n/64))
	room := slices.Repeat([]uint64{rng.Uint64()}, int(g.TraceRoom(all)))
	has := func(set []uint64, i uint64) bool { return set[i/64]>>(i%64)&1 != 0 }
	compare := func(want func(turnsAt) bool) {
		t.Helper()
		for i := rng.Uint64N(step); i < n; i += 1 + rng.Uint64N(step) {
			p, weight := g.Unrank(all, i)
			if weight == 0 {
				if has(dst, i) {
					t.Fatalf("index %d is a gap, and traced", i)
				}
				continue
			}
			var turns turnsAt
			turns.fate, turns.refs = turnsOf(g, p)
			if got, want := has(dst, i), want(turns); got != want {
				t.Fatalf("%s: traced is %v, want %v", g.Format(p, 0), got, want)
			}
		}
	}
	for _, share := range []int{3, 97} {
		for i := range n {
			if rng.IntN(100) < share {
				set[i/64] |= 1 << (i % 64)
			} else {
				set[i/64] &^= 1 << (i % 64)
			}
		}
		if err := g.Trace(all, dst, set, room, inOrder); err != nil {
			t.Fatal(err)
		}
		compare(func(turns turnsAt) bool {
			return slices.ContainsFunc(turns.refs, func(r bitboard.Ref) bool { return has(set, r.Index()) })
		})
	}
	if err := g.Trace(all, dst, nil, room, inOrder); err != nil {
		t.Fatal(err)
	}
	compare(func(turns turnsAt) bool { return turns.fate == bitboard.Won })
}
