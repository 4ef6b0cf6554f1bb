package proofnumber_test

import (
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/solver/proofnumber"
)

// TestKonane and TestPhutball compare every position of small boards with the
// obvious solver.
func TestKonane(t *testing.T) {
	board := bitboard.Board{Width: 4, Height: 4}
	rules, err := konane.ParseRules(board, map[string]string{"opening": "gap:b2-c2"})
	if err != nil {
		t.Fatal(err)
	}
	g, err := konane.New[konane.Word](board, rules)
	if err != nil {
		t.Fatal(err)
	}
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	testGame(t, g, start, 1<<16, proofnumber.Options[konane.Position[konane.Word]]{Sets: 1 << 20})
}

func TestPhutball(t *testing.T) {
	g, err := phutball.New(bitboard.Board{Width: 3, Height: 3}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	start, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	testGame(t, g, start, 1<<16, proofnumber.Options[phutball.Position]{Sets: 1 << 20})
}
