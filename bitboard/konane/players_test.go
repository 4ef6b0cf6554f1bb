package konane

import (
	"errors"
	"testing"

	"paika/bitboard"
	"paika/bitboard/gametest"
)

func TestByPlayersConforms(t *testing.T) {
	g := newGame[Word](t, "4x3", Rules{})
	gametest.Conform(t, ByPlayers[Word]{g}, gametest.Options[Position[Word]]{
		Whole:  []string{"0v0", "3v3", "2v4", "5v4"},
		Images: func(p Position[Word]) []Position[Word] { return images(g, p) },
	})
}

func TestByPlayersRefuses(t *testing.T) {
	g := newGame[Word](t, "3x3", Rules{}).ByPlayers()
	for _, c := range []struct {
		text   string
		offset int
	}{
		{"xox/oxo/xox b", 11},
		{"xox/oxo/xox b black", 14},
		{"xox/oxo/xox b second", 14},
		{"xox/o.o/xox w first", 14},
		{"xox/oxo/xox  first", 12},
		{"xox/oxo/xox b first ", 13},
		{"xoo/o.o/xox w second", 2},
		{"", 0},
	} {
		_, _, err := g.Parse(c.text)
		var syntax *bitboard.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != c.offset {
			t.Errorf("%q: %v, want a syntax error at %d", c.text, err, c.offset)
		}
	}
}
