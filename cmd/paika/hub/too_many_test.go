package hub

import (
	"errors"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/hub/client"
)

// crowdedGame is Fanorona as if all positions behind the first turn had too many turns.
type crowdedGame struct {
	bitboard.Game[fanorona.Position]
	start fanorona.Position
}

func (g crowdedGame) MoreTurnsThan(p fanorona.Position, _ int) bool {
	return p != g.start && len(g.Turns(nil, p)) > 0
}

// TestAQuestionThatHangsOnTooManyTurnsSaysSo, and its workers go on with others.
func TestAQuestionThatHangsOnTooManyTurnsSaysSo(t *testing.T) {
	board := bitboard.Board{Width: 5, Height: 3}
	of, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	start, _, err := of.Start()
	if err != nil {
		t.Fatal(err)
	}
	g := newGame[fanorona.Position](t, "fanorona", board, fanorona.Rules{}.String(), crowdedGame{of, start}, nil)
	other := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g, other)
	defer work(t, h.Inside(), "w", 2, g, other)()
	c := dial(t, h.Inside())
	for range 2 { // who asks again is told the same
		_, err := c.Wait(t.Context(), g.question("white-wins"), nil)
		if !errors.Is(err, client.ErrFailed) || !strings.Contains(err.Error(), " b: "+bitboard.ErrTooManyTurns.Error()) {
			t.Errorf("%v: want that a position of Black's has too many turns", err)
		}
	}
	answered(t, c, other, "white-wins")
}
