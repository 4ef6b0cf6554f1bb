package phutball

import (
	"fmt"
	"math"
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// The numbering of the positions of a board in which the game is not over: the
// ball is on none of the goal rows.
//
//	index = class of the ball's point × sets of men, 2^(points-1)
//	      + the men as a number, the ball's bit taken out
//
// A position and its mirror image, left and right exchanged, have one index. The
// mirror takes the ball to the left half of the board, so that its points there
// are the classes, row by row. A ball in the middle column stays where it is;
// then the smaller of the two numbers counts, and the other index is a gap.
//
// The board upside down with the sides exchanged is the same Position already.

// maxIndexed bounds the boards that have an index, in points: with more, hardly
// a slice would fit in bitboard.MaxIndices.
const maxIndexed = 44

// A spread maps a set of points through a symmetry: the images of the points in
// each byte of the set. It is a ranking.Spread of as many bytes as an index needs,
// and so small enough for apply to be inlined.
type spread [(maxIndexed + 7) / 8][256]uint64

func newSpread(g *Grid, image func(bitboard.Point) bitboard.Point) *spread {
	return newSpreadOf(g.points, func(p int) Place {
		to, _ := g.PlaceAt(image(g.where[p]))
		return to
	})
}

// newSpreadOf maps each of n points to its image.
func newSpreadOf(n int, image func(p int) Place) *spread {
	var s spread
	for p := range n {
		for b := range 256 {
			if b>>(p%8)&1 != 0 {
				s[p/8][b] |= 1 << image(p)
			}
		}
	}
	return &s
}

func (s *spread) apply(set uint64) uint64 {
	return s[0][set&255] | s[1][set>>8&255] | s[2][set>>16&255] |
		s[3][set>>24&255] | s[4][set>>32&255] | s[5][set>>40&255]
}

// index numbers the positions of a board that has few enough points.
type index struct {
	points   int
	classes  int     // of the ball's point
	mirror   *spread // left and right exchanged
	upend    *spread // top and bottom exchanged
	turn     *spread // both
	balls    []ball  // by point
	upended  []Place // by place
	mirrored []Place // by place
	lines    []lines // by place
	classed  []Place // by class
}

// ball is what the index takes from the ball's point.
type ball struct {
	base    uint64 // index of the class's first position
	at      Place  // where the class has the ball
	mirrors bool   // the position has to be mirrored first
	centred bool   // the ball is in the middle column
}

func (x *index) init(g *Grid) {
	columns := (g.board.Width + 1) / 2
	x.points, x.classes = g.points, columns*(g.board.Height-2)
	if !x.fits() {
		return
	}
	last := bitboard.Point{File: g.board.Width - 1, Rank: g.board.Height - 1}
	x.mirror = newSpread(g, func(p bitboard.Point) bitboard.Point { return bitboard.Point{File: last.File - p.File, Rank: p.Rank} })
	x.upend = newSpread(g, func(p bitboard.Point) bitboard.Point { return bitboard.Point{File: p.File, Rank: last.Rank - p.Rank} })
	x.turn = newSpread(g, func(p bitboard.Point) bitboard.Point {
		return bitboard.Point{File: last.File - p.File, Rank: last.Rank - p.Rank}
	})
	x.balls = make([]ball, g.points)
	for p := range x.balls {
		at := g.where[p]
		if g.goals[p] != 0 {
			continue
		}
		b := ball{at: Place(p), centred: 2*at.File == last.File, mirrors: at.File >= columns}
		if b.mirrors {
			at.File = last.File - at.File
			b.at, _ = g.PlaceAt(at)
		} else {
			x.classed = append(x.classed, b.at)
		}
		class := (at.Rank-1)*columns + at.File
		b.base = uint64(class) << (g.points - 1)
		x.balls[p] = b
	}
	x.upended = make([]Place, g.Places())
	for p := range x.upended {
		x.upended[p] = g.Upended(Place(p))
	}
	x.mirrored = make([]Place, g.Places())
	for p, at := range g.where {
		x.mirrored[p], _ = g.PlaceAt(bitboard.Point{File: last.File - at.File, Rank: at.Rank})
	}
	x.initLines(g)
}

// fits tells whether the board has few enough points.
func (x *index) fits() bool { return x.points <= maxIndexed }

// squeeze takes the bit of the ball's point out of a set that lacks it.
func squeeze(men uint64, ball Place) uint64 {
	below := uint64(1)<<ball - 1
	return men&below | men>>1&^below
}

// stretch undoes squeeze.
func stretch(number uint64, ball Place) uint64 {
	below := uint64(1)<<ball - 1
	return number&below | number&^below<<1
}

// rank is the index of a position.
func (x *index) rank(men uint64, at Place) uint64 {
	b := &x.balls[at]
	number := squeeze(men, at)
	switch {
	case b.mirrors:
		number = squeeze(x.mirror.apply(men), b.at)
	case b.centred:
		number = min(number, squeeze(x.mirror.apply(men), at))
	}
	return b.base + number
}

// unrank gives the men and the ball of an index.
func (x *index) unrank(i uint64) (men uint64, at Place) {
	at = x.classed[i>>(x.points-1)]
	return stretch(i&(1<<(x.points-1)-1), at), at
}

// behind is the first index behind those with the ball where that of i has it.
func (x *index) behind(i uint64) uint64 { return (i>>(x.points-1) + 1) << (x.points - 1) }

// weight is the number of positions that an index stands for, given its men and
// ball: 0 for a gap.
func (x *index) weight(men uint64, at Place) int {
	if !x.balls[at].centred {
		return 2
	}
	switch image := x.mirror.apply(men); {
	case image < men:
		return 0
	case image == men:
		return 1
	}
	return 2
}

// all is the one slice.
const all = bitboard.Slice(0)

const sliceName = "all"

// ended is the slice, of no group, of the positions where the game is over.
const ended = all + 1

// Groups is the one group of all positions: men can be added at every turn. It
// fails if the board has too many points.
func (g *Game) Groups() ([]bitboard.Group, error) {
	if !g.index.fits() {
		return nil, fmt.Errorf("phutball on %v has %d points, and tables are made for %d at most", g.grid.board, g.index.points, maxIndexed)
	}
	return []bitboard.Group{{Slices: []bitboard.Slice{all}}}, nil
}

// Pieces is the number of pieces on a full board: the ball, and men everywhere
// else.
func (g *Game) Pieces(bitboard.Slice) int { return g.index.points }

// SliceName is "all".
func (g *Game) SliceName(bitboard.Slice) string { return sliceName }

// ParseSlice reads a slice's name.
func (g *Game) ParseSlice(name string) (bitboard.Slice, error) {
	if name != sliceName {
		return 0, fmt.Errorf("slice %s: phutball has one, %q", bitboard.Quote(name), sliceName)
	}
	if _, err := g.Groups(); err != nil {
		return 0, err
	}
	return all, nil
}

// Indices is the size of the index space, gaps included.
func (g *Game) Indices(bitboard.Slice) uint64 { return g.index.withMen(g.index.classes) }

// Positions is the number of positions that are not over, with no symmetry
// taken out but that of the two sides.
func (g *Game) Positions(bitboard.Slice) uint64 {
	b := g.grid.board
	return g.index.withMen(b.Width * (b.Height - 2))
}

// withMen is the number of positions with the ball on one of so many points, or the highest
// number of 64 bits where that is less.
func (x *index) withMen(balls int) uint64 {
	if x.points > 64 {
		return math.MaxUint64
	}
	return ranking.Product(uint64(balls), 1<<(x.points-1))
}

// SliceOf tells where a position belongs: the slice of all, or one of no group
// where the game is over.
func (g *Game) SliceOf(p Position) bitboard.Slice {
	if g.over(p) {
		return ended
	}
	return all
}

// Rank is the slice and the index of a position that is not over.
func (g *Game) Rank(p Position) (bitboard.Slice, uint64) {
	return all, g.index.rank(p.Men[0], p.Ball)
}

// Unrank gives the position of an index and how many it stands for.
func (g *Game) Unrank(_ bitboard.Slice, i uint64) (Position, int) {
	men, at := g.index.unrank(i)
	return Position{Ball: at, Men: Set{men}}, g.index.weight(men, at)
}

// Walk yields the positions of [lo, hi) that are no gaps.
func (g *Game) Walk(s bitboard.Slice, lo, hi uint64, yield func(uint64, Position, int) bool) {
	for i := lo; i < hi; i++ {
		if p, weight := g.Unrank(s, i); weight != 0 && !yield(i, p, weight) {
			return
		}
	}
}

// WalkChosen yields the positions of [lo, hi) that are chosen and no gaps.
func (g *Game) WalkChosen(s bitboard.Slice, lo, hi uint64, chosen []uint64, yield func(uint64, Position, int) bool) {
	for i := range bitboard.Chosen(lo, hi, chosen) {
		if p, weight := g.Unrank(s, i); weight != 0 && !yield(i, p, weight) {
			return
		}
	}
}

// Tally counts whole words of values where the index fills words.
func (g *Game) Tally(_ bitboard.Slice, values bitboard.Packed, lo, hi uint64) (positions [3]uint64, filled uint64) {
	first := lo &^ 31
	for lo < hi {
		if g.trace != nil && lo%64 == 0 && hi-lo >= 64 {
			word := values[(lo-first)/32:]
			filled += g.trace.tally(&positions, lo/64, word.Equal(0, bitboard.Win), word.Equal(0, bitboard.Loss))
			lo += 64
			continue
		}
		men, at := g.index.unrank(lo)
		weight, v := g.index.weight(men, at), values.At(lo-first)
		if weight == 0 && v != bitboard.Draw {
			filled++
		}
		positions[v] += uint64(weight)
		lo++
	}
	return positions, filled
}

// lines is what a ball sees from a place of a board that fits a word: the points
// in each direction up to the edge, and the place behind the edge.
type lines struct {
	ahead [Directions]uint64
	exit  [Directions]Place
	first uint64 // the neighbours
	halts bool
}

func (x *index) initLines(g *Grid) {
	x.lines = make([]lines, g.Places())
	for p := range x.lines {
		l := &x.lines[p]
		l.halts = g.Halts(Place(p))
		for d := range Directions {
			at := g.next[p][d]
			if g.onBoard(at) {
				l.first |= 1 << at
			}
			for ; g.onBoard(at); at = g.next[at][d] {
				l.ahead[d] |= 1 << at
			}
			l.exit[d] = at
		}
	}
}

// jump is Land and Clear at once, on a board that fits a word: the place where
// the ball lands and the men that it jumps. It asks nothing of the place that the
// ball comes from.
func (l *lines) jump(men uint64, d int) (to Place, jumped uint64) {
	ahead := l.ahead[d]
	vacant := ahead &^ men
	// Bits rise going up and, in a row, to the right: directions 7, 0, 1, 2.
	rising := d <= 2 || d == 7
	switch {
	case vacant == 0:
		return l.exit[d], ahead
	case rising:
		to = Place(bits.TrailingZeros64(vacant))
		return to, ahead & (1<<to - 1)
	}
	to = Place(63 - bits.LeadingZeros64(vacant))
	return to, ahead &^ (1<<to | (1<<to - 1))
}
