package cgt

import (
	"context"
	"fmt"
	"math/bits"

	"paika/bitboard"
)

// censusPoints is the number of points on the largest board that Census takes.
const censusPoints = 20

// Census counts the positions of a board by value: every set of stones that it
// can hold, with a1 Black's point, the full board and the empty one included,
// whether or not a game reaches it. It fails with the context's error, and on
// boards of more than 20 points.
func (k *Konane) Census(ctx context.Context, board bitboard.Board) (map[Game]uint64, error) {
	n := board.Points()
	if n > censusPoints {
		return nil, fmt.Errorf("the values of all positions on %v: want a board of at most %d points", board, censusPoints)
	}
	whole, err := wholeBoard(board, nil, nil)
	if err != nil {
		return nil, err
	}
	counts := make(map[Game]uint64)
	for stones := range uint64(1) << n {
		position := whole
		for rest := stones; rest != 0; rest &= rest - 1 {
			point := bits.TrailingZeros64(rest)
			file, rank := point%board.Width, point/board.Width
			position.stones[(file+rank)%2].add(rank*side + file)
		}
		value, err := k.value(ctx, position)
		if err != nil {
			return nil, err
		}
		counts[value]++
	}
	return counts, nil
}
