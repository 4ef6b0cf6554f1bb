package perft_test

import (
	"context"
	"fmt"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/perft"
)

func ExampleCount() {
	game, err := fanorona.New(bitboard.Board{Width: 9, Height: 5}, fanorona.Rules{})
	if err != nil {
		panic(err)
	}
	start, _, err := game.Start()
	if err != nil {
		panic(err)
	}
	nodes, err := perft.Count(context.Background(), game, start, perft.Options{Depth: 4, Workers: 2})
	fmt.Println(nodes, err)
	// Output: [5 39 724 18026] <nil>
}
