package mobility_test

import (
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/solver/mobility"
)

// The first player wins Konane on 5x5, the opening included.
func ExampleSolve() {
	game, err := konane.New[konane.Word](bitboard.Board{Width: 5, Height: 5}, konane.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	start, _, err := game.Start()
	if err != nil {
		log.Fatal(err)
	}
	result, err := mobility.Solve(context.Background(), game, start, mobility.Options{})
	fmt.Println(result.Value, result.Nodes, err)
	// Output: win 1429 <nil>
}
