package cgt

import (
	"context"
	"fmt"
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/ranking"
)

// censusPoints is the number of points on the largest board that Census takes.
const censusPoints = 20

// Census counts the positions of a board of Konane by value, Black as Left: every set of
// stones that it can hold, with a1 Black's point, the full board and the empty one included,
// whether or not a game reaches it. It fails with the context's error, with ErrMemory or ErrRange, and
// on boards of no points or of more than 20.
//
// It shares no rules with [Konane], and knows no regions: whole positions have their
// values from those after a turn.
func (u *Universe) Census(ctx context.Context, board bitboard.Board) (counts map[Game]uint64, err error) {
	if min(board.Width, board.Height) < 1 || max(board.Width, board.Height) > censusPoints || board.Points() > censusPoints {
		return nil, fmt.Errorf("the values of all positions on %v: want a board of at least 1 point and at most %d points", board, censusPoints)
	}
	err = u.within(ctx, 4<<board.Points(), func() { counts = newCensus(u, board).count() })
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// count counts all positions by value. It panics as Within says.
func (c *census) count() map[Game]uint64 {
	counts := make(map[Game]uint64)
	for set := range uint32(len(c.values)) {
		c.universe.step()
		counts[c.value(set)]++
	}
	return counts
}

// census is the values of all positions of a board. A position is the set of its stones:
// the colour of a stone is that of its point.
type census struct {
	universe *Universe
	values   []Game // by set; unvalued where it is not known yet
	colours  [2]uint32
	jumps    [directions]jump
	images   []censusImage
}

const unvalued = ^Game(0)

// jump is a direction: how far a step goes in a set, and from where two stay on the board.
type jump struct {
	step int
	from uint32
}

// censusImage is a map of the board onto itself other than the identity.
type censusImage struct {
	spread    *ranking.Spread
	exchanges bool // the colours
}

func newCensus(u *Universe, board bitboard.Board) *census {
	c := &census{universe: u, values: make([]Game, 1<<board.Points())}
	for set := range c.values {
		c.values[set] = unvalued
	}
	number := func(p bitboard.Point) int { return p.Rank*board.Width + p.File }
	point := func(n int) bitboard.Point { return bitboard.Point{File: n % board.Width, Rank: n / board.Width} }
	steps := [directions]bitboard.Point{right: {File: 1}, left: {File: -1}, up: {Rank: 1}, down: {Rank: -1}}
	for d, step := range steps {
		c.jumps[d].step = number(step)
	}
	for n := range board.Points() {
		p := point(n)
		c.colours[(p.File+p.Rank)%2] |= 1 << n
		for d, step := range steps {
			file, rank := p.File+2*step.File, p.Rank+2*step.Rank
			if 0 <= file && file < board.Width && 0 <= rank && rank < board.Height {
				c.jumps[d].from |= 1 << n
			}
		}
	}
	for _, image := range ranking.Maps(board)[1:] {
		to := func(n int) int { return number(image(point(n))) }
		c.images = append(c.images, censusImage{
			ranking.NewSpread(uint64(len(c.values)-1), to), c.colours[0]>>to(0)&1 == 0,
		})
	}
	return c
}

// value is the value of a position: that of its least image, or that which its turns make.
func (c *census) value(set uint32) Game {
	if c.values[set] != unvalued {
		return c.values[set]
	}
	least, exchanged := set, false
	for _, m := range c.images {
		if image := uint32(m.spread.Apply(uint64(set))); image < least {
			least, exchanged = image, m.exchanges
		}
	}
	var v Game
	switch {
	case least == set:
		v = c.universe.Make(c.options(set, 0), c.options(set, 1))
	case exchanged:
		v = c.universe.Negative(c.value(least))
	default:
		v = c.value(least)
	}
	c.values[set] = v
	return v
}

// options lists the values after a colour's turns.
func (c *census) options(set uint32, colour int) (values []Game) {
	for _, j := range c.jumps {
		over, onto := shifted(set, -j.step), shifted(set, -2*j.step)
		for from := set & c.colours[colour] & j.from & over &^ onto; from != 0; from &= from - 1 {
			after, at := set, uint32(bits.TrailingZeros32(from))
			for {
				next := at + uint32(j.step)
				after = after&^(1<<at|1<<next) | 1<<(next+uint32(j.step))
				values = append(values, c.value(after))
				if at = next + uint32(j.step); j.from&over&^onto>>at&1 == 0 {
					break
				}
			}
		}
	}
	return values
}

// shifted moves all points of a set by so many numbers.
func shifted(set uint32, by int) uint32 {
	if by < 0 {
		return set >> -by
	}
	return set << by
}
