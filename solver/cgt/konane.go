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
	small    map[region[octet]]Game // of boards of at most 8 points either way
	large    map[region[grid]]Game
}

// regionBytes is what a region that is remembered takes, in a map that is half full at worst:
// one of a small board a third of that.
const regionBytes = 208

// NewKonane makes one whose values belong to a universe.
func NewKonane(u *Universe) *Konane {
	return &Konane{universe: u, small: make(map[region[octet]]Game), large: make(map[region[grid]]Game)}
}

// Value is the value of a position, given by its stones. Which colour stands on
// which points does not matter. It fails with the context's error, with ErrMemory or ErrRange, on
// boards of more than 16 points either way, and on stones off the board or on top of each
// other.
func (k *Konane) Value(ctx context.Context, board bitboard.Board, black, white []bitboard.Point) (Game, error) {
	if board.Width < 1 || board.Width > side || board.Height < 1 || board.Height > side {
		return Zero, fmt.Errorf("konane on %v: want 1 to %d files and ranks", board, side)
	}
	if max(board.Width, board.Height) <= 8 {
		return value(ctx, k, k.small, board, black, white)
	}
	return value(ctx, k, k.large, board, black, white)
}

// value is that of Konane, with the regions that are known.
func value[S plane[S]](ctx context.Context, k *Konane, known map[region[S]]Game, board bitboard.Board, black, white []bitboard.Point) (g Game, err error) {
	whole, err := wholeBoard[S](board, black, white)
	if err != nil {
		return Zero, err
	}
	remembered := uint64(len(k.small)+len(k.large)) * regionBytes
	err = k.universe.within(ctx, remembered, func() { g = adder[S]{k.universe, known}.value(whole) })
	return g, err
}

// wholeBoard is a position on a board that fits the square.
func wholeBoard[S plane[S]](board bitboard.Board, black, white []bitboard.Point) (region[S], error) {
	var r region[S]
	for rank := range board.Height {
		for file := range board.Width {
			r.points = r.points.with(file, rank)
		}
	}
	for colour, stones := range [2][]bitboard.Point{black, white} {
		for _, p := range stones {
			if p.File < 0 || p.File >= board.Width || p.Rank < 0 || p.Rank >= board.Height {
				return region[S]{}, fmt.Errorf("a stone on %v is off the board of %v", p, board)
			}
			taken := r.stones[0].or(r.stones[1])
			if taken.with(p.File, p.Rank) == taken {
				return region[S]{}, fmt.Errorf("two stones on %v", p)
			}
			r.stones[colour] = r.stones[colour].with(p.File, p.Rank)
		}
	}
	return r, nil
}

// adder finds values as sums of those of regions. It panics as Within says.
type adder[S plane[S]] struct {
	universe *Universe
	known    map[region[S]]Game // its regions in their normal place
}

// value is the sum of a position's regions.
func (a adder[S]) value(position region[S]) Game {
	sum := Zero
	for _, r := range position.regions() {
		sum = a.universe.Sum(sum, a.regionValue(r.normal()))
	}
	return sum
}

// regionValue is the value of one region in its normal place.
func (a adder[S]) regionValue(r region[S]) Game {
	if v, known := a.known[r]; known {
		return v
	}
	a.universe.look()
	var options [2][]Game
	for colour := range options {
		for after := range r.turns(colour) {
			options[colour] = append(options[colour], a.value(after))
		}
	}
	v := a.universe.Make(options[0], options[1])
	a.known[r] = v
	a.universe.Hold(regionBytes)
	return v
}
