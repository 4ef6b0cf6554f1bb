package catalogue_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// crowded is a position of Phutball on 9x9 with 396,336 turns.
const crowded = "........./........./.*.*.*.*./*.*.*.*.*/.*.*@*.*./*.*.*.*.*/.*.*.*.*./*.*.*.*.*/.*.*.*.*. ohs"

func phutball9x9(t *testing.T) catalogue.Instance {
	t.Helper()
	game, _ := catalogue.Find("phutball")
	instance, err := game.Open("9x9", nil)
	if err != nil {
		t.Fatal(err)
	}
	return instance
}

// TestClaimsAboutTooManyTurnsAreRefusedAtOnce, by their position.
func TestClaimsAboutTooManyTurnsAreRefusedAtOnce(t *testing.T) {
	instance := phutball9x9(t)
	refused := func(of string, err error) {
		t.Helper()
		if !errors.Is(err, bitboard.ErrTooManyTurns) || !strings.Contains(err.Error(), crowded) {
			t.Errorf("%s: %v, want %v of %s", of, err, bitboard.ErrTooManyTurns, crowded)
		}
	}
	_, err := instance.Share(crowded, "ohs-wins")
	refused("a hub", err)
	_, err = instance.Prove(t.Context(), "", crowded, catalogue.ProveOptions{Claim: "ohs-wins", Nodes: 1, Workers: 1, Memory: 1 << 28})
	refused("a search", err)
	tables, err := instance.Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := tables.Value(t.Context(), []string{crowded}, catalogue.ValueOptions{Ask: func(context.Context, catalogue.Contest) (catalogue.Settled, error) {
		t.Error("a hub is asked for the value")
		return catalogue.Settled{}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	refused("a value by a hub", answers[0].Err)
}

// TestASearchListsWhatItHasRoomFor, and names the position where that is too little.
func TestASearchListsWhatItHasRoomFor(t *testing.T) {
	tables, err := phutball9x9(t).Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := tables.Value(t.Context(), []string{crowded}, catalogue.ValueOptions{Nodes: 1000, Memory: 128 << 20, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := answers[0].Err; !errors.Is(err, bitboard.ErrTooManyTurns) || !strings.Contains(err.Error(), crowded) {
		t.Errorf("%v, want %v of %s", err, bitboard.ErrTooManyTurns, crowded)
	}
	if code := catalogue.FaultOf(answers[0].Err).Code; code != catalogue.CodeTooMany {
		t.Errorf("code %s, want %s", code, catalogue.CodeTooMany)
	}
}
