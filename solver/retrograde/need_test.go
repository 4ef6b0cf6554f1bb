package retrograde

import (
	"testing"

	"paika/bitboard"
)

// sized is a game that has sizes of slices, and no more.
type sized struct {
	Game
	indices []uint64 // by slice
}

func (g sized) Indices(s bitboard.Slice) uint64 { return g.indices[s] }

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
