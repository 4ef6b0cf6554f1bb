package catalogue_test

import (
	"context"
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/cmd/paika/catalogue"
	"paika/solver/cgt"
)

const enough = 4 << 30 // bytes

// surveyed builds tables in a folder of their own and surveys them.
func surveyed(t *testing.T, game, board string, rules map[string]string, b catalogue.BuildOptions, o catalogue.SurveyOptions) catalogue.Stats {
	t.Helper()
	ctx := context.Background()
	named, _ := catalogue.Find(game)
	instance, err := named.Open(board, rules)
	if err != nil {
		t.Fatal(err)
	}
	b.Workers, b.Memory, o.Workers, o.Memory = 2, enough, 2, enough
	dir := t.TempDir()
	if _, err := instance.Build(ctx, dir, b); err != nil {
		t.Fatal(err)
	}
	tables, stats := stored(t, instance, dir)
	if err := tables.Survey(ctx, &stats, o); err != nil {
		t.Fatal(err)
	}
	return stats
}

// stored opens tables until the end of the test, and tells what they are.
func stored(t *testing.T, instance catalogue.Instance, dir string) (catalogue.Tables, catalogue.Stats) {
	t.Helper()
	tables, err := instance.Open(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	stats, err := tables.Stats()
	if err != nil {
		t.Fatal(err)
	}
	return tables, stats
}

// The longest line of a slice takes as many turns as the manifest says, and is
// played out to its end.
func TestLongestLinesAreThoseOfTheManifest(t *testing.T) {
	stats := surveyed(t, "fanorona", "5x5", nil, catalogue.BuildOptions{Pieces: 4, Metric: bitboard.DTW}, catalogue.SurveyOptions{Longest: true, Distances: true})
	for _, s := range stats.Slices {
		for value, c := range map[string]struct {
			longest *int
			line    *catalogue.LongestLine
		}{"win": {s.LongestWin, s.Longest.Win}, "loss": {s.LongestLoss, s.Longest.Loss}} {
			if c.longest == nil && c.line == nil {
				continue
			}
			if c.longest == nil || c.line == nil || c.line.Turns != *c.longest || len(c.line.Line) != *c.longest {
				t.Errorf("%s %s: %+v, the manifest says %d", s.Slice, value, c.line, c.longest)
			}
		}
		var win, loss uint64
		for _, d := range s.Distances {
			win, loss = win+d.Win, loss+d.Loss
		}
		if win != s.Win || loss != s.Loss {
			t.Errorf("%s: distances of %d wins and %d losses, the manifest has %d and %d", s.Slice, win, loss, s.Win, s.Loss)
		}
	}
}

// Whoever is to move loses where a Konane position's combinatorial value is 0,
// and nowhere else: zugzwangs are counted by another theory.
func TestZugzwangsOfKonaneAreItsZeros(t *testing.T) {
	stats := surveyed(t, "konane", "4x4", map[string]string{"opening": "corner-h"}, catalogue.BuildOptions{Pieces: 6}, catalogue.SurveyOptions{Zugzwang: true})
	board := bitboard.Board{Width: 4, Height: 4}
	rules, err := konane.ParseRules(board, map[string]string{"opening": "corner-h"})
	if err != nil {
		t.Fatal(err)
	}
	game, err := konane.New[konane.Word](board, rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stats.Slices {
		zeros, empty := zerosOf(t, game, s.Slice)
		if z := s.Zugzwang; z.LossForWin != zeros || z.Positions != zeros || z.Unpassed != empty {
			t.Errorf("%s: %+v; want %d of value 0, and %d without a pass", s.Slice, *z, zeros, empty)
		}
	}
}

// zerosOf counts the positions of a slice whose combinatorial value is 0, and those
// without a stone.
func zerosOf(t *testing.T, game *konane.Game[konane.Word], name string) (zeros, empty uint64) {
	t.Helper()
	slice, err := game.ParseSlice(name)
	if err != nil {
		t.Fatal(err)
	}
	universe := cgt.NewUniverse()
	values := cgt.NewKonane(universe)
	game.Walk(slice, 0, game.Indices(slice), func(_ uint64, p konane.Position[konane.Word], weight int) bool {
		black, white := game.Stones(p)
		value, err := values.Value(t.Context(), game.Board(), black, white)
		switch {
		case err != nil:
			t.Fatal(err)
		case p == konane.Position[konane.Word]{}:
			empty += uint64(weight)
		case universe.Format(value) == "0":
			zeros += uint64(weight)
		}
		return true
	})
	return zeros, empty
}
