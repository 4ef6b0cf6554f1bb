package catalogue_test

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/solver/retrograde"
)

// An estimate tells the memory that a build is refused without, leaves the
// folder of the tables alone, and knows what is stored.
func TestEstimateAgreesWithTheBuild(t *testing.T) {
	ctx := context.Background()
	named, _ := catalogue.Find("fanorona")
	game, err := named.Open("5x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		dir := filepath.Join(t.TempDir(), "db")
		o := catalogue.BuildOptions{Pieces: 5, Metric: metric, Workers: 2, Memory: enough}
		e, err := game.Estimate(ctx, dir, o, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: the estimate left something in the folder: %v", metric, err)
		}
		if len(e.Measured) != len(e.Groups) || e.IndicesPerSecond <= 0 || e.Total.Seconds <= 0 {
			t.Errorf("%v: %d of %d groups measured, %v indices/s, %v s in all", metric, len(e.Measured), len(e.Groups), e.IndicesPerSecond, e.Total.Seconds)
		}

		o.Memory = e.Total.Memory - 1
		var short *retrograde.MemoryError
		if _, err := game.Build(ctx, dir, o); !errors.As(err, &short) || short.Need != e.Total.Memory {
			t.Errorf("%v: a byte less than the estimate of %d: %v", metric, e.Total.Memory, err)
		}
		o.Memory++
		built, err := game.Build(ctx, dir, o)
		if err != nil || built.Solved != e.Total.Positions {
			t.Fatalf("%v: %d positions solved, %v; estimated %d", metric, built.Solved, err, e.Total.Positions)
		}
		// Everything was measured, so that the estimate is the truth but for
		// rounding in each slice.
		total := built.Totals[0]
		if off := int64(total.Bytes) - int64(e.Total.Bytes); off < -64 || off > 64 {
			t.Errorf("%v: %d bytes, estimated %d", metric, total.Bytes, e.Total.Bytes)
		}

		after, err := game.Estimate(ctx, dir, o, time.Hour)
		if err != nil || after.Total != (catalogue.GroupEstimate{}) {
			t.Errorf("%v: with everything stored, %+v is to be done, %v", metric, after.Total, err)
		}
		if len(after.Measured) != 0 {
			t.Errorf("%v: with everything stored, measured %+v", metric, after.Measured)
		}
		for _, g := range after.Groups {
			if !g.Stored || g.Bytes == 0 {
				t.Errorf("%v: %+v", metric, g)
			}
		}
	}
}

// Of a group that is stored in part, what is stored takes no more of the disk.
func TestEstimateOfHalfAGroup(t *testing.T) {
	named, _ := catalogue.Find("fanorona")
	game, err := named.Open("telo", nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, files, half := t.TempDir(), t.TempDir(), t.TempDir()
	o := catalogue.BuildOptions{Pieces: 3, Workers: 1, Memory: enough}
	built, err := game.Build(t.Context(), whole, o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = game.Export(t.Context(), whole, files, catalogue.ExportOptions{Slices: []string{"1v2"}, Workers: 1, Memory: enough})
	if err != nil {
		t.Fatal(err)
	}
	imported, err := game.Import(t.Context(), half, files, catalogue.ImportOptions{Workers: 1, Memory: enough})
	if err != nil || imported.Stored != 1 {
		t.Fatal(imported, err)
	}
	e, err := game.Estimate(t.Context(), half, o, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	bytes := make(map[string]uint64)
	for _, s := range built.Slices {
		bytes[s.Slice] = s.Bytes
	}
	if want := bytes["1v1"] + bytes["2v1"]; e.Total.Bytes != want {
		t.Errorf("%d bytes are to come, want %d", e.Total.Bytes, want)
	}
	if last, want := e.Groups[len(e.Groups)-1], bytes["2v1"]+bytes["1v2"]; last.Stored || last.Bytes != want {
		t.Errorf("the group has %d bytes, want %d: %+v", last.Bytes, want, last)
	}
}

// What is too big to be measured is estimated without a time.
func TestEstimateWithoutMeasurement(t *testing.T) {
	named, _ := catalogue.Find("fanorona")
	game, err := named.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := game.Estimate(context.Background(), t.TempDir(), catalogue.BuildOptions{Slices: []string{"5v4"}, Workers: 1, Memory: 1}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Measured) != 0 || e.IndicesPerSecond != 0 || e.Total.Seconds != 0 || e.Total.Memory < 14<<30 {
		t.Errorf("got %d groups measured, %+v", len(e.Measured), e.Total)
	}
}

// Times are those in the memory allowed, and beside them stands what more of it gains: nothing
// where there is plenty.
func TestEstimateTellsWhatMoreMemoryGains(t *testing.T) {
	named, _ := catalogue.Find("fanorona")
	game, err := named.Open("7x5", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := catalogue.BuildOptions{Pieces: 7, Metric: bitboard.WDL, Workers: 1, Memory: enough}
	plenty, err := game.Estimate(t.Context(), t.TempDir(), o, 200*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range plenty.Groups {
		if g.SecondsFastest != g.Seconds || g.Seconds == 0 {
			t.Errorf("%s takes %v s with plenty of memory, and %v s with the most that it has use for", g.Slices, g.Seconds, g.SecondsFastest)
		}
	}
	o.Memory = plenty.Total.Memory // for the largest group without any room
	tight, err := game.Estimate(t.Context(), t.TempDir(), o, 200*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	var sum float64
	for _, g := range tight.Groups {
		sum += g.SecondsFastest
		if g.SecondsFastest > g.Seconds || g.SecondsFastest == g.Seconds && g.Memory == o.Memory {
			t.Errorf("%s takes %v s in the memory allowed, and %v s with the most that it has use for", g.Slices, g.Seconds, g.SecondsFastest)
		}
	}
	if sum != tight.Total.SecondsFastest {
		t.Errorf("all with the most memory: %v s, want the sum %v s", tight.Total.SecondsFastest, sum)
	}
}

// Slices that leave values out are not taken for as large as the others.
func TestEstimateKnowsWhatIsLeftOut(t *testing.T) {
	named, _ := catalogue.Find("fanorona")
	game, err := named.Open("5x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := catalogue.BuildOptions{Slices: []string{"5v2"}, Metric: bitboard.WDL, Workers: 1, Memory: enough}
	e, err := game.Estimate(t.Context(), t.TempDir(), o, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	built, err := game.Build(t.Context(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	truth := make(map[string]uint64)
	for _, s := range built.Slices {
		truth[s.Slice] = s.Bytes
	}
	last := e.Groups[len(e.Groups)-1]
	if want := truth["5v2"] + truth["2v5"]; last.Bytes < want/2 || last.Bytes > 2*want {
		t.Errorf("%s: %d bytes, estimated %d", last.Slices, want, last.Bytes)
	}
}

// What is stored with values left out is completed before a build goes on, and stored whole:
// that takes time and room, which are told.
func TestEstimateCountsWhatIsCompleted(t *testing.T) {
	named, _ := catalogue.Find("fanorona")
	game, err := named.Open("5x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir, o := t.TempDir(), catalogue.BuildOptions{Pieces: 6, Metric: bitboard.WDL, Workers: 1, Memory: enough}
	before, err := game.Build(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Pieces = 7
	e, err := game.Estimate(t.Context(), dir, o, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	after, err := game.Build(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	more := after.Totals[0].Bytes - before.Totals[0].Bytes
	if off := int64(more) - int64(e.Total.Bytes); off < -64 || off > 64 {
		t.Errorf("%d bytes more, estimated %d", more, e.Total.Bytes)
	}

	var last catalogue.Measured // 5v2 and 2v5, which need 5v1 and 1v5
	for _, m := range e.Measured {
		if m.Slices == "5v2 2v5" {
			last = m
		}
	}
	for _, g := range e.Groups {
		if alone := cmp.Or(last.Processor, last.Seconds); g.Slices == last.Slices && g.Seconds <= alone {
			t.Errorf("%s: %v s with what it needs, solved in %v s alone", g.Slices, g.Seconds, alone)
		}
	}
	if last.Slices == "" {
		t.Error("5v2 was not measured")
	}
}

// A board that is solved as a whole, and takes too long to be measured, goes by a smaller one.
func TestEstimateByASmallerBoard(t *testing.T) {
	named, _ := catalogue.Find("phutball")
	game, err := named.Open("3x5", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := catalogue.BuildOptions{Pieces: bitboard.AllPieces, Workers: 1, Memory: enough}
	e, err := game.Estimate(t.Context(), t.TempDir(), o, time.Nanosecond)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Measured) != 1 || e.Measured[0].Slices != "all of 3x4" || e.Total.Seconds <= 0 || e.Total.Bytes == 0 {
		t.Errorf("measured %+v, in all %+v", e.Measured, e.Total)
	}

	dir := t.TempDir()
	if _, err := game.Build(t.Context(), dir, o); err != nil {
		t.Fatal(err)
	}
	if e, err = game.Estimate(t.Context(), dir, o, time.Nanosecond); err != nil || len(e.Measured) != 0 {
		t.Errorf("once it is stored, measured %+v, %v", e.Measured, err)
	}
}
