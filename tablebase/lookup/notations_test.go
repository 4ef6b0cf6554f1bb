package lookup_test

import (
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/tablebase/lookup"
)

// counted counts how often the turns of a position are written out.
type counted struct {
	*fanorona.Game
	times int
}

func (c *counted) Notated(p fanorona.Position, side bitboard.Side) []bitboard.Turn[fanorona.Position] {
	c.times++
	return c.Game.Notated(p, side)
}

// Notations are the game's own, and however often a turn is asked for, the turns of its
// position are written out once.
func TestATurnIsWrittenOutOnce(t *testing.T) {
	game := &counted{Game: newGame(t)}
	start, side, err := game.Start()
	if err != nil {
		t.Fatal(err)
	}
	notations := lookup.NewNotations[fanorona.Position](game)
	for _, side := range []bitboard.Side{side, side.Other()} {
		for number, want := range game.Game.Notated(start, side) {
			game.times = 0
			for range 3 {
				if got := notations.Of(start, side, lookup.Turn[fanorona.Position]{Number: number, To: want.To}); got != want.Notation {
					t.Errorf("turn %d of side %d is %s, want %s", number, side, got, want.Notation)
				}
			}
			if game.times != 1 {
				t.Errorf("turn %d of side %d: the turns were written out %d times, want once", number, side, game.times)
			}
		}
	}
}
