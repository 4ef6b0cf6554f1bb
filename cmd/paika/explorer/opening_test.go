package explorer

import (
	"context"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// Who waits for somebody else's look at the tables goes when it likes.
func TestWhoWaitsForTheOpeningCanGo(t *testing.T) {
	s := newServer(t, unhurried())
	leave, err := s.opening.one.enter(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	tables := s.views.all()[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if text := s.openingOf(ctx, tables); text != catalogue.Start {
		t.Errorf("without a look: %s", text)
	}
	leave()
	if text := s.openingOf(t.Context(), tables); text == catalogue.Start {
		t.Error("the start, though tables have wins")
	}
}

// What the page opens on is a win, whatever the tables have.
func TestOpenings(t *testing.T) {
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		game, _ := catalogue.Find("fanorona")
		instance, err := game.Open("3x3", nil)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := instance.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: 4, Metric: metric, Workers: 1, Memory: 1 << 30}); err != nil {
			t.Fatal(err)
		}
		tables, err := instance.Open(dir, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		answers, err := tables.Query(t.Context(), []string{findOpening(t.Context(), tables)})
		if err != nil || answers[0].Err != nil || answers[0].Result.Value != "win" {
			t.Errorf("%v: %+v, %v", metric, answers, err)
		}
		if !slices.Contains([]string{"2v2", "3v1", "1v3"}, answers[0].Result.Slice) {
			t.Errorf("%v: the opening is in %s", metric, answers[0].Result.Slice)
		}
	}
}
