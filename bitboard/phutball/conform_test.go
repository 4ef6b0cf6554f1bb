package phutball

import (
	"testing"

	"paika/bitboard/gametest"
)

func TestConforms(t *testing.T) {
	for _, c := range []struct {
		board   string
		rules   Rules
		samples int // 0 to look at every index
	}{
		{"1x9", Rules{}, 0},
		{"3x3", Rules{}, 0},
		{"4x3", Rules{CornerExit: true}, 0},
		{"3x4", Rules{true, true, true}, 0},
		{"1x21", Rules{}, 4},
		{"5x5", Rules{}, 4},
		{"4x6", Rules{GoalStop: true}, 2},
	} {
		t.Run(c.board+" "+c.rules.String(), func(t *testing.T) {
			if testing.Short() {
				c.samples = 1
			}
			g := newGame(t, c.board, c.rules)
			o := gametest.Options[Position]{
				Samples: c.samples,
				Images:  func(p Position) []Position { return []Position{p, mirrored(g, p)} },
				Outside: g.over,
			}
			if c.samples == 0 {
				o.Whole = []string{sliceName}
			} else {
				o.Sampled = []string{sliceName}
			}
			gametest.Conform(t, g, o)
		})
	}
}
