// Package likeness guesses what slices take that were not solved yet, each by the one that
// is most like it among those that were (bitboard.Resembler).
package likeness

import (
	"math"

	"paika/bitboard"
)

// Known is what is known of a game's slices.
type Known struct {
	Game  interface{ SliceName(bitboard.Slice) string } // and a bitboard.Resembler, if it can be
	Paces []Pace
	Sizes map[string]Size // by the slices' names
}

// Pace is how fast some slices were solved together, in seconds: what turns out of the
// group decide was settled, all else followed from one another, and what is left was done
// for each index. All three are 0 where it took no time that can be told.
type Pace struct {
	Slices []string // names
	Load
	Settling, Following, Other float64
}

// Load is what there is to solve in some slices together.
type Load struct {
	Indices uint64
	Held    float64 // as of a Size
	Turns   float64 // of a position on average; 0 where that is not known
	Cost    float64 // to settle an index on average, in a unit of the game's; 0 where that is not known
}

// Size is what a slice takes on disk that is stored whole.
type Size struct {
	Positions, Bytes uint64

	// Held is the share of its values that a table has which leaves out what one look
	// ahead finds (bitboard.Sparse); 1, or 0 where that is not known, for all.
	Held float64
}

// What was measured tells little of other slices below these.
const (
	tellingIndices   = 1 << 18 // of a group, for its time
	tellingPositions = 1 << 18 // of a slice, for its size on disk
)

// Pace is how fast a slice, and those that are solved with it, are solved: by what is most
// like it, or by the largest of all where that tells too little. Of a game that does not say
// what is alike it is by all together. No time is told where nothing tells.
func (k Known) Pace(s bitboard.Slice, load Load) Pace {
	paces := make(map[string]Pace)
	for _, one := range k.Paces {
		for _, name := range one.Slices {
			paces[name] = one
		}
	}
	name, found := k.alike(s, func(name string) bool { return paces[name].Indices > 0 })
	like := paces[name]
	if !found || name != k.Game.SliceName(s) && like.Indices < tellingIndices {
		like = k.general()
	}
	return like.of(load)
}

// general is the pace of what is like nothing measured.
func (k Known) general() Pace {
	if _, is := k.Game.(bitboard.Resembler); !is {
		if all := k.together(); all.Indices > 0 {
			return all
		}
	}
	return k.largest()
}

// together is the pace of all groups that tell of others, as if they were one.
func (k Known) together() (all Pace) {
	turns := 0.0
	for _, one := range k.Paces {
		if one.Indices < tellingIndices {
			continue
		}
		all.Indices += one.Indices
		all.Settling += one.Settling
		all.Following += one.Following
		all.Other += one.Other
		turns += one.Turns * float64(one.Indices)
	}
	all.Turns = turns / float64(max(1, all.Indices))
	return all
}

// of is the pace for other slices. Those with more stones have less to be followed
// and more to be settled: on 9x5, what is held is 36 positions in a hundred of three stones
// against two, and 14 of four against three. Each of either kind takes as long as before, or,
// where turns are known, as the turns of its positions have it. What is known of the cost of
// settling says more than these.
func (p Pace) of(load Load) Pace {
	if p.Indices == 0 {
		return Pace{}
	}
	settled, followed := 1.0, 1.0
	if 0 < p.Held && p.Held < 1 {
		settled, followed = (1-load.Held)/(1-p.Held), load.Held/p.Held
	}
	if load.Turns > 0 && p.Turns > 0 {
		settled, followed = settled*load.Turns/p.Turns, followed*load.Turns/p.Turns
	}
	if load.Cost > 0 && p.Cost > 0 {
		settled = load.Cost / p.Cost
	}
	each := float64(load.Indices) / float64(p.Indices)
	return Pace{Load: load, Settling: each * settled * p.Settling, Following: each * followed * p.Following, Other: each * p.Other}
}

// Seconds is the time in all.
func (p Pace) Seconds() float64 { return p.Settling + p.Following + p.Other }

// Completing is the time to find the values that these slices were stored without: they are
// settled again, and stored again.
func (p Pace) Completing() float64 { return p.Settling + p.Other }

// Rate is the indices a second of the largest that took any time; 0 where none did.
func (k Known) Rate() float64 {
	largest := k.largest()
	if seconds := largest.Seconds(); seconds > 0 {
		return float64(largest.Indices) / seconds
	}
	return 0
}

// largest is the largest that took any time.
func (k Known) largest() (largest Pace) {
	for _, one := range k.Paces {
		if one.Indices >= largest.Indices && one.Seconds() > 0 {
			largest = one
		}
	}
	return largest
}

// Bits is the size on disk of a position of a slice that is stored whole: by the slice
// that is most like it. Where that is too small to tell, it is the average.
func (k Known) Bits(s bitboard.Slice) float64 {
	like, found := k.sizeLike(s)
	if !found {
		return k.Average()
	}
	return like.bits()
}

// HeldBits is the size on disk of a position of a slice whose table has no more than a
// share of its values.
//
// The values that are left out are the easy ones. In a table that is stored whole, those
// that would be held take more of the bytes than their share: about its root, which is
// found by tables of Fanorona with five to nine stones, and has no other reason.
func (k Known) HeldBits(s bitboard.Slice, share float64) float64 {
	like, found := k.sizeLike(s)
	if !found || like.Held == 0 {
		return k.Bits(s) * share
	}
	return like.bits() * share / math.Sqrt(like.Held)
}

// sizeLike is the size of what is most like a slice, unless that is too small to tell.
func (k Known) sizeLike(s bitboard.Slice) (like Size, found bool) {
	name, found := k.alike(s, func(name string) bool { _, known := k.Sizes[name]; return known })
	like = k.Sizes[name]
	return like, found && (name == k.Game.SliceName(s) || like.Positions >= tellingPositions)
}

// Average is the size on disk of a position in all slices together; 0 where there is none.
func (k Known) Average() float64 {
	var sum Size
	for _, one := range k.Sizes {
		sum.Positions += one.Positions
		sum.Bytes += one.Bytes
	}
	return sum.bits()
}

func (s Size) bits() float64 {
	if s.Positions == 0 {
		return 0
	}
	return 8 * float64(s.Bytes) / float64(s.Positions)
}

// alike is the name of a slice, or of the largest smaller one that is much like it, of
// those that are known.
func (k Known) alike(s bitboard.Slice, known func(name string) bool) (name string, found bool) {
	game, is := k.Game.(bitboard.Resembler)
	for {
		if name := k.Game.SliceName(s); known(name) {
			return name, true
		}
		if !is {
			return "", false
		}
		if s, is = game.Resembles(s); !is {
			return "", false
		}
	}
}
