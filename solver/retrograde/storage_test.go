package retrograde_test

import (
	"context"
	"slices"

	"paika/bitboard"
)

// memory is a Storage in memory that can fail.
type memory struct {
	tables    map[bitboard.Slice]*bitboard.Table
	summaries map[bitboard.Slice]bitboard.Summary
	loads     int
	failSave  error
}

func newMemory() *memory {
	return &memory{tables: map[bitboard.Slice]*bitboard.Table{}, summaries: map[bitboard.Slice]bitboard.Summary{}}
}

func (m *memory) Has(s bitboard.Slice) bool { return m.tables[s] != nil }

func (m *memory) Load(_ context.Context, t *bitboard.Table) error {
	m.loads++
	copy(t.WDL, m.tables[t.Slice].WDL)
	copy(t.DTW, m.tables[t.Slice].DTW)
	return nil
}

func (m *memory) Save(_ context.Context, t *bitboard.Table, sum bitboard.Summary) error {
	if m.failSave != nil {
		return m.failSave
	}
	m.tables[t.Slice] = &bitboard.Table{Slice: t.Slice, WDL: slices.Clone(t.WDL), DTW: slices.Clone(t.DTW)}
	m.summaries[t.Slice] = sum
	return nil
}

// same tells whether two storages hold the same tables and counts.
func (m *memory) same(other *memory) bool {
	if len(m.tables) != len(other.tables) {
		return false
	}
	for s, t := range m.tables {
		u := other.tables[s]
		if u == nil || !slices.Equal(t.WDL, u.WDL) || !slices.Equal(t.DTW, u.DTW) || m.summaries[s] != other.summaries[s] {
			return false
		}
	}
	return true
}
