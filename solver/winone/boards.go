package winone

import (
	"math/rand/v2"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// A Family is a kind of boards to measure a solver with. Boards come from the
// random numbers alone.
type Family struct {
	Name string
	Text string // what its boards look like
	Make func(board bitboard.Board, rng *rand.Rand) phutball.Layout
}

// Hard lists the families in which easy ways of solving fail most often.
func Hard() []Family {
	return []Family{
		{"funnel", "dense below, sparse near the goal", func(board bitboard.Board, rng *rand.Rand) phutball.Layout {
			lower, upper := 30+rng.IntN(30), 5+rng.IntN(15)
			sparse := board.Height - 2 - rng.IntN(max(1, board.Height/3))
			return banded(board, rng, func(rank int) int {
				if rank < sparse {
					return lower
				}
				return upper
			})
		}},
		{"bands", "two dense bands, sparse ranks between them and above", func(board bitboard.Board, rng *rand.Rand) phutball.Layout {
			dense, sparse := 35+rng.IntN(30), 5+rng.IntN(15)
			width := max(2, board.Height/4)
			return banded(board, rng, func(rank int) int {
				if rank/width%2 == 0 {
					return dense
				}
				return sparse
			})
		}},
		{"lattice", "a man on every second point each way, with a gap of some ranks near the goal", lattice},
	}
}

// Random puts a man on each point with a probability in percent, and the ball on
// the centre or, if anywhere, on a random point off the goal rows. Ohs is to
// move.
func Random(board bitboard.Board, rng *rand.Rand, percent int, anywhere bool) phutball.Layout {
	ball := bitboard.Point{File: board.Width / 2, Rank: board.Height / 2}
	if anywhere {
		ball = bitboard.Point{File: rng.IntN(board.Width), Rank: 1 + rng.IntN(board.Height-2)}
	}
	return fill(board, rng, ball, func(bitboard.Point) int { return percent })
}

// banded puts a man on each point with a probability, in percent, that depends
// on its rank, and the ball in the lower half.
func banded(board bitboard.Board, rng *rand.Rand, percent func(rank int) int) phutball.Layout {
	ball := bitboard.Point{File: rng.IntN(board.Width), Rank: 1 + rng.IntN(max(1, board.Height/2-1))}
	return fill(board, rng, ball, func(p bitboard.Point) int { return percent(p.Rank) })
}

func lattice(board bitboard.Board, rng *rand.Rand) phutball.Layout {
	ball := bitboard.Point{File: 2 * rng.IntN((board.Width+1)/2), Rank: 2 + 2*rng.IntN(max(1, board.Height/4-1))}
	missing, stray := rng.IntN(25), rng.IntN(6)
	gap := board.Height - 4 - rng.IntN(max(1, board.Height/3))
	return fill(board, rng, ball, func(p bitboard.Point) int {
		switch {
		case p.Rank == gap || p.Rank == gap+1:
			return stray
		case p.File%2 == 1 || p.Rank%2 == 1:
			return (100 - missing) * (p.File%2 + p.Rank%2) / 2
		}
		return stray
	})
}

func fill(board bitboard.Board, rng *rand.Rand, ball bitboard.Point, percent func(bitboard.Point) int) phutball.Layout {
	l := phutball.NewLayout(board, 0, ball)
	for rank := range board.Height {
		for file := range board.Width {
			p := bitboard.Point{File: file, Rank: rank}
			if roll := rng.IntN(100); p != ball && roll < percent(p) {
				l.Place(p)
			}
		}
	}
	return l
}
