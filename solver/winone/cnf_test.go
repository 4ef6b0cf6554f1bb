package winone

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paika/bitboard/phutball"
)

// randomCNF has clauses of 1 to 3 literals, as many as make about half of the
// formulas satisfiable.
func randomCNF(rng *rand.Rand) CNF {
	f := CNF{Variables: 1 + rng.IntN(5)/2}
	for range f.Variables + rng.IntN(2*f.Variables+1) {
		var clause []int
		for range 1 + rng.IntN(3) {
			l := 1 + rng.IntN(f.Variables)
			if rng.IntN(2) == 0 {
				l = -l
			}
			clause = append(clause, l)
		}
		f.Clauses = append(f.Clauses, clause)
	}
	return f
}

// satisfiable tries every assignment.
func satisfiable(f CNF) bool {
	for assignment := range 1 << f.Variables {
		holds := func(l int) bool { return assignment>>(max(l, -l)-1)&1 == 1 == (l > 0) }
		if !slices.ContainsFunc(f.Clauses, func(c []int) bool { return !slices.ContainsFunc(c, holds) }) {
			return true
		}
	}
	return false
}

// win tells whether Ohs wins in one, and replays how.
func win(t *testing.T, l phutball.Layout) bool {
	t.Helper()
	grid := phutball.NewGrid(l.Board, phutball.Rules{})
	r, err := NewSolver(grid).Layout(t.Context(), l, Options{})
	if err != nil || !r.Decided {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Win {
		replay(t, grid, l, r)
	}
	return r.Win
}

func TestFromCNFIsEquivalent(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 0))
	found := 0
	formulas := few(t, 300)
	for range formulas {
		f := randomCNF(rng)
		want := satisfiable(f)
		if want {
			found++
		}
		if got := win(t, FromCNF(f)); got != want {
			t.Fatalf("%v: the side to move wins is %v, want %v", f, got, want)
		}
	}
	if found < formulas/4 || found > formulas*3/4 {
		t.Errorf("%d of %d formulas are satisfiable: want a fair share of both", found, formulas)
	}
}

func TestFromCNFOnSpecialFormulas(t *testing.T) {
	for _, c := range []struct {
		formula CNF
		want    bool
	}{
		{CNF{}, true},
		{CNF{Variables: 3}, true},
		{CNF{Clauses: [][]int{{}}}, false},
		{CNF{1, [][]int{{1}, {}}}, false},
		{CNF{1, [][]int{{}, {1}}}, false},
		{CNF{1, [][]int{{1}, {}, {1}}}, false},
		{CNF{1, [][]int{{1}}}, true},
		{CNF{1, [][]int{{-1}}}, true},
		{CNF{1, [][]int{{1}, {-1}}}, false},
		{CNF{1, [][]int{{1, -1}}}, true},
		{CNF{2, [][]int{{1, 1}, {-1, -1, 2}, {-2, 1}}}, true},
		{CNF{2, [][]int{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}}}, false},
	} {
		if got := win(t, FromCNF(c.formula)); got != c.want {
			t.Errorf("%v: the side to move wins is %v, want %v", c.formula, got, c.want)
		}
	}
}

func TestFromCNFHasTheSizeThatItTells(t *testing.T) {
	for _, c := range []struct {
		formula       CNF
		width, height int
	}{
		{CNF{}, 6*5 + 1, 6*6 + 1},
		{CNF{3, [][]int{{1, 2, 3}}}, 6*9 + 1, 6*10 + 1},
		{CNF{4, [][]int{{1, 2}, {-4}}}, 6*8 + 1, 6*10 + 1},
	} {
		if b := FromCNF(c.formula).Board; b.Width != c.width || b.Height != c.height {
			t.Errorf("%v: board %v, want %dx%d", c.formula, b, c.width, c.height)
		}
	}
}

func TestReadDIMACS(t *testing.T) {
	for _, text := range []string{
		"c an example\np cnf 3 2\n1 -3\n0 2 3 -1 0\nc the end\n",
		"c---\ncomment\np cnf 3 2\n 1 -3 0\n2 3 -1\n0\nc0\n",
		"p cnf  3  2 \n1 -3 0\n2 3 -1 0\n%\n0\n\n", // as SATLIB's end
	} {
		f, err := ReadDIMACS(strings.NewReader(text))
		if want := "{3 [[1 -3] [2 3 -1]]}"; err != nil || fmt.Sprint(f) != want {
			t.Errorf("%q: %v, %v, want %s", text, f, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                         `no line "p cnf VARIABLES CLAUSES"`,
		"1 0":                      `line 1: "1" stands before "p cnf VARIABLES CLAUSES"`,
		"p cnf 1":                  `line 1: "p cnf 1": want "p cnf VARIABLES CLAUSES"`,
		"p cnf 1 1\np cnf 1 1":     `line 2: a second line "p"`,
		"p cnf 1 1\n1 x 0":         `line 2: "x": want a literal or 0`,
		"p cnf 1 1\n\n2 0":         `line 3: literal 2: the variables are 1 to 1`,
		"p cnf 1 1\n1":             `the last clause is not ended by 0`,
		"p cnf 1 2\n1 0":           `1 clause, but the first line tells 2`,
		"p cnf 1 2\n1 0\n%\n0\n":   `1 clause, but the first line tells 2`,
		"p cnf 1 1\n1\n%\n0\n":     `the last clause is not ended by 0`,
		"p cnf 1 1\n1 % 0":         `line 2: "%": want a literal or 0`,
		"p cnf -1 0":               `line 1: "p cnf -1 0": want "p cnf VARIABLES CLAUSES"`,
		"c only\nc comments, none": `no line "p cnf VARIABLES CLAUSES"`,
	} {
		if _, err := ReadDIMACS(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
