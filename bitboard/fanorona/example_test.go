package fanorona_test

import (
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/fanorona"
)

// A game is played by its positions: a turn is the position that it leads to, seen
// from the other side.
func Example() {
	game, err := fanorona.New(bitboard.Board{Width: 9, Height: 5}, fanorona.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	start, white, err := game.Start()
	if err != nil {
		log.Fatal(err)
	}
	for _, turn := range game.Notated(start, white) {
		fmt.Println(turn.Notation, "and then", len(game.Turns(nil, turn.To)))
	}
	_, err = game.ParseTurn(start, white, "d2-e3W")
	fmt.Println(err)
	// Output:
	// d2-e3A and then 10
	// e2-e3A and then 2
	// f2-e3A and then 5
	// d3-e3A and then 4
	// d3-e3W and then 18
	// turn "d2-e3W": step 1, d2-e3: there is nothing to capture by withdrawal: want A
}
