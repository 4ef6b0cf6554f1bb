package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paika/benchmarks"
	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/solver/proofnumber"
)

func allProblems(t *testing.T) []benchmarks.Problem {
	t.Helper()
	all, err := benchmarks.Problems("")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// solvedBoards lists the boards that tables solve in a test, with the pieces.
var solvedBoards = []struct {
	game, board string
	pieces      int
	long        bool // takes longer than a short test may
}{
	{"fanorona", "3x3", bitboard.AllPieces, false},
	{"fanorona", "5x3", bitboard.AllPieces, true},
	{"fanorona", "3x5", bitboard.AllPieces, true},
	{"fanorona", "5x5", 6, true},
	{"fanorona", "9x5", 4, true},
	{"konane", "4x4", bitboard.AllPieces, false},
	{"konane", "5x4", bitboard.AllPieces, true},
	{"phutball", "3x5", bitboard.AllPieces, false},
	{"phutball", "7x3", bitboard.AllPieces, true},
	{"phutball", "3x7", bitboard.AllPieces, true},
}

// Tables, built here, say the same of every problem that they hold.
func TestProblemsAreTrueByTables(t *testing.T) {
	problems := allProblems(t)
	checked := 0
	for _, s := range solvedBoards {
		if s.long && testing.Short() {
			continue
		}
		for _, group := range byBoard(problems) {
			if p := problems[group[0]]; p.Game != s.game || p.Board != s.board {
				continue
			}
			checked += checkByTables(t, problems, group, s.pieces)
		}
	}
	least := 40
	if testing.Short() {
		least = 12
	}
	if checked < least {
		t.Errorf("%d problems were checked, want %d at least", checked, least)
	}
}

// checkByTables checks the problems of a group that tables hold, and counts them.
func checkByTables(t *testing.T, problems []benchmarks.Problem, group []int, pieces int) (checked int) {
	t.Helper()
	first := problems[group[0]]
	instance, err := open(first.Game, first.Board, first.Rules)
	if err != nil {
		t.Fatalf("%s: %v", first.Name, err)
	}
	dir := t.TempDir()
	if _, err := instance.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: pieces, Metric: bitboard.WDL, Workers: 2, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	tables, err := instance.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	for _, i := range group {
		p := problems[i]
		probed, err := tables.Probe(t.Context(), []string{p.Position})
		if err != nil || probed[0].Err != nil {
			continue // more stones than these tables have
		}
		values, err := tables.Value(t.Context(), []string{probed[0].Result.Position}, catalogue.ValueOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if v := values[0]; v.Err != nil || claimOf(*v.Result.Winner) != p.Claim {
			t.Errorf("%s: %s, and by tables %+v, %v", p.Name, p.Claim, v.Result, v.Err)
		}
		checked++
	}
	return checked
}

// Konane's own search, which proves in another way, says the same of what it
// solves in little time; proof numbers refute no problem and solve the easy ones.
func TestProblemsAreTrueBySearch(t *testing.T) {
	problems := allProblems(t)
	limit := uint64(3000)
	if testing.Short() {
		limit = 300
	}
	b := &bench{Options: Options{Nodes: limit, Memory: 1 << 30}, table: 1 << 20}
	solved := make(map[string]int)
	for _, group := range byBoard(problems) {
		first := problems[group[0]]
		results, err := b.solve(t.Context(), problems, group, variant{})
		if err != nil {
			t.Fatal(err)
		}
		solved[first.Game] += 0 // a game whose problems are all unsolved is told of, too
		for i, r := range results {
			p := problems[group[i]]
			switch r.Result {
			case proofnumber.Proved:
				solved[p.Game]++
			case proofnumber.Refuted:
				t.Errorf("%s: %s is refuted", p.Name, p.Claim)
			}
		}
		if first.Game != "konane" {
			continue
		}
		for _, i := range group {
			checkByMobility(t, problems[i], limit)
		}
	}
	for game, n := range solved {
		if n < 8 {
			t.Errorf("%s: %d problems are solved, want 8 at least", game, n)
		}
	}
}

func checkByMobility(t *testing.T, p benchmarks.Problem, nodes uint64) {
	t.Helper()
	instance, err := open(p.Game, p.Board, p.Rules)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := instance.Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	values, err := tables.Value(t.Context(), []string{p.Position}, catalogue.ValueOptions{Workers: 1, Table: 1 << 20, Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	v := values[0]
	if winner := v.Result.Winner; v.Err != nil || winner != nil && claimOf(*winner) != p.Claim {
		t.Errorf("%s: %s, and by search %+v, %v", p.Name, p.Claim, v.Result, v.Err)
	}
}

// A recipe gives the problems that are in the file.
func TestRecipesGiveTheProblemsOfTheFiles(t *testing.T) {
	for _, of := range []struct{ game, board string }{{"fanorona", "3x3"}, {"konane", "4x4"}, {"phutball", "3x5"}} {
		var made strings.Builder
		err := MakeProblems(t.Context(), &made, of.game, MakeOptions{Data: filepath.Join(t.TempDir()), Workers: 2, Memory: 1 << 30, Board: of.board})
		if err != nil {
			t.Fatal(err)
		}
		problems, err := benchmarks.ParseProblems("made", made.String())
		if err != nil || len(problems) == 0 {
			t.Fatalf("%d problems, %v", len(problems), err)
		}
		file, err := os.ReadFile("../../../benchmarks/problems/" + of.game + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(file), "\n")
		for line := range strings.SplitSeq(strings.TrimSpace(made.String()), "\n") {
			if line != "" && !strings.HasPrefix(line, "#") && !slices.Contains(lines, line) {
				t.Errorf("%s.txt has not\n%s", of.game, line)
			}
		}
	}
}
