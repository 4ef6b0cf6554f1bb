package winone

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"paika/bitboard/phutball"
)

// TestHardBoards answers for the boards of testdata/hard.txt, each with the work that
// stands there. It takes some seconds: they are the hardest that the hunt has found.
func TestHardBoards(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	file, err := os.Open("testdata/hard.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := NewSolver(phutball.NewGrid(large, phutball.Rules{}))
	for lines := bufio.NewScanner(file); lines.Scan(); {
		told, position, found := strings.Cut(lines.Text(), "; ")
		if strings.HasPrefix(told, "#") || !found {
			continue
		}
		l, err := phutball.ParseLayout(position, large)
		if err != nil {
			t.Fatal(err)
		}
		r := catch(t, s, l).result
		if got := fmt.Sprintf("%v %d %d", r.Win, r.Nodes, r.Conflicts); !r.Decided || got != told {
			t.Errorf("%s: %s, want %s", position, got, told)
		}
	}
}
