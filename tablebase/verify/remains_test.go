package verify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
)

// seesRoom is a game that tells when room to derive values is there.
type seesRoom struct {
	*fanorona.Game
	see func(held []uint64)
}

func (g seesRoom) ValueSparse(s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed, run bitboard.Run) (func() bitboard.SparseDeriver, error) {
	begin, err := g.Game.ValueSparse(s, known, run)
	if begin == nil || err != nil {
		return nil, err
	}
	return func() bitboard.SparseDeriver {
		derive := begin()
		return func(values bitboard.Packed, held []uint64, lo, hi uint64) uint64 {
			over := derive(values, held, lo, hi)
			g.see(held)
			return over
		}
	}, nil
}

// deriveSeen derives each group of small tables, as they are stored and with values left out,
// and has each block seen that the game derives at once.
func deriveSeen(t *testing.T, see func(d *derivation[fanorona.Position], held []uint64)) {
	game, groups, tables := solvedFanorona(t, fanorona.Rules{})
	for _, g := range groups {
		for _, sparse := range []bool{false, true} {
			var d *derivation[fanorona.Position]
			watched := seesRoom{game, func(held []uint64) { see(d, held) }}
			c := wdlCheck(g, nil, func(s bitboard.Slice) bool { return sparse && slices.Contains(g.Slices, s) })
			d = newDerivation(watched, c, true)
			if found := deriveAll(t, d, tables, fingerprints(tables)); found.Total != 0 {
				t.Errorf("%v, sparse %v: %v", g.Slices, sparse, found.Findings[0])
			}
		}
	}
}

// What a game derives by has values alone: nothing is pending in the meantime.
func TestNothingIsPendingWhileTheGameDerives(t *testing.T) {
	var seen atomic.Bool
	deriveSeen(t, func(d *derivation[fanorona.Position], _ []uint64) {
		seen.Store(true)
		for _, s := range d.group.Slices {
			table := d.tables[s].WDL
			if many := table.Count(0, 32*uint64(len(table)))[pending]; many != 0 {
				t.Errorf("slice %s has %d pending losses", d.game.SliceName(s), many)
			}
		}
	})
	if !seen.Load() {
		t.Error("nothing is derived at once")
	}
}

// What a game derives at once, and what it tells to be held, are together all of a slice.
func TestNothingIsLeftOutBetweenRoomAndBits(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a position that nobody derives goes unseen")
		}
	}()
	deriveSeen(t, func(_ *derivation[fanorona.Position], held []uint64) {
		for k := range held {
			held[k] &= held[k] - 1
		}
	})
}

// skips is a game that derives an index, does not set its value, and does not tell of it as held.
type skips struct {
	*fanorona.Game
	slice bitboard.Slice
	index uint64
}

func (g skips) ValueSparse(s bitboard.Slice, known *[bitboard.MaxSlices]bitboard.Packed, run bitboard.Run) (func() bitboard.SparseDeriver, error) {
	begin, err := g.Game.ValueSparse(s, known, run)
	if begin == nil || err != nil || s != g.slice {
		return begin, err
	}
	return func() bitboard.SparseDeriver {
		derive := begin()
		return func(values bitboard.Packed, held []uint64, lo, hi uint64) (over uint64) {
			if lo > g.index || g.index >= hi {
				return derive(values, held, lo, hi)
			}
			before := values.At(g.index - lo)
			over = derive(values, held, lo, hi)
			values.Set(g.index-lo, before)
			return over
		}
	}, nil
}

func (g skips) ValueDepths(s bitboard.Slice, known *[bitboard.MaxSlices][]bitboard.Depth, run bitboard.Run) (func() bitboard.DepthDeriver, error) {
	begin, err := g.Game.ValueDepths(s, known, run)
	if begin == nil || err != nil || s != g.slice {
		return begin, err
	}
	return func() bitboard.DepthDeriver {
		derive := begin()
		return func(depths []bitboard.Depth, held []uint64, lo, hi uint64) (over uint64) {
			if lo > g.index || g.index >= hi {
				return derive(depths, held, lo, hi)
			}
			before := depths[g.index-lo]
			over = derive(depths, held, lo, hi)
			depths[g.index-lo] = before
			return over
		}
	}, nil
}

// A value that a game neither derives nor tells of as held is found, whatever it is: what stands
// there in the tables shows nothing.
func TestWhatAGameSkipsIsNotShown(t *testing.T) {
	game, groups, tables := solvedFanorona(t, fanorona.Rules{})
	_, deep := deeplySolved(t, game, 5)
	g := groups[len(groups)-1]
	s := g.Slices[0]
	random := rand.New(rand.NewPCG(117, 1))
	for skipped := 0; skipped < 20; {
		i := random.Uint64N(game.Indices(s))
		if p, weight := game.Unrank(s, i); weight == 0 || game.Holds(p) {
			continue
		}
		skipped++
		wrong := inMemory{}
		for s, table := range tables {
			wrong[s] = slices.Clone(table)
		}
		wrong[s].Set(i, (tables[s].At(i)+1)%3)
		skipping := skips{game, s, i}
		for _, tables := range []inMemory{tables, wrong} {
			for _, sparse := range []bool{false, true} {
				c := wdlCheck(g, nil, func(s bitboard.Slice) bool { return sparse && slices.Contains(g.Slices, s) })
				found := deriveAll(t, newDerivation(skipping, c, true), tables, fingerprints(tables))
				if !slices.ContainsFunc(found.Findings, func(f Finding) bool { return f.What == "value" && f.Index == i && f.Derived == "no value" }) {
					t.Errorf("index %d, left out %v: found %v", i, sparse, found.Findings)
				}
			}
		}
		for _, deep := range []deepTables{deep, deep.changed(s, i, bitboard.MakeDepth(bitboard.Win, 77))} {
			if found := findDeep(t, skipping, g, deep); !slices.ContainsFunc(found, func(f Finding) bool { return f.What == "value" && f.Index == i && f.Derived == "no value" }) {
				t.Errorf("index %d in dtw: found %v", i, found)
			}
		}
	}
}

// findDeep derives a group in dtw.
func findDeep(t *testing.T, game Game[fanorona.Position], g bitboard.Group, deep deepTables) []Finding {
	t.Helper()
	d := newDerivation(game, dtwCheck(g, nil, func(bitboard.Slice) bool { return false }), true)
	for _, s := range d.loaded() {
		d.add(bitboard.DTW, &bitboard.Table{Slice: s, DTW: deep[s]})
	}
	found := &findings{limit: 100}
	if err := d.team(2, found, func(uint64) {}).all(t.Context(), nil, func(bitboard.Slice, Sums) {}); err != nil {
		t.Fatal(err)
	}
	return found.kept()
}

// Tables that leave values out beside some with distances are completed from these: what is held
// there is no matter of the group's depths.
func TestNothingRemainsOfWhatDistancesComplete(t *testing.T) {
	game, groups, tables := solvedFanorona(t, fanorona.Rules{})
	_, deep := deeplySolved(t, game, 5)
	for _, g := range groups {
		d := newDerivation(game, dtwCheck(g, g.Slices, func(bitboard.Slice) bool { return true }), true)
		for _, s := range d.loaded() {
			d.add(bitboard.DTW, &bitboard.Table{Slice: s, DTW: deep[s]})
		}
		for _, s := range d.agree {
			d.add(bitboard.WDL, &bitboard.Table{Slice: s, WDL: slices.Clone(tables[s])})
			d.addSparse(s, fingerprints(tables)(s))
		}
		d.fingerprint = func(_ context.Context, _ bitboard.Metric, t *bitboard.Table) (string, error) {
			return fmt.Sprint(t.WDL), nil
		}
		found := &findings{limit: 1}
		team := d.team(2, found, func(uint64) {})
		complete := func(s bitboard.Slice) error { return team.complete(t.Context(), s) }
		if err := team.all(t.Context(), complete, func(bitboard.Slice, Sums) {}); err != nil || found.total != 0 {
			t.Errorf("%v: %v, %v", g.Slices, found.kept(), err)
		}
	}
}

// A remainder is the same in any order of blocks, and another one where a bit is elsewhere.
func TestRemaindersTellWhatIsHeldApart(t *testing.T) {
	of := func(blocks ...[]uint64) (r remainder) {
		for k, held := range blocks {
			r.note(held, uint64(k)*128, uint64(k)*128+128)
		}
		return r
	}
	a, b, none := []uint64{5, 1 << 63}, []uint64{0, 9}, []uint64{0, 0}
	whole, first, second := of(a, b), of(a, none), of(none, b)
	first.add(second)
	if whole != first || whole.indices != 5 {
		t.Errorf("in parts %v, in one %v", first, whole)
	}
	for _, other := range []remainder{of(b, a), of([]uint64{3, 1 << 63}, b), of([]uint64{5, 1 << 62}, b), of(a, []uint64{9, 0})} {
		if other == whole {
			t.Errorf("others come to %v, too", other)
		}
	}
}
