package verify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/tablebase"
	"paika/tablebase/internal/graphgame"
)

// verify is Run, whose progress never falls or goes beyond its total, and ends there: whatever
// is found on the way.
func verify(t *testing.T, s Store, g *graphgame.Game, opts Options) Report {
	t.Helper()
	var last, all uint64
	watch := opts.Progress
	opts.Progress = func(done, total uint64) {
		if done < last || done > total || all > 0 && total != all {
			t.Errorf("progress goes from %d of %d to %d of %d", last, all, done, total)
		}
		last, all = done, total
		if watch != nil {
			watch(done, total)
		}
	}
	report, err := Run(context.Background(), g, s, opts)
	if err != nil {
		t.Fatal(err)
	}
	if last != all {
		t.Errorf("progress ends at %d of %d", last, all)
	}
	return report
}

func TestVerifyAcceptsSolvedTables(t *testing.T) {
	for _, sparse := range []int{0, 1, 2} {
		game := graphgame.New(1, 3, 6_000)
		game.Sparse = sparse
		verifyAccepts(t, game)
	}
}

func verifyAccepts(t *testing.T, game *graphgame.Game) {
	sol := game.Solve()
	for _, metrics := range [][]bitboard.Metric{{bitboard.WDL}, {bitboard.DTW}, {bitboard.WDL, bitboard.DTW}} {
		s := openTest(t, storedTest(t, sol, metrics...), toRead)
		var want uint64
		for slice := range bitboard.Slice(6) {
			want += game.Positions(slice)
		}
		for _, workers := range []int{1, 3} {
			var done uint64
			report := verify(t, s, game, Options{Workers: workers, Progress: func(d, _ uint64) { done = d }})
			if !report.OK() {
				t.Errorf("%v, %d workers: %v", metrics, workers, report.Findings)
			}
			if report.Positions != want || report.Slices != 6*len(metrics) {
				t.Errorf("%v: %d positions, %d slices", metrics, report.Positions, report.Slices)
			}
			if done == 0 {
				t.Errorf("%v: no progress", metrics)
			}
		}
	}
}

// A wrong table is one that was solved wrong: its checksums are right.
func TestVerifyFindsWrongValues(t *testing.T) {
	game := graphgame.New(2, 2, 200)
	cases := []struct {
		name  string
		wrong func(sol *graphgame.Solution)
		what  string
	}{
		{"a draw stored as a win", func(sol *graphgame.Solution) { changeFirst(sol, 0, bitboard.MakeDepth(bitboard.Win, 1)) }, "value"},
		{"a win stored as a draw", func(sol *graphgame.Solution) { changeFirst(sol, bitboard.MakeDepth(bitboard.Win, 1), 0) }, "value"},
		{"a loss stored as a win", func(sol *graphgame.Solution) {
			changeFirst(sol, bitboard.MakeDepth(bitboard.Loss, 2), bitboard.MakeDepth(bitboard.Win, 3))
		}, "value"},
		{"an end of the game with another value", func(sol *graphgame.Solution) { changeFirst(sol, bitboard.MakeDepth(bitboard.Loss, 0), 0) }, "value"},
	}
	for _, c := range cases {
		for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			t.Run(c.name+" in "+m.String(), func(t *testing.T) {
				sol := game.Solve()
				c.wrong(sol)
				s := openTest(t, storedTest(t, sol, m), toRead)
				if report := verify(t, s, game, Options{}); !finds(report, c.what) {
					t.Errorf("not found: %v", report.Findings)
				}
				if report := verify(t, s, game, Options{ChecksumsOnly: true}); !report.OK() {
					t.Errorf("the checksums are right: %v", report.Findings)
				}
			})
		}
	}
}

// changeFirst replaces the depth of one position of the last slice.
func changeFirst(sol *graphgame.Solution, from, to bitboard.Depth) {
	s := len(sol.Depths) - 1
	for i, d := range sol.Depths[s] {
		if d == from && sol.Game.Nodes[s][i].Weight > 0 {
			sol.Depths[s][i] = to
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
	game := graphgame.New(10, 3, 200)
	game.Sparse = 1
	store := func(change func(p graphgame.Position, d bitboard.Depth) bool) *tablebase.Store {
		sol := game.Solve()
		for i, d := range sol.Depths[2] {
			if p, weight := game.Unrank(2, uint64(i)); weight > 0 && change(p, d) {
				sol.Depths[2][i] = bitboard.MakeDepth(bitboard.Win, 1)
			}
		}
		dir := t.TempDir()
		s := openTest(t, dir, tablebase.Options{})
		right := game.Solve()
		for slice := range bitboard.Slice(6) { // counts that are right
			if err := s.Tables(bitboard.WDL, game).ForBuild(game.Build()).Save(context.Background(), sol.Table(bitboard.WDL, slice), right.Summary(bitboard.WDL, slice)); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	sound := store(func(graphgame.Position, bitboard.Depth) bool { return false })
	changed := 0
	leftOut := store(func(p graphgame.Position, d bitboard.Depth) bool {
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
	if report := verify(t, leftOut, game, Options{}); report.Total != 1 || !finds(report, "fingerprint") {
		t.Errorf("a fingerprint of wrong values that are left out: %v", report.Findings)
	}
	if report := verify(t, leftOut, game, Options{ChecksumsOnly: true}); !report.OK() {
		t.Errorf("values that are left out are derived for checksums: %v", report.Findings)
	}
	held := store(func(p graphgame.Position, d bitboard.Depth) bool {
		return d.Value() != bitboard.Win && game.Holds(p) && len(game.Turns(nil, p)) > 0
	})
	if report := verify(t, held, game, Options{}); !finds(report, "value") {
		t.Errorf("wrong values that are held: %v", report.Findings)
	}
}

func TestVerifyFindsWrongDistances(t *testing.T) {
	game := graphgame.New(3, 2, 200)
	for _, change := range []int{-1, 1, 5} {
		sol := game.Solve()
		d := bitboard.MakeDepth(bitboard.Win, 3)
		changeFirst(sol, d, bitboard.MakeDepth(bitboard.Win, 3+change))
		s := openTest(t, storedTest(t, sol, bitboard.DTW), toRead)
		if report := verify(t, s, game, Options{}); !finds(report, "value") {
			t.Errorf("distance changed by %d: not found", change)
		}
	}
}

// circle is two positions that lead to each other and nowhere else.
func circle() *graphgame.Game {
	a, b := graphgame.Position{Slice: 0}, graphgame.Position{Slice: 1}
	return &graphgame.Game{Pairs: 1, Size: 1, Nodes: [][]graphgame.Node{
		{{Weight: 1, Turns: []graphgame.Position{b}}},
		{{Weight: 1, Turns: []graphgame.Position{a}}, {Weight: 0}},
	}}
}

func TestVerifyFindsValuesThatSupportOnlyEachOther(t *testing.T) {
	game := circle()
	sol := game.Solve()
	s := openTest(t, storedTest(t, sol, bitboard.WDL), toRead)
	if report := verify(t, s, game, Options{}); !report.OK() {
		t.Fatalf("two draws: %v", report.Findings)
	}
	sol.Depths[0][0] = bitboard.MakeDepth(bitboard.Win, 1)
	sol.Depths[1][0] = bitboard.MakeDepth(bitboard.Loss, 2)
	s = openTest(t, storedTest(t, sol, bitboard.WDL), toRead)
	report := verify(t, s, game, Options{})
	if report.Total != 2 || !finds(report, "grounding") || finds(report, "value") {
		t.Errorf("a win and a loss: %v", report.Findings)
	}
}

// What follows from values that support only each other has the value that they have.
func TestNoMoreIsFoundThanWhatSupportsOnlyEachOther(t *testing.T) {
	game := circle()
	game.Pairs++
	game.Nodes = append(game.Nodes,
		[]graphgame.Node{{Weight: 1, Turns: []graphgame.Position{{Slice: 0}}}, {}, {}},
		[]graphgame.Node{{Weight: 1, Turns: []graphgame.Position{{Slice: 1}}}, {}, {}, {}})
	sol := game.Solve()
	win, loss := bitboard.MakeDepth(bitboard.Win, 1), bitboard.MakeDepth(bitboard.Loss, 2)
	sol.Depths[0][0], sol.Depths[1][0] = win, loss
	sol.Depths[2][0], sol.Depths[3][0] = loss, win
	s := openTest(t, storedTest(t, sol, bitboard.WDL), toRead)
	report := verify(t, s, game, Options{})
	if report.Total != 2 || finds(report, "value") || report.Findings[0].Slice != "1v2" || report.Findings[1].Slice != "2v1" {
		t.Errorf("a win and a loss, and what leads there: %v", report.Findings)
	}
}

// leavesOutACircle is a game that says of a position in a circle that its turns all lead
// elsewhere.
type leavesOutACircle struct{ *graphgame.Game }

func (leavesOutACircle) Holds(p graphgame.Position) bool { return p.Slice != 2 }

func (g leavesOutACircle) Held(dst []uint64, s bitboard.Slice, lo, hi uint64) {
	clear(dst)
	for i := lo; i < hi; i++ {
		if p, weight := g.Unrank(s, i); weight > 0 && g.Holds(p) {
			dst[(i-lo)/64] |= 1 << ((i - lo) % 64)
		}
	}
}

// A value that is left out counts as shown, so that it must not rest on its own group.
func TestVerifyFindsACircleByWayOfWhatIsLeftOut(t *testing.T) {
	a, b, gap := graphgame.Position{Slice: 2}, graphgame.Position{Slice: 3}, graphgame.Node{}
	over := graphgame.Node{Weight: 1, Ended: bitboard.Loss}
	game := leavesOutACircle{&graphgame.Game{Pairs: 2, Size: 1, Sparse: 1, Nodes: [][]graphgame.Node{
		{over}, {over, gap},
		{{Weight: 1, Turns: []graphgame.Position{b}}, gap, gap},
		{{Weight: 1, Turns: []graphgame.Position{a}}, gap, gap, gap},
	}}}
	sol := game.Solve()
	sol.Depths[2][0] = bitboard.MakeDepth(bitboard.Win, 1)
	sol.Depths[3][0] = bitboard.MakeDepth(bitboard.Loss, 2)
	s := openTest(t, storedTest(t, sol, bitboard.WDL), toRead)
	if report, err := Run(t.Context(), game, s, Options{}); err != nil || !finds(report, "successor") {
		t.Errorf("a win that is left out and a loss: %v, %v", report.Findings, err)
	}
}

func TestVerifyFindsWrongCounts(t *testing.T) {
	game := graphgame.New(4, 1, 300)
	sol := game.Solve()
	s := openTest(t, t.TempDir(), tablebase.Options{})
	for slice := range bitboard.Slice(2) {
		sum := sol.Summary(bitboard.DTW, slice)
		sum.Win, sum.Loss = sum.Win-1, sum.Loss+1
		sum.LongestWin++
		if err := s.Tables(bitboard.DTW, game).Save(context.Background(), sol.Table(bitboard.DTW, slice), sum); err != nil {
			t.Fatal(err)
		}
	}
	report := verify(t, s, game, Options{})
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
	game := graphgame.New(5, 1, 300)
	sol := game.Solve()
	dir := storedTest(t, sol, bitboard.DTW)
	changeFirst(sol, bitboard.MakeDepth(bitboard.Win, 1), bitboard.MakeDepth(bitboard.Loss, 1))
	s := openTest(t, dir, tablebase.Options{})
	saveAll(t, s, sol, bitboard.WDL)
	report := verify(t, s, game, Options{})
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
	game := graphgame.New(6, 2, 200)
	sol := game.Solve()
	s := openTest(t, t.TempDir(), tablebase.Options{})
	if err := saveOne(context.Background(), s, sol, bitboard.WDL, 0); err != nil {
		t.Fatal(err)
	}
	report := verify(t, s, game, Options{})
	if report.Total != 1 || !strings.Contains(report.Findings[0].String(), "1v2 is not stored") {
		t.Errorf("half a group: %v", report.Findings)
	}
	for _, slice := range []bitboard.Slice{2, 3} {
		if err := saveOne(context.Background(), s, sol, bitboard.WDL, slice); err != nil {
			t.Fatal(err)
		}
	}
	if report := verify(t, s, game, Options{}); report.Total != 3 {
		t.Errorf("a group without its needs: %v", report.Findings)
	}
}

func TestVerifyKeepsFindingsWithinTheLimit(t *testing.T) {
	game := graphgame.New(7, 1, 300)
	sol := game.Solve()
	for i := range sol.Depths[0] {
		sol.Depths[0][i] = bitboard.MakeDepth(bitboard.Win, 99)
	}
	s := openTest(t, storedTest(t, sol, bitboard.DTW), toRead)
	all := verify(t, s, game, Options{Limit: 10_000})
	few := verify(t, s, game, Options{Limit: 3})
	if uint64(len(all.Findings)) != all.Total || len(few.Findings) != 3 || few.Total != all.Total {
		t.Errorf("%d findings of %d, then %d of %d", len(all.Findings), all.Total, len(few.Findings), few.Total)
	}
}

func TestVerifyStopsWithItsContext(t *testing.T) {
	game := graphgame.New(8, 1, 300)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.DTW), toRead)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, game, s, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// The findings that are kept are the first ones in order, whoever found them.
func TestFindingsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	game := graphgame.New(111, 1, 40_000)
	sol := game.Solve()
	for _, depths := range sol.Depths {
		for i := range depths {
			if i%7 == 0 {
				depths[i] = bitboard.MakeDepth(bitboard.Win, 99)
			}
		}
	}
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		s := openTest(t, storedTest(t, sol, m), toRead)
		want := verify(t, s, game, Options{Workers: 1})
		if len(want.Findings) != 100 || want.Total <= 1_000 {
			t.Fatalf("%v: %d findings of %d", m, len(want.Findings), want.Total)
		}
		all := verify(t, s, game, Options{Workers: 1, Limit: 1 << 16})
		if !slices.Equal(all.Findings[:100], want.Findings) || uint64(len(all.Findings)) != want.Total {
			t.Errorf("%v: those kept are not the first ones", m)
		}
		for _, workers := range []int{2, 8} {
			got := verify(t, s, game, Options{Workers: workers})
			if !slices.Equal(got.Findings, want.Findings) || got.Total != want.Total {
				t.Errorf("%v, %d workers: %d findings, the last %v; want %d, the last %v",
					m, workers, got.Total, got.Findings[99], want.Total, want.Findings[99])
			}
		}
	}
}

// Whatever the manifest says of a slice is a finding where it is not so.
func TestVerifyFindsEverythingThatAManifestSaysWrong(t *testing.T) {
	game := graphgame.New(112, 2, 2_000)
	dir := storedTest(t, game.Solve(), bitboard.WDL)
	for what, change := range map[string]func(info *tablebase.SliceInfo){
		"quiet":                     func(info *tablebase.SliceInfo) { info.Quiet-- },
		"longest win":               func(info *tablebase.SliceInfo) { info.LongestWin = 7 },
		"longest loss":              func(info *tablebase.SliceInfo) { info.LongestLoss = 0 },
		"win":                       func(info *tablebase.SliceInfo) { info.Win, info.Draw = info.Win-1, info.Draw+1 },
		"loss":                      func(info *tablebase.SliceInfo) { info.Loss, info.Draw = info.Loss-1, info.Draw+1 },
		"draw":                      func(info *tablebase.SliceInfo) { info.Loss, info.Draw = info.Loss-1, info.Draw+1 },
		"sum of win, loss and draw": func(info *tablebase.SliceInfo) { info.Draw++ },
		"positions":                 func(info *tablebase.SliceInfo) { info.Positions++ },
		"chunks":                    func(info *tablebase.SliceInfo) { info.Chunks++ },
		"bytes":                     func(info *tablebase.SliceInfo) { info.Bytes++ },
		"checksum":                  func(info *tablebase.SliceInfo) { info.Checksum = "0123456789abcdef" },
		"fingerprint":               func(info *tablebase.SliceInfo) { info.Fingerprint = strings.Repeat("0", 64) },
		"indices":                   func(info *tablebase.SliceInfo) { info.Indices-- },
	} {
		s := openTest(t, dir, toRead)
		info, _ := s.Slice(bitboard.WDL, "2v3")
		change(&info)
		report := verify(t, claims{s, info}, game, Options{})
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

// more is a store that has a slice more, in wdl.
type more struct {
	*tablebase.Store
	info tablebase.SliceInfo
}

func (m more) Slices(metric bitboard.Metric) []tablebase.SliceInfo {
	list := m.Store.Slices(metric)
	if metric == bitboard.WDL {
		list = append(slices.Clone(list), m.info)
	}
	return list
}

// A slice that the game does not have is told of, since nothing of it is derived.
func TestVerifyFindsASliceOfNoGame(t *testing.T) {
	game := graphgame.New(117, 1, 500)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), toRead)
	info, _ := s.Slice(bitboard.WDL, "2v1")
	info.Name = "no slice"
	report, err := Run(t.Context(), game, more{s, info}, Options{})
	if err != nil || report.Total != 1 || !finds(report, "name") {
		t.Errorf("%v, %v", report.Findings, err)
	}
}

// Where an index stands for no position, a draw is stored, or a fingerprint would
// be of something else than positions.
func TestVerifyFindsValuesAtGaps(t *testing.T) {
	game := graphgame.New(113, 1, 500)
	for _, metrics := range [][]bitboard.Metric{{bitboard.WDL}, {bitboard.DTW}, {bitboard.WDL, bitboard.DTW}} {
		sol := game.Solve()
		for i := range sol.Depths[1] {
			if _, weight := game.Unrank(1, uint64(i)); weight == 0 {
				sol.Depths[1][i] = bitboard.MakeDepth(bitboard.Win, 1)
			}
		}
		s := openTest(t, storedTest(t, sol, metrics...), toRead)
		if report := verify(t, s, game, Options{}); !finds(report, "values at gaps") || report.Total != uint64(len(metrics)) {
			t.Errorf("%v: %v", metrics, report.Findings)
		}
	}
}

// A size that only a manifest claims is not believed so far as to be read.
func TestVerifyDoesNotReadWhatAManifestClaims(t *testing.T) {
	game := graphgame.New(114, 2, 500)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), tablebase.Options{})
	info, _ := s.Slice(bitboard.WDL, "2v3")
	info.Indices = 1 << 62
	info.Chunks = tablebase.ChunkCount(bitboard.WDL, info.Indices)
	report, err := Run(t.Context(), game, claims{s, info}, Options{})
	if err != nil || !finds(report, "indices") {
		t.Errorf("%v, %v", report.Findings, err)
	}
}

// Fingerprints are taken anew, whether values are left out or not, and wherever the
// last section of a slice ends.
func TestVerifyTakesFingerprintsAnew(t *testing.T) {
	sizes := []uint64{21, 16383, 16384, 40_001}
	if testing.Short() {
		sizes = []uint64{21, 16384} // a part of a chunk, and a whole one
	}
	for _, indices := range sizes {
		game := graphgame.New(91, 2, indices)
		sol := game.Solve()
		for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			for game.Sparse = range 2 {
				s := openTest(t, storedTest(t, sol, m), toRead)
				if report := verify(t, s, game, Options{}); !report.OK() {
					t.Errorf("%v of %d indices, sparse %d: %v", m, indices, game.Sparse, report.Findings)
				}
			}
		}
	}
}
