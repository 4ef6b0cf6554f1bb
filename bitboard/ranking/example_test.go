package ranking_test

import (
	"fmt"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// How many ways are there to put stones on 3x3, by their number, where images under the
// symmetries of the board count once?
func ExampleCount() {
	board := bitboard.Board{Width: 3, Height: 3}
	points := make([]int, board.Points())
	for i := range points {
		points[i] = i
	}
	var symmetries []ranking.Permutation
	for _, image := range ranking.Maps(board) {
		moved := make(ranking.Permutation, len(points))
		for i := range moved {
			to := image(bitboard.Point{File: i % board.Width, Rank: i / board.Width})
			moved[i] = to.Rank*board.Width + to.File
		}
		symmetries = append(symmetries, moved)
	}
	fmt.Println(ranking.Count(symmetries, points))
	// Output: [1 3 8 16 23 23 16 8 3 1]
}
