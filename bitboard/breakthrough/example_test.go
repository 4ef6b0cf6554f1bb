package breakthrough_test

import (
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
)

// A pawn captures diagonally, and an enemy pawn straight ahead stands in its way.
func Example() {
	game, err := breakthrough.New(bitboard.Board{Width: 3, Height: 4})
	if err != nil {
		log.Fatal(err)
	}
	p, side, err := game.Start()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(game.Format(p, side))
	for _, text := range []string{"b2xa3", "b4xa3", "b1-b2"} {
		turn, err := game.ParseTurn(p, side, text)
		if err != nil {
			log.Fatal(err)
		}
		p, side = turn.To, side.Other()
		fmt.Printf("%s  %s\n", text, game.Format(p, side))
	}
	_, err = game.ParseTurn(p, side, "c3-c2")
	fmt.Println(err)
	// Output:
	// BBB/BBB/WWW/WWW w
	// b2xa3  BBB/WBB/W.W/WWW b
	// b4xa3  B.B/BBB/W.W/WWW w
	// b1-b2  B.B/BBB/WWW/W.W b
	// turn "c3-c2": c2 is occupied, and a pawn captures diagonally
}
