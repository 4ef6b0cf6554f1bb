package tablebase

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
)

func verify(t *testing.T, s *Store, g *graphGame, opts VerifyOptions) Report {
	t.Helper()
	report, err := Verify(context.Background(), g, s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestVerifyAcceptsSolvedTables(t *testing.T) {
	for _, sparse := range []int{0, 1, 2} {
		game := newGraphGame(1, 3, 6_000)
		game.sparse = sparse
		verifyAccepts(t, game)
	}
}

func verifyAccepts(t *testing.T, game *graphGame) {
	sol := game.solve()
	for _, metrics := range [][]bitboard.Metric{{bitboard.WDL}, {bitboard.DTW}, {bitboard.WDL, bitboard.DTW}} {
		s := openTest(t, storedTest(t, sol, metrics...), Options{ReadOnly: true})
		var want uint64
		for slice := range bitboard.Slice(6) {
			want += game.Positions(slice)
		}
		for _, workers := range []int{1, 3} {
			var done, total uint64
			report := verify(t, s, game, VerifyOptions{Workers: workers, Progress: func(d, n uint64) { done, total = d, n }})
			if !report.OK() {
				t.Errorf("%v, %d workers: %v", metrics, workers, report.Findings)
			}
			if report.Positions != want || report.Slices != 6*len(metrics) {
				t.Errorf("%v: %d positions, %d slices", metrics, report.Positions, report.Slices)
			}
			if done != total || done == 0 {
				t.Errorf("%v: progress ends at %d of %d", metrics, done, total)
			}
		}
	}
}

// A wrong table is one that was solved wrong: its checksums are right.
func TestVerifyFindsWrongValues(t *testing.T) {
	game := newGraphGame(2, 2, 200)
	cases := []struct {
		name  string
		wrong func(sol *solution)
		what  string
	}{
		{"a draw stored as a win", func(sol *solution) { changeFirst(sol, 0, bitboard.MakeDepth(bitboard.Win, 1)) }, "value"},
		{"a win stored as a draw", func(sol *solution) { changeFirst(sol, bitboard.MakeDepth(bitboard.Win, 1), 0) }, "value"},
		{"a loss stored as a win", func(sol *solution) {
			changeFirst(sol, bitboard.MakeDepth(bitboard.Loss, 2), bitboard.MakeDepth(bitboard.Win, 3))
		}, "value"},
		{"an end of the game with another value", func(sol *solution) { changeFirst(sol, bitboard.MakeDepth(bitboard.Loss, 0), 0) }, "value"},
	}
	for _, c := range cases {
		for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			t.Run(c.name+" in "+m.String(), func(t *testing.T) {
				sol := game.solve()
				c.wrong(sol)
				s := openTest(t, storedTest(t, sol, m), Options{ReadOnly: true})
				if report := verify(t, s, game, VerifyOptions{}); !finds(report, c.what) {
					t.Errorf("not found: %v", report.Findings)
				}
				if report := verify(t, s, game, VerifyOptions{ChecksumsOnly: true}); !report.OK() {
					t.Errorf("the checksums are right: %v", report.Findings)
				}
			})
		}
	}
}

// changeFirst replaces the depth of one position of the last slice.
func changeFirst(sol *solution, from, to bitboard.Depth) {
	s := len(sol.depths) - 1
	for i, d := range sol.depths[s] {
		if d == from && sol.game.nodes[s][i].weight > 0 {
			sol.depths[s][i] = to
			return
		}
	}
	panic("no such depth")
}

func finds(r Report, what string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.What == what })
}

// In slices that leave values out, what is held is checked, and nothing else
// matters.
func TestVerifyOfSparseSlices(t *testing.T) {
	game := newGraphGame(10, 3, 200)
	game.sparse = 1
	store := func(change func(p graphPos, d bitboard.Depth) bool) *Store {
		sol := game.solve()
		for i, d := range sol.depths[2] {
			if p, weight := game.Unrank(2, uint64(i)); weight > 0 && change(p, d) {
				sol.depths[2][i] = bitboard.MakeDepth(bitboard.Win, 1)
			}
		}
		dir := t.TempDir()
		s := openTest(t, dir, Options{})
		right := game.solve()
		for slice := range bitboard.Slice(6) { // counts that are right
			if err := s.Tables(bitboard.WDL, game).Save(context.Background(), sol.table(bitboard.WDL, slice), right.summary(bitboard.WDL, slice)); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	sound := store(func(graphPos, bitboard.Depth) bool { return false })
	changed := 0
	leftOut := store(func(p graphPos, d bitboard.Depth) bool {
		if d.Value() != bitboard.Win && !game.Holds(p) {
			changed++
			return true
		}
		return false
	})
	wrong, _ := leftOut.Slice(bitboard.WDL, "3v2")
	right, _ := sound.Slice(bitboard.WDL, "3v2")
	if changed == 0 || wrong.Checksum != right.Checksum || wrong.Bytes != right.Bytes {
		t.Errorf("%d values that are left out make a difference to what is stored", changed)
	}
	if report := verify(t, leftOut, game, VerifyOptions{}); report.Total != 1 || !finds(report, "fingerprint") {
		t.Errorf("a fingerprint of wrong values that are left out: %v", report.Findings)
	}
	if report := verify(t, leftOut, game, VerifyOptions{ChecksumsOnly: true}); !report.OK() {
		t.Errorf("values that are left out are derived for checksums: %v", report.Findings)
	}
	held := store(func(p graphPos, d bitboard.Depth) bool {
		return d.Value() != bitboard.Win && game.Holds(p) && len(game.Turns(nil, p)) > 0
	})
	if report := verify(t, held, game, VerifyOptions{}); !finds(report, "value") {
		t.Errorf("wrong values that are held: %v", report.Findings)
	}
}

func TestVerifyFindsWrongDistances(t *testing.T) {
	game := newGraphGame(3, 2, 200)
	for _, change := range []int{-1, 1, 5} {
		sol := game.solve()
		d := bitboard.MakeDepth(bitboard.Win, 3)
		changeFirst(sol, d, bitboard.MakeDepth(bitboard.Win, 3+change))
		s := openTest(t, storedTest(t, sol, bitboard.DTW), Options{ReadOnly: true})
		if report := verify(t, s, game, VerifyOptions{}); !finds(report, "value") {
			t.Errorf("distance changed by %d: not found", change)
		}
	}
}

// circle is two positions that lead to each other and nowhere else.
func circle() *graphGame {
	a, b := graphPos{Slice: 0}, graphPos{Slice: 1}
	return &graphGame{pairs: 1, indices: 1, nodes: [][]graphNode{
		{{weight: 1, turns: []graphPos{b}}},
		{{weight: 1, turns: []graphPos{a}}, {weight: 0}},
	}}
}

func TestVerifyFindsValuesThatSupportOnlyEachOther(t *testing.T) {
	game := circle()
	sol := game.solve()
	s := openTest(t, storedTest(t, sol, bitboard.WDL), Options{ReadOnly: true})
	if report := verify(t, s, game, VerifyOptions{}); !report.OK() {
		t.Fatalf("two draws: %v", report.Findings)
	}
	sol.depths[0][0] = bitboard.MakeDepth(bitboard.Win, 1)
	sol.depths[1][0] = bitboard.MakeDepth(bitboard.Loss, 2)
	s = openTest(t, storedTest(t, sol, bitboard.WDL), Options{ReadOnly: true})
	report := verify(t, s, game, VerifyOptions{})
	if report.Total != 2 || !finds(report, "grounding") || finds(report, "value") {
		t.Errorf("a win and a loss: %v", report.Findings)
	}
}

func TestVerifyFindsWrongCounts(t *testing.T) {
	game := newGraphGame(4, 1, 300)
	sol := game.solve()
	s := openTest(t, t.TempDir(), Options{})
	for slice := range bitboard.Slice(2) {
		sum := sol.summary(bitboard.DTW, slice)
		sum.Win, sum.Loss = sum.Win-1, sum.Loss+1
		sum.LongestWin++
		if err := s.Tables(bitboard.DTW, game).Save(context.Background(), sol.table(bitboard.DTW, slice), sum); err != nil {
			t.Fatal(err)
		}
	}
	report := verify(t, s, game, VerifyOptions{})
	for _, what := range []string{"win", "loss", "longest win"} {
		if !finds(report, what) {
			t.Errorf("%s not found: %v", what, report.Findings)
		}
	}
	if report.Total != 6 {
		t.Errorf("%d findings, want 6: %v", report.Total, report.Findings)
	}
}

func TestVerifyFindsMetricsThatDisagree(t *testing.T) {
	game := newGraphGame(5, 1, 300)
	sol := game.solve()
	dir := storedTest(t, sol, bitboard.DTW)
	changeFirst(sol, bitboard.MakeDepth(bitboard.Win, 1), bitboard.MakeDepth(bitboard.Loss, 1))
	s := openTest(t, dir, Options{})
	saveAll(t, s, sol, bitboard.WDL)
	report := verify(t, s, game, VerifyOptions{})
	for _, f := range report.Findings {
		if f.Metric != bitboard.WDL {
			t.Errorf("dtw is right: %v", f)
		}
	}
	if !finds(report, "value") {
		t.Errorf("not found: %v", report.Findings)
	}
}

func TestVerifyNamesWhatIsLacking(t *testing.T) {
	game := newGraphGame(6, 2, 200)
	sol := game.solve()
	s := openTest(t, t.TempDir(), Options{})
	if err := saveOne(context.Background(), s, sol, bitboard.WDL, 0); err != nil {
		t.Fatal(err)
	}
	report := verify(t, s, game, VerifyOptions{})
	if report.Total != 1 || !strings.Contains(report.Findings[0].String(), "1v2 is not stored") {
		t.Errorf("half a group: %v", report.Findings)
	}
	for _, slice := range []bitboard.Slice{2, 3} {
		if err := saveOne(context.Background(), s, sol, bitboard.WDL, slice); err != nil {
			t.Fatal(err)
		}
	}
	if report := verify(t, s, game, VerifyOptions{}); report.Total != 3 {
		t.Errorf("a group without its needs: %v", report.Findings)
	}
}

func TestVerifyKeepsFindingsWithinTheLimit(t *testing.T) {
	game := newGraphGame(7, 1, 300)
	sol := game.solve()
	for i := range sol.depths[0] {
		sol.depths[0][i] = bitboard.MakeDepth(bitboard.Win, 99)
	}
	s := openTest(t, storedTest(t, sol, bitboard.DTW), Options{ReadOnly: true})
	all := verify(t, s, game, VerifyOptions{Limit: 10_000})
	few := verify(t, s, game, VerifyOptions{Limit: 3})
	if uint64(len(all.Findings)) != all.Total || len(few.Findings) != 3 || few.Total != all.Total {
		t.Errorf("%d findings of %d, then %d of %d", len(all.Findings), all.Total, len(few.Findings), few.Total)
	}
}

func TestVerifyStopsWithItsContext(t *testing.T) {
	game := newGraphGame(8, 1, 300)
	s := openTest(t, storedTest(t, game.solve(), bitboard.DTW), Options{ReadOnly: true})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Verify(ctx, game, s, VerifyOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestVerifyMemoryCoversTheLargestGroup(t *testing.T) {
	game := newGraphGame(9, 2, 1000)
	s := openTest(t, storedTest(t, game.solve(), bitboard.DTW), Options{ReadOnly: true})
	if got := VerifyMemory(game, s, VerifyOptions{}); got < 4*1000*2 {
		t.Errorf("%d bytes for four slices of 1000 depths", got)
	}
}

// The findings that are kept are the first ones in order, whoever found them.
func TestFindingsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	game := newGraphGame(111, 1, 40_000)
	sol := game.solve()
	for _, depths := range sol.depths {
		for i := range depths {
			if i%7 == 0 {
				depths[i] = bitboard.MakeDepth(bitboard.Win, 99)
			}
		}
	}
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		s := openTest(t, storedTest(t, sol, m), Options{ReadOnly: true})
		want := verify(t, s, game, VerifyOptions{Workers: 1})
		if len(want.Findings) != 100 || want.Total <= 1_000 {
			t.Fatalf("%v: %d findings of %d", m, len(want.Findings), want.Total)
		}
		all := verify(t, s, game, VerifyOptions{Workers: 1, Limit: 1 << 16})
		if !slices.Equal(all.Findings[:100], want.Findings) || uint64(len(all.Findings)) != want.Total {
			t.Errorf("%v: those kept are not the first ones", m)
		}
		for _, workers := range []int{2, 8} {
			got := verify(t, s, game, VerifyOptions{Workers: workers})
			if !slices.Equal(got.Findings, want.Findings) || got.Total != want.Total {
				t.Errorf("%v, %d workers: %d findings, the last %v; want %d, the last %v",
					m, workers, got.Total, got.Findings[99], want.Total, want.Findings[99])
			}
		}
	}
}

// Whatever the manifest says of a slice is a finding where it is not so.
func TestVerifyFindsEverythingThatAManifestSaysWrong(t *testing.T) {
	game := newGraphGame(112, 2, 2_000)
	dir := storedTest(t, game.solve(), bitboard.WDL)
	for what, change := range map[string]func(info *SliceInfo){
		"quiet":                     func(info *SliceInfo) { info.Quiet-- },
		"longest win":               func(info *SliceInfo) { info.LongestWin = 7 },
		"longest loss":              func(info *SliceInfo) { info.LongestLoss = 0 },
		"win":                       func(info *SliceInfo) { info.Win, info.Draw = info.Win-1, info.Draw+1 },
		"loss":                      func(info *SliceInfo) { info.Loss, info.Draw = info.Loss-1, info.Draw+1 },
		"draw":                      func(info *SliceInfo) { info.Loss, info.Draw = info.Loss-1, info.Draw+1 },
		"sum of win, loss and draw": func(info *SliceInfo) { info.Draw++ },
		"positions":                 func(info *SliceInfo) { info.Positions++ },
		"chunks":                    func(info *SliceInfo) { info.Chunks++ },
		"bytes":                     func(info *SliceInfo) { info.Bytes++ },
		"checksum":                  func(info *SliceInfo) { info.Checksum = "0123456789abcdef" },
		"fingerprint":               func(info *SliceInfo) { info.Fingerprint = strings.Repeat("0", 64) },
		"indices":                   func(info *SliceInfo) { info.Indices-- },
	} {
		s := openTest(t, copyFolder(t, dir), Options{})
		info, _ := s.Slice(bitboard.WDL, "2v3")
		change(&info)
		rewrite(t, s, info)
		report := verify(t, s, game, VerifyOptions{})
		if !finds(report, what) {
			t.Errorf("%s: %v", what, report.Findings)
		}
		for _, f := range report.Findings {
			if f.Slice != "2v3" && f.What != "values" {
				t.Errorf("%s: %v", what, f)
			}
		}
	}
}

// Where an index stands for no position, a draw is stored, or a fingerprint would
// be of something else than positions.
func TestVerifyFindsValuesAtGaps(t *testing.T) {
	game := newGraphGame(113, 1, 500)
	for _, metrics := range [][]bitboard.Metric{{bitboard.WDL}, {bitboard.DTW}, {bitboard.WDL, bitboard.DTW}} {
		sol := game.solve()
		for i := range sol.depths[1] {
			if _, weight := game.Unrank(1, uint64(i)); weight == 0 {
				sol.depths[1][i] = bitboard.MakeDepth(bitboard.Win, 1)
			}
		}
		s := openTest(t, storedTest(t, sol, metrics...), Options{ReadOnly: true})
		if report := verify(t, s, game, VerifyOptions{}); !finds(report, "values at gaps") || report.Total != uint64(len(metrics)) {
			t.Errorf("%v: %v", metrics, report.Findings)
		}
	}
}

// A size that only a manifest claims is not believed so far as to be read.
func TestVerifyDoesNotReadWhatAManifestClaims(t *testing.T) {
	game := newGraphGame(114, 2, 500)
	s := openTest(t, storedTest(t, game.solve(), bitboard.WDL), Options{})
	info, _ := s.Slice(bitboard.WDL, "2v3")
	info.Indices = 1 << 62
	info.Chunks = chunkCount(bitboard.WDL, info.Indices)
	rewrite(t, s, info)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	report, err := Verify(ctx, game, s, VerifyOptions{})
	if err != nil || !finds(report, "indices") {
		t.Errorf("%v, %v", report.Findings, err)
	}
}
