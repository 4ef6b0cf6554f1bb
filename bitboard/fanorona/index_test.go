package fanorona

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"paika/bitboard"
)

// canonicalPositions counts, by own and opponent's stones, the positions that
// are different up to symmetry: by Burnside's lemma, the mean over symmetries of
// the pairs of sets that hold each of its cycles whole in one of them, or in
// none.
func canonicalPositions(g *Game, most int) [][]uint64 {
	table := func() [][]uint64 {
		t := make([][]uint64, most+1)
		for i := range t {
			t[i] = make([]uint64, most+1)
		}
		return t
	}
	total := table()
	images := g.symmetries()
	for _, image := range images {
		fixed := table()
		fixed[0][0] = 1
		for rest := g.points; rest != 0; {
			length := 0
			for at := rest & -rest; rest&at != 0; at = 1 << image[bits.TrailingZeros64(at)] {
				rest ^= at
				length++
			}
			for own := most; own >= 0; own-- {
				for opp := most; opp >= 0; opp-- {
					if own >= length {
						fixed[own][opp] += fixed[own-length][opp]
					}
					if opp >= length {
						fixed[own][opp] += fixed[own][opp-length]
					}
				}
			}
		}
		for own := range fixed {
			for opp := range fixed[own] {
				total[own][opp] += fixed[own][opp]
			}
		}
	}
	for own := range total {
		for opp := range total[own] {
			total[own][opp] /= uint64(len(images))
		}
	}
	return total
}

func testGame(t testing.TB, width, height int) *Game {
	t.Helper()
	g, err := New(bitboard.Board{Width: width, Height: height}, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The index wastes little: on 9x5 at most 35 % in any slice of 4 to 8 stones,
// and 10 % over all of 7 stones.
func TestIndexSpaceIsCloseToTheCanonicalPositions(t *testing.T) {
	g := testGame(t, 9, 5)
	canonical := canonicalPositions(g, 8)
	for stones := 4; stones <= 8; stones++ {
		var indices, positions uint64
		for own := 1; own < stones; own++ {
			n, c := g.Indices(slice(own, stones-own)), canonical[own][stones-own]
			if ratio := float64(n) / float64(c); ratio < 1 || ratio > 1.35 {
				t.Errorf("%dv%d: %d indices for %d positions, %.3f of each", own, stones-own, n, c, ratio)
			}
			indices, positions = indices+n, positions+c
		}
		ratio := float64(indices) / float64(positions)
		t.Logf("%d stones: %d indices for %d canonical positions, %.4f", stones, indices, positions, ratio)
		if stones == 7 && ratio > 1.10 {
			t.Errorf("7 stones: %d indices for %d positions, %.3f of each", indices, positions, ratio)
		}
	}
}

// The number of positions without symmetry, of FACTS.md: all with at most 7
// stones, both sides present, on 9x5; and those of 8 stones.
func TestPositionsAddUp(t *testing.T) {
	g := testGame(t, 9, 5)
	count := func(from, to int) (sum uint64) {
		for stones := from; stones <= to; stones++ {
			for own := 1; own < stones; own++ {
				sum += g.Positions(slice(own, stones-own))
			}
		}
		return sum
	}
	if got := count(2, 7); got != 6261651660 {
		t.Errorf("up to 7 stones: %d positions, want 6261651660", got)
	}
	if got := count(8, 8); got != 54750511530 {
		t.Errorf("8 stones: %d positions, want 54750511530", got)
	}
}

// The classes of leading sets that Burnside's lemma counts are those that the
// tables find, on boards with 2, 4 and 8 symmetries.
func TestClassesAreCounted(t *testing.T) {
	for _, size := range [][2]int{{3, 3}, {4, 3}, {4, 4}, {5, 4}, {5, 3}, {5, 5}, {9, 5}} {
		g := testGame(t, size[0], size[1])
		for k := 1; k <= 4; k++ {
			if got, want := uint64(len(g.index.sets(k).Representatives)), g.index.classes[k]; got != want {
				t.Errorf("%v, sets of %d: %d classes found, %d counted", g.board, k, got, want)
			}
		}
	}
}

// Weights count each position once: summed over a slice they are its positions,
// and as many indices are no gaps as there are canonical positions.
func TestGapsAndWeights(t *testing.T) {
	for _, size := range [][2]int{{3, 3}, {4, 4}, {4, 3}, {5, 4}, {5, 5}, {9, 5}} {
		g := testGame(t, size[0], size[1])
		canonical := canonicalPositions(g, 3)
		for own := 1; own <= 3; own++ {
			for opp := 1; opp <= 3-own/3; opp++ {
				s := slice(own, opp)
				var weight, present uint64
				g.Walk(s, 0, g.Indices(s), func(_ uint64, _ Position, w int) bool {
					weight += uint64(w)
					present++
					return true
				})
				if weight != g.Positions(s) || present != canonical[own][opp] {
					t.Errorf("%v, slice %s: %d indices stand for %d positions; want %d for %d",
						g.board, g.SliceName(s), present, weight, canonical[own][opp], g.Positions(s))
				}
			}
		}
	}
}

func TestRankAllIsRank(t *testing.T) {
	g := testGame(t, 5, 3)
	var turns []Position
	for _, s := range []bitboard.Slice{slice(3, 2), slice(2, 3), slice(2, 2), slice(2, 1)} {
		g.Walk(s, 0, g.Indices(s), func(_ uint64, p Position, _ int) bool {
			turns = g.Turns(turns[:0], p)
			for k, ref := range g.RankAll(nil, turns) {
				q := turns[k]
				if q.Own == 0 {
					if want := bitboard.MakeRef(g.SliceOf(q), 0); ref != want {
						t.Fatalf("%+v: ref %x, want %x", q, ref, want)
					}
				} else if s, i := g.Rank(q); ref != bitboard.MakeRef(s, i) {
					t.Fatalf("%+v: ref %x, want %x", q, ref, bitboard.MakeRef(s, i))
				}
			}
			return true
		})
	}
}

// Turns are ranked as they are made, in their order, as far as anyone asks.
func TestRankTurnsIsTurnsAndRank(t *testing.T) {
	g := testGame(t, 5, 3)
	follow := g.RankTurns()
	for _, s := range []bitboard.Slice{slice(3, 2), slice(2, 3), slice(2, 2), slice(2, 1)} {
		g.Walk(s, 0, g.Indices(s), func(_ uint64, p Position, _ int) bool {
			turns := g.Turns(nil, p)
			refs, most, k := g.RankAll(nil, turns), 1+len(turns)*2/3, 0
			follow(p, func(q Position, at bitboard.Ref) bool {
				if q != turns[k] || at != refs[k] {
					t.Fatalf("turn %d of %+v: %+v at %x, want %+v at %x", k, p, q, at, turns[k], refs[k])
				}
				k++
				return k < most
			})
			if want := min(most, len(turns)); k != want {
				t.Fatalf("%+v: %d turns, want %d", p, k, want)
			}
			return true
		})
	}
}

// What is kept of a leading set is good for another slice, and for positions in any order.
func TestValueTurnsInAnyOrder(t *testing.T) {
	g := testGame(t, 5, 3)
	var known [bitboard.MaxSlices]bitboard.Packed
	random := rand.New(rand.NewPCG(1, 2))
	group := []bitboard.Slice{slice(3, 2), slice(2, 3), slice(2, 2), slice(2, 1), slice(1, 2), slice(1, 1), slice(1, 3)}
	for _, s := range group {
		known[s] = make(bitboard.Packed, bitboard.PackedWords(g.Indices(s)))
		for i := range g.Indices(s) {
			known[s].Set(i, bitboard.Value(random.IntN(4)))
		}
	}
	look := g.ValueTurns(&known)
	for range 20000 {
		s := group[random.IntN(5)]
		p, _ := g.Unrank(s, random.Uint64N(g.Indices(s)))
		want, inside := bitboard.Values(0), g.Quiet(p)
		for _, at := range g.RankAll(nil, g.Turns(nil, p)) {
			if values := known[at.Slice()]; values == nil {
				want |= 1 << bitboard.Loss
			} else {
				want |= 1 << values.At(at.Index())
			}
		}
		if seen, stays := look(p, 0); seen != want || stays != (inside && want != 0) {
			t.Fatalf("%+v: %04b, inside %v, want %04b, %v", p, seen, stays, want, inside)
		}
	}
}

// The numbering of 4v3 on 9x5, a run of it at a time.
func BenchmarkIndex(b *testing.B) {
	g := testGame(b, 9, 5)
	s := slice(4, 3)
	const run = 1 << 10
	lo := g.Indices(s) / 3
	var positions []Position
	walk := func(yield func(uint64, Position, int) bool) { g.Walk(s, lo, lo+run, yield) }
	walk(func(_ uint64, p Position, _ int) bool {
		positions = append(positions, p)
		return true
	})
	var sum uint64
	for _, c := range []struct {
		name string
		once func()
	}{
		{"Rank", func() {
			for _, p := range positions {
				_, i := g.Rank(p)
				sum += i
			}
		}},
		{"Unrank", func() {
			for i := range uint64(run) {
				p, _ := g.Unrank(s, lo+i*977)
				sum += p.Own
			}
		}},
		{"Walk", func() {
			walk(func(i uint64, p Position, _ int) bool {
				sum += i
				return true
			})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.once()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/run, "ns/index")
		})
	}
}
