package ranking

import (
	"math/rand/v2"
	"testing"

	"paika/bitboard"
)

// Of a set that leans, all images have the same upright image, under all symmetries
// of the board and under those of them that keep the colours of points alone. All
// images lean, or none does; and on all boards but the smallest few sets do not.
func TestImagesHaveOneUprightImage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, board := range []bitboard.Board{
		{Width: 3, Height: 3}, {Width: 5, Height: 5}, {Width: 7, Height: 5}, {Width: 3, Height: 7},
		{Width: 4, Height: 5}, {Width: 6, Height: 6}, {Width: 7, Height: 8}, {Width: 8, Height: 8},
	} {
		bit := func(p bitboard.Point) int { return p.Rank*board.Width + p.File }
		colour := func(n int) int { return (n%board.Width + n/board.Width) % 2 }
		var all, keeping []Permutation
		for _, image := range Maps(board) {
			var to Permutation
			keeps := true
			for n := range board.Points() {
				to = append(to, bit(image(bitboard.Point{File: n % board.Width, Rank: n / board.Width})))
				keeps = keeps && colour(n) == colour(to[n])
			}
			if all = append(all, to); keeps {
				keeping = append(keeping, to)
			}
		}
		for _, symmetries := range [][]Permutation{all, keeping} {
			l := NewLeaning(board, bit, symmetries)
			const sets = 500
			level := 0
			for range sets {
				set := rng.Uint64() & rng.Uint64() & (1<<board.Points() - 1)
				upright := func(set uint64) (uint64, bool) {
					i, leans := l.Upright(set)
					return imageBy(symmetries[i], set), leans
				}
				want, leans := upright(set)
				if !leans {
					level++
				}
				for _, to := range symmetries {
					if got, also := upright(imageBy(to, set)); also != leans || leans && got != want {
						t.Fatalf("%v: the upright image of %b is %b (%t), of its image %b it is %b (%t)", board, set, want, leans, imageBy(to, set), got, also)
					}
				}
			}
			if board.Points() > 9 && level > sets/4 {
				t.Errorf("%v: %d of %d sets do not lean", board, level, sets)
			}
		}
	}
}

func imageBy(to Permutation, set uint64) (image uint64) {
	for n := range to {
		image |= set >> n & 1 << to[n]
	}
	return image
}
