package retrograde

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"paika/bitboard"
)

// sized is a game that has sizes of slices, and no more.
type sized struct {
	Game
	indices []uint64 // by slice
}

func (g sized) Indices(s bitboard.Slice) uint64 { return g.indices[s] }

func (g sized) Positions(s bitboard.Slice) uint64 { return g.indices[s] }

func (g sized) SliceName(s bitboard.Slice) string { return fmt.Sprint(s) }

// leaving is a storage in which a slice leaves values out.
type leaving struct {
	SparseStorage
	slice bitboard.Slice
}

func (l leaving) LeavesOut(s bitboard.Slice) bool { return s == l.slice }

// A group that needs a slice which leaves values out takes no less than to complete that one, with
// all that this follows from in memory.
func TestCompletingASliceTakesWhatItFollowsFrom(t *testing.T) {
	const large, small = 1 << 24, 1 << 10
	game := sized{indices: []uint64{large, small, small}}
	chain := []bitboard.Group{{Slices: []bitboard.Slice{0}}, {Slices: []bitboard.Slice{1}, Needs: []bitboard.Slice{0}}, {Slices: []bitboard.Slice{2}, Needs: []bitboard.Slice{1}}}
	opts := Options{Workers: 1, Overhead: 1 << 8, grain: grain{found: 1}}
	need := func(leavesOut bitboard.Slice) uint64 {
		b := newBuilder(game, leaving{slice: leavesOut}, opts)
		b.note(chain)
		return b.need(chain[2])
	}
	bytes := func(indices uint64) uint64 { return bitboard.TableBytes(bitboard.WDL, indices) }
	if got, most := need(0), 2*bytes(small)+opts.Overhead+1<<8; got > most {
		t.Errorf("where the slice is whole: %d bytes, want %d at most", got, most)
	}
	if got, want := need(1), bytes(large)+bytes(small)+opts.Overhead; got != want {
		t.Errorf("where it leaves values out: %d bytes, want %d", got, want)
	}
}

// Slices that are too large for a table, or for a number of 64 bits, are refused before any work,
// whatever memory is allowed, and what they would need is not told as less than it is.
func TestSlicesThatNoTableHoldsAreRefused(t *testing.T) {
	for _, indices := range []uint64{bitboard.MaxIndices, 1 << 62, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64} {
		game := sized{indices: []uint64{1, indices, indices}}
		groups := []bitboard.Group{{Slices: []bitboard.Slice{0}}, {Slices: []bitboard.Slice{1, 2}, Needs: []bitboard.Slice{0}}, {Slices: []bitboard.Slice{0}, Needs: []bitboard.Slice{1, 2}}}
		for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			for _, memory := range []uint64{1 << 30, math.MaxUint64} {
				opts := Options{Metric: metric, Workers: 2, Memory: memory, Overhead: 1 << 20}
				if err := Admit(game, groups[:2], opts); err == nil || !strings.Contains(err.Error(), "slice 1 has 2^48 indices or more") {
					t.Errorf("%d indices, %v, %d bytes allowed: %v", indices, metric, memory, err)
				}
				for i, n := range Needs(game, groups, opts)[1:] {
					if min(n.Memory, n.Fast, n.Fastest, n.Taken) < indices/4 || i == 0 && n.Indices < indices {
						t.Errorf("%d indices, %v, %d bytes allowed: needs %+v", indices, metric, memory, n)
					}
				}
			}
		}
		if err := Admit(game, groups[2:], Options{Memory: 1 << 30}); !errors.As(err, new(*MemoryError)) {
			t.Errorf("%d indices, needed alone: %v", indices, err)
		}
	}
}
