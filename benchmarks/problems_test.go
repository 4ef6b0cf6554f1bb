package benchmarks

import (
	"fmt"
	"strings"
	"testing"
)

func allProblems(t *testing.T) []Problem {
	t.Helper()
	all, err := Problems("")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Each game has thirty problems or more, with wins of both sides and, where the
// game knows them, draws; no problem stands there twice.
func TestProblemsAreManyAndOfAllKinds(t *testing.T) {
	claims := make(map[string]map[string]int)
	seen := make(map[string]string)
	for _, p := range allProblems(t) {
		if claims[p.Game] == nil {
			claims[p.Game] = make(map[string]int)
		}
		claims[p.Game][p.Claim]++
		key := fmt.Sprintf("%s %s %s %s", p.Game, p.Board, p.ChosenRules(), p.Position)
		if first := seen[key]; first != "" {
			t.Errorf("%s is there at %s already", p.Name, first)
		}
		seen[key] = p.Name
	}
	for game, want := range map[string][]string{
		"fanorona": {"white-wins", "black-wins", "draw"},
		"konane":   {"white-wins", "black-wins"},
		"phutball": {"ohs-wins", "eks-wins", "draw"},
	} {
		total := 0
		for _, n := range claims[game] {
			total += n
		}
		if total < 30 {
			t.Errorf("%s: %d problems, want 30 at least", game, total)
		}
		for _, claim := range want {
			if claims[game][claim] < 5 {
				t.Errorf("%s: %s holds in %d problems, want 5 at least", game, claim, claims[game][claim])
			}
		}
	}
}

func TestProblemsAreReadBack(t *testing.T) {
	for _, p := range allProblems(t) {
		var line strings.Builder
		if err := p.Format(&line); err != nil {
			t.Fatal(err)
		}
		again, err := ParseProblems("again", line.String())
		if err != nil || len(again) != 1 || again[0].Position != p.Position || again[0].Claim != p.Claim || again[0].Source != p.Source {
			t.Errorf("%s: %v, %v", p.Name, again, err)
		}
	}
}

func TestWrongProblemsAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		"fanorona; 3x3; -; start; white-wins":        "f:1: 5 columns",
		"\nfanorona; ; -; start; white-wins; x":      "f:2: column 2 is empty",
		"fanorona; 3x3; stalemate; start; draw; x\n": `f:1: rule "stalemate"`,
	} {
		if _, err := ParseProblems("f", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzParseProblems(f *testing.F) {
	f.Add("fanorona; 3x3; stalemate=draw; start; white-wins; a book")
	f.Add("# nothing\n;;;;;\n")
	f.Fuzz(func(t *testing.T, text string) {
		problems, err := ParseProblems("f", text)
		if err != nil && problems != nil {
			t.Errorf("problems beside an error")
		}
	})
}
