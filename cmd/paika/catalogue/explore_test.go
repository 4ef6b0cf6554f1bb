package catalogue_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/solver/perft"
	"paika/tablebase"
)

// withoutTables is a game that has no folder of tables.
func withoutTables(t *testing.T, game, board string) catalogue.Tables {
	t.Helper()
	g, _ := catalogue.Find(game)
	instance, err := g.Open(board, nil)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := instance.Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

func TestNoFolderIsNoTables(t *testing.T) {
	if _, err := withoutTables(t, "fanorona", "3x3").Stats(); !errors.Is(err, tablebase.ErrNoStore) {
		t.Errorf("Stats: %v, want %v", err, tablebase.ErrNoStore)
	}
}

func TestProbeIsTheHeadOfQuery(t *testing.T) {
	tables := built(t, bitboard.AllPieces, bitboard.DTW)
	positions := append(reach(t, tables), "nonsense")
	queries, err := tables.Query(t.Context(), positions)
	if err != nil {
		t.Fatal(err)
	}
	probes, err := tables.Probe(t.Context(), positions)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range queries {
		same := q.Err == nil && probes[i].Err == nil && q.Result.Position == probes[i].Result.Position &&
			q.Result.Slice == probes[i].Result.Slice && q.Result.Value == probes[i].Result.Value &&
			(q.Result.Distance == nil) == (probes[i].Result.Distance == nil) &&
			(q.Result.Distance == nil || *q.Result.Distance == *probes[i].Result.Distance)
		if !same && (q.Err == nil || probes[i].Err == nil) {
			t.Errorf("%s: %+v and %+v", positions[i], q.Result.Probe, probes[i])
		}
	}
}

// A search must find what tables of the whole board say, whether it may ask some
// tables or none.
func TestSearchAgreesWithTables(t *testing.T) {
	whole := built(t, bitboard.AllPieces, bitboard.WDL)
	positions := reach(t, whole)
	if testing.Short() {
		positions = positions[:60]
	}
	want, err := whole.Probe(t.Context(), positions)
	if err != nil {
		t.Fatal(err)
	}
	o := catalogue.SearchOptions{Nodes: 1 << 30, Time: time.Hour, Memory: 1 << 20, Workers: 1}
	for _, tables := range []catalogue.Tables{built(t, 3, bitboard.DTW), withoutTables(t, "fanorona", "3x3")} {
		for i, position := range positions {
			got, err := tables.Search(t.Context(), position, o)
			if err != nil || got.Value == nil || *got.Value != want[i].Result.Value {
				t.Fatalf("%s: %+v, %v; want %s", position, got, err, want[i].Result.Value)
			}
		}
	}
}

// Where there are no draws, who does not win loses: nothing is searched twice.
func TestSearchWithoutDrawsIsOne(t *testing.T) {
	tables := withoutTables(t, "breakthrough", "4x4")
	o := catalogue.SearchOptions{Nodes: 2000, Time: time.Hour, Memory: 1 << 20, Workers: 1} // half of two searches, and more
	got, err := tables.Search(t.Context(), catalogue.Start, o)
	if err != nil || got.Value == nil || *got.Value != bitboard.Loss.String() {
		t.Errorf("%+v, %v, want a loss", got, err)
	}
}

func TestSearchKeepsToItsLimits(t *testing.T) {
	for _, game := range []string{"fanorona", "konane", "phutball"} {
		tables := withoutTables(t, game, "").Bounded(1000)
		got, err := tables.Search(t.Context(), catalogue.Start, catalogue.SearchOptions{Nodes: 3000, Time: time.Hour, Memory: 1 << 20, Workers: 1})
		if err != nil || got.Value != nil || got.Nodes < 3000 {
			t.Errorf("%s by nodes: %+v, %v", game, got, err)
		}
		got, err = tables.Search(t.Context(), catalogue.Start, catalogue.SearchOptions{Nodes: 1 << 40, Time: 30 * time.Millisecond, Memory: 1 << 20, Workers: 1})
		if err != nil || got.Value != nil {
			t.Errorf("%s by time: %+v, %v", game, got, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err = tables.Search(ctx, catalogue.Start, catalogue.SearchOptions{Nodes: 1 << 40, Time: time.Hour, Memory: 1 << 20, Workers: 1}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s stopped: %v", game, err)
		}
	}
	_, err := withoutTables(t, "phutball", "").Bounded(100).Search(t.Context(), catalogue.Start, catalogue.SearchOptions{Nodes: 1000, Time: time.Hour, Memory: 1 << 20, Workers: 1})
	if !errors.Is(err, bitboard.ErrTooManyTurns) {
		t.Errorf("with 100 turns: %v, want %v", err, bitboard.ErrTooManyTurns)
	}
}

func TestBoundedTurns(t *testing.T) {
	all := withoutTables(t, "fanorona", "") // 5 turns from the start
	for bound, want := range map[int]int{4: 0, 5: 1, 14: 2, 15: 3, 0: 3} {
		answers, err := all.Bounded(bound).Turns(t.Context(), []string{catalogue.Start, catalogue.Start, catalogue.Start})
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, a := range answers {
			if a.Err == nil && len(a.Result.Turns) == 5 {
				got++
			} else if !errors.Is(a.Err, bitboard.ErrTooManyTurns) {
				t.Errorf("at most %d: %v", bound, a.Err)
			}
		}
		if got != want {
			t.Errorf("at most %d: %d answers, want %d", bound, got, want)
		}
	}
}

func TestPlayIsWhatTurnsLists(t *testing.T) {
	for _, game := range catalogue.Names() {
		tables := withoutTables(t, game, "")
		answers, err := tables.Turns(t.Context(), []string{catalogue.Start})
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range answers[0].Result.Turns {
			if after, err := tables.Play(catalogue.Start, turn.Turn); err != nil || after != turn.Position {
				t.Errorf("%s %s: %s, %v; want %s", game, turn.Turn, after, err, turn.Position)
			}
		}
		var illegal *catalogue.TurnError
		if _, err := tables.Play(catalogue.Start, "a1-a1"); !errors.As(err, &illegal) {
			t.Errorf("%s a1-a1: %v", game, err)
		}
	}
}

func TestLongestOfWDLSaysWhatIsMissing(t *testing.T) {
	tables := built(t, 3, bitboard.WDL)
	if _, err := tables.Longest(t.Context(), "2v1"); !errors.Is(err, catalogue.ErrNoLongest) || !strings.Contains(err.Error(), "--metric dtw") {
		t.Errorf("%v", err)
	}
}

// All that are listed are draws, and those of a whole slice are there, up to
// symmetry, if so many are asked for.
func TestDrawnListsDraws(t *testing.T) {
	tables := built(t, 3, bitboard.WDL)
	stats, err := tables.Stats()
	if err != nil {
		t.Fatal(err)
	}
	draws := uint64(0)
	for _, s := range stats.Slices {
		if s.Slice == "2v1" {
			draws = s.Draw
		}
	}
	all, err := tables.Drawn(t.Context(), "2v1", 1<<20)
	if err != nil || len(all) == 0 || uint64(len(all)) > draws || uint64(len(all))*8 < draws {
		t.Fatalf("%d positions for %d draws, %v", len(all), draws, err)
	}
	for _, p := range all {
		if p.Value != bitboard.Draw.String() || p.Slice != "2v1" {
			t.Errorf("%+v is no draw of 2v1", p)
		}
	}
	if some, err := tables.Drawn(t.Context(), "2v1", 2); err != nil || len(some) != 2 || some[0] != all[0] || some[1] != all[1] {
		t.Errorf("the first two: %v, %v", some, err)
	}
	if _, err := tables.Drawn(t.Context(), "9v9", 1); err == nil {
		t.Error("no error for a slice that is not stored")
	}
}

// Turns that are too many to be listed are refused at once: to count below them, and to write them.
func TestPerftListsNoMillionsOfTurns(t *testing.T) {
	game, _ := catalogue.Find("phutball")
	instance, err := game.Open("9x9", nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]string, 9) // a man between any two points of the lattice that the ball jumps on
	for y := range rows {
		row := []byte("*.*.*.*.*")
		if y%2 == 0 {
			row = []byte(".*.*.*.*.")
		}
		rows[y] = string(row)
	}
	rows[4] = rows[4][:4] + "@" + rows[4][5:]
	dense := strings.Join(rows, "/") + " ohs"
	for _, o := range []catalogue.PerftOptions{{Depth: 2, Workers: 1}, {Depth: 1, Divide: true, Workers: 1}, {Depth: 1, Counting: perft.Positions, Workers: 1}} {
		if _, err := instance.Perft(t.Context(), dense, o); !errors.Is(err, bitboard.ErrTooManyTurns) || !strings.Contains(err.Error(), dense) {
			t.Errorf("%+v: %v, want %v of %s", o, err, bitboard.ErrTooManyTurns, dense)
		}
	}
}

// Nor are those of a position below: the ball has nothing to jump until a man stands beside it.
func TestPerftListsNoMillionsOfTurnsBelow(t *testing.T) {
	game, _ := catalogue.Find("phutball")
	instance, err := game.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]string, 19)
	for y := range rows {
		row := []byte(".*.*.*.*.*.*.*.")
		if y%2 == 0 {
			row = []byte("***************")
		}
		if y >= 8 && y <= 10 {
			copy(row[6:9], "...")
		}
		if y == 9 {
			row[7] = '@'
		}
		rows[y] = string(row)
	}
	quiet := strings.Join(rows, "/") + " ohs"
	if one, err := instance.Perft(t.Context(), quiet, catalogue.PerftOptions{Depth: 1, Workers: 1}); err != nil || one.Nodes[0] > 15*19 {
		t.Fatalf("%+v, %v: want placements alone", one, err)
	}
	o := catalogue.PerftOptions{Depth: 2, Counting: perft.Positions, Workers: 2}
	if _, err := instance.Perft(t.Context(), quiet, o); !errors.Is(err, bitboard.ErrTooManyTurns) || !strings.Contains(err.Error(), " eks") {
		t.Errorf("%v, want %v of a position of Eks's", err, bitboard.ErrTooManyTurns)
	}
}
