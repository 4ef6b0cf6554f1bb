package catalogue

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/retrograde"
)

// An estimate tells the memory that a build is refused without, leaves the
// folder of the tables alone, and knows what is stored.
func TestEstimateAgreesWithTheBuild(t *testing.T) {
	ctx := context.Background()
	named, _ := Find("fanorona")
	game, err := named.Open("5x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		dir := filepath.Join(t.TempDir(), "db")
		o := BuildOptions{Pieces: 5, Metric: metric, Workers: 2, Memory: enough}
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
		if err != nil || after.Total != (GroupEstimate{}) {
			t.Errorf("%v: with everything stored, %+v is to be done, %v", metric, after.Total, err)
		}
		for _, g := range after.Groups {
			if !g.Stored || g.Bytes == 0 {
				t.Errorf("%v: %+v", metric, g)
			}
		}
	}
}

// What is too big to be measured is estimated without a time.
func TestEstimateWithoutMeasurement(t *testing.T) {
	named, _ := Find("fanorona")
	game, err := named.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := game.Estimate(context.Background(), t.TempDir(), BuildOptions{Slices: []string{"5v4"}, Workers: 1, Memory: 1}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Measured) != 0 || e.IndicesPerSecond != 0 || e.Total.Seconds != 0 || e.Total.Memory < 14<<30 {
		t.Errorf("got %d groups measured, %+v", len(e.Measured), e.Total)
	}
}

// Slices that leave values out are not taken for as large as the others.
func TestEstimateKnowsWhatIsLeftOut(t *testing.T) {
	named, _ := Find("fanorona")
	game, err := named.Open("5x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := BuildOptions{Slices: []string{"5v2"}, Metric: bitboard.WDL, Workers: 1, Memory: enough}
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

// A group goes by the one most like it that was measured, not by the largest.
func TestEstimatesGoByWhatIsAlike(t *testing.T) {
	named, _ := Find("fanorona")
	game, err := named.Open("9x5", nil)
	if err != nil {
		t.Fatal(err)
	}
	n := game.(*instance[fanorona.Position])
	m := measurement{groups: []Measured{
		{Slices: "2v1 1v2", Indices: 1e5, Processor: 0.01},
		{Slices: "2v2", Indices: 1e6, Processor: 4},
		{Slices: "3v2 2v3", Indices: 1e6, Processor: 3},
		{Slices: "4v1 1v4", Indices: 2e6, Processor: 2},
	}}
	whole := map[string]SliceStats{
		"2v1": {Slice: "2v1", Positions: 1000, Bytes: 1000},
		"3v2": {Slice: "3v2", Positions: 1e6, Bytes: 1e6},
		"2v3": {Slice: "2v3", Positions: 1e6, Bytes: 2e6},
	}
	for slice, want := range map[string]struct{ seconds, bits float64 }{
		"5v4": {3, 8},   // like 3v2
		"4v5": {3, 16},  // like 2v3
		"4v4": {4, 1},   // like 2v2; no slice like it was stored
		"6v3": {1, 1},   // like 4v1
		"9v2": {1, 1},   // likewise, at the end
		"2v1": {0.1, 8}, // itself
		"4v2": {1, 1},   // like none measured: by the largest
	} {
		s, err := n.slice(slice)
		if err != nil {
			t.Fatal(err)
		}
		seconds := n.seconds(m, bitboard.Group{Slices: []bitboard.Slice{s}}, 1e6, 1)
		if bits := n.bits(s, whole, 1); seconds != want.seconds || bits != want.bits {
			t.Errorf("%s: %v s and %v bits, want %v and %v", slice, seconds, bits, want.seconds, want.bits)
		}
	}
}
