package winone_test

import (
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/phutball"
	"paika/solver/winone"
)

func ExampleSolver_Layout() {
	board := bitboard.Board{Width: 7, Height: 7}
	layout, err := phutball.ParseLayout("ball=B2 men=C2,D3,D4,C6,E6,D6 to=ohs", board)
	if err != nil {
		log.Fatal(err)
	}
	grid := phutball.NewGrid(board, phutball.Rules{})
	solver := winone.NewSolver(grid)
	result, err := solver.Layout(context.Background(), layout, winone.Options{Shortest: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Decided, result.Win, result.Notation(grid))
	// Output: true true B2-D2-D5-D7
}
