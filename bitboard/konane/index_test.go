package konane

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
)

// images are the positions that the symmetries of the board make of one, by
// coordinates.
func images(g *Game[Word], p Position[Word]) []Position[Word] {
	var all []Position[Word]
	w, h := g.board.Width, g.board.Height
	for m := range 8 {
		if m&4 != 0 && w != h {
			continue
		}
		move := func(s Word) (image Word) {
			for n := range g.board.Points() {
				if !s.has(n) {
					continue
				}
				q := g.point(n)
				if m&1 != 0 {
					q.File = w - 1 - q.File
				}
				if m&2 != 0 {
					q.Rank = h - 1 - q.Rank
				}
				if m&4 != 0 {
					q.File, q.Rank = q.Rank, q.File
				}
				image = image.with(g.number(q))
			}
			return image
		}
		if q := (Position[Word]{move(p.Own), move(p.Opp)}); !slices.Contains(all, q) {
			all = append(all, q)
		}
	}
	return all
}

// Every position has one index, that of its images and of nothing else.
func TestIndexNumbersPositionsUpToSymmetry(t *testing.T) {
	for _, board := range []string{"1x1", "2x1", "1x5", "6x1", "3x3", "4x3", "3x4", "4x4", "5x3"} {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			g := newGame[Word](t, board, Rules{})
			canonical := map[bitboard.Ref]Position[Word]{}
			groups, err := g.Groups()
			if err != nil {
				t.Fatal(err)
			}
			for _, group := range groups {
				s := group.Slices[0]
				var total uint64
				g.Walk(s, 0, g.Indices(s), func(i uint64, p Position[Word], weight int) bool {
					if got, w := g.Unrank(s, i); got != p || w != weight {
						t.Fatalf("slice %s index %d: unranked %v × %d, walked %v × %d", g.SliceName(s), i, got, w, p, weight)
					}
					if weight != len(images(g, p)) {
						t.Fatalf("%s: weight %d, %d images", g.Format(p, 0), weight, len(images(g, p)))
					}
					canonical[bitboard.MakeRef(s, i)] = p
					total += uint64(weight)
					return true
				})
				if total != g.Positions(s) {
					t.Errorf("slice %s: weights add up to %d, want %d", g.SliceName(s), total, g.Positions(s))
				}
			}
			for p := range positionsOn(g) {
				s, i := g.Rank(p)
				if q, known := canonical[bitboard.MakeRef(s, i)]; !known || !slices.Contains(images(g, p), q) || s != g.SliceOf(p) {
					t.Fatalf("%s has the index of %s (%v)", g.Format(p, 0), g.Format(q, 0), known)
				}
			}
		})
	}
}

func TestRankUndoesUnrankOnLargeBoards(t *testing.T) {
	rankUndoesUnrank[Word](t, "8x8", 7)
	rankUndoesUnrank[Word](t, "7x9", 6)
	rankUndoesUnrank[Pair](t, "9x9", 5)
	rankUndoesUnrank[Quad](t, "16x16", 4)
	rankUndoesUnrank[Quad](t, "16x15", 4)
}

func rankUndoesUnrank[S Set[S]](t *testing.T, board string, pieces int) {
	t.Helper()
	g := newGame[S](t, board, Rules{})
	groups, err := bitboard.GroupsWithin(g, pieces)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 0))
	for _, group := range groups {
		s := group.Slices[0]
		for range 50 {
			i := rng.Uint64N(g.Indices(s))
			p, weight := g.Unrank(s, i)
			if weight == 0 {
				continue
			}
			if gotS, got := g.Rank(p); gotS != s || got != i {
				t.Fatalf("%s: slice %s index %d ranks as %s %d", g.Format(p, 0), g.SliceName(s), i, g.SliceName(gotS), got)
			}
		}
	}
}

// The edges of the kernel are the turns, and lead to what the group needs.
func TestSettleAgreesWithTurns(t *testing.T) {
	for _, opening := range []Opening{{Kind: Traditional}, {Kind: CentreOrCorner}, {Kind: MiddleV}} {
		for _, board := range []string{"2x1", "1x6", "3x3", "4x3", "4x4", "3x5"} {
			g, err := makeGame[Word](board, Rules{Opening: opening})
			if err != nil {
				continue // the board has no such opening
			}
			t.Run(fmt.Sprintf("%s %v", board, opening), func(t *testing.T) {
				t.Parallel()
				groups, err := g.Groups()
				if err != nil {
					t.Fatal(err)
				}
				for _, group := range groups {
					settleAgrees(t, g, group)
				}
			})
		}
	}
}

func settleAgrees(t *testing.T, g *Game[Word], group bitboard.Group) {
	t.Helper()
	const block = 100
	s := group.Slices[0]
	var e bitboard.Edges
	for lo := uint64(0); lo < g.Indices(s); lo += block {
		hi := min(lo+block, g.Indices(s))
		g.Settle(s, lo, hi, &e)
		weights := g.Weights(nil, s, lo, hi)
		start := uint32(0)
		for k, fate := range e.Fates {
			p, weight := g.Unrank(s, lo+uint64(k))
			turns := g.Turns(nil, p)
			want := bitboard.ByEdges
			switch {
			case weight == 0:
				want, turns = bitboard.Gap, nil
			case len(turns) == 0:
				want = bitboard.Lost
			}
			refs := e.Refs[start:e.Ends[k]]
			start = e.Ends[k]
			if fate != want || len(refs) != len(turns) || int(weights[k]) != weight {
				t.Fatalf("%s: fate %d, %d edges, weight %d, want %d, %d, %d", g.Format(p, 0), fate, len(refs), weights[k], want, len(turns), weight)
			}
			for j, q := range turns {
				if next, i := g.Rank(q); refs[j] != bitboard.MakeRef(next, i) || !slices.Contains(group.Needs, next) {
					t.Fatalf("%s: edge %v to %s, which ranks as %s %d", g.Format(p, 0), refs[j], g.Format(q, 0), g.SliceName(next), i)
				}
			}
		}
	}
}

func TestSliceNames(t *testing.T) {
	g := newGame[Word](t, "8x8", Rules{})
	for own := range 33 {
		for opp := range 33 {
			s := slice(own, opp)
			name := fmt.Sprintf("%dv%d", own, opp)
			if got := g.SliceName(s); got != name {
				t.Fatalf("slice %d is %s, want %s", s, got, name)
			}
			if got, err := g.ParseSlice(name); got != s || err != nil {
				t.Fatalf("ParseSlice(%s) = %d, %v", name, got, err)
			}
		}
	}
	for _, name := range []string{"", "3", "3v", "v2", "3v2 ", "03v2", "-1v2", "33v1", "1v33", "3w2", "1v9223372036854775807", "9223372036854775807v9223372036854775807"} {
		if _, err := g.ParseSlice(name); err == nil {
			t.Errorf("ParseSlice(%q) succeeded", name)
		}
	}
}

// Large boards have groups that no table can be made of. They are listed like the
// others, up to the highest slice number, and their sizes tell.
func TestGroupsOfLargeBoards(t *testing.T) {
	tooLarge(t, newGame[Word](t, "8x8", Rules{}))
	tooLarge(t, newGame[Quad](t, "16x16", Rules{}))
}

func tooLarge[S Set[S]](t *testing.T, g *Game[S]) {
	t.Helper()
	groups, err := g.Groups()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(groups, func(group bitboard.Group) bool { return g.Indices(group.Slices[0]) >= bitboard.MaxIndices }) {
		t.Errorf("%v: every slice fits", g.board)
	}
	last := groups[len(groups)-1].Slices[0]
	if most := min(g.board.Points(), maxStones); g.Pieces(last) != most || last >= manyStones {
		t.Errorf("%v: the last slice has %d stones, want %d", g.board, g.Pieces(last), most)
	}
}

// Pieces tells how many stones every position of a slice has.
func TestPieces(t *testing.T) {
	g := newGame[Word](t, "3x3", Rules{})
	groups, err := g.Groups()
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range groups {
		s := group.Slices[0]
		g.Walk(s, 0, g.Indices(s), func(_ uint64, p Position[Word], _ int) bool {
			if g.CountPieces(p) != g.Pieces(s) {
				t.Errorf("%s has %d stones, its slice %d", g.Format(p, 0), g.CountPieces(p), g.Pieces(s))
			}
			return true
		})
	}
}

func BenchmarkSettle(b *testing.B) {
	g := newGame[Word](b, "5x6", Rules{Opening: Opening{Kind: CornerH}})
	s := slice(8, 8)
	var e bitboard.Edges
	const block = 1 << 10
	lo := uint64(0)
	for b.Loop() {
		g.Settle(s, lo, lo+block, &e)
		if lo += block; lo+block > g.Indices(s) {
			lo = 0
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/block, "ns/index")
}

// The numbering of 8v8 on 5x6 and on a board of two words, a run of it at a time.
func BenchmarkIndex(b *testing.B) {
	b.Run("5x6", func(b *testing.B) { benchmarkIndex(b, newGame[Word](b, "5x6", Rules{}), slice(8, 8)) })
	b.Run("9x8", func(b *testing.B) { benchmarkIndex(b, newGame[Pair](b, "9x8", Rules{}), slice(4, 4)) })
}

func benchmarkIndex[S Set[S]](b *testing.B, g *Game[S], s bitboard.Slice) {
	const run = 1 << 10
	lo := g.Indices(s) / 3
	var positions []Position[S]
	walk := func(yield func(uint64, Position[S], int) bool) { g.Walk(s, lo, lo+run, yield) }
	walk(func(_ uint64, p Position[S], _ int) bool {
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
				_, weight := g.Unrank(s, lo+i*977)
				sum += uint64(weight)
			}
		}},
		{"Walk", func() {
			walk(func(i uint64, _ Position[S], _ int) bool {
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
