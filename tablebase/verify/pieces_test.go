package verify

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/tablebase"
	"paika/tablebase/internal/graphgame"
)

// inPieces verifies a store piece by piece, cut and put in order by chance, and derives here what
// has a finding. It gives the findings of the shares, too.
func inPieces(t *testing.T, s Store, game *graphgame.Game, random *rand.Rand) (report Report, shared []Finding, total uint64) {
	t.Helper()
	b, err := Begin(t.Context(), game, s, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range b.Groups() {
		sums, pieces, found := make([]Sums, len(g.Slices)), []func(p *Pieces[graphgame.Position]) error{}, uint64(0)
		for k, name := range g.Slices {
			sums[k] = NewSums()
			slice, _ := game.ParseSlice(name)
			for lo, end := uint64(0), game.Indices(slice); lo < end; {
				from, to := lo, min(end, lo+64*(1+random.Uint64N(end/64)))
				pieces = append(pieces, func(p *Pieces[graphgame.Position]) error {
					f, err := p.Share(t.Context(), name, from, to, func(uint64) {})
					if err == nil {
						sums[k].Add(f.Sums)
						shared, found = append(shared, f.Findings...), found+f.Total
					}
					return err
				})
				lo = to
			}
		}
		if g.NeedsGround() {
			pieces = append(pieces, func(p *Pieces[graphgame.Position]) error {
				f, err := p.Ground(t.Context(), 0, func(uint64) {}) // which one does
				for k := range sums {
					sums[k].Quiet += f.Quiet[k]
				}
				found += f.Total
				return err
			})
		}
		random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		var p *Pieces[graphgame.Position]
		for _, do := range pieces {
			if p == nil || p.Spent() {
				if p, err = LoadPieces(t.Context(), game, testIdentity, g, b.Load, Options{Workers: 2}); err != nil {
					t.Fatal(err)
				}
			}
			if err := do(p); err != nil {
				t.Fatal(err)
			}
		}
		total += found
		if found > 0 || !b.Take(i, sums) {
			if err := b.Derive(t.Context(), i); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Report(), shared, total
}

// However a verification is cut, it comes to what Run finds at one go.
func TestPiecesAddUpToARun(t *testing.T) {
	random := rand.New(rand.NewPCG(120, 1))
	for _, sparse := range first(1, []int{2, 1, 0}) {
		game := graphgame.New(121, 3, 18_000)
		game.Sparse = sparse
		right, wrong := game.Solve(), game.Solve()
		for _, i := range []int{3, 777, 15_000} {
			wrong.Depths[3][i] = bitboard.MakeDepth(bitboard.Win, 99)
		}
		for _, metrics := range first(1, [][]bitboard.Metric{{bitboard.WDL, bitboard.DTW}, {bitboard.WDL}, {bitboard.DTW}}) {
			for name, sol := range map[string]*graphgame.Solution{"right": right, "wrong": wrong} {
				s := openTest(t, storedTest(t, sol, metrics...), toRead)
				want := verify(t, s, game, Options{})
				got, shared, total := inPieces(t, s, game, random)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("sparse %d, %v, %s: %+v\nwant %+v", sparse, metrics, name, got, want)
				}
				values := slices.DeleteFunc(slices.Clone(want.Findings), func(f Finding) bool { return f.What != "value" })
				slices.SortFunc(shared, compareFindings)
				if !slices.Equal(shared, values) {
					t.Errorf("sparse %d, %v, %s: shares find %v, want %v", sparse, metrics, name, shared, values)
				}
				if (name == "right") != want.OK() || want.OK() != (total == 0) {
					t.Errorf("sparse %d, %v, %s: %d findings of pieces, %d in all", sparse, metrics, name, total, want.Total)
				}
			}
		}
	}
}

// A win and a loss that are exchanged change no sum. To ground the group gives both the values
// that they should have, and shares that come to the same tables later find nothing.
func TestGroundAloneFindsWhatSharesWouldNotSeeAnyMore(t *testing.T) {
	for _, sparse := range []int{0, 2} {
		game := graphgame.New(126, 3, 2000)
		game.Sparse = sparse
		sol := game.Solve()
		exchange(t, sol)
		s := openTest(t, storedTest(t, sol, bitboard.WDL), toRead)
		b, err := Begin(t.Context(), game, s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(b.Groups(), func(g Group) bool { return slices.Contains(g.Slices, game.SliceName(4)) })
		p, err := LoadPieces(t.Context(), game, testIdentity, b.Groups()[at], b.Load, Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.Ground(t.Context(), 2, func(uint64) {})
		if err != nil || f.Total == 0 {
			t.Errorf("sparse %d: %+v, %v; want findings", sparse, f, err)
		}
		checkSpent(t, p, game.SliceName(4))
	}
}

// exchange has a win and a loss of slice 4 change places, for as many positions each, that may rest
// on their group.
func exchange(t *testing.T, sol *graphgame.Solution) {
	t.Helper()
	depths, of := sol.Depths[4], make(map[bitboard.Value]int)
	for i, n := range sol.Game.Nodes[4] {
		inside := slices.ContainsFunc(n.Turns, func(q graphgame.Position) bool { return q.Slice/2 == 2 })
		if v := depths[i].Value(); n.Weight == 1 && inside && v != bitboard.Draw {
			of[v] = i
		}
	}
	win, won := of[bitboard.Win]
	loss, lost := of[bitboard.Loss]
	if !won || !lost {
		t.Fatal("there is no win, or no loss")
	}
	depths[win], depths[loss] = depths[loss], depths[win]
}

// A circle of values that support each other has no share with a finding.
func TestOnlyGroundFindsCircles(t *testing.T) {
	game := circle()
	checkCircle(t, game, game)
	checkCircle(t, game, unsparing{game})
}

// unsparing is a game that knows of no values which could be left out.
type unsparing struct{ Game[graphgame.Position] }

func checkCircle(t *testing.T, of *graphgame.Game, game Game[graphgame.Position]) {
	t.Helper()
	sol := of.Solve()
	sol.Depths[0][0] = bitboard.MakeDepth(bitboard.Win, 1)
	sol.Depths[1][0] = bitboard.MakeDepth(bitboard.Loss, 2)
	s := openTest(t, storedTest(t, sol, bitboard.WDL), toRead)
	b, err := Begin(t.Context(), game, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !b.Groups()[0].NeedsGround() {
		t.Error("its shares are taken for all that there is to show")
	}
	load := func() *Pieces[graphgame.Position] {
		p, err := LoadPieces(t.Context(), game, testIdentity, b.Groups()[0], b.Load, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := load()
	for slice, name := range b.Groups()[0].Slices {
		f, err := p.Share(t.Context(), name, 0, game.Indices(bitboard.Slice(slice)), func(uint64) {})
		if err != nil || f.Total != 0 {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	want := verify(t, s, of, Options{})
	f, err := p.Ground(t.Context(), 2, func(uint64) {})
	if err != nil || !slices.Equal(f.Findings, want.Findings) || f.Total != 2 {
		t.Errorf("%+v, %v; want %v", f, err, want.Findings)
	}
	checkSpent(t, p, b.Groups()[0].Slices[0])

	p = load()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Ground(ctx, 2, func(uint64) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	checkSpent(t, p, b.Groups()[0].Slices[0])
}

// checkSpent checks that values which are gone are not taken for such.
func checkSpent(t *testing.T, p *Pieces[graphgame.Position], slice string) {
	t.Helper()
	_, err := p.Share(t.Context(), slice, 0, 1, func(uint64) {})
	_, err2 := p.Ground(t.Context(), 2, func(uint64) {})
	if !p.Spent() || !errors.Is(err, ErrSpent) || !errors.Is(err2, ErrSpent) {
		t.Errorf("spent %v: a share %v, ground %v", p.Spent(), err, err2)
	}
}

// Pieces are those of the very tables that a group names.
func TestPiecesAreOfTheTablesNamed(t *testing.T) {
	game := graphgame.New(122, 2, 500)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL, bitboard.DTW), toRead)
	b, err := Begin(t.Context(), game, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	right := b.Groups()[1]
	load := func(change func(g *Group), load Loader) error {
		g := right
		g.Slices, g.Tables = slices.Clone(g.Slices), slices.Clone(g.Tables)
		change(&g)
		_, err := LoadPieces(t.Context(), game, testIdentity, g, load, Options{})
		return err
	}
	for name, change := range map[string]func(g *Group){
		"another metric": func(g *Group) { g.Metric = "dtm" },
		"another slice":  func(g *Group) { g.Slices[0] = "9v9" },
		"half a group":   func(g *Group) { g.Slices = g.Slices[:1] },
		"a table less":   func(g *Group) { g.Tables = g.Tables[1:] },
		"a table more":   func(g *Group) { g.Tables = append(g.Tables, Table{Metric: "wdl", Slice: "1v2"}) },
		"no such table":  func(g *Group) { g.Tables[0].Slice = "nonsense" },
		"a bad metric":   func(g *Group) { g.Tables[0].Metric = "" },
	} {
		if err := load(change, b.Load); !errors.Is(err, ErrGroup) {
			t.Errorf("%s: %v", name, err)
		}
	}
	same := func(*Group) {}
	if err := load(func(g *Group) { g.Tables[0].Stored = strings.Repeat("0", 64) }, b.Load); !errors.Is(err, ErrTable) {
		t.Errorf("another fingerprint: %v", err)
	}
	changed := func(ctx context.Context, table Table, into *bitboard.Table) error {
		err := b.Load(ctx, table, into)
		if table.Slice == "2v3" && into.WDL != nil {
			into.WDL.Set(7, (into.WDL.At(7)+1)%3)
		}
		return err
	}
	if err := load(same, changed); !errors.Is(err, ErrTable) {
		t.Errorf("another value: %v", err)
	}
	longer := func(ctx context.Context, table Table, into *bitboard.Table) error {
		err := b.Load(ctx, table, into)
		if into.WDL != nil {
			into.WDL[len(into.WDL)-1] |= 3 << 62
		}
		return err
	}
	if err := load(same, longer); !errors.Is(err, ErrTable) {
		t.Errorf("something behind the last value: %v", err)
	}
	if err := load(same, b.Load); err != nil {
		t.Error(err)
	}
	memory, err := GroupMemory(game, right)
	if want := uint64(4*2*500 + 2*500/4); err != nil || memory < want || memory > want+100 {
		t.Errorf("%d bytes, want about %d: %v", memory, want, err)
	}
}

// A game whose tables have every value has no group of which some are left out.
func TestValuesAreLeftOutWhereTheGameCanTell(t *testing.T) {
	game := graphgame.New(125, 2, 500)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), toRead)
	b, err := Begin(t.Context(), game, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := b.Groups()[1]
	g.Tables[0].Whole = g.Tables[0].Stored
	dense := struct{ Game[graphgame.Position] }{game}
	if _, err := LoadPieces(t.Context(), dense, testIdentity, g, b.Load, Options{}); !errors.Is(err, ErrGroup) {
		t.Errorf("%v, want that there is no such group", err)
	}
}

func TestAShareIsOfItsGroup(t *testing.T) {
	game := graphgame.New(123, 2, 500)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), toRead)
	b, err := Begin(t.Context(), game, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := LoadPieces(t.Context(), game, testIdentity, b.Groups()[1], b.Load, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		slice  string
		lo, hi uint64
	}{{"2v1", 0, 64}, {"x", 0, 64}, {"2v3", 1, 64}, {"2v3", 64, 64}, {"2v3", 128, 64}, {"2v3", 0, 1 << 40}} {
		if _, err := p.Share(t.Context(), of.slice, of.lo, of.hi, func(uint64) {}); !errors.Is(err, ErrGroup) {
			t.Errorf("%v: %v", of, err)
		}
	}
}

// What can't be read is found when a verification begins, and is in no group.
func TestDamagedGroupsAreNotSharedOut(t *testing.T) {
	for _, sparse := range []int{0, 1} { // 1 has the one that is damaged
		game := graphgame.New(124, 2, 500)
		game.Sparse = sparse
		s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL, bitboard.DTW), toRead)
		for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			damaged := damagedStore{s, m}
			want := verify(t, damaged, game, Options{})
			got, _, _ := inPieces(t, damaged, game, rand.New(rand.NewPCG(1, 1)))
			if !reflect.DeepEqual(got, want) || want.OK() {
				t.Errorf("%v: %+v\nwant %+v", m, got, want)
			}
			// Without its distances a group is given up, and with it the values beside them.
			if derived := map[bitboard.Metric]int{bitboard.WDL: 7, bitboard.DTW: 4}[m]; want.Slices != 8 || want.Derived != derived {
				t.Errorf("%v: %d of %d slices are derived, want %d", m, want.Derived, want.Slices, derived)
			}
		}
	}
}

// damagedStore has another checksum of a slice.
type damagedStore struct {
	*tablebase.Store
	metric bitboard.Metric
}

func (d damagedStore) Slices(m bitboard.Metric) []tablebase.SliceInfo {
	list := d.Store.Slices(m)
	for i := range list {
		if m == d.metric && list[i].Name == "2v3" {
			list[i].Checksum = "0123456789abcdef"
		}
	}
	return list
}
