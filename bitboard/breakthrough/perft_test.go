package breakthrough

import (
	"testing"

	"paika/solver/perft"
)

func count(t *testing.T, board, position string, depth int) uint64 {
	t.Helper()
	g := newGame(t, board)
	p, _ := parse(t, g, position)
	counts, err := perft.Count(t.Context(), g, p, perft.Options{Depth: depth, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return counts[depth-1]
}

// Source: Fairy-Stockfish, tests/perft.sh.
func TestPerftIsAsPublished(t *testing.T) {
	for position, want := range map[string]uint64{
		"BBBBBBBB/BBBBBBBB/......../......../......../......../WWWWWWWW/WWWWWWWW w": 256036,
		".B..BB.B/..B..BBB/..W...../......../......../...W..W./.B.W..WW/.WW.WW.W w": 121264,
	} {
		if got := count(t, "8x8", position, 4); got != want {
			t.Errorf("%s: %d turns, want %d", position, got, want)
		}
	}
}

func TestPerftIsThatOfTheRules(t *testing.T) {
	for _, c := range []struct {
		board, position string
		depth           int
	}{
		{"8x8", ".B..BB.B/..B..BBB/..W...../......../......../...W..W./.B.W..WW/.WW.WW.W b", 3},
		{"5x5", "BBBBB/BBBBB/...../WWWWW/WWWWW w", 4},
		{"3x4", "BBB/BBB/WWW/WWW w", 7},
		{"2x6", "BB/BB/../../WW/WW w", 8},
	} {
		if got, want := count(t, c.board, c.position, c.depth), naivePerft(c.position, c.depth); got != want {
			t.Errorf("%s, depth %d: %d turns, want %d", c.position, c.depth, got, want)
		}
	}
}
