package verify

import (
	"context"
	"testing"

	"paika/bitboard"
	"paika/tablebase"
	"paika/tablebase/internal/graphgame"
)

// A build that was killed between the two slices of a group is called just
// that: whatever else is there, and whatever is asked.
func TestVerifyTellsUnfinishedBuilds(t *testing.T) {
	game := graphgame.New(6, 1, 200)
	sol := game.Solve()
	for _, c := range []struct {
		name string
		half bitboard.Metric
		also []bitboard.Metric // stored whole
		want string
	}{
		{"wdl", bitboard.WDL, nil, "wdl 2v1: unfinished build: 1v2 is not stored"},
		{"dtw", bitboard.DTW, nil, "dtw 2v1: unfinished build: 1v2 is not stored"},
		{"wdl beside dtw", bitboard.WDL, []bitboard.Metric{bitboard.DTW}, "wdl 2v1: unfinished build: 1v2 is not stored"},
		{"dtw beside wdl", bitboard.DTW, []bitboard.Metric{bitboard.WDL}, "dtw 2v1: unfinished build: 1v2 is not stored"},
	} {
		for _, checksumsOnly := range []bool{false, true} {
			s := openTest(t, storedTest(t, sol, c.also...), tablebase.Options{})
			if err := saveOne(context.Background(), s, sol, c.half, 0); err != nil {
				t.Fatal(err)
			}
			report := verify(t, s, game, Options{ChecksumsOnly: checksumsOnly})
			if report.OK() || len(report.Findings) != 1 || report.Findings[0].String() != c.want || report.Findings[0].What != UnfinishedBuild {
				t.Errorf("%s, checksums only %t: %v, want %s", c.name, checksumsOnly, report.Findings, c.want)
			}
			if err := saveOne(context.Background(), s, sol, c.half, 1); err != nil {
				t.Fatal(err)
			}
			if report := verify(t, s, game, Options{ChecksumsOnly: checksumsOnly}); !report.OK() {
				t.Errorf("%s, completed: %v", c.name, report.Findings)
			}
		}
	}
}

// lossy is a store that lost a slice on the way to be stored anew.
type lossy struct {
	*tablebase.Store
	lost string
}

func (l lossy) Replacing(m bitboard.Metric) []string {
	if m == bitboard.WDL {
		return []string{l.lost}
	}
	return nil
}

// A slice that was lost while it was replaced is told, whatever else is right.
func TestVerifyTellsWhatWasLostOnTheWay(t *testing.T) {
	game := graphgame.New(6, 1, 200)
	for _, checksumsOnly := range []bool{false, true} {
		s := openTest(t, storedTest(t, game.Solve(), bitboard.DTW), tablebase.Options{})
		report := verify(t, lossy{s, "2v1"}, game, Options{ChecksumsOnly: checksumsOnly})
		const want = "wdl 2v1: unfinished build: it was stored, and is lost: its chunks were being replaced"
		if len(report.Findings) != 1 || report.Findings[0].String() != want {
			t.Errorf("checksums only %t: %v, want %s", checksumsOnly, report.Findings, want)
		}
	}
}

// What was lost on the way is something to verify, also where nothing else is stored.
func TestWhatWasLostAloneIsSomething(t *testing.T) {
	s := openTest(t, storedTest(t, graphgame.New(6, 1, 200).Solve()), tablebase.Options{})
	if HasSlices(s) || !HasSlices(lossy{s, "2v1"}) {
		t.Errorf("nothing stored: %v, one slice lost: %v", HasSlices(s), HasSlices(lossy{s, "2v1"}))
	}
}
