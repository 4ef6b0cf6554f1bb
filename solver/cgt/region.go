package cgt

import (
	"iter"
	"math/bits"
)

// side is the width and height of the grid that all boards lie on.
const side = 16

// grid is a set of points of a 16x16 grid, a row in each 16 bits, the lower row
// first.
type grid [4]uint64

func (s grid) has(n int) bool { return s[n>>6]>>(uint(n)&63)&1 != 0 }
func (s *grid) add(n int)     { s[n>>6] |= 1 << (uint(n) & 63) }

func (s grid) and(t grid) grid { return grid{s[0] & t[0], s[1] & t[1], s[2] & t[2], s[3] & t[3]} }
func (s grid) or(t grid) grid  { return grid{s[0] | t[0], s[1] | t[1], s[2] | t[2], s[3] | t[3]} }
func (s grid) without(t grid) grid {
	return grid{s[0] &^ t[0], s[1] &^ t[1], s[2] &^ t[2], s[3] &^ t[3]}
}

// each yields the points, rising.
func (s grid) each(yield func(n int) bool) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			if !yield(i<<6 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

const (
	firstFile = 0x0001000100010001
	lastFile  = 0x8000800080008000
)

// The four directions, opposites beside each other.
const (
	right = iota
	left
	up
	down
	directions
)

// step moves every point one step; those that leave the grid are dropped.
func (s grid) step(direction int) grid {
	switch direction {
	case right:
		for i := range s {
			s[i] = s[i] << 1 &^ firstFile
		}
	case left:
		for i := range s {
			s[i] = s[i] >> 1 &^ lastFile
		}
	case up:
		s = grid{s[0] << side, s[1]<<side | s[0]>>(64-side), s[2]<<side | s[1]>>(64-side), s[3]<<side | s[2]>>(64-side)}
	case down:
		s = grid{s[0]>>side | s[1]<<(64-side), s[1]>>side | s[2]<<(64-side), s[2]>>side | s[3]<<(64-side), s[3] >> side}
	}
	return s
}

// region is a part of a position that play outside does not touch: its points,
// and the stones of Black and White that stand on them.
type region struct {
	points grid
	stones [2]grid
}

// starts is the points from which a jump in a direction may lead over one of
// over to one of onto.
func (r *region) starts(from, over, onto grid, direction int) grid {
	back := direction ^ 1
	return from.and(over.step(back)).and(onto.and(r.points).step(back).step(back))
}

// turns yields the region after each turn of a colour.
func (r region) turns(colour int) iter.Seq[region] {
	return func(yield func(region) bool) {
		own, opp := r.stones[colour], r.stones[colour^1]
		empty := r.points.without(own).without(opp)
		for d := range directions {
			for n := range r.starts(own, opp, empty, d).each {
				after := r
				var at grid
				at.add(n)
				for at != (grid{}) {
					over := at.step(d)
					onto := over.step(d)
					after.stones[colour] = after.stones[colour].without(at).or(onto)
					after.stones[colour^1] = after.stones[colour^1].without(over)
					if !yield(after) {
						return
					}
					at = r.starts(onto, opp, empty, d)
				}
			}
		}
	}
}

// regions takes a position apart. A jump is possible some time only if its
// three points can come to hold the right stones, were each player free to make
// all the jumps of either colour: that bounds what play can touch. Jumps that
// share a point belong to one region.
func (r region) regions() []region {
	reached := r.stones
	vacant := r.points.without(reached[0]).without(reached[1])
	for grows := true; grows; {
		grows = false
		for colour := range reached {
			for d := range directions {
				from := r.starts(reached[colour], reached[colour^1], vacant, d)
				over := from.step(d)
				onto := over.step(d)
				reach, vacate := reached[colour].or(onto), vacant.or(from).or(over)
				grows = grows || reach != reached[colour] || vacate != vacant
				reached[colour], vacant = reach, vacate
			}
		}
	}
	var jumps [2][directions]grid // possible ones, by colour and direction, as their first points
	var left grid
	for colour := range jumps {
		for d := range directions {
			from := r.starts(reached[colour], reached[colour^1], vacant, d)
			jumps[colour][d] = from
			left = left.or(from).or(from.step(d)).or(from.step(d).step(d))
		}
	}
	var parts []region
	for left != (grid{}) {
		part := flood(left, &jumps)
		left = left.without(part)
		parts = append(parts, region{part, [2]grid{r.stones[0].and(part), r.stones[1].and(part)}})
	}
	return parts
}

// flood is the points connected by jumps to the first of a set.
func flood(set grid, jumps *[2][directions]grid) grid {
	var part grid
	for n := range set.each {
		part.add(n)
		break
	}
	for {
		grown := part
		for colour := range jumps {
			for d, from := range jumps[colour] {
				back := d ^ 1
				touching := from.and(grown.or(grown.step(back)).or(grown.step(back).step(back)))
				grown = grown.or(touching).or(touching.step(d)).or(touching.step(d).step(d))
			}
		}
		if grown == part {
			return part
		}
		part = grown
	}
}

// normal is the region, moved to the lower left corner, in the one of its eight
// orientations that comes first in order.
func (r region) normal() region {
	var best region
	for orientation := range 8 {
		if image := r.oriented(orientation); orientation == 0 || image.before(&best) {
			best = image
		}
	}
	return best
}

// oriented mirrors files, ranks and the diagonal by the bits of orientation and
// moves the region to the lower left corner.
func (r region) oriented(orientation int) region {
	turn := func(n int) (file, rank int) {
		file, rank = n%side, n/side
		if orientation&1 != 0 {
			file = side - 1 - file
		}
		if orientation&2 != 0 {
			rank = side - 1 - rank
		}
		if orientation&4 != 0 {
			file, rank = rank, file
		}
		return file, rank
	}
	leftmost, lowest := side, side
	for n := range r.points.each {
		file, rank := turn(n)
		leftmost, lowest = min(leftmost, file), min(lowest, rank)
	}
	var image region
	for n := range r.points.each {
		file, rank := turn(n)
		to := (rank-lowest)*side + file - leftmost
		image.points.add(to)
		for colour := range r.stones {
			if r.stones[colour].has(n) {
				image.stones[colour].add(to)
			}
		}
	}
	return image
}

// before is the order that normal chooses by.
func (r *region) before(s *region) bool {
	for _, pair := range [...][2]*grid{{&r.points, &s.points}, {&r.stones[0], &s.stones[0]}, {&r.stones[1], &s.stones[1]}} {
		for i, word := range pair[0] {
			if word != pair[1][i] {
				return word < pair[1][i]
			}
		}
	}
	return false
}
