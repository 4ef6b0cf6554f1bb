package proofnumber_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
)

// memory keeps solved slices for a test.
type memory map[bitboard.Slice]*bitboard.Table

func (m memory) Has(s bitboard.Slice) bool { return m[s] != nil }

func (m memory) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.WDL, m[t.Slice].WDL)
	return nil
}

func (m memory) Save(_ context.Context, t *bitboard.Table, _ bitboard.Summary) error {
	m[t.Slice] = &bitboard.Table{Slice: t.Slice, WDL: append(bitboard.Packed(nil), t.WDL...)}
	return nil
}

// tables solves every position of a game with at most that many pieces.
func tables[P comparable](t testing.TB, game bitboard.Game[P], pieces int) []*bitboard.Table {
	t.Helper()
	groups, err := bitboard.GroupsWithin(game, pieces)
	if err != nil {
		t.Fatal(err)
	}
	storage := memory{}
	if _, err := retrograde.Build(t.Context(), game, groups, storage, retrograde.Options{Workers: 2, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	var all []*bitboard.Table
	for _, table := range storage {
		all = append(all, table)
	}
	return all
}

func newFanorona(t testing.TB, width, height int) *fanorona.Game {
	t.Helper()
	g, err := fanorona.New(bitboard.Board{Width: width, Height: height}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// newBreakthrough opens a board, and gives its start.
func newBreakthrough(t testing.TB, width, height int) (*breakthrough.Game, breakthrough.Position, bitboard.Side) {
	t.Helper()
	g, err := breakthrough.New(bitboard.Board{Width: width, Height: height})
	if err != nil {
		t.Fatal(err)
	}
	start, side, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	return g, start, side
}

func newTable(t testing.TB, bytes uint64) *proofnumber.Table {
	t.Helper()
	table, err := proofnumber.NewTable(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.Close)
	return table
}

// TestStartPositions asks both questions of the start positions whose values are
// published (F. C. Schadd et al., "Fanorona is a draw", ICGA Journal 30(3), 2007,
// table 1; 9x3 is this program's own), with tables of few stones. The numbers of
// nodes are the fingerprint of the search: a change that moves them is to say so.
func TestStartPositions(t *testing.T) {
	for _, c := range []struct {
		width, height, pieces int
		white, black          proofnumber.Verdict
		whiteNodes            uint64
		blackNodes            uint64
		slow                  bool
	}{
		{3, 3, 4, proofnumber.Proved, proofnumber.Refuted, 8, 8, false},
		{5, 3, 4, proofnumber.Proved, proofnumber.Refuted, 99, 69, false},
		{3, 5, 4, proofnumber.Proved, proofnumber.Refuted, 51, 51, false},
		{7, 3, 5, proofnumber.Proved, proofnumber.Refuted, 2612, 1054, false},
		{3, 7, 5, proofnumber.Proved, proofnumber.Refuted, 74, 77, false},
		{9, 3, 5, proofnumber.Proved, proofnumber.Refuted, 14132, 9639, true},
		{5, 5, 5, proofnumber.Refuted, proofnumber.Refuted, 10570, 21659, true},
	} {
		t.Run(fmt.Sprintf("%dx%d", c.width, c.height), func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("building its tables takes seconds")
			}
			g := newFanorona(t, c.width, c.height)
			m := proofnumber.NewMemory(g, tables(t, g, c.pieces))
			p, _, err := g.Start()
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range []struct {
				white bool
				want  proofnumber.Result
			}{
				{true, proofnumber.Result{Verdict: c.white, Nodes: c.whiteNodes}},
				{false, proofnumber.Result{Verdict: c.black, Nodes: c.blackNodes}},
			} {
				s, err := proofnumber.New(g, newTable(t, 1<<24), proofnumber.Options[fanorona.Position]{Tables: m})
				if err != nil {
					t.Fatal(err)
				}
				if got, err := s.Solve(t.Context(), p, q.white); got != q.want || err != nil {
					t.Errorf("does White (%v) win: %v, %v, want %v", q.white, got, err, q.want)
				}
			}
		})
	}
}

// TestSeeds refutes that White wins 5x5 with turns in several orders.
func TestSeeds(t *testing.T) {
	g := newFanorona(t, 5, 5)
	m := proofnumber.NewMemory(g, tables(t, g, 4))
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[uint64]bool{}
	alone, together := uint64(4), uint64(2)
	if testing.Short() {
		alone, together = 2, 1
	}
	for seed := range alone + together {
		// Of several workers no two searches are alike, whatever the seed.
		o := proofnumber.Options[fanorona.Position]{Tables: m, Seed: seed, Workers: 1}
		if seed >= alone {
			o.Workers = 2
		}
		s, err := proofnumber.New(g, newTable(t, 1<<24), o)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Solve(t.Context(), p, true)
		if err != nil || r.Verdict != proofnumber.Refuted {
			t.Fatalf("seed %d: %v, %v", seed, r, err)
		}
		if o.Workers == 1 {
			nodes[r.Nodes] = true
		}
	}
	if len(nodes) != int(alone) {
		t.Error("some seeds lead to the same search")
	}
}

// TestInterruptedSearchGoesOn stops a search, saves its table, and goes on in
// another one of another size.
func TestInterruptedSearchGoesOn(t *testing.T) {
	g := newFanorona(t, 7, 3)
	m := proofnumber.NewMemory(g, tables(t, g, 4))
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	file := openCheckpoint(t)
	solve := func(table *proofnumber.Table, nodes uint64) proofnumber.Result {
		s, err := proofnumber.New(g, table, proofnumber.Options[fanorona.Position]{Tables: m, Nodes: nodes})
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Solve(t.Context(), p, true)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	whole := solve(newTable(t, 1<<22), 0)
	table := newTable(t, 1<<22)
	part := solve(table, whole.Nodes/2)
	if part.Verdict != proofnumber.Undecided {
		t.Fatalf("half of the nodes were enough: %v", part)
	}
	if err := table.Save(t.Context(), file, checkpoint.Header{About: "7x3", Nodes: part.Nodes}); err != nil {
		t.Fatal(err)
	}
	next := newTable(t, 1<<21)
	if _, err := next.Load(t.Context(), file, "5x5"); !errors.Is(err, checkpoint.ErrOther) {
		t.Errorf("a checkpoint of another search: %v", err)
	}
	c, err := next.Load(t.Context(), file, "7x3")
	if err != nil || c.Nodes != part.Nodes {
		t.Fatalf("%d nodes, %v, want %d", c.Nodes, err, part.Nodes)
	}
	if rest := solve(next, 0); rest.Verdict != proofnumber.Proved || rest.Nodes > whole.Nodes*3/4 {
		t.Errorf("the rest: %v, of %d nodes without interruption", rest, whole.Nodes)
	}
}

func TestSearchEndsWithItsContext(t *testing.T) {
	g := newFanorona(t, 9, 5)
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []proofnumber.Method{proofnumber.DFPN, proofnumber.PN2, proofnumber.PN} {
		s, err := proofnumber.New(g, newTable(t, 1<<22), proofnumber.Options[fanorona.Position]{Method: method, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		r, err := s.Solve(ctx, p, true)
		cancel()
		if r.Verdict != proofnumber.Undecided || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v: %v, %v", method, r, err)
		}
		if openings := s.Openings(p, true); len(openings) != 5 {
			t.Errorf("%v: %d openings, want 5", method, len(openings))
		}
	}
}

// A search may look at turns in an order of its own. What it tells of them is in that of the rules.
func TestOpeningsHaveTheOrderOfTheRules(t *testing.T) {
	g := newFanorona(t, 5, 5)
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(5) {
		s, err := proofnumber.New(g, newTable(t, 1<<16), proofnumber.Options[fanorona.Position]{Seed: seed, Nodes: 100})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Solve(t.Context(), start, true); err != nil {
			t.Fatal(err)
		}
		turns := g.Turns(nil, start)
		for _, p := range append(turns, start) {
			var told []fanorona.Position
			for _, o := range s.Openings(p, p == start) {
				told = append(told, o.To)
			}
			if want := g.Turns(nil, p); !slices.Equal(told, want) {
				t.Errorf("seed %d, %v: %v, want %v", seed, p, told, want)
			}
		}
	}
}

// pointed is a position that no key can be made of.
type pointed struct{ At *int }

func TestPositionsMustBeIntegers(t *testing.T) {
	var rules bitboard.Rules[pointed]
	if _, err := proofnumber.New(rules, newTable(t, 1<<16), proofnumber.Options[pointed]{}); err == nil || !strings.Contains(err.Error(), "At: *int") {
		t.Errorf("a position with a pointer: %v", err)
	}
}

// A table of another length is refused where it is given, not in the midst of a search.
func TestTablesOfAnotherLengthAreRefused(t *testing.T) {
	g := newFanorona(t, 3, 3)
	good := tables(t, g, 4)
	proofnumber.NewMemory(g, good)
	for name, bad := range map[string]bitboard.Table{
		"cut":   {Slice: good[0].Slice, WDL: good[0].WDL[:len(good[0].WDL)-1]},
		"empty": {Slice: good[0].Slice},
		"dtw":   {Slice: good[0].Slice, DTW: make([]bitboard.Depth, 1)},
	} {
		func() {
			defer func() {
				want := "proofnumber: slice " + g.SliceName(good[0].Slice) + ": the table in memory has length "
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, want) {
					t.Errorf("%s: %s", name, got)
				}
			}()
			proofnumber.NewMemory(g, append(good[1:], &bad))
		}()
	}
}
