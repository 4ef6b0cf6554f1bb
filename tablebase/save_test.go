package tablebase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

func TestSavedSlicesLoadAgain(t *testing.T) {
	game := graphgame.New(11, 1, 70_000) // two chunks in wdl, five in dtw
	sol := game.Solve()
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		s := openTest(t, storedTest(t, sol, m), Options{ReadOnly: true})
		tables := s.Tables(m, game)
		for slice := range bitboard.Slice(2) {
			want, got := sol.Table(m, slice), bitboard.NewTable(m, slice, game.Indices(slice))
			if !tables.Has(slice) {
				t.Fatalf("%v %d is not there", m, slice)
			}
			if err := tables.Load(context.Background(), got); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.WDL, want.WDL) || !slices.Equal(got.DTW, want.DTW) {
				t.Errorf("%v %d differs", m, slice)
			}
		}
	}
}

// What a manifest says of values is compared with them for who asks for that.
func TestATableIsComparedWithTheManifest(t *testing.T) {
	for m := range bitboard.MetricCount {
		sol := graphgame.New(14, 1, 500).Solve()
		s := openTest(t, storedTest(t, sol, m), Options{ReadOnly: true})
		tables, table := s.Tables(m, sol.Game), sol.Table(m, 0)
		if err := tables.CheckFingerprint(t.Context(), table); err != nil {
			t.Errorf("%v: %v", m, err)
		}
		changed := bitboard.NewTable(m, 0, sol.Game.Indices(0)) // of draws alone
		wantError(t, tables.CheckFingerprint(t.Context(), changed), ErrStoredSo)
	}
}

func TestLoadRefusesWhatIsNotThere(t *testing.T) {
	game := graphgame.New(12, 1, 100)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), Options{ReadOnly: true})
	tables := s.Tables(bitboard.DTW, game)
	if tables.Has(0) {
		t.Error("dtw is not stored")
	}
	wantError(t, tables.Load(context.Background(), bitboard.NewTable(bitboard.DTW, 0, 100)), ErrNotStored)
	if err := s.Tables(bitboard.WDL, game).Load(context.Background(), bitboard.NewTable(bitboard.WDL, 0, 10)); err == nil {
		t.Error("loaded into a table that is too short")
	}
	larger := graphgame.New(12, 1, 200)
	if err := s.Tables(bitboard.WDL, larger).Load(context.Background(), bitboard.NewTable(bitboard.WDL, 0, 200)); err == nil {
		t.Error("loaded a slice with another index space")
	}
}

// The same tables, whatever the workers, the order, what was tried before, and
// the version of the program.
func TestManifestsDependOnTheTablesAlone(t *testing.T) {
	sol := graphgame.New(13, 2, 20_000).Solve()
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		var want string
		for _, workers := range []int{1, 2, 8} {
			s := openTest(t, t.TempDir(), Options{Version: fmt.Sprint("v", workers), Workers: workers})
			order := []bitboard.Slice{0, 1, 2, 3}
			if workers == 2 {
				slices.Reverse(order)
			}
			for i, slice := range order {
				if workers == 8 {
					cancelSave(t, s, sol, m, order[len(order)-1-i])
				}
				if err := saveOne(context.Background(), s, sol, m, slice); err != nil {
					t.Fatal(err)
				}
			}
			got := manifestOf(t, s, m)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%v, %d workers:\n%s\nwant\n%s", m, workers, got, want)
			}
		}
	}
}

// cancelSave breaks off a save; a slice that was there stays.
func cancelSave(t *testing.T, s *Store, sol *graphgame.Solution, m bitboard.Metric, slice bitboard.Slice) {
	t.Helper()
	before := s.Tables(m, sol.Game).Has(slice)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	wantError(t, saveOne(ctx, s, sol, m, slice), context.Canceled)
	if s.Tables(m, sol.Game).Has(slice) != before {
		t.Error("a broken-off save changed what is there")
	}
}

func TestSaveRefusesWhatIsNoTable(t *testing.T) {
	game := graphgame.New(14, 1, 100)
	sol := game.Solve()
	s := openTest(t, t.TempDir(), Options{})
	ctx := context.Background()
	bad := sol.Table(bitboard.WDL, 0)
	bad.WDL.Or(7, 3)
	if err := s.Tables(bitboard.WDL, game).Save(ctx, bad, sol.Summary(bitboard.WDL, 0)); err == nil {
		t.Error("saved a fourth value")
	}
	deep := sol.Table(bitboard.DTW, 0)
	deep.DTW[7] = 3
	if err := s.Tables(bitboard.DTW, game).Save(ctx, deep, sol.Summary(bitboard.DTW, 0)); err == nil {
		t.Error("saved a depth that is no outcome")
	}
	sum := sol.Summary(bitboard.WDL, 0)
	sum.Draw++
	if err := s.Tables(bitboard.WDL, game).Save(ctx, sol.Table(bitboard.WDL, 0), sum); err == nil {
		t.Error("saved a count that does not add up")
	}
	if len(s.Slices(bitboard.WDL)) != 0 || len(s.Slices(bitboard.DTW)) != 0 {
		t.Error("a refused slice is there")
	}
}

// In a metric that there is not nothing is stored, and nothing can be.
func TestAMetricThatThereIsNotHoldsNothing(t *testing.T) {
	const metric = bitboard.MetricCount
	sol := graphgame.New(14, 1, 100).Solve()
	s := openTest(t, t.TempDir(), Options{})
	saveAll(t, s, sol, bitboard.WDL)
	tables, table := s.Tables(metric, sol.Game), sol.Table(bitboard.WDL, 0)
	if err := tables.Save(t.Context(), table, sol.Summary(bitboard.WDL, 0)); err == nil || !strings.Contains(err.Error(), "unknown metric 2: want wdl or dtw") {
		t.Errorf("Save: %v", err)
	}
	if err := tables.Load(t.Context(), table); !errors.Is(err, ErrNotStored) {
		t.Errorf("Load: %v", err)
	}
	if _, err := NewProber(s, sol.Game, 0).In(metric).Probe(openPosition(sol.Game, 0)); !errors.Is(err, ErrNotStored) {
		t.Errorf("Probe: %v", err)
	}
	_, there := s.Slice(metric, sol.Game.SliceName(0))
	text, err := s.Manifest(metric)
	if there || tables.Has(0) || tables.LeavesOut(0) || len(s.Slices(metric)) > 0 || len(s.Replacing(metric)) > 0 || len(text) > 0 || err != nil {
		t.Errorf("it holds something, or %v", err)
	}
}

func TestManifest(t *testing.T) {
	game := &graphgame.Game{Pairs: 1, Size: 2, Nodes: [][]graphgame.Node{
		{{Weight: 3, Ended: bitboard.Loss}, {Weight: 0}},
		{{Weight: 2, Turns: []graphgame.Position{{Slice: 0}}}, {Weight: 1, Ended: bitboard.Draw}, {Weight: 0}},
	}}
	sol := game.Solve()
	s := openTest(t, t.TempDir(), Options{})
	saveAll(t, s, sol, bitboard.DTW)
	info, _ := s.Slice(bitboard.DTW, "1v2")
	other, _ := s.Slice(bitboard.DTW, "2v1")
	want := fmt.Sprintf(`{
  "game": "graph",
  "board": "1x1",
  "rules": "gaps=true",
  "metric": "dtw",
  "format": 3,
  "slices": [
    {
      "name": "1v2",
      "indices": 3,
      "positions": 3,
      "win": 2,
      "loss": 0,
      "draw": 1,
      "quiet": 3,
      "longest_win": 1,
      "longest_loss": null,
      "chunks": 1,
      "bytes": %d,
      "checksum": "%s",
      "fingerprint": "%s"
    },
    {
      "name": "2v1",
      "indices": 2,
      "positions": 3,
      "win": 0,
      "loss": 3,
      "draw": 0,
      "quiet": 3,
      "longest_win": null,
      "longest_loss": 0,
      "chunks": 1,
      "bytes": %d,
      "checksum": "%s",
      "fingerprint": "%s"
    }
  ]
}
`, info.Bytes, info.Checksum, info.Fingerprint, other.Bytes, other.Checksum, other.Fingerprint)
	if got := manifestOf(t, s, bitboard.DTW); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if len(info.Checksum) != 16 || len(info.Fingerprint) != 64 || info.Bytes == 0 {
		t.Errorf("%+v", info)
	}
	parsed, err := parseManifest([]byte(want), testIdentity, bitboard.DTW)
	if err != nil || !slices.Equal(parsed.slices, s.Slices(bitboard.DTW)) {
		t.Errorf("%+v, %v", parsed.slices, err)
	}
	if empty := manifestOf(t, s, bitboard.WDL); empty == "" {
		t.Error("a metric without slices has a manifest that lists none")
	}
}

func TestSlicesAreOrderedByStones(t *testing.T) {
	names := []string{"10v1", "2v1", "1v10", "1v1", "1v2", "2v2", "17", "3"}
	var m manifest
	for _, name := range names {
		m = m.with(SliceInfo{Name: name})
	}
	var got []string
	for _, info := range m.slices {
		got = append(got, info.Name)
	}
	if want := []string{"1v1", "1v2", "2v1", "3", "2v2", "10v1", "1v10", "17"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
