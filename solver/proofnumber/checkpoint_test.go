package proofnumber_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
)

func openCheckpoint(t *testing.T) *checkpoint.File {
	t.Helper()
	f, err := checkpoint.Open(filepath.Join(t.TempDir(), "search"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// reload saves a table and gives another one that holds the same.
func reload(t *testing.T, table *proofnumber.Table) *proofnumber.Table {
	t.Helper()
	f := openCheckpoint(t)
	if err := table.Save(t.Context(), f, checkpoint.Header{}); err != nil {
		t.Fatal(err)
	}
	next := newTable(t, table.Bytes())
	if _, err := next.Load(t.Context(), f, ""); err != nil {
		t.Fatal(err)
	}
	return next
}

// upside is a game in which every end is the other side's win: what a search of it
// takes for facts is forged for a search of the game itself.
type upside struct{ *graph }

func (g upside) Ended(p node) bitboard.Value {
	if v := g.graph.Ended(p); v != bitboard.Draw {
		return bitboard.Win + bitboard.Loss - v
	}
	return bitboard.Win
}

// Checkpoints come from anywhere. Whatever one claims, alone or beside what is
// true, no search answers wrong, by any method.
func TestForgedFactsAreNeverBelieved(t *testing.T) {
	graphs := uint64(30)
	if testing.Short() {
		graphs = 10
	}
	const asked = 12 // positions of a game: each takes a file
	anew, kept := 0, 0
	for seed := range graphs {
		rng := rand.New(rand.NewPCG(seed, 3))
		g, want, positions := solvedGraph(t, rng)
		for i, o := range []proofnumber.Options[node]{{}, {Workers: 2}, {Workers: 8}, {Method: proofnumber.PN}, {Method: proofnumber.PN2}} {
			o.Sets = 1 << 18
			table := newTable(t, 1<<16)
			ask := func(rules bitboard.Rules[node], p node, attacker bool) (*proofnumber.Search[node], proofnumber.Result, []proofnumber.Step[node]) {
				s, err := proofnumber.New(rules, table, o)
				if err != nil {
					t.Fatal(err)
				}
				s.Resume(checkpoint.Header{Nodes: 1})
				var steps []proofnumber.Step[node]
				var r proofnumber.Result
				if i%2 == 0 {
					r, err = s.Extract(t.Context(), p, attacker, func(s proofnumber.Step[node]) error {
						steps = append(steps, s)
						return nil
					})
				} else {
					r, err = s.Solve(t.Context(), p, attacker)
				}
				if err != nil {
					t.Fatalf("seed %d, %+v: %v", seed, o, err)
				}
				return s, r, steps
			}
			for _, p := range positions { // those of both games, mixed
				if rng.IntN(2) == 0 {
					ask(upside{g}, p, rng.IntN(2) == 0)
				}
			}
			for _, at := range rng.Perm(len(positions))[:min(asked, len(positions))] {
				p, attacker := positions[at], rng.IntN(2) == 0
				table = reload(t, table)
				s, r, steps := ask(g, p, attacker)
				wanted := proofnumber.Refuted
				if v := want[p].Value; attacker && v == bitboard.Win || !attacker && v == bitboard.Loss {
					wanted = proofnumber.Proved
				}
				if r.Verdict != wanted {
					t.Fatalf("seed %d, %v: %v is %v, want %v", seed, o.Method, p, r.Verdict, wanted)
				}
				if i%2 == 0 {
					holds(t, g, p, attacker, r.Verdict, steps)
				}
				if s.Resumed() == 0 {
					anew++
				} else {
					kept++
				}
			}
		}
	}
	if anew == 0 || kept == 0 {
		t.Errorf("%d searches had to start anew, %d went on: want some of each", anew, kept)
	}
}

// What an honest search saved is never thrown away, and takes few nodes to go on
// from, whatever tables and lemmas are there by then.
func TestFactsStayWhenTablesChange(t *testing.T) {
	g := newFanorona(t, 5, 3)
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	without := proofnumber.Options[fanorona.Position]{}
	few, more := without, without
	few.Tables = proofnumber.NewMemory(g, tables(t, g, 2))
	more.Tables = proofnumber.NewMemory(g, tables(t, g, 4))
	for name, c := range map[string]struct {
		before, after proofnumber.Options[fanorona.Position]
	}{
		"the same": {few, few}, "grown": {few, more}, "shrunk": {more, few}, "made": {without, more}, "gone": {more, without},
	} {
		for _, white := range []bool{true, false} {
			for _, share := range []uint64{1, 2, 3} {
				t.Run(fmt.Sprintf("%s/%v/%d", name, white, share), func(t *testing.T) {
					search := func(table *proofnumber.Table, o proofnumber.Options[fanorona.Position]) *proofnumber.Search[fanorona.Position] {
						s, err := proofnumber.New(g, table, o)
						if err != nil {
							t.Fatal(err)
						}
						return s
					}
					whole, err := search(newTable(t, 1<<22), c.before).Solve(t.Context(), p, white)
					if err != nil {
						t.Fatal(err)
					}
					cut := c.before
					cut.Nodes = whole.Nodes * share / 3
					table := newTable(t, 1<<22)
					if _, err := search(table, cut).Solve(t.Context(), p, white); err != nil {
						t.Fatal(err)
					}
					s := search(reload(t, table), c.after)
					s.Resume(checkpoint.Header{Nodes: 1})
					var steps []proofnumber.Step[fanorona.Position]
					r, err := s.Extract(t.Context(), p, white, func(s proofnumber.Step[fanorona.Position]) error {
						steps = append(steps, s)
						return nil
					})
					if err != nil || r.Verdict != whole.Verdict || s.Resumed() != 1 {
						t.Fatalf("%v, %v, resumed %d; want %v", r, err, s.Resumed(), whole.Verdict)
					}
					if c.after.Tables == nil {
						holds(t, g, p, white, r.Verdict, steps)
					}
				})
			}
		}
	}
}

// A search that has to begin anew tells why: what was loaded is not true, or the table lost what
// was needed, which says nothing against the file.
func TestASearchTellsWhyItBeganAnew(t *testing.T) {
	g, want, _ := solvedGraph(t, rand.New(rand.NewPCG(3, 3)))
	for name, c := range map[string]struct {
		rules bitboard.Rules[node] // of the search that is saved
		fails int                  // times that what is put together is not whole
		anew  error
	}{
		"all is well":   {g, 0, nil},
		"a small table": {g, 1, proofnumber.ErrTableTooSmall},
		"forged":        {upside{g}, 0, proofnumber.ErrContradiction},
	} {
		table := newTable(t, 1<<16)
		var s *proofnumber.Search[node]
		for i, rules := range []bitboard.Rules[node]{c.rules, g} {
			var err error
			if s, err = proofnumber.New(rules, table, proofnumber.Options[node]{Sets: 1 << 18}); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				if _, err := s.Solve(t.Context(), node{}, true); err != nil {
					t.Fatal(err)
				}
				table = reload(t, table)
			}
		}
		r, err := s.Extract(t.Context(), node{}, true, func(proofnumber.Step[node]) error {
			if c.fails--; c.fails >= 0 {
				return proofnumber.ErrTableTooSmall
			}
			return nil
		})
		if proved := r.Verdict == proofnumber.Proved; err != nil || proved != (want[node{}].Value == bitboard.Win) || !errors.Is(s.Anew(), c.anew) || c.anew == nil && s.Anew() != nil {
			t.Errorf("%s: %v, %v, anew since %v, want %v", name, r, err, s.Anew(), c.anew)
		}
	}
}
