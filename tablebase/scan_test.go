package tablebase

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

// A table that is filled while its slice is scanned is the one that is loaded, and the scan
// comes to the same.
func TestScanIntoIsAScanAndALoad(t *testing.T) {
	sol := graphgame.New(83, 2, 70_000).Solve()
	metrics := []bitboard.Metric{bitboard.WDL, bitboard.DTW}
	s := openTest(t, storedTest(t, sol, metrics...), Options{ReadOnly: true})
	for _, m := range metrics {
		tables := s.Tables(m, sol.Game)
		for _, info := range s.Slices(m) {
			slice, err := sol.Game.ParseSlice(info.Name)
			if err != nil {
				t.Fatal(err)
			}
			want, got := bitboard.NewTable(m, slice, info.Indices), bitboard.NewTable(m, slice, info.Indices)
			if err := tables.Load(t.Context(), want); err != nil {
				t.Fatal(err)
			}
			scan, err := tables.Scan(t.Context(), info, 2, func(ScannedChunk) {})
			if err != nil {
				t.Fatal(err)
			}
			if by, err := tables.Scan(t.Context(), info, 0, func(ScannedChunk) {}); err != nil || by != scan {
				t.Errorf("%s in %v: without workers %v, %v, want %v", info.Name, m, by, err, scan)
			}
			into, err := tables.ScanInto(t.Context(), info, got, 2, func(ScannedChunk) {})
			if err != nil || into != scan || into.Checksum != info.Checksum {
				t.Errorf("%s in %v: %v, %v, want %v", info.Name, m, into, err, scan)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %v is scanned to other values than are loaded", info.Name, m)
			}
			short := &bitboard.Table{Slice: slice, WDL: slices.Clone(got.WDL[:len(got.WDL)/2]), DTW: slices.Clone(got.DTW[:len(got.DTW)/2])}
			var wrong *SliceError
			if _, err := tables.ScanInto(t.Context(), info, short, 1, func(ScannedChunk) {}); !errors.As(err, &wrong) {
				t.Errorf("%s in %v was scanned into half of a table: %v", info.Name, m, err)
			}
		}
	}
}
