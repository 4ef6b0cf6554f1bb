package cgt_test

import (
	"context"
	"fmt"

	"paika/bitboard"
	"paika/solver/cgt"
)

// In "xo." Black can jump once and White not at all: Black is one move ahead. Beside
// a game in which White is, whoever begins loses.
func ExampleKonane_Value() {
	universe := cgt.NewUniverse()
	konane := cgt.NewKonane(universe)
	row := bitboard.Board{Width: 3, Height: 1}
	black, white := []bitboard.Point{{File: 0}}, []bitboard.Point{{File: 1}}
	value, err := konane.Value(context.Background(), row, black, white)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(universe.Format(value), universe.Outcome(value))
	sum := universe.Sum(value, universe.Negative(value))
	fmt.Println(universe.Format(sum), universe.Outcome(sum))
	// Output:
	// 1 left
	// 0 second
}
