package complexity

import (
	"fmt"
	"math"
	"sync/atomic"
	"unsafe"

	"paika/bitboard"
	"paika/internal/usage"
)

// MemoryError says what does not fit the memory allowed.
type MemoryError struct {
	What string // for people, in the plural
}

func (e *MemoryError) Error() string { return e.What + " do not fit the memory allowed" }

// allowance is the memory that players share.
type allowance struct {
	bytes uint64
	taken atomic.Uint64
}

// take tells whether some more bytes are allowed.
func (a *allowance) take(bytes uint64) bool { return a.taken.Add(bytes) <= a.bytes }

func (a *allowance) giveBack(bytes uint64) { a.taken.Add(-bytes) }

func (a *allowance) left() uint64 { return a.bytes - min(a.taken.Load(), a.bytes) }

// What a game takes until the games are summarised, in bytes: its record and its
// sums, and at each ply the number of turns, twice, with room for a slice to grow.
const (
	gameBytes = uint64(unsafe.Sizeof(Record{})) + 3*8
	plyBytes  = 24
)

// growth is how many times as much as it holds a slice takes while it grows: the
// old one, and one a quarter larger.
const growth = 3

// setBytes is the memory for an element of a set, at most: a table is between
// seven sixteenths and seven eighths full, has a byte for each place, and is
// copied piece by piece as it grows.
func setBytes(element uintptr) uint64 { return uint64(element+1)*5/2 + 1 }

// prolific is the game if it is a bitboard.Prolific, or nil.
func prolific[P comparable](game bitboard.Rules[P]) bitboard.Prolific[P] {
	many, _ := game.(bitboard.Prolific[P])
	return many
}

// outgrows tells whether the turns of a position do not fit into some bytes of
// memory, at so many bytes each, and how many do.
func outgrows[P comparable](game bitboard.Prolific[P], p P, bytes, each uint64) (most uint64, does bool) {
	most = bytes / each
	return most, game != nil && game.MoreTurnsThan(p, int(min(most, math.MaxInt-1)))
}

// checkGames fails where so many games cannot fit, though they were as short as
// can be.
func (a *allowance) checkGames(games int) error {
	if uint64(games) > a.bytes/gameBytes {
		return &MemoryError{usage.Thousands(uint64(games)) + " " + bitboard.Plural(games == 1, "game")}
	}
	return nil
}

// foreseen is how many games tell how long the others will be.
const foreseen = 100

// foresee fails where all games cannot fit if they are as long as the first ones.
func (a *allowance) foresee(games, over, plies int) error {
	if over != foreseen {
		return nil
	}
	if each := gameBytes + uint64(plies/over)*plyBytes; uint64(games) > a.bytes/each {
		return &MemoryError{fmt.Sprintf("%s games of %d plies or so", usage.Thousands(uint64(games)), plies/over)}
	}
	return nil
}
