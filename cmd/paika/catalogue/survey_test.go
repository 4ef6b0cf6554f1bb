package catalogue_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
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

// Tables are read in the least memory that is not refused, with as many workers as fit, and are
// surveyed in it: to the same answer. What is less is refused before anything is done.
func TestTablesAreReadWithinTheLeastMemory(t *testing.T) {
	for _, c := range []struct {
		game, board string
		metric      bitboard.Metric
	}{
		{"fanorona", "telo", bitboard.DTW}, {"konane", "4x4", bitboard.WDL}, {"phutball", "3x5", bitboard.WDL}, {"breakthrough", "3x4", bitboard.WDL},
	} {
		game, _ := catalogue.Find(c.game)
		instance, err := game.Open(c.board, nil)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := instance.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: pieces(c.game), Metric: c.metric, Workers: 2, Memory: enough}); err != nil {
			t.Fatal(err)
		}
		tables, want := stored(t, instance, dir)
		survey := catalogue.SurveyOptions{Zugzwang: true, Workers: 64}
		if err := tables.Survey(t.Context(), &want, survey); err != nil {
			t.Fatal(err)
		}
		told := false
		survey.Progress = func(uint64, uint64) { told = true }
		least := uint64(0)
		for memory := uint64(1); least == 0; memory += 1 << 20 {
			within, err := tables.Within(memory)
			var got catalogue.Stats
			if err == nil {
				got, err = within.Stats()
			}
			if err == nil {
				err = within.Survey(t.Context(), &got, survey)
			}
			switch {
			case err == nil:
				least = memory
			case !errors.Is(err, catalogue.ErrMemory) || told:
				t.Fatalf("%s in %d bytes: %v; a survey has begun: %v", c.game, memory, err, told)
			}
			if err == nil && !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %d bytes: %+v, want %+v", c.game, memory, got, want)
			}
		}
		if held := heldBySurvey(t, tables, least); held > least {
			t.Errorf("%s: a survey holds %d bytes of heap, and %d are allowed", c.game, held, least)
		}
	}
}

// pieces are those of the boards that are small enough.
func pieces(game string) int {
	if game == "fanorona" {
		return 4
	}
	return bitboard.AllPieces
}

// heldBySurvey is the most heap in use, of the first calls to its progress, while tables are
// surveyed within so many bytes.
func heldBySurvey(t *testing.T, tables catalogue.Tables, memory uint64) (most uint64) {
	t.Helper()
	within, err := tables.Within(memory)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := within.Stats()
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	err = within.Survey(t.Context(), &stats, catalogue.SurveyOptions{Zugzwang: true, Workers: 64, Progress: func(uint64, uint64) {
		if calls++; calls > 10 {
			return
		}
		for range 3 {
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return most
}
