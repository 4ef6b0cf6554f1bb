package konane

import (
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// A line is a turn as far as the board has room for it: the points that it asks about, as
// dense sets.
type line struct {
	from, to dense // of the mover's colour
	between  dense // of the same, where the stone lands on its way
	over     dense // of the other colour: the stones taken
	taken    int
}

// lines lists those of a colour, by the files and ranks of points alone.
func (g *Game[S]) lines(mover bitboard.Side) (lines []line) {
	for _, number := range g.index.numbers[mover] {
		for _, step := range [directions]bitboard.Point{{File: 1}, {File: -1}, {Rank: 1}, {Rank: -1}} {
			l := line{from: g.densePoint(g.point(number))}
			for at := g.point(number); ; {
				over := bitboard.Point{File: at.File + step.File, Rank: at.Rank + step.Rank}
				at = bitboard.Point{File: over.File + step.File, Rank: over.Rank + step.Rank}
				if at.File < 0 || at.File >= g.board.Width || at.Rank < 0 || at.Rank >= g.board.Height {
					break
				}
				l.between |= l.to
				l.to = g.densePoint(at)
				l.over |= g.densePoint(over)
				l.taken++
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// densePoint is the dense set of a point.
func (g *Game[S]) densePoint(at bitboard.Point) dense { return 1 << (g.number(at) / 2 & 63) }

// A choice is the sets of so many points of a colour that have some points and lack others.
type choice struct {
	colour        bitboard.Side
	size          int
	with, without dense
}

// many is how many sets these are, on so many points of the colour.
func (c choice) many(points int, choose *ranking.Binomials) uint64 {
	given := (c.with | c.without).size()
	rest := c.size - c.with.size()
	if rest < 0 || given > points {
		return 0
	}
	return choose.Ways(points-given, rest)
}

// list lists their ranks in order. The given points take nothing from the order of the
// others: those of two choices that differ in them alone go with each other one by one.
func (c choice) list(x *index[Word]) []uint32 {
	ranks := make([]uint32, c.many(len(x.numbers[c.colour]), &x.ranks.choose))
	others := dense(1)<<max(c.size-c.with.size(), 0) - 1
	for i := range ranks {
		ranks[i] = uint32(x.ranks.dense.rank(others.around(c.with|c.without) | c.with))
		if i+1 < len(ranks) {
			others = others.next()
		}
	}
	return ranks
}

// around is a set of as many points, numbered without some given ones, by their numbers.
func (d dense) around(given dense) dense {
	for ; given != 0; given &= given - 1 {
		below := given&-given - 1
		d = d&below | d&^below<<1
	}
	return d
}

func (d dense) size() int { return bits.OnesCount64(uint64(d)) }

// A movement is that of the sets of so many points of a colour through a symmetry to points
// of the colour after, where fixers move them on to the least.
type movement struct {
	colour   bitboard.Side
	size     int
	symmetry int
	after    bitboard.Side
	fixers   uint8
}

// list lists, by the rank of a set, the one that it gets.
func (m movement) list(x *index[Word]) []uint32 {
	ranks := make([]uint32, x.ranks.choose.Ways(len(x.numbers[m.colour]), m.size))
	set := dense(1)<<m.size - 1
	for i := range ranks {
		ranks[i] = uint32(x.ranks.dense.leastRank(set, m.colour, m.symmetry, m.after, m.fixers))
		if i+1 < len(ranks) {
			set = set.next()
		}
	}
	return ranks
}

// movements bounds how many of them there are of sets of one size: by group of fixers, one
// for each of its cosets among so many symmetries.
func movements(symmetries int) uint64 {
	switch symmetries {
	case 1:
		return 1
	case 2:
		return 2 + 1
	case 4:
		return 4 + 3*2 + 1
	}
	return 8 + 5*4 + 3*2 + 1
}
