package quiet_test

import (
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/solver/quiet"
)

// The turns of Black's that win on 4x5 after b2-b3.
func Example() {
	game, err := breakthrough.New(bitboard.Board{Width: 4, Height: 5})
	if err != nil {
		log.Fatal(err)
	}
	table, err := quiet.Solve(context.Background(), game)
	if err != nil {
		log.Fatal(err)
	}
	position, side, err := game.Parse("BBBB/BBBB/.W../W.WW/WWWW b")
	if err != nil {
		log.Fatal(err)
	}
	for _, turn := range game.Notated(position, side) {
		if !table.Wins(turn.To) {
			fmt.Println(turn.Notation)
		}
	}
	// Output:
	// c4xb3
	// b4-a3
	// a4xb3
}
