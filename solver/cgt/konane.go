package cgt

import (
	"context"
	"fmt"

	"paika/bitboard"
)

// Konane gives the values of Konane positions, Black as Left. It remembers the
// regions that it has met, up to translation and symmetry. It is not safe for
// concurrent use.
type Konane struct {
	universe *Universe
	values   map[region]Game
}

// NewKonane makes one whose values belong to a universe.
func NewKonane(u *Universe) *Konane {
	return &Konane{universe: u, values: make(map[region]Game)}
}

// Value is the value of a position, given by its stones. Which colour stands on
// which points does not matter. It fails with the context's error, on boards of
// more than 16 points either way, and on stones off the board or on top of each
// other.
func (k *Konane) Value(ctx context.Context, board bitboard.Board, black, white []bitboard.Point) (Game, error) {
	whole, err := wholeBoard(board, black, white)
	if err != nil {
		return Zero, err
	}
	return k.value(ctx, whole)
}

// Regions lists the regions of a position, as the points that play in each may
// touch. Stones outside of all regions can neither move nor be taken nor stop a
// jump. Errors are those of Value.
func (k *Konane) Regions(board bitboard.Board, black, white []bitboard.Point) ([][]bitboard.Point, error) {
	whole, err := wholeBoard(board, black, white)
	if err != nil {
		return nil, err
	}
	var regions [][]bitboard.Point
	for _, r := range whole.regions() {
		var points []bitboard.Point
		for n := range r.points.each {
			points = append(points, bitboard.Point{File: n % side, Rank: n / side})
		}
		regions = append(regions, points)
	}
	return regions, nil
}

func wholeBoard(board bitboard.Board, black, white []bitboard.Point) (region, error) {
	if board.Width < 1 || board.Width > side || board.Height < 1 || board.Height > side {
		return region{}, fmt.Errorf("konane on %v: want 1 to %d files and ranks", board, side)
	}
	var r region
	for rank := range board.Height {
		for file := range board.Width {
			r.points.add(rank*side + file)
		}
	}
	for colour, stones := range [2][]bitboard.Point{black, white} {
		for _, p := range stones {
			n := p.Rank*side + p.File
			if p.File < 0 || p.File >= board.Width || p.Rank < 0 || p.Rank >= board.Height {
				return region{}, fmt.Errorf("a stone on %v is off the board of %v", p, board)
			}
			if r.stones[0].has(n) || r.stones[1].has(n) {
				return region{}, fmt.Errorf("two stones on %v", p)
			}
			r.stones[colour].add(n)
		}
	}
	return r, nil
}

// value is the sum of a position's regions.
func (k *Konane) value(ctx context.Context, position region) (Game, error) {
	sum := Zero
	for _, r := range position.regions() {
		v, err := k.regionValue(ctx, r.normal())
		if err != nil {
			return Zero, err
		}
		sum = k.universe.Sum(sum, v)
	}
	return sum, nil
}

// regionValue is the value of one region in its normal place.
func (k *Konane) regionValue(ctx context.Context, r region) (Game, error) {
	if v, known := k.values[r]; known {
		return v, nil
	}
	if err := ctx.Err(); err != nil {
		return Zero, err
	}
	var options [2][]Game
	for colour := range options {
		for after := range r.turns(colour) {
			v, err := k.value(ctx, after)
			if err != nil {
				return Zero, err
			}
			options[colour] = append(options[colour], v)
		}
	}
	v := k.universe.Make(options[0], options[1])
	k.values[r] = v
	return v, nil
}
