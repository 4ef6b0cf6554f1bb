package phutball

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
)

// smallBoards have few enough positions to look at each.
var smallBoards = []string{"1x3", "1x9", "2x5", "3x3", "3x4", "4x3", "5x3"}

func TestIndexNumbersEveryPositionOnceUpToMirroring(t *testing.T) {
	for _, board := range smallBoards {
		g := newGame(t, board, Rules{})
		found := make([]int, g.Indices(all))
		everyPosition(g, func(p Position) {
			s, i := g.Rank(p)
			if s != g.SliceOf(p) || i >= uint64(len(found)) {
				t.Fatalf("%s: Rank of %s is %d, %d of %d", board, g.Format(p, 0), s, i, len(found))
			}
			found[i]++
			if _, mirrored := g.Rank(mirrored(g, p)); mirrored != i {
				t.Fatalf("%s: %s has index %d, its mirror image %d", board, g.Format(p, 0), i, mirrored)
			}
		})
		total := 0
		for i, n := range found {
			p, weight := g.Unrank(all, uint64(i))
			if weight != n {
				t.Fatalf("%s: index %d stands for %d positions, want %d", board, i, weight, n)
			}
			if _, back := g.Rank(p); weight > 0 && back != uint64(i) {
				t.Fatalf("%s: Rank(Unrank(%d)) = %d", board, i, back)
			}
			total += n
		}
		if uint64(total) != g.Positions(all) {
			t.Errorf("%s: %d positions, want %d", board, g.Positions(all), total)
		}
	}
}

func mirrored(g *Game, p Position) Position {
	image := func(p Place) Place {
		at := g.grid.where[p]
		at.File = g.grid.board.Width - 1 - at.File
		to, _ := g.grid.PlaceAt(at)
		return to
	}
	q := Position{Ball: image(p.Ball)}
	for at := range Place(g.grid.points) {
		if p.Men.Has(at) {
			q.Men.Flip(image(at))
		}
	}
	return q
}

func TestWalkGivesWhatUnrankGives(t *testing.T) {
	g := newGame(t, "3x4", Rules{})
	n := g.Indices(all)
	next := uint64(0)
	g.Walk(all, 0, n, func(i uint64, p Position, weight int) bool {
		for ; next < i; next++ {
			if _, w := g.Unrank(all, next); w != 0 {
				t.Fatalf("Walk leaves out %d", next)
			}
		}
		if q, w := g.Unrank(all, i); q != p || w != weight {
			t.Fatalf("Walk gives %v, %d at %d, want %v, %d", p, weight, i, q, w)
		}
		next++
		return i < n-5
	})
	if next != n-4 {
		t.Errorf("Walk ends at %d, want %d", next, n-4)
	}
}

func TestGroups(t *testing.T) {
	g := newGame(t, "5x5", Rules{})
	if groups, err := g.Groups(); err != nil || len(groups) != 1 || len(groups[0].Slices) != 1 {
		t.Errorf("Groups() = %v, %v", groups, err)
	}
	if got := g.Pieces(all); got != 25 {
		t.Errorf("%d pieces, want 25: the ball, and men on all other points", got)
	}
	if s, err := g.ParseSlice(g.SliceName(all)); s != all || err != nil {
		t.Errorf("ParseSlice = %v, %v", s, err)
	}
	if _, err := g.ParseSlice("3v2"); err == nil {
		t.Error("ParseSlice(3v2): no error")
	}
	large := newGame(t, "15x19", Rules{})
	if _, err := large.Groups(); err == nil {
		t.Error("15x19 has tables")
	}
	if _, err := large.ParseSlice("all"); err == nil {
		t.Error("15x19 has a slice")
	}
}

// The most points that an index is made for still fit the bounds.
func TestIndicesOfTheLargestBoards(t *testing.T) {
	for _, board := range []string{"4x11", "11x4", "2x21", "1x21", "14x3", "3x14", "6x7"} {
		g := newGame(t, board, Rules{})
		if n := g.Indices(all); n == 0 || n > bitboard.MaxIndices {
			t.Errorf("%s: %d indices", board, n)
		}
		rng := rand.New(rand.NewPCG(4, 0))
		for range 100 {
			i := rng.Uint64N(g.Indices(all))
			if p, weight := g.Unrank(all, i); weight != 0 {
				if _, back := g.Rank(p); back != i {
					t.Fatalf("%s: Rank(Unrank(%d)) = %d", board, i, back)
				}
			}
		}
	}
}

// Numbers of positions are exact as far as 64 bits go, and the highest number beyond.
func TestSizesOfBoardsOfAnySize(t *testing.T) {
	for _, board := range []string{"3x3", "2x21", "15x3", "5x9", "9x5", "7x9", "1x21", "3x20", "4x15", "3x21", "16x4", "4x16", "13x5", "5x13", "8x8", "15x19", "19x21"} {
		g := newGame(t, board, Rules{})
		b := g.Board()
		sets := new(big.Int).Lsh(big.NewInt(1), uint(b.Points()-1))
		for _, c := range []struct {
			what  string
			balls int
			got   uint64
		}{
			{"positions", b.Width * (b.Height - 2), g.Positions(all)},
			{"indices", (b.Width + 1) / 2 * (b.Height - 2), g.Indices(all)},
		} {
			want := uint64(math.MaxUint64)
			if n := new(big.Int).Mul(big.NewInt(int64(c.balls)), sets); n.IsUint64() {
				want = n.Uint64()
			}
			if c.got != want {
				t.Errorf("%s: %d %s, want %d", board, c.got, c.what, want)
			}
		}
	}
}

// kernelOf is what Turns says of an index: its fate, and the indices that its
// turns lead to if it is open and they do not end the game.
func kernelOf(g *Game, i uint64) (bitboard.Fate, []bitboard.Ref) {
	p, weight := g.Unrank(all, i)
	if weight == 0 {
		return bitboard.Gap, nil
	}
	fate, refs := turnsOf(g, p)
	if fate == bitboard.Won {
		refs = nil
	}
	return fate, refs
}

// turnsOf tells whether a turn wins, and the indices that turns lead to.
func turnsOf(g *Game, p Position) (fate bitboard.Fate, refs []bitboard.Ref) {
	fate = bitboard.Open
	for _, q := range g.Turns(nil, p) {
		if !g.over(q) {
			s, to := g.Rank(q)
			refs = append(refs, bitboard.MakeRef(s, to))
		} else if g.Ended(q) == bitboard.Loss {
			fate = bitboard.Won
		}
	}
	return fate, refs
}

func TestKernelAgreesWithTurns(t *testing.T) {
	for _, board := range smallBoards {
		for _, rules := range allRules {
			t.Run(board+" "+rules.String(), func(t *testing.T) {
				t.Parallel()
				testKernel(t, newGame(t, board, rules))
			})
		}
	}
}

func testKernel(t *testing.T, g *Game) {
	n := g.Indices(all)
	var settled, edges bitboard.Edges
	g.Settle(all, 0, n, &settled)
	weights := g.Weights(nil, all, 0, n)
	var open []uint64
	before := map[uint64][]bitboard.Ref{} // open positions with a turn to an index
	for i := range n {
		fate, want := kernelOf(g, i)
		if settled.Fates[i] != fate || settled.Ends[i] != 0 {
			t.Fatalf("index %d: fate %d, want %d", i, settled.Fates[i], fate)
		}
		if _, weight := g.Unrank(all, i); weight != int(weights[i]) {
			t.Fatalf("index %d: weight %d, want %d", i, weights[i], weight)
		}
		if fate != bitboard.Open {
			continue
		}
		open = append(open, i)
		g.Forward(all, []uint64{i}, &edges)
		if got := sorted(edges.Refs); !slices.Equal(got, sorted(want)) {
			t.Fatalf("index %d: %d edges forward, want %d", i, len(got), len(want))
		}
		for _, to := range slices.Compact(sorted(want)) {
			before[to.Index()] = append(before[to.Index()], bitboard.MakeRef(all, i))
		}
	}
	g.Backward(all, open, &edges)
	start := uint32(0)
	for k, i := range open {
		if got := slices.Compact(sorted(edges.Refs[start:edges.Ends[k]])); !slices.Equal(got, before[i]) {
			t.Fatalf("index %d: edges backward to %v, want %v", i, got, before[i])
		}
		start = edges.Ends[k]
	}
}

func sorted(refs []bitboard.Ref) []bitboard.Ref {
	refs = slices.Clone(refs)
	slices.Sort(refs)
	return refs
}
