package winone

import (
	"iter"
	"math/rand/v2"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// structured lists families of boards with order in them: patterns with errors,
// under ranks with few men. Where the answer is no on such a board, it takes the
// longest to prove.
func structured() []Family {
	return []Family{
		{"checkerboard", "men on every second point", func(board bitboard.Board, rng *rand.Rand) phutball.Layout {
			on, off := 70+rng.IntN(31), rng.IntN(15)
			return patterned(board, rng, on, off, nearGoal(board, rng), func(p bitboard.Point) bool {
				return (p.File+p.Rank)%2 == 1
			})
		}},
		{"stripes", "every second or third column or row is thin", func(board bitboard.Board, rng *rand.Rand) phutball.Layout {
			on, off, every := 60+rng.IntN(41), rng.IntN(30), 2+rng.IntN(2)
			columns := rng.IntN(2) == 0
			return patterned(board, rng, on, off, nearGoal(board, rng), func(p bitboard.Point) bool {
				if columns {
					return p.File%every > 0
				}
				return p.Rank%every > 0
			})
		}},
		{"tiles", "a pattern of a few points repeated", func(board bitboard.Board, rng *rand.Rand) phutball.Layout {
			return patterned(board, rng, 75+rng.IntN(26), rng.IntN(12), nearGoal(board, rng), tiling(rng))
		}},
		{"gapped tiles", "the same up to the goal, but for a few ranks", func(board bitboard.Board, rng *rand.Rand) phutball.Layout {
			gap, ranks := board.Height-3-rng.IntN(max(1, board.Height/3)), 1+rng.IntN(3)
			return patterned(board, rng, 80+rng.IntN(21), rng.IntN(10), func(rank int) bool {
				return rank >= gap && rank < gap+ranks
			}, tiling(rng))
		}},
		{"slab", "dense without order", func(board bitboard.Board, rng *rand.Rand) phutball.Layout {
			return patterned(board, rng, 30+rng.IntN(50), 0, nearGoal(board, rng), func(bitboard.Point) bool { return true })
		}},
	}
}

// seam is a family of two checkerboards side by side, each with its own phase. Where the phases differ,
// men stand beside men and gaps beside gaps, and the ball jumps over whole diagonals. Of no family are
// as many boards undecided.
func seam() Family {
	return Family{"seam", "two checkerboards meet on a column", func(board bitboard.Board, rng *rand.Rand) phutball.Layout {
		on, off, first := 90+rng.IntN(11), rng.IntN(7), board.Width/4+rng.IntN(max(1, board.Width/2))
		left, right := rng.IntN(2), rng.IntN(2)
		return patterned(board, rng, on, off, nearGoal(board, rng), func(p bitboard.Point) bool {
			phase := left
			if p.File >= first {
				phase = right
			}
			return (p.File+p.Rank)%2 == phase
		})
	}}
}

// nearGoal draws how many ranks from the goal down are sparse.
func nearGoal(board bitboard.Board, rng *rand.Rand) func(rank int) bool {
	first := board.Height - 1 - rng.IntN(max(1, board.Height*2/5))
	return func(rank int) bool { return rank >= first }
}

// tiling draws a pattern of 2x2 to 4x4 points.
func tiling(rng *rand.Rand) func(p bitboard.Point) bool {
	width, height, percent := 2+rng.IntN(3), 2+rng.IntN(3), 30+rng.IntN(50)
	tile := make([]bool, width*height)
	for i := range tile {
		tile[i] = rng.IntN(100) < percent
	}
	return func(p bitboard.Point) bool { return tile[p.File%width+width*(p.Rank%height)] }
}

// patterned puts men on the points of a pattern and off it with probabilities in
// percent, few on sparse ranks, and the ball in the lower half.
func patterned(board bitboard.Board, rng *rand.Rand, on, off int, sparse func(rank int) bool, pattern func(p bitboard.Point) bool) phutball.Layout {
	ball := bitboard.Point{File: rng.IntN(board.Width), Rank: 1 + rng.IntN(max(1, board.Height/2-1))}
	few := rng.IntN(25)
	return fill(board, rng, ball, func(p bitboard.Point) int {
		switch {
		case sparse(p.Rank):
			return few
		case pattern(p):
			return on
		}
		return off
	})
}

// mixed gives so many boards of all families by turns. They have at least so many columns and
// rows, and fewer than more besides.
func mixed(rng *rand.Rand, boards, columns, rows, more int) iter.Seq2[bitboard.Board, phutball.Layout] {
	families := append(append(Hard(), structured()...), seam())
	return func(yield func(bitboard.Board, phutball.Layout) bool) {
		for i := range boards {
			board := bitboard.Board{Width: columns + rng.IntN(more), Height: rows + rng.IntN(more)}
			if !yield(board, families[i%len(families)].Make(board, rng)) {
				return
			}
		}
	}
}
