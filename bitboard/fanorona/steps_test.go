package fanorona

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/bitboard/gametest"
)

// The edges of steps are ranked by differences. They are those of the plain lists of
// positions, each ranked by itself: in all slices of few stones, with stones of
// either set moving, on boards with 2, 4 and 8 symmetries.
func TestEdgesAreRankedLikePositions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{3, 3}, {4, 3}, {4, 4}, {5, 4}, {5, 5}, {9, 5}, {6, 9}} {
		g := testGame(t, size[0], size[1])
		for own := 1; own <= 5; own++ {
			for opp := 1; opp <= 7-own; opp++ {
				compareEdges(t, g, slice(own, opp), random)
			}
		}
	}
}

// Nine stones far from each other have more than 64 steps, and all may be quiet.
func TestManyStepsAreQuiet(t *testing.T) {
	var p passed
	var steps, want []leadingStep
	for origin := range uint8(9) {
		p.quietTo[origin] = 0xff
		for target := range uint8(9) {
			s := leadingStep{class: uint32(len(steps)), origin: origin, target: target}
			if steps = append(steps, s); target < 8 {
				want = append(want, s)
			}
		}
	}
	if got := p.quietSteps(steps); !slices.Equal(got, want) {
		t.Errorf("of %d steps %d are picked, want %d", len(steps), len(got), len(want))
	}
}

// What the kernel keeps is what it says, and not half of that.
func TestKernelBytesAreWhatTheKernelKeeps(t *testing.T) {
	for _, c := range []struct{ width, height, small int }{{5, 5, 5}, {9, 5, 4}, {7, 5, 4}} {
		g := testGame(t, c.width, c.height)
		said, before := g.KernelBytes(slice(c.small, c.small+1)), heapBytes()
		for k := 1; k <= c.small; k++ {
			g.turnings(k)
		}
		kept := heapBytes() - before
		if kept > said || said > 2*kept {
			t.Errorf("%dx%d, %d stones: %d bytes kept, said to be %d", c.width, c.height, c.small, kept, said)
		}
		runtime.KeepAlive(g)
	}
}

// heapBytes is what lives on the heap.
func heapBytes() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// compareEdges looks at indices of a slice in rising runs and out of order.
func compareEdges(t *testing.T, g *Game, s bitboard.Slice, random *rand.Rand) {
	t.Helper()
	var indices []uint64
	for range 40 {
		first := random.Uint64N(g.Indices(s))
		for i := first; i < min(first+3, g.Indices(s)); i++ {
			indices = append(indices, i)
		}
	}
	var forward, backward bitboard.Edges
	g.Forward(s, indices, &forward)
	g.Backward(s, indices, &backward)
	for k, i := range indices {
		p, _ := g.Unrank(s, i)
		compareRefs(t, g, "Forward", p, gametest.EdgesOf(&forward, k), g.paikas(nil, p))
		compareRefs(t, g, "Backward", p, gametest.EdgesOf(&backward, k), g.Unmoves(nil, p))
	}
}

func compareRefs(t *testing.T, g *Game, name string, p Position, refs []bitboard.Ref, positions []Position) {
	t.Helper()
	var want []bitboard.Ref
	for _, q := range positions {
		s, i := g.Rank(q)
		want = append(want, bitboard.MakeRef(s, i))
	}
	slices.Sort(want)
	if !slices.Equal(refs, want) {
		t.Fatalf("%v, %s of %+v: %x, want %x", g.board, name, p, refs, want)
	}
}
