package complexity_test

import (
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/complexity"
)

// How large is Fanorona on 3x3? Its positions are counted, and twenty games tell of the
// tree.
func Example() {
	ctx := context.Background()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	check(err)
	start, _, err := game.Start()
	check(err)
	count, whole, err := complexity.Reachable(ctx, game, start, 1_000_000, 1<<28)
	check(err)
	fmt.Println(count, "positions, all of them:", whole)

	games, err := complexity.Play(ctx, game, start, complexity.Options{Games: 20, Depth: 2, Opening: 2, Workers: 1, Memory: 1 << 28})
	check(err)
	m, err := complexity.Summarise(ctx, games)
	check(err)
	fmt.Printf("%d to %d plies, %.1f turns to choose from, some 10^%.1f games\n", m.Shortest, m.Longest, m.Branching.Mean, m.Tree.Mean)
	// Output:
	// 1012 positions, all of them: true
	// 6 to 17 plies, 3.9 turns to choose from, some 10^6.9 games
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
