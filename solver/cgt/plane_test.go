package cgt

import (
	"slices"
	"testing"
)

// A point steps to the one beside it, and off the square where there is none. In play a step into
// the next row would not show: the points at its ends have one colour. Value takes any stones.
func TestStepsKeepToTheSquare(t *testing.T) {
	t.Run("octet", func(t *testing.T) { testSteps[octet](t, 8) })
	t.Run("grid", func(t *testing.T) { testSteps[grid](t, side) })
}

func testSteps[S plane[S]](t *testing.T, side int) {
	by := [directions][2]int{right: {1, 0}, left: {-1, 0}, up: {0, 1}, down: {0, -1}}
	for rank := range side {
		for file := range side {
			for d := range directions {
				var point, want S
				to := []int{file + by[d][0], rank + by[d][1]}
				if slices.Min(to) >= 0 && slices.Max(to) < side {
					want = want.with(to[0], to[1])
				}
				if got := point.with(file, rank).step(d); got != want {
					t.Errorf("direction %d from file %d, rank %d: %v, want %v", d, file, rank, got, want)
				}
			}
		}
	}
}
