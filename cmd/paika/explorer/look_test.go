package explorer

import (
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

// What a game's look says of notation is true of its start position and turns: all
// that the page has to read.
func TestLooksFitTheNotation(t *testing.T) {
	for _, game := range catalogue.Games() {
		instance, err := game.Open("", nil)
		if err != nil {
			t.Fatal(err)
		}
		tables, err := instance.Open("", 1)
		if err != nil {
			t.Fatal(err)
		}
		answers, err := tables.Turns(t.Context(), []string{catalogue.Start})
		if err != nil || answers[0].Err != nil {
			t.Fatalf("%s: error %v, %v", game.Name, err, answers[0].Err)
		}
		look, turns := game.Look, answers[0].Result
		if one, other := look.Sides[0].Colour, look.Sides[1].Colour; one+other != "whiteblack" && one+other != "blackwhite" {
			t.Errorf("%s: the sides are %q and %q, want white and black", game.Name, one, other)
		}
		letters := "./"
		for _, p := range look.Pieces {
			letters += p.Letter
		}
		board, side, _ := strings.Cut(turns.Position, " ")
		if strings.Trim(board, letters) != "" || side != look.Sides[0].Word {
			t.Errorf("%s: %s has other letters than %s, or another side than %s", game.Name, turns.Position, letters, look.Sides[0].Word)
		}
		for _, turn := range turns.Turns {
			if first := strings.TrimLeft(turn.Turn, "-"); !strings.Contains(look.Files, first[:1]) {
				t.Errorf("%s: turn %s begins on none of the files %s", game.Name, turn.Turn, look.Files)
			}
			if strings.HasPrefix(turn.Turn, "-") != look.Removals {
				t.Errorf("%s: turn %s removes a piece: %t", game.Name, turn.Turn, !look.Removals)
			}
		}
	}
}
