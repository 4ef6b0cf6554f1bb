package complexity_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/solver/complexity"
)

// plenty is memory that no test needs.
const plenty = 1 << 30

// measured is a game with all that is measured of it.
type measured[P comparable] interface {
	bitboard.Game[P]
	bitboard.Evaluator[P]
}

func open[G, R any](t *testing.T, open func(bitboard.Board, R) (*G, error), width, height int) *G {
	t.Helper()
	var rules R
	g, err := open(bitboard.Board{Width: width, Height: height}, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestStatesAreTheTables compares the formulas with the sizes of the slices.
func TestStatesAreTheTables(t *testing.T) {
	compareStates[fanorona.Position](t, open(t, fanorona.New, 3, 3))
	compareStates[fanorona.Position](t, open(t, fanorona.New, 5, 3))
	compareStates[konane.Position[konane.Word]](t, open(t, konane.New[konane.Word], 4, 4))
	compareStates[konane.Position[konane.Word]](t, open(t, konane.New[konane.Word], 5, 3))
	compareStates[phutball.Position](t, open(t, phutball.New, 3, 5))
}

func compareStates[P comparable](t *testing.T, g measured[P]) {
	t.Helper()
	groups, err := g.Groups()
	if err != nil {
		t.Fatal(err)
	}
	want := new(big.Int)
	for _, group := range groups {
		for _, s := range group.Slices {
			want.Add(want, new(big.Int).SetUint64(g.Positions(s)))
		}
	}
	if got, text := g.States(); got.Cmp(want) != 0 {
		t.Errorf("%T: %v %s, the slices hold %v", g, got, text, want)
	}
}

func TestReachable(t *testing.T) {
	g := open(t, fanorona.New, 3, 3)
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	// 1,012: third-party enumeration of 3x3.
	if n, whole, err := complexity.Reachable(t.Context(), g, start, 1012, plenty); n != 1012 || !whole || err != nil {
		t.Errorf("%d positions, %v, %v", n, whole, err)
	}
	if _, whole, err := complexity.Reachable(t.Context(), g, start, 1011, plenty); whole || err != nil {
		t.Errorf("all of them are within 1,011: %v, %v", whole, err)
	}
}

// TestTheStartCountsToo where it has no turn: it is one more than none.
func TestTheStartCountsToo(t *testing.T) {
	g := open(t, fanorona.New, 3, 3)
	start, _, err := g.Parse("B../.../... w")
	if err != nil {
		t.Fatal(err)
	}
	if turns := g.Turns(nil, start); len(turns) > 0 {
		t.Fatalf("%d turns", len(turns))
	}
	for most := range 3 {
		if n, whole, err := complexity.Reachable(t.Context(), g, start, most, plenty); n != min(most, 1) || whole != (most > 0) || err != nil {
			t.Errorf("at most %d: %d positions, %v, %v", most, n, whole, err)
		}
	}
	if n, whole, err := complexity.Reachable(t.Context(), g, start, 2, 0); n != 0 || whole || err != nil {
		t.Errorf("without memory: %d positions, %v, %v", n, whole, err)
	}
}

// Which player has which colour tells no positions of Konane apart: double jumps let either come to
// the same stones. 105 to 3,516: an enumeration of its own, in another language, by the rules alone.
func TestReachableOfKonane(t *testing.T) {
	for _, c := range []struct {
		width, height int
		opening       konane.OpeningKind
		want          int
	}{
		{7, 2, konane.Traditional, 105},
		{5, 3, konane.Traditional, 1454},
		{5, 3, konane.AnyStone, 3516},
		{7, 1, konane.AnyStone, 36},
		{8, 1, konane.AnyStone, 55},
	} {
		g, err := konane.New[konane.Word](bitboard.Board{Width: c.width, Height: c.height}, konane.Rules{Opening: konane.Opening{Kind: c.opening}})
		if err != nil {
			t.Fatal(err)
		}
		start, _, err := g.Start()
		if err != nil {
			t.Fatal(err)
		}
		type seenAt struct { // by what is written of them
			stones string
			mover  bitboard.Side
		}
		seen := make(map[seenAt]bool)
		var visit func(p konane.Position[konane.Word], s bitboard.Side)
		visit = func(p konane.Position[konane.Word], s bitboard.Side) {
			at := seenAt{g.Format(p, s), g.Mover(p)}
			if seen[at] {
				return
			}
			seen[at] = true
			for _, to := range g.Turns(nil, p) {
				visit(to, s.Other())
			}
		}
		visit(start, 0)
		if n, whole, err := complexity.Reachable(t.Context(), g, start, math.MaxInt, plenty); n != c.want || !whole || err != nil || len(seen) != n {
			t.Errorf("%dx%d: %d positions, %v, %v, want %d, and %d by what is written", c.width, c.height, n, whole, err, c.want, len(seen))
		}
	}
}

// TestPlaysTheSameWithAnyWorkers on each game.
func TestPlaysTheSameWithAnyWorkers(t *testing.T) {
	sameGames[fanorona.Position](t, open(t, fanorona.New, 5, 5), 3)
	sameGames[konane.Position[konane.Word]](t, open(t, konane.New[konane.Word], 5, 5), 3)
	sameGames[phutball.Position](t, open(t, phutball.New, 5, 7), 2)
}

func sameGames[P comparable](t *testing.T, g measured[P], depth int) {
	t.Helper()
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	var want []complexity.Record
	for _, workers := range []int{1, 2, 8} {
		got, err := complexity.Play(t.Context(), g, start, complexity.Options{Games: 12, Depth: depth, Opening: 3, Seed: 5, Workers: workers, Memory: plenty})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%T: other games with %d workers", g, workers)
		}
	}
	other, err := complexity.Play(t.Context(), g, start, complexity.Options{Games: 12, Depth: depth, Opening: 3, Seed: 6, Workers: 2, Memory: plenty})
	if err != nil || reflect.DeepEqual(other, want) {
		t.Errorf("%T: the same games with another seed, %v", g, err)
	}
}

func TestPlayStops(t *testing.T) {
	g := open(t, fanorona.New, 9, 5)
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := complexity.Play(ctx, g, start, complexity.Options{Games: 2, Depth: 1, Workers: 2, Memory: plenty}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := complexity.Play(t.Context(), g, start, complexity.Options{Games: 1, Depth: 1, Workers: 1, Memory: plenty}); err == nil {
		t.Error("one game has no interval")
	}
}

// TestPlayersTakeAWin: with one turn to win, a player who looks
// one turn ahead makes it, from every position of 3x3 with two stones.
func TestPlayersTakeAWin(t *testing.T) {
	g := open(t, fanorona.New, 3, 3)
	s, err := g.ParseSlice("1v1")
	if err != nil {
		t.Fatal(err)
	}
	wins := 0
	g.Walk(s, 0, g.Indices(s), func(_ uint64, p fanorona.Position, _ int) bool {
		if g.Quiet(p) {
			return true
		}
		wins++
		records, err := complexity.Play(t.Context(), g, p, complexity.Options{Games: 2, Depth: 1, Workers: 1, Memory: plenty})
		if err != nil || records[0].Plies() != 1 || records[0].Value != bitboard.Loss {
			t.Errorf("%s: %+v, %v", g.Format(p, 0), records, err)
		}
		return true
	})
	if wins == 0 {
		t.Error("no position with a win in one")
	}
}

// Who stops while games are measured does not wait for the end of it.
func TestSummariseCanBeStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	game := complexity.Record{Branching: []int{10}, Ended: true, Value: bitboard.Loss}
	if _, err := complexity.Summarise(ctx, slices.Repeat([]complexity.Record{game}, 100)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestSummarise measures games whose numbers can be done in the head.
func TestSummarise(t *testing.T) {
	same := complexity.Record{Branching: []int{10, 10, 10}, Ended: true, Value: bitboard.Loss, Nodes: 7}
	m, err := complexity.Summarise(t.Context(), []complexity.Record{same, same})
	if err != nil {
		t.Fatal(err)
	}
	sure := func(x float64) complexity.Interval { return complexity.Interval{Mean: x, Low: x, High: x} }
	if m.Plies != sure(3) || m.Branching != sure(10) || m.Tree != sure(3) || m.Product != sure(3) || m.First != 2 || m.Nodes != 14 {
		t.Errorf("%+v", m)
	}
	short := complexity.Record{Branching: []int{1}, Ended: true, Value: bitboard.Win}
	long := complexity.Record{Branching: []int{100, 100, 1000}}
	if m, err = complexity.Summarise(t.Context(), []complexity.Record{short, long}); err != nil {
		t.Fatal(err)
	}
	if m.Shortest != 1 || m.Longest != 3 || m.Plies.Mean != 2 || m.Second != 1 || m.Endless != 1 {
		t.Errorf("%+v", m)
	}
	if want := 1201.0 / 4; m.Branching.Mean != want || math.Abs(m.Tree.Mean-2*math.Log10(want)) > 1e-12 || m.Product.Mean != 3.5 {
		t.Errorf("%+v", m)
	}
	if got := m.ByPly[1]; got.Games != 1 || got.Interval != sure(100) {
		t.Errorf("%+v", got)
	}
	if m.Tree.Low > m.Tree.Mean || m.Tree.High < m.Tree.Mean || m.Plies.Low >= 2 || m.Plies.High <= 2 {
		t.Errorf("bounds on one side: %+v", m)
	}
}
