package konane

import (
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/gametest"
)

// eitherSide lets the suite ask with either side to move, though a position of
// Konane tells itself whose turn it is: the side asked for stands behind the
// text as well.
type eitherSide struct{ *Game[Word] }

var asked = [2]string{" black asked", " white asked"}

func (g eitherSide) Format(p Position[Word], s bitboard.Side) string {
	return g.Game.Format(p, s) + asked[s]
}

func (g eitherSide) Parse(text string) (Position[Word], bitboard.Side, error) {
	side := black
	if strings.HasSuffix(text, asked[white]) {
		side = white
	}
	p, _, err := g.Game.Parse(strings.TrimSuffix(text, asked[side]))
	return p, side, err
}

func TestConforms(t *testing.T) {
	for _, c := range []struct {
		board, opening string
		options        gametest.Options[Position[Word]]
	}{
		{"1x1", "any", gametest.Options[Position[Word]]{Whole: []string{"1v0", "0v1", "0v0"}}},
		{"3x3", "traditional", gametest.Options[Position[Word]]{Whole: []string{"1v0", "0v1", "2v2", "3v2", "2v3", "4v4", "5v3", "4v3", "5v4", "4v5"}}},
		{"4x4", "middle-v", gametest.Options[Position[Word]]{Whole: []string{"0v0", "2v2", "4v4", "3v5", "8v8"}}},
		{"4x3", "any", gametest.Options[Position[Word]]{Whole: []string{"3v3", "5v6", "6v5", "6v6"}}},
		{"8x8", "traditional", gametest.Options[Position[Word]]{Pieces: 7, Sampled: []string{"1v1", "3v4", "4v3", "2v5"}, Samples: 20}},
		{"7x7", "corner-h", gametest.Options[Position[Word]]{Pieces: 8, Sampled: []string{"4v4", "3v5"}, Samples: 20}},
	} {
		t.Run(c.board+" "+c.opening, func(t *testing.T) {
			rules, err := parseRules(c.board, map[string]string{"opening": c.opening})
			if err != nil {
				t.Fatal(err)
			}
			g := newGame[Word](t, c.board, rules)
			c.options.Images = func(p Position[Word]) []Position[Word] { return images(g, p) }
			gametest.Conform(t, eitherSide{g}, c.options)
		})
	}
}
