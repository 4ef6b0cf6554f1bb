package verify

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
)

// loadedPieces are those of a group whose tables are in memory.
func loadedPieces[P comparable](t *testing.T, game Game[P], g bitboard.Group, table func(s bitboard.Slice) *bitboard.Table) (*Pieces[P], Group) {
	t.Helper()
	metric := bitboard.WDL
	never := func(bitboard.Slice) bool { return false }
	c := wdlCheck(g, nil, never)
	if table(g.Slices[0]).DTW != nil {
		metric, c = bitboard.DTW, dtwCheck(g, nil, never)
	}
	named := Group{Metric: metric.String(), Whole: tracesAll(game, &c)}
	for _, s := range g.Slices {
		named.Slices = append(named.Slices, game.SliceName(s))
	}
	for _, at := range c.places() {
		name := game.SliceName(at.slice)
		stored, err := testIdentity.TableFingerprint(t.Context(), metric, name, game.Indices(at.slice), table(at.slice), 1)
		if err != nil {
			t.Fatal(err)
		}
		named.Tables = append(named.Tables, Table{Metric: named.Metric, Slice: name, Stored: stored})
	}
	load := func(_ context.Context, _ Table, into *bitboard.Table) error {
		copy(into.WDL, table(into.Slice).WDL)
		copy(into.DTW, table(into.Slice).DTW)
		return nil
	}
	p, err := LoadPieces(t.Context(), game, testIdentity, named, load, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return p, named
}

// allPieces is what the pieces of a group come to, in shares of a length.
func allPieces[P comparable](t *testing.T, game Game[P], g bitboard.Group, step uint64, table func(s bitboard.Slice) *bitboard.Table) (to derived) {
	t.Helper()
	p, named := loadedPieces(t, game, g, table)
	for _, s := range g.Slices {
		sum, n := NewSums(), game.Indices(s)
		if named.Whole {
			step = n
		}
		for lo := uint64(0); lo < n; lo += step {
			f, err := p.Share(t.Context(), game.SliceName(s), lo, min(n, lo+step), func(uint64) {})
			if err != nil {
				t.Fatal(err)
			}
			sum.Add(f.Sums)
			to.Findings, to.Total = append(to.Findings, f.Findings...), to.Total+f.Total
		}
		to.sums = append(to.sums, sum)
	}
	if named.NeedsGround() {
		f, err := p.Ground(t.Context(), 2, func(uint64) {})
		if err != nil {
			t.Fatal(err)
		}
		for k, quiet := range f.Quiet {
			to.sums[k].Quiet += quiet
		}
		if to.Total == 0 { // shares report what disagrees, and Ground rests on agreement
			to.Findings, to.Total = append(to.Findings, f.Findings...), to.Total+f.Total
		}
	}
	slices.SortFunc(to.Findings, compareFindings)
	return to
}

// checkPieces compares pieces that are derived at once with those of a game that can't, of
// sound tables and of such with a change. What a whole group finds to be ungrounded beside a
// wrong value is for it alone to know.
func checkPieces[P comparable](t *testing.T, random *rand.Rand, game Game[P], g bitboard.Group, table func(s bitboard.Slice) *bitboard.Table) {
	t.Helper()
	for round := range 4 {
		at := table
		if round > 0 {
			s := g.Slices[random.IntN(len(g.Slices))]
			damaged := &bitboard.Table{Slice: s, WDL: slices.Clone(table(s).WDL), DTW: slices.Clone(table(s).DTW)}
			if i := random.Uint64N(game.Indices(s)); damaged.DTW != nil {
				damaged.DTW[i] ^= bitboard.MakeDepth(0, 2)
				if damaged.DTW[i].Value() == bitboard.Draw {
					damaged.DTW[i] = bitboard.MakeDepth(bitboard.Win, 3)
				}
			} else {
				damaged.WDL.Set(i, (damaged.WDL.At(i)+1)%3)
			}
			at = func(of bitboard.Slice) *bitboard.Table {
				if of == s {
					return damaged
				}
				return table(of)
			}
		}
		step := 64 * (1 + random.Uint64N(300))
		got := allPieces(t, game, g, step, at)
		want := allPieces[P](t, oneByOne[P]{game}, g, step, at)
		for _, d := range []*derived{&got, &want} {
			d.Findings = slices.DeleteFunc(d.Findings, func(f Finding) bool { return f.What == "grounding" })
			d.Total = uint64(len(d.Findings))
		}
		if !reflect.DeepEqual(got.sums, want.sums) || !slices.Equal(got.Findings, want.Findings) {
			t.Errorf("%v, shares of %d: at once %v, one by one %v", g.Slices, step, got, want)
		}
		if round == 0 && got.Total != 0 {
			t.Errorf("%v: sound tables: %v", g.Slices, got.Findings[0])
		}
	}
}

// Shares derive at once what they can, and come to what positions come to one by one.
func TestPiecesAreDerivedAtOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 1))
	boards := []bitboard.Board{{Width: 4, Height: 3}, {Width: 3, Height: 4}, {Width: 5, Height: 3}}
	if testing.Short() {
		boards = slices.Repeat([]bitboard.Board{{Width: 3, Height: 3}}, 3)
	}
	stones, err := konane.New[konane.Word](boards[0], konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	checkAllPieces(t, random, stones, 12)
	ball, err := phutball.New(boards[1], phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	checkAllPieces(t, random, ball, bitboard.AllPieces)
	paikas, err := fanorona.New(boards[2], fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	checkAllPieces(t, random, paikas, 5)
}

func checkAllPieces[P comparable](t *testing.T, random *rand.Rand, game bitboard.Game[P], pieces int) {
	t.Helper()
	groups, values := solved(t, game, pieces)
	_, depths := deeplySolved(t, game, pieces)
	for _, g := range groups {
		checkPieces(t, random, game, g, func(s bitboard.Slice) *bitboard.Table { return &bitboard.Table{Slice: s, WDL: values[s]} })
		checkPieces(t, random, game, g, func(s bitboard.Slice) *bitboard.Table { return &bitboard.Table{Slice: s, DTW: depths[s]} })
	}
}

// A whole group is one share, of one slice.
func TestAWholeGroupIsOneShare(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 3, Height: 3}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	groups, values := solved(t, game, bitboard.AllPieces)
	p, g := loadedPieces(t, game, groups[0], func(s bitboard.Slice) *bitboard.Table { return &bitboard.Table{Slice: s, WDL: values[s]} })
	if !g.Whole || g.NeedsGround() {
		t.Fatalf("%+v", g)
	}
	if named := (Group{Metric: g.Metric, Slices: g.Slices, Tables: g.Tables}); !IsWhole(game, named) {
		t.Errorf("%+v is no whole group", named)
	}
	_, err = p.Share(t.Context(), "all", 0, 64, func(uint64) {})
	wantError(t, err, ErrGroup)
	var moved atomic.Uint64
	f, err := p.Share(t.Context(), "all", 0, game.Indices(groups[0].Slices[0]), func(many uint64) { moved.Add(many) })
	if n := game.Indices(groups[0].Slices[0]); moved.Load() != n {
		t.Errorf("it tells of %d indices, want %d", moved.Load(), n)
	}
	if err != nil || f.Total != 0 || f.Sums.Total() != game.Positions(groups[0].Slices[0]) {
		t.Errorf("%+v, %v", f, err)
	}
}
