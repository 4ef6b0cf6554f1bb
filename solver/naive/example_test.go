package naive_test

import (
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/naive"
)

// All that play on 3x3 can reach is solved by the definition of a win.
func Example() {
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	start, _, err := game.Start()
	if err != nil {
		log.Fatal(err)
	}
	outcomes, err := naive.Solve(context.Background(), game, start)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(outcomes), "positions, the start is a", outcomes[start])
	// Output:
	// 682 positions, the start is a {win 11}
}
