package mobility

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/solver/checkpoint"
	"paika/solver/naive"
)

type (
	game     = konane.Game[konane.Word]
	position = konane.Position[konane.Word]
)

func newGame(t testing.TB, board string, rules konane.Rules) *game {
	t.Helper()
	b, err := bitboard.ParseBoard(board)
	if err != nil {
		t.Fatal(err)
	}
	g, err := konane.New[konane.Word](b, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func start(t testing.TB, g *game) position {
	t.Helper()
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// setups lists the four research set-ups with either side to move.
func setups() []konane.Rules {
	var rules []konane.Rules
	for _, kind := range []konane.OpeningKind{konane.CornerH, konane.CornerV, konane.MiddleH, konane.MiddleV} {
		for _, white := range []bool{false, true} {
			rules = append(rules, konane.Rules{Opening: konane.Opening{Kind: kind}, WhiteToMove: white})
		}
	}
	return rules
}

var removals = []konane.Rules{
	{Opening: konane.Opening{Kind: konane.Traditional}},
	{Opening: konane.Opening{Kind: konane.CentreOrCorner}},
	{Opening: konane.Opening{Kind: konane.AnyStone}},
}

// agree compares the search with what is known of a position.
func agree(t *testing.T, g *game, p position, want bitboard.Value, o Options) {
	t.Helper()
	for _, o.unfinished = range []bool{false, true} {
		result, err := Solve(t.Context(), g, p, o)
		if err != nil || result.Value != want {
			t.Errorf("%s under %v, finishers %v: %v, %v, want %v", g.Format(p, 0), g.Rules(), !o.unfinished, result.Value, err, want)
		}
	}
}

// A small table makes the search forget most of what it finds.
var memories = map[string]uint64{"small table": 1 << 10, "large table": 1 << 22}

func TestAgreesWithNaiveOnAllReachedPositions(t *testing.T) {
	for _, board := range []string{"1x1", "2x1", "1x6", "7x1", "3x3", "4x3", "3x4", "4x4"} {
		for _, rules := range append(setups(), removals...) {
			b, err := bitboard.ParseBoard(board)
			if err != nil {
				t.Fatal(err)
			}
			g, err := konane.New[konane.Word](b, rules)
			if err != nil {
				continue // the board has no such opening
			}
			outcomes, err := naive.Solve(t.Context(), g, start(t, g))
			if err != nil {
				t.Fatal(err)
			}
			checked := 0
			for p, outcome := range outcomes {
				agree(t, g, p, outcome.Value, Options{Memory: 1 << 10})
				if checked++; checked == 100 {
					break
				}
			}
			agree(t, g, start(t, g), outcomes[start(t, g)].Value, Options{Memory: 1 << 16})
		}
	}
}

// A finisher is right about every position that it solves, with a memo of others,
// and it solves all that are small.
func TestFinisherAgreesWithNaive(t *testing.T) {
	for _, board := range []string{"4x3", "4x4", "7x2"} {
		g := newGame(t, board, setups()[4])
		outcomes, err := naive.Solve(t.Context(), g, start(t, g))
		if err != nil {
			t.Fatal(err)
		}
		guide := newGuide(g)
		f := newFinisher(&guide)
		for p, outcome := range outcomes {
			n := node{own: uint64(p.Own), opp: uint64(p.Opp)}
			v, solved, nodes := f.finish(n, finishNodes)
			want := won
			if outcome.Value == bitboard.Loss {
				want = lost
			}
			switch {
			case solved && v != want:
				t.Errorf("%s: %v, want %v", g.Format(p, g.Mover(p)), v, want)
			case !solved && nodes != finishNodes:
				t.Errorf("%s: given up after %d nodes", g.Format(p, g.Mover(p)), nodes)
			case !solved && bits.OnesCount64(n.own|n.opp) <= 6:
				t.Errorf("%s: not solved in %d nodes", g.Format(p, g.Mover(p)), nodes)
			}
		}
	}
}

// plain is the value of a position by the definition, with a memory. Turns that
// leave the opponent few come first: the definition does not care.
func plain(g *game, p position, known map[position]bitboard.Value) bitboard.Value {
	if v, ok := known[p]; ok {
		return v
	}
	value := bitboard.Loss
	turns := g.Turns(nil, p)
	slices.SortFunc(turns, func(a, b position) int { return g.Count(a) - g.Count(b) })
	for _, q := range turns {
		if plain(g, q, known) == bitboard.Loss {
			value = bitboard.Win
			break
		}
	}
	known[p] = value
	return value
}

// Every winner on boards up to 6x5 points: the four set-ups with either side to
// move, and each opening rule. After the opening positions have one value under
// all rules, so that a board has one memory.
func TestAgreesWithPlainSearch(t *testing.T) {
	boards := []string{"5x6", "4x6", "4x5", "3x5"}
	for width := 2; width <= 6; width++ {
		for height := 2; height <= min(width, 5); height++ {
			boards = append(boards, bitboard.Board{Width: width, Height: height}.String())
		}
	}
	for _, board := range boards {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			known := make(map[position]bitboard.Value)
			for _, r := range append(setups(), removals...) {
				g := newGame(t, board, r)
				points := g.Board().Points()
				if testing.Short() && points > 20 {
					t.Skip("takes too long")
				}
				want := plain(g, start(t, g), known)
				maps.DeleteFunc(known, func(p position, _ bitboard.Value) bool {
					return r.Opening.Removes() && bits.OnesCount64(uint64(p.Own|p.Opp)) >= points-1
				})
				if points <= 25 { // larger boards take too long
					agree(t, g, start(t, g), want, Options{Memory: memories["small table"]})
				}
				agree(t, g, start(t, g), want, Options{Memory: memories["large table"]})
				agree(t, g, start(t, g), want, Options{Memory: memories["large table"], Workers: 3})
			}
		})
	}
}

// FACTS.md, Konane: with Black to start, White wins 4x4 and 6x6 from the corner
// and from the centre, Black 5x5 (P. Norvig's notebook).
func TestPublishedWinners(t *testing.T) {
	for board, want := range map[string]bitboard.Value{"4x4": bitboard.Loss, "5x5": bitboard.Win, "6x6": bitboard.Loss} {
		for _, kind := range []konane.OpeningKind{konane.CornerH, konane.MiddleH} {
			if testing.Short() && board == "6x6" {
				continue
			}
			g := newGame(t, board, konane.Rules{Opening: konane.Opening{Kind: kind}})
			agree(t, g, start(t, g), want, Options{Memory: 1 << 26, Workers: 2})
		}
	}
}

// The board and the board turned over its diagonal are one game.
func TestTransposedBoardsHaveTheSameWinner(t *testing.T) {
	for _, kinds := range [][2]konane.OpeningKind{{konane.CornerH, konane.CornerV}, {konane.CornerV, konane.CornerH}} {
		g := newGame(t, "6x5", konane.Rules{Opening: konane.Opening{Kind: kinds[0]}})
		turned := newGame(t, "5x6", konane.Rules{Opening: konane.Opening{Kind: kinds[1]}})
		result, err := Solve(t.Context(), g, start(t, g), Options{})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, turned, start(t, turned), result.Value, Options{})
	}
}

// 8x8 fills the word: the side to move is no part of the occupied points.
func TestFullWord(t *testing.T) {
	g := newGame(t, "8x8", konane.Rules{Opening: konane.Opening{Kind: konane.CornerH}})
	for _, text := range []string{
		"......../......../......../......../......../......../o......./xox..... b",
		"......../......../......../......../......../......../o......./xox..... w",
		"......ox/......x./......../......../......../......../......../x....... b",
		"......ox/......x./......../......../......../......../......../x....... w",
		"......../..xox.../..ox..../...ox.../....o.../......../......../........ b",
		"......../..xox.../..ox..../...ox.../....o.../......../......../........ w",
	} {
		p, _, err := g.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, g, p, plain(g, p, make(map[position]bitboard.Value)), Options{Memory: 1 << 12})
	}
}

func TestSolveStops(t *testing.T) {
	g := newGame(t, "8x8", konane.Rules{Opening: konane.Opening{Kind: konane.MiddleH}})
	for _, workers := range []int{1, 2} {
		o := Options{Memory: 1 << 20, Workers: workers, Nodes: 10000}
		result, err := Solve(t.Context(), g, start(t, g), o)
		if !errors.Is(err, ErrUndecided) {
			t.Errorf("%d workers, limit %d: %d nodes, %v", workers, o.Nodes, result.Nodes, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		o.Nodes = 0
		o.Progress = func(uint64) { cancel() }
		if _, err := Solve(ctx, g, start(t, g), o); !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers, cancelled: %v", workers, err)
		}
	}
}

// endgames are the values of positions with few stones.
type endgames map[position]bitboard.Value

func (e endgames) Probe(positions []position, values []bitboard.Value) {
	for i, p := range positions {
		v, known := e[p]
		if values[i] = bitboard.Draw; known {
			values[i] = v
		}
	}
}

func TestTablesEndTheSearch(t *testing.T) {
	with, without := uint64(0), uint64(0)
	for _, rules := range append(setups(), removals...) {
		g := newGame(t, "5x4", rules)
		known := make(map[position]bitboard.Value)
		want := plain(g, start(t, g), known)
		tables := make(endgames)
		for p, v := range known {
			if bits.OnesCount64(uint64(p.Own|p.Opp)) <= 14 {
				tables[p] = v
			}
		}
		for _, o := range []Options{{Memory: 1 << 20, unfinished: true}, {Memory: 1 << 20, unfinished: true, Tables: tables}} {
			result, err := Solve(t.Context(), g, start(t, g), o)
			if err != nil || result.Value != want {
				t.Errorf("%v: %v, %v, want %v", rules, result.Value, err, want)
			}
			if o.Tables == nil {
				without += result.Nodes
			} else {
				with += result.Nodes
			}
		}
		agree(t, g, start(t, g), want, Options{Memory: 1 << 20, Tables: tables, Workers: 2})
	}
	if with >= without {
		t.Errorf("%d nodes with tables, %d without", with, without)
	}
}

// A search that is stopped again and again, in a table of any size, comes to
// the same end, counts all its nodes, and leaves its file to who tells the answer.
func TestSearchGoesOnFromCheckpoint(t *testing.T) {
	g := newGame(t, "6x5", konane.Rules{Opening: konane.Opening{Kind: konane.MiddleH}})
	whole, err := Solve(t.Context(), g, start(t, g), Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Checkpoint: filepath.Join(t.TempDir(), "search"), Nodes: whole.Nodes / 4, SaveEvery: time.Millisecond}
	before := uint64(0)
	for stops := 0; ; stops++ {
		o.Memory = 1 << (20 + stops%4)
		result, err := Solve(t.Context(), g, start(t, g), o)
		if result.Nodes <= before {
			t.Fatalf("stop %d: %d nodes, %d before", stops, result.Nodes, before)
		}
		before = result.Nodes
		if result.Kept != errors.Is(err, ErrUndecided) {
			t.Errorf("stop %d: %v, kept: %v", stops, err, result.Kept)
		}
		if errors.Is(err, ErrUndecided) && stops < 100 {
			continue
		}
		if err != nil || result.Value != whole.Value || stops == 0 {
			t.Errorf("after %d stops: %v, %v, want %v", stops, result.Value, err, whole.Value)
		}
		break
	}
	if _, err := os.Stat(o.Checkpoint); err != nil {
		t.Errorf("the checkpoint is gone before the answer is told: %v", err)
	}
}

// TestWhatALargerSearchSavedIsKept where one with less memory goes on from it, which tells what
// found no room. Where all does there is nothing to tell.
func TestWhatALargerSearchSavedIsKept(t *testing.T) {
	g := newGame(t, "8x8", konane.Rules{Opening: konane.Opening{Kind: konane.MiddleH}})
	path := filepath.Join(t.TempDir(), "search")
	var unfit []checkpoint.Fit
	var kept []string
	search := func(memory uint64) {
		t.Helper()
		_, err := Solve(t.Context(), g, start(t, g), Options{
			Memory: memory, Nodes: 10_000, Checkpoint: path,
			Unfit: func(fit checkpoint.Fit) { unfit = append(unfit, fit) },
			Kept:  func(path string) { kept = append(kept, path) },
		})
		if !errors.Is(err, ErrUndecided) {
			t.Fatal(err)
		}
	}
	search(1 << 24)
	search(1 << 24)
	if unfit != nil || kept != nil {
		t.Errorf("told: %v, %q", unfit, kept)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	search(1 << 12)
	if len(unfit) != 1 || unfit[0].Entries-unfit[0].Unfit > 1<<12/entryBytes || unfit[0].Bytes > 1<<24 || !slices.Equal(kept, []string{path + ".1"}) {
		t.Errorf("told: %v, %q", unfit, kept)
	}
	if left, err := os.ReadFile(path + ".1"); err != nil || !bytes.Equal(left, whole) {
		t.Errorf("%v, or another file is kept", err)
	}
}

// TestWhatCannotBeConfirmedIsKept, for a search with more memory, and what is not true is not.
func TestWhatCannotBeConfirmedIsKept(t *testing.T) {
	g := newGame(t, "4x4", removals[0])
	path := filepath.Join(t.TempDir(), "search")
	whole, err := Solve(t.Context(), g, start(t, g), Options{Memory: 1 << 20, unfinished: true})
	if err != nil {
		t.Fatal(err)
	}
	half := Options{Memory: 1 << 20, unfinished: true, Checkpoint: path, Nodes: whole.Nodes / 2}
	if _, err := Solve(t.Context(), g, start(t, g), half); !errors.Is(err, ErrUndecided) {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	o := Options{Memory: 1 << 20, unfinished: true, Checkpoint: path, Keep: true,
		Unfit: func(fit checkpoint.Fit) { t.Errorf("all entries have room, and these are told: %+v", fit) },
		Kept:  func(path string) { kept = append(kept, path) },
	}
	o.impatient = true
	result, err := Solve(t.Context(), g, start(t, g), o)
	if err != nil || result.Value != whole.Value || !result.Anew || !result.Crowded {
		t.Errorf("%+v, %v, want %+v, anew, as the table is crowded", result, err, whole)
	}
	if left, err := os.ReadFile(path + ".1"); err != nil || !bytes.Equal(left, saved) || !slices.Equal(kept, []string{path + ".1"}) {
		t.Errorf("%v, or another file is kept; told: %q", err, kept)
	}

	forged, err := newTable(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer forged.free()
	known := make(map[position]bitboard.Value)
	plain(g, start(t, g), known)
	for p, value := range known {
		no := lost
		if value == bitboard.Loss {
			no = won
		}
		forged.store(nodeOf(g, p), no, 1)
	}
	save(t, path, g, start(t, g), 1_000_000, forged)
	kept, o.impatient = nil, false
	result, err = Solve(t.Context(), g, start(t, g), o)
	if err != nil || result.Value != whole.Value || !result.Anew || result.Crowded || kept != nil {
		t.Errorf("what is not true: %+v, %v, kept as %q; want %+v, anew", result, err, kept, whole)
	}
}

// TestACheckpointThatIsKeptAnswersAtOnce: who goes on from it searches next to nothing.
func TestACheckpointThatIsKeptAnswersAtOnce(t *testing.T) {
	g := newGame(t, "6x5", konane.Rules{Opening: konane.Opening{Kind: konane.MiddleH}})
	o := Options{Checkpoint: filepath.Join(t.TempDir(), "search"), Keep: true}
	first, err := Solve(t.Context(), g, start(t, g), o)
	if err != nil || first.Left != nil {
		t.Fatal(err, first.Left)
	}
	for _, o.Keep = range []bool{true, false} {
		_, err := os.Stat(o.Checkpoint)
		again, failed := Solve(t.Context(), g, start(t, g), o)
		if err != nil || failed != nil || again.Value != first.Value || again.Nodes-first.Nodes > first.Nodes/10 {
			t.Errorf("%v, %v: %+v, and %+v at first", err, failed, again, first)
		}
	}
}

// TestAnAnswerStandsWhereItIsNotSaved: here because the file is a folder by then, in which
// something lies.
func TestAnAnswerStandsWhereItIsNotSaved(t *testing.T) {
	g := newGame(t, "5x5", removals[0])
	path := filepath.Join(t.TempDir(), "search")
	o := Options{Checkpoint: path, Keep: true, Progress: func(uint64) { os.MkdirAll(filepath.Join(path, "something"), 0o777) }}
	result, err := Solve(t.Context(), g, start(t, g), o)
	if err != nil || result.Value != bitboard.Win || result.Left == nil {
		t.Errorf("%+v, %v", result, err)
	}
}

// A limit is never passed, and hardly anything of it is left unused.
func TestALimitOfNodesIsKept(t *testing.T) {
	g := newGame(t, "8x8", konane.Rules{Opening: konane.Opening{Kind: konane.MiddleH}})
	for _, workers := range []int{1, 2, 8} {
		for _, limit := range []uint64{1, 50, 1000, 23456} {
			o := Options{Memory: 1 << 20, Workers: workers, Nodes: limit, Checkpoint: filepath.Join(t.TempDir(), "search")}
			before := uint64(0)
			for range 3 {
				result, err := Solve(t.Context(), g, start(t, g), o)
				unused := uint64(0)
				if workers > 1 {
					unused = blockNodes * uint64(workers)
				}
				if nodes := result.Nodes - before; !errors.Is(err, ErrUndecided) || nodes > limit || nodes+unused < limit {
					t.Errorf("%d workers, limit %d: %d nodes, %v", workers, limit, nodes, err)
				}
				before = result.Nodes
			}
		}
	}
}

func TestCheckpointOfAnotherSearchIsRefused(t *testing.T) {
	o := Options{Checkpoint: filepath.Join(t.TempDir(), "search"), Nodes: 1, Memory: 1 << 16}
	g := newGame(t, "6x6", setups()[0])
	if _, err := Solve(t.Context(), g, start(t, g), o); !errors.Is(err, ErrUndecided) {
		t.Fatal(err)
	}
	other := newGame(t, "6x6", setups()[1])
	if _, err := Solve(t.Context(), other, start(t, other), o); !errors.Is(err, checkpoint.ErrOther) {
		t.Errorf("another side to move: %v", err)
	}
	if err := os.WriteFile(o.Checkpoint, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Solve(t.Context(), g, start(t, g), o); !errors.Is(err, checkpoint.ErrFormat) {
		t.Errorf("a damaged one: %v", err)
	}
	o.Checkpoint = filepath.Join(o.Checkpoint, "not-a-folder")
	if _, err := Solve(t.Context(), g, start(t, g), o); err == nil {
		t.Error("a folder that is not there is no error")
	}
}

// The number of nodes of one worker is the fingerprint of the search: a change
// of it is a change of the search's behaviour. On 7x7 the numbers are large.
func BenchmarkSolve(b *testing.B) {
	all := setups()
	for _, c := range []struct {
		board string
		rules []konane.Rules
		nodes uint64 // of all searches together
	}{{"5x5", all, 4998}, {"6x6", all, 3381534}, {"7x7", all[1:2], 31873901}} {
		b.Run(c.board, func(b *testing.B) {
			for b.Loop() {
				var nodes uint64
				for _, rules := range c.rules {
					g := newGame(b, c.board, rules)
					result, err := Solve(b.Context(), g, start(b, g), Options{Memory: 1 << 30})
					if err != nil {
						b.Fatal(err)
					}
					nodes += result.Nodes
				}
				if nodes != c.nodes {
					b.Fatalf("%d nodes, want %d", nodes, c.nodes)
				}
			}
			b.ReportMetric(float64(b.N)*float64(c.nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}

// TestWhatAFileTellsOfNodesStandsApart: nothing but its header tells how many nodes were before it.
func TestWhatAFileTellsOfNodesStandsApart(t *testing.T) {
	game := newGame(t, "5x5", setups()[0])
	p := start(t, game)
	const forged = 1 << 55
	path := filepath.Join(t.TempDir(), "search")
	file, err := checkpoint.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	header := checkpoint.Header{Format: CheckpointFormat, About: about(game, p), Nodes: forged}
	if err := file.Save(t.Context(), header, func(func(uint64, uint64) bool) {}); err != nil {
		t.Fatal(err)
	}
	file.Close()
	told := uint64(0)
	r, err := Solve(t.Context(), game, p, Options{Checkpoint: path, GoingOn: func(nodes uint64) { told = nodes }})
	if err != nil || r.Anew || r.Resumed != forged || told != forged || r.Nodes <= forged || r.Nodes-r.Resumed > 1<<20 {
		t.Errorf("%+v, %v; told %d", r, err, told)
	}
}

// With the opening still to be played the second player wins on every board of two files and ranks
// and more but these. The page on Konane says so of all up to 7x7: those of more than 36 points take
// minutes, and stand in the records.
func TestWhoWinsFromTheFullBoard(t *testing.T) {
	first := map[bitboard.Board]bool{{Width: 5, Height: 5}: true, {Width: 7, Height: 5}: true, {Width: 5, Height: 7}: true}
	for width := 2; width <= 7; width++ {
		for height := 2; height <= 7; height++ {
			board := bitboard.Board{Width: width, Height: height}
			if n := board.Points(); n > 36 || n > 25 && testing.Short() {
				continue
			}
			g, err := konane.New[konane.Word](board, removals[0])
			if err != nil {
				t.Fatal(err)
			}
			result, err := Solve(t.Context(), g, start(t, g), Options{Memory: 1 << 24})
			if err != nil || (result.Value == bitboard.Win) != first[board] {
				t.Errorf("%v: %v for the first player, %v", board, result.Value, err)
			}
		}
	}
}
