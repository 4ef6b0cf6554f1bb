package proofnumber_test

import (
	"slices"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/proofnumber"
)

// Values that tables lack are found by a look ahead: what stands in their place makes no
// difference. One goes to every wrong value.
func TestValuesThatTablesLackAreFound(t *testing.T) {
	const pieces = 5
	for _, rules := range []fanorona.Rules{{}, {StalemateDraws: true}} {
		for _, board := range []bitboard.Board{{Width: 3, Height: 3}, {Width: 5, Height: 3}} {
			g, err := fanorona.New(board, rules)
			if err != nil {
				t.Fatal(err)
			}
			whole := tables(t, g, pieces)
			want := proofnumber.NewMemory(g, whole)
			for wrong := range bitboard.Value(3) {
				for least := pieces - 1; least <= pieces; least++ { // values can rest on such
					var lack []bitboard.Slice
					var all []*bitboard.Table
					for _, table := range whole {
						if g.Pieces(table.Slice) >= least {
							lack = append(lack, table.Slice)
							table = &bitboard.Table{Slice: table.Slice, WDL: without(g, table, wrong)}
						}
						all = append(all, table)
					}
					got := proofnumber.NewSparseMemory(g, all, lack, all)
					for _, table := range whole {
						compare(t, g, table.Slice, got, want)
					}
				}
			}
		}
	}
}

// without is a table with another value in place of all that a stored one may leave out.
func without(g *fanorona.Game, table *bitboard.Table, wrong bitboard.Value) bitboard.Packed {
	values := slices.Clone(table.WDL)
	for i := range g.Indices(table.Slice) {
		if p, weight := g.Unrank(table.Slice, i); weight == 0 || !g.Holds(p) {
			values[i/32] = values[i/32]&^(3<<(2*(i%32))) | uint64(wrong)<<(2*(i%32))
		}
	}
	return values
}

// compare wants two sources to say the same of all positions of a slice.
func compare(t *testing.T, g *fanorona.Game, s bitboard.Slice, got, want proofnumber.Values[fanorona.Position]) {
	t.Helper()
	var positions []fanorona.Position
	for i := range g.Indices(s) {
		if p, weight := g.Unrank(s, i); weight > 0 {
			positions = append(positions, p)
		}
	}
	a, b := make([]bitboard.Value, len(positions)), make([]bitboard.Value, len(positions))
	got.Probe(positions, a)
	want.Probe(positions, b)
	for i, p := range positions {
		if a[i] != b[i] {
			t.Fatalf("%s: %v, want %v", g.Format(p, 0), a[i], b[i])
		}
	}
}
