package proofnumber

import (
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
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
