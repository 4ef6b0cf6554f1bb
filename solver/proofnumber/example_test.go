package proofnumber_test

import (
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/proofnumber"
)

// White wins Fanorona on 3x3: the search says so, and what it rests on.
func Example() {
	ctx := context.Background()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	table, err := proofnumber.NewTable(1 << 20) // bytes
	if err != nil {
		log.Fatal(err)
	}
	defer table.Close()
	search, err := proofnumber.New(game, table, proofnumber.Options[fanorona.Position]{})
	if err != nil {
		log.Fatal(err)
	}
	start, _, err := game.Start()
	if err != nil {
		log.Fatal(err)
	}
	const whiteMoves = true // and attacks
	result, err := search.Solve(ctx, start, whiteMoves)
	if err != nil {
		log.Fatal(err)
	}
	steps := 0
	_, err = search.Extract(ctx, start, whiteMoves, func(proofnumber.Step[fanorona.Position]) error {
		steps++
		return nil
	})
	fmt.Println(result.Verdict, steps, err)
	// Output: proved 21 <nil>
}
