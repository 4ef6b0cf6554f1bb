package breakthrough

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
)

// The rules once more, on a board of letters, as anybody would write them down.

// diagram is the ranks of a position from the bottom, a letter a point.
type diagram [][]byte

func read(position string) (d diagram, white bool) {
	board, side, _ := strings.Cut(position, " ")
	for _, rank := range slices.Backward(strings.Split(board, "/")) {
		d = append(d, []byte(rank))
	}
	return d, side == "w"
}

func (d diagram) text(white bool) string {
	var ranks []string
	for _, rank := range slices.Backward(d) {
		ranks = append(ranks, string(rank))
	}
	if white {
		return strings.Join(ranks, "/") + " w"
	}
	return strings.Join(ranks, "/") + " b"
}

func (d diagram) clone() (copied diagram) {
	for _, rank := range d {
		copied = append(copied, slices.Clone(rank))
	}
	return copied
}

// decided tells whether a side stands on its farthest rank or has no pawns.
func (d diagram) decided() bool {
	white, black := 0, 0
	for _, rank := range d {
		white += strings.Count(string(rank), "W")
		black += strings.Count(string(rank), "B")
	}
	return white == 0 || black == 0 || strings.Contains(string(d[0]), "B") || strings.Contains(string(d[len(d)-1]), "W")
}

// naiveTurns maps each turn to the position after it.
func naiveTurns(position string) map[string]string {
	d, white := read(position)
	turns := make(map[string]string)
	if d.decided() {
		return turns
	}
	own, step := byte('W'), 1
	if !white {
		own, step = 'B', -1
	}
	name := func(file, rank int) string { return string(rune('a'+file)) + string(rune('1'+rank)) }
	for rank := range d {
		for file, letter := range d[rank] {
			for to := file - 1; to <= file+1; to++ {
				if letter != own || to < 0 || to >= len(d[rank]) {
					continue
				}
				link := "-"
				switch there := d[rank+step][to]; {
				case there == own, there != '.' && to == file:
					continue
				case there != '.':
					link = "x"
				}
				after := d.clone()
				after[rank][file], after[rank+step][to] = '.', own
				turns[name(file, rank)+link+name(to, rank+step)] = after.text(!white)
			}
		}
	}
	return turns
}

func naivePerft(position string, depth int) (n uint64) {
	if depth == 0 {
		return 1
	}
	for _, after := range naiveTurns(position) {
		n += naivePerft(after, depth-1)
	}
	return n
}

func newGame(t testing.TB, size string) *Game {
	t.Helper()
	board, err := bitboard.ParseBoard(size)
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(board)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func parse(t testing.TB, g *Game, text string) (Position, bitboard.Side) {
	t.Helper()
	p, s, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p, s
}

// Random games on every board, each position of which has the turns that the rules
// as written down give; and who is to move can move, unless the game is over.
func TestTurnsAreThoseOfTheRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for width := 2; width <= 8; width++ {
		for height := 4; height <= 8; height++ {
			g := newGame(t, bitboard.Board{Width: width, Height: height}.String())
			for range 10 {
				p, s, _ := g.Start()
				for over := false; !over; s = s.Other() {
					text := g.Format(p, s)
					want, got := naiveTurns(text), g.Notated(p, s)
					for _, turn := range got {
						if after := g.Format(turn.To, s.Other()); want[turn.Notation] != after {
							t.Fatalf("%s: %s leads to %s, want %q", text, turn.Notation, after, want[turn.Notation])
						}
					}
					d, _ := read(text)
					if over = d.decided(); len(got) != len(want) || over != (len(got) == 0) || g.Count(p) != len(want) {
						t.Fatalf("%s: %d turns, want %d", text, len(got), len(want))
					}
					if !over {
						p = got[rng.IntN(len(got))].To
					}
				}
			}
		}
	}
}
