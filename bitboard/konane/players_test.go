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

// Players are named by what the position tells, whatever side is given.
func TestPlayersAreThoseOfThePosition(t *testing.T) {
	g := newGame[Word](t, "3x3", Rules{})
	for _, c := range []struct{ text, mover, opponent string }{
		{"xox/oxo/xox b", "first", "second"},
		{"xox/o.o/xox w", "second", "first"},
		{"x.x/o.o/xox b", "black", "white"},
		{"x.x/o.o/xox w", "white", "black"},
		{"x../.../... w", "white", "black"},
	} {
		p, _, err := g.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []bitboard.Side{black, white} {
			if mover, opponent := g.Players(p, side); mover != c.mover || opponent != c.opponent {
				t.Errorf("%s, %s given: %s moves against %s, want %s against %s", c.text, sideNames[side], mover, opponent, c.mover, c.opponent)
			}
		}
	}
	for _, side := range []bitboard.Side{black, white} { // the empty board tells nothing
		if mover, _ := g.Players(Position[Word]{}, side); mover != sideNames[side] {
			t.Errorf("on the empty board %s moves, %s given", mover, sideNames[side])
		}
	}
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
