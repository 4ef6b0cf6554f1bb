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

	turns := make([]turnsAt, g.Indices(all))
	g.Walk(all, 0, g.Indices(all), func(i uint64, p Position, _ int) bool {
		turns[i].fate, turns[i].refs = turnsOf(g, p)
		return true
	})
	for _, share := range []int{2, 98} {
		inside := make([]bool, g.Indices(all))
		for i := range inside {
			inside[i] = rng.IntN(100) < share
		}
		g.Collect(all, set, 0, words, func(i uint64) bool { return inside[i] })
		if err := g.Before(all, dst, set, scratch, inOrder); err != nil {
			t.Fatal(err)
		}
		compareSets(t, g, dst, func(i uint64) bool {
			return slices.ContainsFunc(turns[i].refs, func(r bitboard.Ref) bool { return inside[r.Index()] })
		})
	}
	if err := g.Wins(all, dst, scratch, inOrder); err != nil {
		t.Fatal(err)
	}
	compareSets(t, g, dst, func(i uint64) bool { return turns[i].fate == bitboard.Won })
}

// turnsAt is what turnsOf says of an index.
type turnsAt struct {
	fate bitboard.Fate
	refs []bitboard.Ref
}

// compareSets compares a set with the positions wanted.
func compareSets(t *testing.T, g *Game, got []uint64, want func(index uint64) bool) {
	t.Helper()
	words := uint64(len(got))
	found := make([]bool, g.Indices(all))
	for _, i := range g.Members(all, nil, got, 0, words) {
		found[i] = true
	}
	again := make([]uint64, words)
	g.Collect(all, again, 0, words, func(i uint64) bool { return found[i] })
	if !slices.Equal(got, again) {
		t.Fatal("the set does not have all images of its members, or has bits that stand for nothing")
	}
	g.Walk(all, 0, g.Indices(all), func(i uint64, p Position, _ int) bool {
		if found[i] != want(i) {
			t.Fatalf("%s: the set has it is %v, want %v", g.Format(p, 0), found[i], !found[i])
		}
		return true
	})
}
