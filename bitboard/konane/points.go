package konane

import (
	"math/bits"
	"slices"

	"paika/bitboard/ranking"
)

// maxPoints is the number of points on the largest board.
const maxPoints = 256

// Set is a set of points of a board, a bit each: Word for boards of up to 64
// points, Pair up to 128, Quad up to 256.
type Set[S any] interface {
	comparable
	Word | Pair | Quad

	capacity() int // points that a set can hold
	has(point int) bool
	with(point int) S
	without(point int) S
	first() int // the lowest point of a set that is not empty
	size() int
	union(S) S
	meet(S) S
	minus(S) S
	below(S) bool // in an order of all sets
	up(n int) S   // every point moved n up; those beyond capacity drop out
	down(n int) S // every point moved n down; those below 0 drop out

	// run is which of the points are in the set that follow one another from a point on, a bit each:
	// at least maxSide, as far as there are so many. withRun adds such points.
	run(from int) uint64
	withRun(from int, points uint64) S

	// rank numbers a set of points of one colour among those of its size.
	rank(r *ranks) uint64

	// image is the set moved through a symmetry.
	image(m *symmetry) S

	// turned is the set of a board with so many points after a half turn.
	turned(points int) S

	// least is, of a set and its images by some symmetries, the least, and of another set moved likewise the
	// image that goes with it: of several the least, too.
	least(other S, k *keepers) (S, S)
}

// Word is a set of points below 64.
type Word uint64

func (s Word) capacity() int          { return 64 }
func (s Word) has(point int) bool     { return s>>(uint(point)&63)&1 != 0 }
func (s Word) with(point int) Word    { return s | 1<<(uint(point)&63) }
func (s Word) without(point int) Word { return s &^ (1 << (uint(point) & 63)) }
func (s Word) first() int             { return bits.TrailingZeros64(uint64(s)) }
func (s Word) size() int              { return bits.OnesCount64(uint64(s)) }
func (s Word) union(t Word) Word      { return s | t }
func (s Word) meet(t Word) Word       { return s & t }
func (s Word) minus(t Word) Word      { return s &^ t }
func (s Word) below(t Word) bool      { return s < t }
func (s Word) up(n int) Word          { return s << uint(n) }
func (s Word) down(n int) Word        { return s >> uint(n) }

func (s Word) run(from int) uint64 { return uint64(s >> (uint(from) & 63)) }

func (s Word) withRun(from int, points uint64) Word { return s | Word(points)<<(uint(from)&63) }

func (s Word) rank(r *ranks) uint64 { return r.dense.rank(densely(s)) }

func (s Word) image(m *symmetry) Word {
	return Word(m.bytes.Apply(uint64(s)))
}

func (s Word) turned(points int) Word {
	return Word(bits.Reverse64(uint64(s)) >> (uint(64-points) & 63))
}

func (s Word) least(t Word, k *keepers) (own, opp Word) {
	own, opp = s, t
	if k.turns {
		if image := s.turned(k.points); image <= own {
			own, opp = lesser(own, opp, image, t.turned(k.points))
		}
	}
	for _, m := range k.some {
		image := s.image(m)
		if image <= own {
			own, opp = lesser(own, opp, image, t.image(m))
		}
		if !k.turns {
			continue
		}
		if image = image.turned(k.points); image <= own {
			own, opp = lesser(own, opp, image, t.image(m).turned(k.points))
		}
	}
	return own, opp
}

// lesser is the lesser of two pairs of sets, of which the second begins with no greater one than the first.
func lesser(own, opp, image, beside Word) (Word, Word) {
	if image == own && opp < beside {
		beside = opp
	}
	return image, beside
}

// Pair is a set of points below 128.
type Pair [2]uint64

func (s Pair) capacity() int          { return 128 }
func (s Pair) has(point int) bool     { return s[point>>6]>>(uint(point)&63)&1 != 0 }
func (s Pair) with(point int) Pair    { s[point>>6] |= 1 << (uint(point) & 63); return s }
func (s Pair) without(point int) Pair { s[point>>6] &^= 1 << (uint(point) & 63); return s }
func (s Pair) first() int             { return firstOf(s[:]) }
func (s Pair) size() int              { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }
func (s Pair) union(t Pair) Pair      { return Pair{s[0] | t[0], s[1] | t[1]} }
func (s Pair) meet(t Pair) Pair       { return Pair{s[0] & t[0], s[1] & t[1]} }
func (s Pair) minus(t Pair) Pair      { return Pair{s[0] &^ t[0], s[1] &^ t[1]} }
func (s Pair) below(t Pair) bool      { return slices.Compare(s[:], t[:]) < 0 }
func (s Pair) up(n int) Pair          { shiftUp(s[:], uint(n)); return s }
func (s Pair) down(n int) Pair        { shiftDown(s[:], uint(n)); return s }
func (s Pair) run(from int) uint64    { return runOf(s[:], from) }
func (s Pair) rank(r *ranks) uint64   { return rankOf(s[:], &r.choose) }

func (s Pair) withRun(from int, points uint64) Pair {
	addRun(s[:], from, points)
	return s
}

func (s Pair) image(m *symmetry) (t Pair) {
	imageOf(t[:], s[:], m)
	return t
}

func (s Pair) least(t Pair, k *keepers) (own, opp Pair) { return leastOf(s, t, k) }

func (s Pair) turned(points int) Pair {
	turn(s[:], points)
	return s
}

// Quad is a set of points below 256.
type Quad [4]uint64

func (s Quad) capacity() int          { return 256 }
func (s Quad) has(point int) bool     { return s[point>>6]>>(uint(point)&63)&1 != 0 }
func (s Quad) with(point int) Quad    { s[point>>6] |= 1 << (uint(point) & 63); return s }
func (s Quad) without(point int) Quad { s[point>>6] &^= 1 << (uint(point) & 63); return s }
func (s Quad) first() int             { return firstOf(s[:]) }

func (s Quad) size() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2]) + bits.OnesCount64(s[3])
}

func (s Quad) union(t Quad) Quad {
	return Quad{s[0] | t[0], s[1] | t[1], s[2] | t[2], s[3] | t[3]}
}

func (s Quad) meet(t Quad) Quad {
	return Quad{s[0] & t[0], s[1] & t[1], s[2] & t[2], s[3] & t[3]}
}

func (s Quad) minus(t Quad) Quad {
	return Quad{s[0] &^ t[0], s[1] &^ t[1], s[2] &^ t[2], s[3] &^ t[3]}
}

func (s Quad) below(t Quad) bool    { return slices.Compare(s[:], t[:]) < 0 }
func (s Quad) up(n int) Quad        { shiftUp(s[:], uint(n)); return s }
func (s Quad) down(n int) Quad      { shiftDown(s[:], uint(n)); return s }
func (s Quad) run(from int) uint64  { return runOf(s[:], from) }
func (s Quad) rank(r *ranks) uint64 { return rankOf(s[:], &r.choose) }

func (s Quad) withRun(from int, points uint64) Quad {
	addRun(s[:], from, points)
	return s
}

func (s Quad) image(m *symmetry) (t Quad) {
	imageOf(t[:], s[:], m)
	return t
}

func (s Quad) least(t Quad, k *keepers) (own, opp Quad) { return leastOf(s, t, k) }

func (s Quad) turned(points int) Quad {
	turn(s[:], points)
	return s
}

// shiftUp moves a set of several words n < 64 points up.
func shiftUp(words []uint64, n uint) {
	for i := len(words) - 1; i > 0; i-- {
		words[i] = words[i]<<n | words[i-1]>>(64-n)
	}
	words[0] <<= n
}

// shiftDown moves a set of several words n < 64 points down.
func shiftDown(words []uint64, n uint) {
	last := len(words) - 1
	for i := range last {
		words[i] = words[i]>>n | words[i+1]<<(64-n)
	}
	words[last] >>= n
}

func runOf(words []uint64, from int) uint64 {
	run := words[from>>6] >> (from & 63)
	if next := from>>6 + 1; next < len(words) {
		run |= words[next] << (64 - from&63)
	}
	return run
}

func addRun(words []uint64, from int, points uint64) {
	words[from>>6] |= points << (from & 63)
	if next := from>>6 + 1; next < len(words) {
		words[next] |= points >> (64 - from&63)
	}
}

func firstOf(words []uint64) int {
	for i, word := range words {
		if word != 0 {
			return i<<6 + bits.TrailingZeros64(word)
		}
	}
	panic("konane: the first point of an empty set")
}

func rankOf(words []uint64, choose *ranking.Binomials) uint64 {
	var rank uint64
	j := 0
	for i, word := range words {
		for ; word != 0; word &= word - 1 {
			rank += choose[j][(i<<6+bits.TrailingZeros64(word))>>1]
			j++
		}
	}
	return rank
}

// imageOf adds the images of a set's points to another.
func imageOf(to, from []uint64, m *symmetry) {
	for i, word := range from {
		for ; word != 0; word &= word - 1 {
			point := m.to[i<<6+bits.TrailingZeros64(word)]
			to[point>>6] |= 1 << (point & 63)
		}
	}
}

// turn takes the set of a board with so many points through a half turn.
func turn(words []uint64, points int) {
	slices.Reverse(words)
	for i := range words {
		words[i] = bits.Reverse64(words[i])
	}
	for beyond := 64*len(words) - points; beyond > 0; beyond -= 63 {
		shiftDown(words, uint(min(beyond, 63)))
	}
}
