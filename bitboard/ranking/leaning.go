package ranking

import "paika/bitboard"

// A Leaning finds, of all images of a set of points below 64 under the symmetries of
// a board, the upright one, faster than by making them all.
//
// Every point pulls to the right or the left, and up or down, with a force that
// depends on how far it lies from the middle; on a square board also to one side of
// the diagonal or the other. A set leans to where the sum of its points' pulls is.
// A symmetry takes it to a set that leans as much to another side. So if the sums
// are not 0, no two images lean to the same sides, and the sides put the images in
// an order; the first of them is upright. A set that is its own image has a sum of 0,
// and so have a few others.
type Leaning struct {
	pulls    [8][256]int64 // of the points in each byte of a set, three numbers in one
	symmetry [1 << ways]uint8
}

// Ways to lean: the numbers of pullBits bits each, from the lowest, that a sum of
// pulls is made of.
const (
	ways     = 3
	pullBits = 21
)

// NewLeaning is for a board with these symmetries, which form a group, by bit number.
func NewLeaning(board bitboard.Board, bit func(bitboard.Point) int, symmetries []Permutation) *Leaning {
	l := new(Leaning)
	for r := range board.Height {
		for f := range board.Width {
			n, pull := bit(bitboard.Point{File: f, Rank: r}), pullOf(board, f, r)
			for b := range 256 {
				if b>>(n%8)&1 != 0 {
					l.pulls[n/8][b] += pull
				}
			}
		}
	}
	// These two points lean in every way, and so do their images.
	for _, image := range Maps(board) {
		corner, beside := bit(image(bitboard.Point{})), bit(image(bitboard.Point{File: 1}))
		from, _ := l.leans(1<<corner | 1<<beside)
		first := uint(1 << ways)
		for i, to := range symmetries {
			if after, _ := l.leans(1<<to[corner] | 1<<to[beside]); after < first {
				first, l.symmetry[from] = after, uint8(i)
			}
		}
	}
	return l
}

// pullOf is the pull of a point. The numbers in it mean nothing: they are such that
// the forces of several points seldom add up to nothing.
func pullOf(board bitboard.Board, file, rank int) int64 {
	x, y := 2*file-(board.Width-1), 2*rank-(board.Height-1)
	force := func(along, across int) int64 {
		along, across = max(along, -along), max(across, -across)
		return int64(along*(71+2*across*across) + 38*along*along)
	}
	right, up, side := force(x, y), force(y, x), int64(1)
	if board.Width == board.Height {
		side = right - up
	}
	if x < 0 {
		right = -right
	}
	if y < 0 {
		up = -up
	}
	return right + up<<pullBits + side<<(2*pullBits)
}

// leans tells which ways a set leans, a bit each, and whether it leans in all.
func (l *Leaning) leans(set uint64) (to uint, all bool) {
	sum := l.pulls[0][set&255] + l.pulls[1][set>>8&255] + l.pulls[2][set>>16&255] + l.pulls[3][set>>24&255] +
		l.pulls[4][set>>32&255] + l.pulls[5][set>>40&255] + l.pulls[6][set>>48&255] + l.pulls[7][set>>56]
	const spare = 64 - pullBits
	right := sum << spare >> spare
	sum = (sum - right) >> pullBits
	up := sum << spare >> spare
	side := (sum - up) >> pullBits
	return uint(right)>>63 | uint(up)>>63<<1 | uint(side)>>63<<2, right != 0 && up != 0 && side != 0
}

// Upright is the symmetry, by its index, that takes a set to the upright one of its
// images. It tells false of a set that does not lean.
func (l *Leaning) Upright(set uint64) (symmetry int, leans bool) {
	to, leans := l.leans(set)
	return int(l.symmetry[to]), leans
}
