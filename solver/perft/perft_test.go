package perft_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/perft"
)

// suites are text files: "board" and "position" say what the lines behind them
// count, "sequences" and "positions" give the nodes at depth 1, 2, ...
const suites = "../../bitboard/fanorona/testdata/perft/*.txt"

func TestSuites(t *testing.T) {
	files, err := filepath.Glob(suites)
	if err != nil || len(files) == 0 {
		t.Fatalf("no suites %s: %v", suites, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := runSuite(t, string(text)); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		})
	}
}

// runSuite fails the test on a wrong count, and fails itself on a line that it
// cannot read.
func runSuite(t *testing.T, text string) error {
	var game *fanorona.Game
	var root fanorona.Position
	number := 0
	for line := range strings.Lines(text) {
		number++
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		var err error
		switch key {
		case "", "#":
		case "board":
			game, err = newGame(value)
		case "position":
			root, _, err = game.Parse(value)
		default:
			err = compare(t, game, root, key, strings.Fields(value))
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return nil
}

func compare(t *testing.T, game *fanorona.Game, root fanorona.Position, counting string, want []string) error {
	c, err := perft.ParseCounting(counting)
	if err != nil {
		return err
	}
	nodes, err := perft.Count(t.Context(), game, root, perft.Options{Depth: len(want), Counting: c, Workers: 2})
	if err != nil {
		return err
	}
	got := make([]string, len(nodes))
	for i, n := range nodes {
		got[i] = strconv.FormatUint(n, 10)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v: %v, want %v", counting, got, want)
	}
	return nil
}

func newGame(board string) (*fanorona.Game, error) {
	b, err := bitboard.ParseBoard(board)
	if err != nil {
		return nil, err
	}
	return fanorona.New(b, fanorona.Rules{})
}

// start is the game on a board and its start position.
func start(t testing.TB, board string) (*fanorona.Game, fanorona.Position, bitboard.Side) {
	t.Helper()
	game, err := newGame(board)
	if err != nil {
		t.Fatal(err)
	}
	p, s, err := game.Start()
	if err != nil {
		t.Fatal(err)
	}
	return game, p, s
}

// listed hides every method but those of bitboard.Rules.
type listed struct {
	bitboard.Rules[fanorona.Position]
}

func TestCountDependsOnNeitherWorkersNorCounter(t *testing.T) {
	game, root, _ := start(t, "5x5")
	for _, counting := range []perft.Counting{perft.Sequences, perft.Positions} {
		want, err := perft.Count(t.Context(), game, root, perft.Options{Depth: 5, Counting: counting, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 2, 3, 8} {
			o := perft.Options{Depth: 5, Counting: counting, Workers: workers}
			got, err := perft.Count(t.Context(), listed{game}, root, o)
			if !slices.Equal(got, want) || err != nil {
				t.Errorf("%v, %d workers: %v, %v, want %v", counting, workers, got, err, want)
			}
		}
	}
}

func TestCountWhereTheGameEndsEarly(t *testing.T) {
	game, _, _ := start(t, "3x3")
	root, _, err := game.Parse("..B/.../W.. w")
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := perft.Count(t.Context(), game, root, perft.Options{Depth: 4, Workers: 2})
	if want := []uint64{1, 0, 0, 0}; !slices.Equal(nodes, want) || err != nil {
		t.Errorf("nodes %v, %v, want %v", nodes, err, want)
	}
}

func TestDivideAddsUpToCount(t *testing.T) {
	game, root, s := start(t, "5x5")
	for _, counting := range []perft.Counting{perft.Sequences, perft.Positions} {
		for depth := 1; depth <= 4; depth++ {
			o := perft.Options{Depth: depth, Counting: counting, Workers: 2}
			nodes, err := perft.Count(t.Context(), game, root, o)
			if err != nil {
				t.Fatal(err)
			}
			divided, branches, err := perft.Divide(t.Context(), game, root, s, o)
			if err != nil || !slices.Equal(divided, nodes) {
				t.Fatalf("%v, depth %d: %v, %v, want %v", counting, depth, divided, err, nodes)
			}
			var sum uint64
			for _, b := range branches {
				sum += b.Nodes
			}
			if want := nodes[depth-1]; sum != want || uint64(len(branches)) != nodes[0] {
				t.Errorf("%v, depth %d: %d branches with %d nodes, want %d with %d", counting, depth, len(branches), sum, nodes[0], want)
			}
		}
	}
}

// b5-b4A-c3W-d3A and b5-c5W-d4A-c3A-d3W take the same stones and end on d3.
func TestPositionsMergeTurnsOfOneNode(t *testing.T) {
	game, _, _ := start(t, "5x5")
	root, s, err := game.Parse("BW.../...../.B..B/.B.../..... w")
	if err != nil {
		t.Fatal(err)
	}
	for counting, want := range map[perft.Counting]int{perft.Sequences: 7, perft.Positions: 6} {
		o := perft.Options{Depth: 1, Counting: counting, Workers: 1}
		nodes, err := perft.Count(t.Context(), game, root, o)
		if err != nil || nodes[0] != uint64(want) {
			t.Errorf("%v: %v, %v, want %d", counting, nodes, err, want)
		}
		_, branches, err := perft.Divide(t.Context(), game, root, s, o)
		if err != nil || len(branches) != want {
			t.Errorf("%v: %d branches, %v, want %d", counting, len(branches), err, want)
		}
	}
}

func TestCountStopsWithItsContext(t *testing.T) {
	game, root, _ := start(t, "9x5")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := perft.Count(ctx, game, root, perft.Options{Depth: 12, Workers: 2})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestOptionsOutOfRange(t *testing.T) {
	game, root, s := start(t, "3x3")
	for _, o := range []perft.Options{{Depth: 0, Workers: 1}, {Depth: 1, Workers: 0}, {Depth: 1, Workers: 1, Counting: 9}} {
		if _, err := perft.Count(t.Context(), game, root, o); err == nil {
			t.Errorf("Count with %+v: no error", o)
		}
		if _, _, err := perft.Divide(t.Context(), game, root, s, o); err == nil {
			t.Errorf("Divide with %+v: no error", o)
		}
	}
}

// lattice is a game whose positions have as many turns as their number says, the i-th of them to
// number i. Who lists more than so many fails the test.
type lattice struct {
	t    *testing.T
	most int
}

func (l lattice) Turns(dst []int, p int) []int {
	if p > l.most {
		l.t.Errorf("%d turns are listed: want %d at most", p, l.most)
	}
	for to := range p {
		dst = append(dst, to)
	}
	return dst
}
func (lattice) Ended(int) bitboard.Value                                               { return bitboard.Loss }
func (lattice) MoreTurnsThan(p, most int) bool                                         { return p > most }
func (lattice) Count(p int) int                                                        { return p }
func (lattice) Start() (int, bitboard.Side, error)                                     { return 0, 0, nil }
func (lattice) SideName(bitboard.Side) string                                          { return "" }
func (lattice) Format(p int, s bitboard.Side) string                                   { return fmt.Sprint(p, s) }
func (lattice) Parse(string) (int, bitboard.Side, error)                               { return 0, 0, nil }
func (lattice) ParseTurn(int, bitboard.Side, string) (t bitboard.Turn[int], err error) { return t, err }

func (l lattice) Notated(p int, s bitboard.Side) (turns []bitboard.Turn[int]) {
	for _, to := range l.Turns(nil, p) {
		turns = append(turns, bitboard.Turn[int]{Notation: fmt.Sprint(to), To: to})
	}
	return turns
}

// widening is a lattice of which each position but the last has one turn, to the next.
type widening struct {
	lattice
	plies int // before the last one
}

func (w widening) MoreTurnsThan(p, most int) bool { return w.Count(p) > most }

func (w widening) Count(p int) int {
	if p < w.plies {
		return 1
	}
	return 2 * w.most
}

func (w widening) Turns(dst []int, p int) []int {
	if p < w.plies {
		return append(dst, p+1)
	}
	return w.lattice.Turns(dst, 2*w.most)
}

func (w widening) Notated(p int, s bitboard.Side) (turns []bitboard.Turn[int]) {
	for _, to := range w.Turns(nil, p) {
		turns = append(turns, bitboard.Turn[int]{Notation: fmt.Sprint(to), To: to})
	}
	return turns
}

// TestNoMoreTurnsAreListedThanAllowed, at whatever ply, and the error names the position.
func TestNoMoreTurnsAreListedThanAllowed(t *testing.T) {
	const most = 6
	for plies := range 4 {
		game := widening{lattice{t, most}, plies}
		for depth := 1; depth <= 5; depth++ {
			for _, counting := range []perft.Counting{perft.Sequences, perft.Positions} {
				for _, workers := range []int{1, 3} {
					o := perft.Options{Depth: depth, Counting: counting, Workers: workers, Turns: most}
					ask := func(divided bool, err error) {
						t.Helper()
						listed := depth > plies+1 || depth == plies+1 && (counting == perft.Positions || divided && depth == 1)
						var many *bitboard.TooManyTurnsError[int]
						if errors.As(err, &many); err != nil && many == nil || (many != nil) != listed {
							t.Errorf("plies %d, depth %d, %v, divided %v: %v, want an error %v", plies, depth, counting, divided, err, listed)
						}
						if want := (bitboard.TooManyTurnsError[int]{Position: plies, Other: plies%2 == 1, Most: most}); many != nil && *many != want {
							t.Errorf("plies %d, depth %d, %v, divided %v: %+v, want %+v", plies, depth, counting, divided, *many, want)
						}
					}
					_, err := perft.Count(t.Context(), game, 0, o)
					ask(false, err)
					_, _, err = perft.Divide(t.Context(), game, 0, 0, o)
					ask(true, err)
				}
			}
		}
	}
}

// TestAFrontierIsNoLongerThanAList: many nodes with many turns each are not listed together.
func TestAFrontierIsNoLongerThanAList(t *testing.T) {
	const root = 60 // turns to 0, 1, ..., 59
	var want []uint64
	for _, turns := range []int{0, root, 2000} {
		o := perft.Options{Depth: 4, Workers: 3, Turns: turns}
		got, err := perft.Count(t.Context(), lattice{t, root}, root, o)
		if want == nil {
			want = got
		}
		if err != nil || !slices.Equal(got, want) || got[3] != root*(root-1)*(root-2)*(root-3)/24 {
			t.Errorf("%d turns: %v, %v, want %v", turns, got, err, want)
		}
	}
}

// endless is a game with turns that can be counted for ever.
type endless struct{ stop context.CancelFunc }

func (endless) Turns(dst []int, p int) []int { return append(dst, 1, 2, 3) }
func (endless) Ended(int) bitboard.Value     { return bitboard.Loss }
func (endless) Count(int) int                { panic("it would not end") }
func (e endless) CountWhile(_ int, wanted func() bool) (turns uint64, all bool) {
	for e.stop(); wanted(); turns++ {
	}
	return turns, false
}

// TestACountIsStoppedWithinOnePosition, at whatever depth.
func TestACountIsStoppedWithinOnePosition(t *testing.T) {
	for depth := 1; depth <= 3; depth++ {
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := perft.Count(ctx, endless{cancel}, 0, perft.Options{Depth: depth, Workers: 2}); !errors.Is(err, context.Canceled) {
			t.Errorf("depth %d: %v, want %v", depth, err, context.Canceled)
		}
	}
}

// stopping is a lattice that ends the context once turns are named.
type stopping struct {
	lattice
	cancel context.CancelFunc
}

func (s stopping) Notated(p int, side bitboard.Side) []bitboard.Turn[int] {
	s.cancel()
	return s.lattice.Notated(p, side)
}

// TestADivisionIsStoppedAmongItsTurns, when it counts nothing below them.
func TestADivisionIsStoppedAmongItsTurns(t *testing.T) {
	for _, counting := range []perft.Counting{perft.Sequences, perft.Positions} {
		ctx, cancel := context.WithCancel(t.Context())
		_, branches, err := perft.Divide(ctx, stopping{lattice{t, 100}, cancel}, 100, 0, perft.Options{Depth: 1, Counting: counting, Workers: 1})
		if !errors.Is(err, context.Canceled) || len(branches) > 0 {
			t.Errorf("%v: %d branches, %v, want %v", counting, len(branches), err, context.Canceled)
		}
	}
}

// BenchmarkPerft counts depth 6 of 9x5 on one core.
func BenchmarkPerft(b *testing.B) {
	game, root, _ := start(b, "9x5")
	const want = 9_205_774
	for b.Loop() {
		nodes, err := perft.Count(b.Context(), game, root, perft.Options{Depth: 6, Workers: 1})
		if err != nil || nodes[5] != want {
			b.Fatalf("nodes %v, %v, want %d at depth 6", nodes, err, want)
		}
	}
	b.ReportMetric(want*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mturns/s")
}
