package winone

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"paika/bitboard/phutball"
)

// hardBoard is a board of testdata/hard.txt with the work that stands there.
type hardBoard struct {
	layout phutball.Layout
	told   told
}

type told struct {
	win              bool
	nodes, conflicts uint64
}

func hardBoards(t *testing.T) (boards []hardBoard) {
	t.Helper()
	file, err := os.Open("testdata/hard.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		work, position, found := strings.Cut(lines.Text(), "; ")
		if strings.HasPrefix(work, "#") || !found {
			continue
		}
		var h hardBoard
		if _, err := fmt.Sscan(work, &h.told.win, &h.told.nodes, &h.told.conflicts); err != nil {
			t.Fatalf("%q: %v", work, err)
		}
		if h.layout, err = phutball.ParseLayout(position, large); err != nil {
			t.Fatal(err)
		}
		boards = append(boards, h)
	}
	return boards
}

// TestHardBoards answers for the boards of testdata/hard.txt, each with the work that
// stands there. It takes some seconds: they are the hardest that the hunt has found.
func TestHardBoards(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	s := NewSolver(phutball.NewGrid(large, phutball.Rules{}))
	for _, h := range hardBoards(t) {
		r := catch(t, s, h.layout).result
		if got := (told{r.Win, r.Nodes, r.Conflicts}); !r.Decided || got != h.told {
			t.Errorf("%v: %v, want %v", h.layout, got, h.told)
		}
	}
}
