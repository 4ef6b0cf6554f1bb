package fanorona

import (
	"fmt"
	"testing"

	"paika/bitboard/gametest"
)

func TestConform(t *testing.T) {
	for _, c := range []struct {
		board          string
		rules          Rules
		pieces         int
		whole, sampled []string
		samples        int
		long           bool
	}{
		{board: "3x3", pieces: 9, whole: between(2, 9)},
		{board: "3x3", rules: Rules{true, NeverTwice}, pieces: 9, whole: between(2, 9)},
		{board: "3x3", rules: Rules{false, NoRepeatOrReverse}, pieces: 9, sampled: between(2, 9), samples: 20},
		{board: "5x5", pieces: 7, whole: between(2, 3), sampled: between(4, 7), samples: 20, long: true},
		{board: "3x5", pieces: 6, whole: between(2, 3), sampled: between(4, 6), samples: 20, long: true},
		{board: "4x5", pieces: 5, whole: between(2, 3), sampled: between(4, 5), samples: 20, long: true},
		{board: "6x6", pieces: 5, whole: between(2, 2), sampled: between(3, 5), samples: 20, long: true},
		{board: "9x5", pieces: 7, whole: between(2, 3), sampled: between(4, 7), samples: 20},
		{board: "7x8", pieces: 5, whole: between(2, 2), sampled: between(3, 5), samples: 20, long: true},
		{board: "6x9", pieces: 5, whole: between(2, 2), sampled: between(3, 5), samples: 20, long: true},
	} {
		t.Run(fmt.Sprint(c.board, " ", c.rules), func(t *testing.T) {
			t.Parallel()
			if c.long && testing.Short() {
				t.Skip("other boards are asked the same")
			}
			g := newGame(t, c.board, c.rules)
			gametest.Conform(t, g, gametest.Options[Position]{
				Pieces:  c.pieces,
				Whole:   c.whole,
				Sampled: c.sampled,
				Samples: c.samples,
				Images:  func(p Position) []Position { return images(g, p) },
				Outside: func(p Position) bool { return p.Own == 0 || p.Opp == 0 },
			})
		})
	}
}

// between names the slices with that many stones.
func between(fewest, most int) []string {
	var names []string
	for stones := fewest; stones <= most; stones++ {
		for own := 1; own < stones; own++ {
			names = append(names, fmt.Sprintf("%dv%d", own, stones-own))
		}
	}
	return names
}

// images maps a position through all mirrors and quarter turns that leave the
// board and its lines as they are.
func images(g *Game, p Position) []Position {
	w, h := g.board.Width, g.board.Height
	maps := []func(f, r int) (int, int){
		func(f, r int) (int, int) { return f, r },
		func(f, r int) (int, int) { return w - 1 - f, r },
		func(f, r int) (int, int) { return f, h - 1 - r },
		func(f, r int) (int, int) { return w - 1 - f, h - 1 - r },
	}
	if w == h {
		maps = append(maps,
			func(f, r int) (int, int) { return r, f },
			func(f, r int) (int, int) { return w - 1 - r, f },
			func(f, r int) (int, int) { return r, h - 1 - f },
			func(f, r int) (int, int) { return w - 1 - r, h - 1 - f },
		)
	}
	var all []Position
	for _, to := range maps {
		if f, r := to(0, 0); (f+r)%2 != 0 {
			continue // takes the strong point a1 to a weak one
		}
		var image Position
		for r := range h {
			for f := range w {
				switch bit, moved := g.bit(f, r), g.bit(to(f, r)); {
				case p.Own&bit != 0:
					image.Own |= moved
				case p.Opp&bit != 0:
					image.Opp |= moved
				}
			}
		}
		all = append(all, image)
	}
	return all
}
