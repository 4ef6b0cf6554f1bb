package phutball

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
)

// inOrder runs the parts of work one after the other, backwards.
func inOrder(parts uint64, do func(part uint64)) error {
	for part := parts; part > 0; part-- {
		do(part - 1)
	}
	return nil
}

func TestSetsFollowTheTurnsOfEveryPosition(t *testing.T) {
	for _, board := range append([]string{"1x4", "1x5", "1x6", "2x3", "2x4"}, smallBoards...) {
		for _, rules := range allRules {
			t.Run(board+" "+rules.String(), func(t *testing.T) {
				t.Parallel()
				testSets(t, newGame(t, board, rules))
			})
		}
	}
}

func testSets(t *testing.T, g *Game) {
	rng := rand.New(rand.NewPCG(1, 0))
	words, room := g.Sets(all)
	universe, set, dst := make([]uint64, words), make([]uint64, words), make([]uint64, words)
	scratch := slices.Repeat([]uint64{rng.Uint64()}, int(room)) // dirty, as a solver's is
	g.FillAll(all, universe, 0, words)

	indices := g.Members(all, nil, universe, 0, words)
	slices.Sort(indices)
	var want []uint64
	g.Walk(all, 0, g.Indices(all), func(i uint64, _ Position, _ int) bool {
		want = append(want, i)
		return true
	})
	if !slices.Equal(indices, want) {
		t.Fatalf("the set of all has %d indices, want %d", len(indices), len(want))
	}

	for _, share := range []int{2, 50, 98} {
		inside := make([]bool, g.Indices(all))
		for i := range inside {
			inside[i] = rng.IntN(100) < share
		}
		g.Collect(all, set, 0, words, func(i uint64) bool { return inside[i] })
		if err := g.Before(all, dst, set, scratch, inOrder); err != nil {
			t.Fatal(err)
		}
		compareSets(t, g, dst, func(fate bitboard.Fate, refs []bitboard.Ref) bool {
			return slices.ContainsFunc(refs, func(r bitboard.Ref) bool { return inside[r.Index()] })
		})
	}
	if err := g.Wins(all, dst, scratch, inOrder); err != nil {
		t.Fatal(err)
	}
	compareSets(t, g, dst, func(fate bitboard.Fate, _ []bitboard.Ref) bool { return fate == bitboard.Won })
}

// compareSets compares a set with the positions whose turns are as wanted.
func compareSets(t *testing.T, g *Game, got []uint64, want func(bitboard.Fate, []bitboard.Ref) bool) {
	t.Helper()
	words := uint64(len(got))
	found := make(map[uint64]bool)
	for _, i := range g.Members(all, nil, got, 0, words) {
		found[i] = true
	}
	again := make([]uint64, words)
	g.Collect(all, again, 0, words, func(i uint64) bool { return found[i] })
	if !slices.Equal(got, again) {
		t.Fatal("the set does not have all images of its members, or has bits that stand for nothing")
	}
	g.Walk(all, 0, g.Indices(all), func(i uint64, p Position, _ int) bool {
		fate, refs := turnsOf(g, p)
		if found[i] != want(fate, refs) {
			t.Fatalf("%s: the set has it is %v, want %v", g.Format(p, 0), found[i], !found[i])
		}
		return true
	})
}
