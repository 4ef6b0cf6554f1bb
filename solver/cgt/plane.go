package cgt

import "math/bits"

// The four directions, opposites beside each other.
const (
	right = iota
	left
	up
	down
	directions
)

// plane is a set of points of a square that boards lie on, in its lower left corner: a
// word for boards of 8 points either way, four for larger ones. Calls through a type
// parameter are not inlined, so that methods do as much as there is to do together.
type plane[S any] interface {
	comparable
	and(S) S
	or(S) S
	without(S) S

	// with is the set and a point.
	with(file, rank int) S

	// lowest is the set of the first point, in any order; of no point where there is none.
	lowest() S

	// step moves every point one step; those that leave the square are dropped.
	step(direction int) S

	// jumps gives, of points from where a jump in a direction may lead over one of over
	// to one of onto, those that are in the set, and the second and third points of these.
	jumps(over, onto S, direction int) (first, second, third S)

	// grown is the set with all three points of those jumps from first points of which one
	// point is in it.
	grown(first S, direction int) S

	// image mirrors files, ranks and the diagonal, by the bits of orientation.
	image(orientation int) S

	// corner is how far the set is from the left and the lower edge, toCorner the set moved
	// by so much.
	corner() (file, rank int)
	toCorner(file, rank int) S

	// before is any order.
	before(S) bool
}

// octet is a set of points of an 8x8 square, a row in each byte, the lower row first.
type octet uint64

const (
	firstFile8 = 0x0101010101010101
	lastFile8  = 0x8080808080808080
)

func (s octet) and(t octet) octet             { return s & t }
func (s octet) or(t octet) octet              { return s | t }
func (s octet) without(t octet) octet         { return s &^ t }
func (s octet) with(file, rank int) octet     { return s | 1<<(8*rank+file) }
func (s octet) lowest() octet                 { return s & -s }
func (s octet) before(t octet) bool           { return s < t }
func (s octet) toCorner(file, rank int) octet { return s >> (8*rank + file) }

func (s octet) step(direction int) octet {
	switch direction {
	case right:
		return s << 1 &^ firstFile8
	case left:
		return s >> 1 &^ lastFile8
	case up:
		return s << 8
	}
	return s >> 8
}

func (s octet) jumps(over, onto octet, direction int) (first, second, third octet) {
	second = s.step(direction) & over
	third = second.step(direction) & onto
	second = third.step(direction ^ 1)
	return second.step(direction ^ 1), second, third
}

func (s octet) grown(first octet, direction int) octet {
	back := s.step(direction ^ 1)
	touching := first & (s | back | back.step(direction^1))
	onward := touching.step(direction)
	return s | touching | onward | onward.step(direction)
}

func (s octet) image(orientation int) octet {
	b := uint64(s)
	if orientation&1 != 0 {
		b = bits.ReverseBytes64(bits.Reverse64(b))
	}
	if orientation&2 != 0 {
		b = bits.ReverseBytes64(b)
	}
	if orientation&4 != 0 {
		b = transposed(b)
	}
	return octet(b)
}

// transposed exchanges rows and columns of 8x8 bits: of single bits, of blocks of 2x2 and
// of 4x4.
func transposed(b uint64) uint64 {
	for _, exchange := range [...]struct {
		upper uint64 // the blocks above the diagonal
		by    int
	}{{0x00aa00aa00aa00aa, 7}, {0x0000cccc0000cccc, 14}, {0x00000000f0f0f0f0, 28}} {
		swap := (b ^ b>>exchange.by) & exchange.upper
		b ^= swap ^ swap<<exchange.by
	}
	return b
}

func (s octet) corner() (file, rank int) {
	if s == 0 {
		return 0, 0
	}
	files := s | s>>32
	files |= files >> 16
	files |= files >> 8
	return bits.TrailingZeros8(uint8(files)), bits.TrailingZeros64(uint64(s)) / 8
}

// side is the width and height of the square that the largest boards lie on.
const side = 16

// grid is a set of points of a 16x16 square, a row in each 16 bits, the lower row
// first.
type grid [4]uint64

const (
	firstFile16 = 0x0001000100010001
	lastFile16  = 0x8000800080008000
)

func (s grid) and(t grid) grid { return grid{s[0] & t[0], s[1] & t[1], s[2] & t[2], s[3] & t[3]} }
func (s grid) or(t grid) grid  { return grid{s[0] | t[0], s[1] | t[1], s[2] | t[2], s[3] | t[3]} }
func (s grid) without(t grid) grid {
	return grid{s[0] &^ t[0], s[1] &^ t[1], s[2] &^ t[2], s[3] &^ t[3]}
}

func (s grid) with(file, rank int) grid {
	s[rank/4] |= 1 << (rank%4*side + file)
	return s
}

func (s grid) lowest() (first grid) {
	for i, word := range s {
		if word != 0 {
			first[i] = word & -word
			break
		}
	}
	return first
}

func (s grid) before(t grid) bool {
	for i, word := range s {
		if word != t[i] {
			return word < t[i]
		}
	}
	return false
}

func (s grid) step(direction int) grid {
	switch direction {
	case right:
		for i := range s {
			s[i] = s[i] << 1 &^ firstFile16
		}
	case left:
		for i := range s {
			s[i] = s[i] >> 1 &^ lastFile16
		}
	case up:
		s = grid{s[0] << side, s[1]<<side | s[0]>>(64-side), s[2]<<side | s[1]>>(64-side), s[3]<<side | s[2]>>(64-side)}
	case down:
		s = grid{s[0]>>side | s[1]<<(64-side), s[1]>>side | s[2]<<(64-side), s[2]>>side | s[3]<<(64-side), s[3] >> side}
	}
	return s
}

func (s grid) jumps(over, onto grid, direction int) (first, second, third grid) {
	second = s.step(direction).and(over)
	third = second.step(direction).and(onto)
	second = third.step(direction ^ 1)
	return second.step(direction ^ 1), second, third
}

func (s grid) grown(first grid, direction int) grid {
	back := s.step(direction ^ 1)
	touching := first.and(s.or(back).or(back.step(direction ^ 1)))
	onward := touching.step(direction)
	return s.or(touching).or(onward).or(onward.step(direction))
}

// points yields the points, rank by rank.
func (s grid) points(yield func(file, rank int) bool) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			n := bits.TrailingZeros64(word)
			if !yield(n%side, 4*i+n/side) {
				return
			}
		}
	}
}

func (s grid) image(orientation int) (image grid) {
	for file, rank := range s.points {
		if orientation&1 != 0 {
			file = side - 1 - file
		}
		if orientation&2 != 0 {
			rank = side - 1 - rank
		}
		if orientation&4 != 0 {
			file, rank = rank, file
		}
		image = image.with(file, rank)
	}
	return image
}

func (s grid) corner() (file, rank int) {
	file, rank = side, side
	for f, r := range s.points {
		file, rank = min(file, f), min(rank, r)
	}
	return file % side, rank % side // of no points 0
}

func (s grid) toCorner(file, rank int) grid {
	for range file {
		s = s.step(left)
	}
	for range rank {
		s = s.step(down)
	}
	return s
}
