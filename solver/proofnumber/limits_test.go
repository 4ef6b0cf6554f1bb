package proofnumber_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/solver/proofnumber"
)

// unused is how many nodes of its limit a worker may leave, as Options.Nodes says.
const unused = proofnumber.BlockNodes

// A method that is none searches nothing: who asks for it is told.
func TestAnUnknownMethodIsRefused(t *testing.T) {
	const none = proofnumber.Method(9)
	g := newFanorona(t, 3, 3)
	if _, err := proofnumber.New(g, newTable(t, 1<<12), proofnumber.Options[fanorona.Position]{Method: none}); err == nil || err.Error() != "unknown method 9" {
		t.Errorf("error %v", err)
	}
	if said := fmt.Sprint(none); said != "method 9" {
		t.Errorf("it is written %q", said)
	}
}

func TestALimitOfNodesIsKept(t *testing.T) {
	g := newFanorona(t, 5, 5)
	m := proofnumber.NewMemory(g, tables(t, g, 3))
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []proofnumber.Options[fanorona.Position]{
		{}, {Workers: 2}, {Workers: 8}, {Method: proofnumber.PN}, {Method: proofnumber.PN2},
	} {
		workers := uint64(max(1, o.Workers))
		for _, limit := range []uint64{1, 10, 1000, 4321} {
			for _, stored := range []uint64{1 << 12, 1 << 22} { // a table that is too small settles and extracts again and again
				t.Run(fmt.Sprintf("%v/%d/%d/%d", o.Method, workers, limit, stored), func(t *testing.T) {
					o.Nodes, o.Tables = limit, m
					s, err := proofnumber.New(g, newTable(t, stored), o)
					if err != nil {
						t.Fatal(err)
					}
					for range 3 { // each question has a limit of its own
						before := s.Nodes()
						r, err := s.Extract(t.Context(), p, true, func(proofnumber.Step[fanorona.Position]) error { return nil })
						if err != nil && !errors.Is(err, proofnumber.ErrTableTooSmall) {
							t.Fatal(err)
						}
						if r.Nodes > limit || r.Nodes != s.Nodes()-before {
							t.Errorf("%d nodes, or %d, of %d", r.Nodes, s.Nodes()-before, limit)
						}
						if err == nil && r.Verdict == proofnumber.Undecided && r.Nodes+unused*workers < limit {
							t.Errorf("undecided after %d nodes of %d", r.Nodes, limit)
						}
					}
				})
			}
		}
	}
}

// Solve and Extract of one question share its limit.
func TestExtractHasWhatSolveLeft(t *testing.T) {
	g := newFanorona(t, 5, 3)
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	m := proofnumber.NewMemory(g, tables(t, g, 4))
	ask := func(nodes uint64) (solved, extracted proofnumber.Result) {
		// This table loses so much that Extract has to search again.
		s, err := proofnumber.New(g, newTable(t, 1<<10), proofnumber.Options[fanorona.Position]{Tables: m, Nodes: nodes})
		if err != nil {
			t.Fatal(err)
		}
		if solved, err = s.Solve(t.Context(), p, true); err != nil {
			t.Fatal(err)
		}
		if extracted, err = s.Extract(t.Context(), p, true, func(proofnumber.Step[fanorona.Position]) error { return nil }); err != nil {
			t.Fatal(err)
		}
		return solved, extracted
	}
	solved, extracted := ask(0)
	if extracted.Nodes < 2 || extracted.Verdict != solved.Verdict {
		t.Fatalf("%v and %v: want something to be searched again", solved, extracted)
	}
	all := solved.Nodes + extracted.Nodes
	if _, enough := ask(all); enough != extracted {
		t.Errorf("%v with a limit of what it takes, want %v", enough, extracted)
	}
	if before, less := ask(all - 1); less.Verdict != proofnumber.Undecided || before.Nodes+less.Nodes != all-1 {
		t.Errorf("%v and %v with one node less, want undecided after %d", before, less, all-1)
	}
}

// Where more facts fall into one place of the table than it has room for, each search
// for one loses another. Extract still puts the structure together.
func TestExtractOutlastsATableThatLosesFacts(t *testing.T) {
	g, p, _ := newBreakthrough(t, 4, 4)
	for _, o := range []proofnumber.Options[breakthrough.Position]{
		{}, {Seed: 1}, {Seed: 2}, {Workers: 4}, {Method: proofnumber.PN}, {Method: proofnumber.PN2},
	} {
		for _, stored := range []uint64{1 << 10, 1 << 13} { // a tenth of what is found out, and half of it
			for attacker, want := range map[bool]proofnumber.Verdict{true: proofnumber.Refuted, false: proofnumber.Proved} {
				t.Run(fmt.Sprintf("%v/%d/%d/%d/%v", o.Method, o.Workers, o.Seed, stored, attacker), func(t *testing.T) {
					s, err := proofnumber.New(g, newTable(t, stored), o)
					if err != nil {
						t.Fatal(err)
					}
					var steps []proofnumber.Step[breakthrough.Position]
					r, err := s.Extract(t.Context(), p, attacker, func(s proofnumber.Step[breakthrough.Position]) error {
						steps = append(steps, s)
						return nil
					})
					if err != nil || r.Verdict != want {
						t.Fatalf("%v, %v, want %v", r, err, want)
					}
					holds(t, g, p, attacker, want, steps)
				})
			}
		}
	}
}

func TestAnEndedContextAllowsNoSearch(t *testing.T) {
	g := newFanorona(t, 9, 5)
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range []proofnumber.Options[fanorona.Position]{{}, {Workers: 8}, {Method: proofnumber.PN}, {Method: proofnumber.PN2}} {
		s, err := proofnumber.New(g, newTable(t, 1<<16), o)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := s.Solve(ctx, p, true); !errors.Is(err, context.Canceled) || r.Nodes > uint64(100*max(1, o.Workers)) {
			t.Errorf("%v, %d workers: %v, %v", o.Method, o.Workers, r, err)
		}
	}
}

// stopping is rules that end a context when they are asked for the turns of the
// position with that number.
type stopping struct {
	*fanorona.Game
	left atomic.Int64
	end  func()
}

func (s *stopping) Turns(dst []fanorona.Position, p fanorona.Position) []fanorona.Position {
	if s.left.Add(-1) == 0 {
		s.end()
		synctest.Wait() // until the search has been told
	}
	return s.Game.Turns(dst, p)
}

// A search that is stopped at any moment, while it settles or puts the proof
// together too, ends within a few positions and loses no fact: the next one has
// nothing to search for again.
func TestAStoppedSearchEndsAndLosesNothing(t *testing.T) { synctest.Test(t, stoppedSearches) }

func stoppedSearches(t *testing.T) {
	g := newFanorona(t, 7, 3)
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	m := proofnumber.NewMemory(g, tables(t, g, 3))
	for _, white := range []bool{true, false} { // a proof and a refutation
		for _, workers := range []int{1, 2, 8} {
			rules := &stopping{Game: g, end: func() {}}
			s, err := proofnumber.New(rules, newTable(t, 1<<22), proofnumber.Options[fanorona.Position]{Workers: workers, Tables: m, Sets: 1 << 24})
			if err != nil {
				t.Fatal(err)
			}
			emit := func(proofnumber.Step[fanorona.Position]) error { return nil }
			if _, err := s.Extract(t.Context(), p, white, emit); err != nil { // finds what the table lost
				t.Fatal(err)
			}
			const most = 1 << 40
			rules.left.Store(most)
			whole, err := s.Extract(t.Context(), p, white, emit)
			if err != nil {
				t.Fatal(err)
			}
			asked := most - rules.left.Load()
			for at := int64(1); at < asked; at += 1 + asked/20 {
				ctx, cancel := context.WithCancel(t.Context())
				rules.left.Store(at)
				rules.end = cancel
				if r, err := s.Extract(ctx, p, white, emit); !errors.Is(err, context.Canceled) && err != nil || err == nil && r.Verdict != whole.Verdict {
					t.Fatalf("stopped at %d of %d: %v, %v", at, asked, r, err)
				}
				cancel()
				// A worker finishes what it has taken up.
				if after := -rules.left.Load(); workers == 1 && after > 500 {
					t.Errorf("stopped at %d of %d: %d positions later the search has not ended", at, asked, after)
				}
				rules.left.Store(most)
				r, err := s.Extract(t.Context(), p, white, emit)
				if err != nil || r.Verdict != whole.Verdict || workers == 1 && r.Nodes != whole.Nodes {
					t.Errorf("stopped at %d of %d, %d workers: then %v, %v, want %v: something was lost", at, asked, workers, r, err, whole)
				}
			}
		}
	}
}
