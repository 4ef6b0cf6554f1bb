package proofnumber

import (
	"slices"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/konane"
)

// Of a position that the table has a fact about, but not of any turn, the search is
// for the turn: the fact does not end it.
func TestAFactAboutTheRootDoesNotEndTheSearchForItsTurns(t *testing.T) {
	g, err := breakthrough.New(bitboard.Board{Width: 4, Height: 4})
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 8} {
		table, err := NewTable(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		s, err := New(g, table, Options[breakthrough.Position]{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		// Black, who moves second, wins on this board.
		if old, _ := table.store(s.key(&p, false), proved(false, 0).record(false)); old != (record{}) {
			t.Fatal("the fact is not new")
		}
		if v, err := s.decide(&run{total: &s.searched, budget: newBudget(0)}, p, false); err != nil || v != Proved {
			t.Fatalf("%d workers: %v, %v, want proved", workers, v, err)
		}
		for _, to := range g.Turns(nil, p) {
			if r, found := table.find(s.key(&to, true)); !found || !r.fact() || r.state(true).verdict(true) != Proved {
				t.Errorf("%d workers: no fact about the turn to %v", workers, to)
			}
		}
	}
}

// silent is a game that does not tell whether it is over, but for its list of turns.
type silent struct {
	bitboard.Rules[konane.Position[konane.Word]]
	bitboard.Symmetric[konane.Position[konane.Word]]
}

// What is put together does not depend on whether the game can tell that it is over, or an estimate tells.
func TestEndsAreSeenByAnEstimateAsByTheGame(t *testing.T) {
	game, err := konane.New[konane.Word](bitboard.Board{Width: 5, Height: 4}, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := game.Start()
	if err != nil {
		t.Fatal(err)
	}
	extracted := func(rules bitboard.Rules[konane.Position[konane.Word]], counts bool) (steps []Step[konane.Position[konane.Word]], nodes uint64) {
		t.Helper()
		table, err := NewTable(1 << 14) // it loses much
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		s, err := New(rules, table, Options[konane.Position[konane.Word]]{Estimate: Mobility(game.Count)})
		if err != nil {
			t.Fatal(err)
		}
		if (s.isOver != nil) != counts {
			t.Errorf("%T tells that it is over: %t", rules, !counts)
		}
		r, err := s.Extract(t.Context(), p, true, func(step Step[konane.Position[konane.Word]]) error {
			steps = append(steps, step)
			return nil
		})
		if err != nil || r.Verdict == Undecided || len(steps) < 100 {
			t.Fatalf("%v by %d steps: %v", r.Verdict, len(steps), err)
		}
		return steps, s.Nodes()
	}
	want, wantNodes := extracted(silent{game, game}, false)
	got, nodes := extracted(game, true)
	if !slices.Equal(got, want) || nodes != wantNodes {
		t.Errorf("%d steps by %d nodes, want %d by %d", len(got), nodes, len(want), wantNodes)
	}
}

// lists is a game that counts how often the turns of positions that have any are listed.
type lists struct {
	*konane.Game[konane.Word]
	times *int
}

func (g lists) Turns(dst []konane.Position[konane.Word], p konane.Position[konane.Word]) []konane.Position[konane.Word] {
	before := len(dst)
	dst = g.Game.Turns(dst, p)
	if len(dst) > before {
		*g.times++
	}
	return dst
}

// What is known of a refutation is put together and told by one look at each position.
func TestEachPositionOfARefutationIsLookedAtOnce(t *testing.T) {
	game, err := konane.New[konane.Word](bitboard.Board{Width: 5, Height: 4}, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	g := lists{game, new(int)}
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	table, err := NewTable(1 << 24)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	s, err := New(g, table, Options[konane.Position[konane.Word]]{})
	if err != nil {
		t.Fatal(err)
	}
	asked := false
	for _, attacker := range []bool{true, false} {
		if r, err := s.Solve(t.Context(), p, attacker); err != nil || r.Verdict != Refuted {
			continue
		}
		steps := 0
		*g.times, asked = 0, true
		r, err := s.Extract(t.Context(), p, attacker, func(Step[konane.Position[konane.Word]]) error {
			steps++
			return nil
		})
		if err != nil || r.Verdict != Refuted || *g.times > steps+1 { // the search looks at the root
			t.Errorf("%d positions, %d looks, %v, %v", steps, *g.times, r.Verdict, err)
		}
	}
	if !asked {
		t.Error("nothing is refuted")
	}
}

// Once a question is answered there is no set any more, whether it was settled or put together.
func TestNothingSettlesOnceAnswered(t *testing.T) {
	g, err := breakthrough.New(bitboard.Board{Width: 4, Height: 4})
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	for _, attacks := range []bool{true, false} {
		s, err := New(g, newTableOf(t, 1<<20), Options[breakthrough.Position]{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Solve(t.Context(), p, attacks); err != nil || s.Settling() != 0 {
			t.Errorf("solved: %d positions settle, %v", s.Settling(), err)
		}
		seen := uint64(0)
		_, err = s.Extract(t.Context(), p, attacks, func(Step[breakthrough.Position]) error {
			seen = s.Settling()
			return nil
		})
		if err != nil || seen == 0 || s.Settling() != 0 {
			t.Errorf("put together: %d positions settle, %d then, %v", seen, s.Settling(), err)
		}
	}
}
