package tablebase

import (
	"fmt"

	"paika/bitboard"
	"paika/internal/offheap"
)

// MakeTable makes a table of a slice off the Go heap, all of it 0, on huge pages where the
// system has them: for values that are looked up in no order. Whoever has no more use for it
// hands it to FreeTable. It fails where the system refuses the memory.
func MakeTable(m bitboard.Metric, s bitboard.Slice, indices uint64) (t *bitboard.Table, err error) {
	t = &bitboard.Table{Slice: s}
	if m == bitboard.DTW {
		t.DTW, err = offheap.Make[bitboard.Depth](indices)
	} else {
		t.WDL, err = offheap.Make[uint64](bitboard.PackedWords(indices))
	}
	if err != nil {
		return nil, fmt.Errorf("a table of %s: %w", bitboard.Count(indices, "index"), err)
	}
	return t, nil
}

// FreeTable gives the memory of a table of MakeTable back. Nobody may use it any more.
func FreeTable(t *bitboard.Table) {
	offheap.Free(t.WDL)
	offheap.Free(t.DTW)
}
