package retrograde

import (
	"slices"
	"testing"

	"paika/bitboard"
)

// Distances that share a bit are all followed, each in its round, whatever else is there.
func TestEveryDistanceIsDueInItsRound(t *testing.T) {
	const indices = 2<<partShift + 5
	d := dtw{common: common{game: noEdges{indices: indices}}}
	values := make([]bitboard.Depth, indices)
	d.values[3], d.due[3] = values, make([]uint64, dueLength(indices))
	want := make(map[int][]uint64)
	for i := range uint64(indices) {
		switch distance := int(i%3+1) + dueBits*int(i%4); {
		case i%7 == 0:
			values[i] = bitboard.MakeDepth(bitboard.Win, distance) // settled
		case i%5 == 0:
			values[i] = witnessMark(bitboard.MakeRef(3, i))
		case i>>partShift != 1:
			values[i] = bitboard.OpenDepth
			value := bitboard.MakeDepth([]bitboard.Value{bitboard.Win, bitboard.Loss}[i%2], distance)
			d.apply(change{bitboard.MakeRef(3, i), value})
			want[distance] = append(want[distance], i)
		}
	}
	var st dtwWorker
	for distance := range 4 * dueBits {
		st.indices = nil
		for lo := uint64(0); lo < indices; lo += 1 << partShift {
			d.findDue(&st, 3, lo, min(lo+1<<partShift, indices), distance)
		}
		if !slices.Equal(st.indices, want[distance]) {
			t.Errorf("round %d follows %d, want %d", distance, st.indices, want[distance])
		}
	}
	for part, due := range d.due[3] {
		if due != 0 {
			t.Errorf("part %d: %#x is due in the end", part, due)
		}
	}
}

// noEdges is a game of so many indices, with nothing else.
type noEdges struct {
	Game
	indices uint64
}

func (g noEdges) Indices(bitboard.Slice) uint64 { return g.indices }
