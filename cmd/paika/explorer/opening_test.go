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

// The page begins with the board asked for where it has tables or was named, else with the largest
// tables of its game, else with the largest of all.
func TestWhatThePageBeginsWith(t *testing.T) {
	config := newServer(t, unhurried()).config
	open := func(game, board string) catalogue.Instance {
		t.Helper()
		found, _ := catalogue.Find(game)
		instance, err := found.Open(board, nil)
		if err != nil {
			t.Fatal(err)
		}
		return instance
	}
	largest, most := "", uint64(0)
	for _, table := range config.Tables {
		stats, err := table.Tables.Stats()
		if err != nil {
			t.Fatal(err)
		}
		for _, total := range stats.Totals {
			if total.Positions > most {
				largest, most = nameOf(table.Instance).String(), total.Positions
			}
		}
	}
	for _, c := range []struct {
		game, board string
		named, none bool
		want        string
	}{
		{"phutball", "3x5", false, false, "phutball 3x5"},
		{"konane", "4x4", true, false, "konane 4x4"},
		{"fanorona", "9x5", false, false, "fanorona 5x5"},
		{"konane", "6x6", false, false, "konane 4x4"},
		{"phutball", "15x19", false, false, "phutball 3x5"},
		{"breakthrough", "5x5", false, false, largest},
		{"breakthrough", "5x5", true, false, "breakthrough 5x5"},
		{"fanorona", "9x5", true, false, "fanorona 9x5"},
		{"fanorona", "9x5", false, true, "fanorona 9x5"},
	} {
		config := config
		config.First, config.Named = open(c.game, c.board), c.named
		if c.none {
			config.Tables = nil
		}
		s, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		table, found := s.firstTable()
		got := nameOf(config.First).String()
		if found {
			got = nameOf(table.Instance).String()
		}
		if got != c.want {
			t.Errorf("%+v: it begins with %s", c, got)
		}
	}
}
