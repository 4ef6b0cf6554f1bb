package konane

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
)

// lookaheadBoards have symmetries that exchange colours and others, colours of more points
// than one byte of a dense set holds, and turns that take several stones.
var lookaheadBoards = []randomTables{
	{"1x5", CornerV, 5, 1}, {"3x3", Traditional, 9, 1}, {"4x3", AnyStone, 12, 1}, {"7x1", CornerH, 7, 1}, {"2x9", CornerH, 12, 3},
	{"4x4", MiddleV, 16, 4}, {"5x3", CornerH, 15, 4}, {"3x9", CornerH, 6, 2}, {"6x6", CornerH, 5, 2}, {"7x7", Traditional, 5, 4}, {"8x8", MiddleH, 4, 2}, {"9x7", CornerH, 4, 2}, {"16x3", CornerH, 5, 3},
}

// Whatever stands in the tables below, a lookahead comes to what follows from the turns of each
// position, in whatever parts it derives a slice, and if it keeps few lists.
func TestLookaheadComesToWhatTurnsTell(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, c := range lookaheadBoards {
		c.each(t, random, func(t *testing.T, g *Game[Word], s bitboard.Slice, values *[bitboard.MaxSlices]bitboard.Packed, depths *[bitboard.MaxSlices][]bitboard.Depth) {
			if g.opens(g.Pieces(s)) {
				return
			}
			if err := compareLookahead(random, g, s, values, depths); err != nil {
				t.Errorf("slice %s, %v", g.SliceName(s), err)
			}
		})
	}
}

// compareLookahead compares what is derived of at most twenty thousand indices.
func compareLookahead(random *rand.Rand, g *Game[Word], s bitboard.Slice, values *[bitboard.MaxSlices]bitboard.Packed, depths *[bitboard.MaxSlices][]bitboard.Depth) error {
	ofValues := newLookahead(g, s, func(n *landing, after bitboard.Slice) bool { n.table = values[after]; return n.table != nil })
	ofDepths := newLookahead(g, s, func(n *landing, after bitboard.Slice) bool { n.depths = depths[after]; return n.depths != nil })
	ofValues.keeps = random.IntN(2) * keptEntries
	value, deepen := &outlook{lookahead: ofValues}, &outlook{lookahead: ofDepths}
	from := random.Uint64N(g.Indices(s)) / 2
	to := min(from+20000, g.Indices(s))
	for lo := from; lo < to; {
		hi := min(to, lo+1+random.Uint64N(3000))
		gotValues := make(bitboard.Packed, bitboard.PackedWords(hi-lo&^31))
		gotDepths := make([]bitboard.Depth, hi-lo)
		held := slices.Repeat([]uint64{^uint64(0)}, int(hi-lo+63)/64)
		over := value.derive(gotValues, held, lo, hi)
		if also := deepen.deriveDepths(gotDepths, held, lo, hi); also != over || slices.Max(held) != 0 {
			return fmt.Errorf("indices [%d, %d): over are %d and %d, held %b", lo, hi, over, also, held)
		}
		for i := lo; i < hi; i++ {
			p, weight := g.Unrank(s, i)
			want, wantDepth, ended := followed(g, p, values, depths)
			switch {
			case weight == 0:
				want, wantDepth = bitboard.Draw, 0
			case ended:
				over -= uint64(weight)
			}
			if got := gotValues.At(i - lo&^31); got != want {
				return fmt.Errorf("index %d: %v, want %v", i, got, want)
			}
			if got := gotDepths[i-lo]; got != wantDepth {
				return fmt.Errorf("index %d: %+v, want %+v", i, got.Outcome(), wantDepth.Outcome())
			}
		}
		if over != 0 {
			return fmt.Errorf("indices [%d, %d): %d positions too many are over", lo, hi, int64(over))
		}
		lo = hi
	}
	return nil
}

// followed is what the turns of a position come to, one by one.
func followed(g *Game[Word], p Position[Word], values *[bitboard.MaxSlices]bitboard.Packed, depths *[bitboard.MaxSlices][]bitboard.Depth) (v bitboard.Value, d bitboard.Depth, ended bool) {
	turns := g.Turns(nil, p)
	if len(turns) == 0 {
		return bitboard.Loss, bitboard.MakeDepth(bitboard.Loss, 0), true
	}
	var seen bitboard.Values
	var after []bitboard.Depth
	for _, q := range turns {
		s, i := g.Rank(q)
		seen |= 1 << values[s].At(i)
		after = append(after, depths[s][i])
	}
	d, _ = bitboard.VerdictDepth(after)
	return seen.Verdict(), d, false
}

// All slices are derived but those of the opening, and none on boards of more than one word.
func TestAllButTheOpeningIsDerived(t *testing.T) {
	for _, opening := range []OpeningKind{Traditional, AnyStone, CornerH} {
		derivesOutsideTheOpening(t, newGame[Word](t, "4x3", Rules{Opening: Opening{Kind: opening}}), true)
		derivesOutsideTheOpening(t, newGame[Word](t, "4x4", Rules{Opening: Opening{Kind: opening}}), true)
		derivesOutsideTheOpening(t, newGame[Pair](t, "4x3", Rules{Opening: Opening{Kind: opening}}), false)
	}
}

func derivesOutsideTheOpening[S Set[S]](t *testing.T, g *Game[S], derives bool) {
	t.Helper()
	groups, err := g.Groups()
	if err != nil {
		t.Fatal(err)
	}
	var values [bitboard.MaxSlices]bitboard.Packed
	var depths [bitboard.MaxSlices][]bitboard.Depth
	for _, group := range groups {
		s := group.Slices[0]
		want := derives && !(g.Rules().Opening.Removes() && g.Pieces(s) >= g.Board().Points()-1)
		value, err := g.ValueSparse(s, &values, nil)
		deepen, errDepths := g.ValueDepths(s, &depths, nil)
		if err != nil || errDepths != nil || value != nil != want || deepen != nil != want {
			t.Errorf("%v, %v, slice %s: values are derived is %v, depths %v, want %v; errors %v, %v", g.Board(), g.Rules(), g.SliceName(s), value != nil, deepen != nil, want, err, errDepths)
		}
	}
}

// A list has the ranks of the sets chosen, in order, or what becomes of all sets.
func TestListsOfSets(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for _, board := range []string{"3x3", "4x3", "5x5", "6x6", "8x8"} {
		g := newGame[Word](t, board, Rules{})
		x := &g.index
		for range 20 {
			colour := bitboard.Side(random.IntN(2))
			points := len(x.numbers[colour])
			size := random.IntN(min(points, 4) + 1)
			with, without := dense(1)<<random.IntN(points), dense(1)<<random.IntN(points)
			c := choice{colour: colour, size: size, with: with &^ without, without: without}
			m := movement{colour: colour, size: size, symmetry: random.IntN(len(x.symmetries)), fixers: uint8(random.IntN(1<<len(x.symmetries))) &^ 1}
			m.after = colour
			if x.symmetries[m.symmetry].exchanges {
				m.after = colour.Other()
			}
			chosen, moved := c.list(x), m.list(x)
			if n := c.many(points, &x.ranks.choose); n != uint64(len(chosen)) {
				t.Fatalf("%s, %+v: %d are listed, %d told", board, c, len(chosen), n)
			}
			for rank := range x.ranks.choose.Ways(points, size) {
				d := densely(x.unrankSet(rank, size, x.numbers[colour]))
				if in := len(chosen) > 0 && uint64(chosen[0]) == rank; in != (d&(c.with|c.without) == c.with) {
					t.Fatalf("%s, %+v: set %b is listed: %v", board, c, d, in)
				} else if in {
					chosen = chosen[1:]
				}
				if want := x.ranks.dense.leastRank(d, colour, m.symmetry, m.after, m.fixers); uint64(moved[rank]) != want {
					t.Fatalf("%s, %+v: set %b gets rank %d, want %d", board, m, d, moved[rank], want)
				}
			}
			if len(chosen) != 0 {
				t.Fatalf("%s, %+v: %d more are listed", board, c, len(chosen))
			}
		}
	}
}

// No slice takes more room than is told.
func TestSparseRoomDoesForLists(t *testing.T) {
	for _, c := range lookaheadBoards {
		g := newGame[Word](t, c.board, Rules{Opening: Opening{Kind: c.opening}})
		groups, err := g.Groups()
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range groups {
			s := group.Slices[0]
			if g.Pieces(s) > c.most || g.opens(g.Pieces(s)) {
				continue
			}
			var values [bitboard.MaxSlices]bitboard.Packed
			for _, after := range group.Needs {
				values[after] = bitboard.Packed{}
			}
			l := newLookahead(g, s, func(n *landing, after bitboard.Slice) bool { n.table = values[after]; return n.table != nil })
			o := &outlook{lookahead: l}
			var class uint64
			for i := uint64(0); i < g.Indices(s); {
				p := g.index.part(&g.index.shapes[s], i)
				o.enter(p, (i-p.base)/p.per)
				i += p.per
				var entries uint64
				for _, n := range o.passages {
					entries += uint64(len(n.before) + len(n.after) + len(n.moved))
				}
				class = max(class, entries)
			}
			all, each := g.listed(s)
			if uint64(l.entries) > all || class > each {
				t.Errorf("%s, slice %s: lists of %d entries, %d for a class, more than %d and %d", c.board, g.SliceName(s), l.entries, class, all, each)
			}
		}
	}
}
