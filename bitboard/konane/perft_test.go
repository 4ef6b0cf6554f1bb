package konane

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Suites are text files: "board" and "opening" say what the "nodes" behind
// them, at depth 1, 2, ..., count.
func TestPerftSuites(t *testing.T) {
	files, err := filepath.Glob("testdata/perft/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no suites: %v", err)
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

func runSuite(t *testing.T, text string) error {
	board, opening, number := "", "", 0
	for line := range strings.Lines(text) {
		number++
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		var err error
		switch key {
		case "", "#":
		case "board":
			board = value
		case "opening":
			opening = value
		case "nodes":
			err = perftAgrees(t, board, opening, strings.Fields(value))
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return nil
}

func perftAgrees(t *testing.T, board, opening string, want []string) error {
	rules, err := parseRules(board, map[string]string{"opening": opening})
	if err != nil {
		return err
	}
	g := newGame[Word](t, board, rules)
	p, _, err := g.Start()
	if err != nil {
		return err
	}
	for i, nodes := range want {
		n, err := strconv.Atoi(nodes)
		if err != nil {
			return err
		}
		if got := perft(g, p, i+1); got != n {
			t.Errorf("%s %s: depth %d has %d nodes, want %d", board, opening, i+1, got, n)
		}
	}
	return nil
}

func perft(g *Game[Word], p Position[Word], depth int) int {
	if depth == 1 {
		return g.Count(p)
	}
	n := 0
	for _, q := range g.Turns(nil, p) {
		n += perft(g, q, depth-1)
	}
	return n
}

func BenchmarkPerft(b *testing.B) {
	g := newGame[Word](b, "6x6", Rules{Opening: Opening{Kind: MiddleH}})
	p, _, err := g.Start()
	if err != nil {
		b.Fatal(err)
	}
	const depth, nodes = 7, 164729 // FACTS.md, Konane, the perft table
	for b.Loop() {
		if n := perft(g, p, depth); n != nodes {
			b.Fatalf("%d nodes, want %d", n, nodes)
		}
	}
	b.ReportMetric(float64(b.N)*nodes/b.Elapsed().Seconds(), "nodes/s")
}
