package proofnumber

import "paika/bitboard"

// Unknown is the value of a position that a source of values says nothing of.
const Unknown bitboard.Value = 3

// Values answers for positions whose value is known before a search, from tables in
// memory or on disk. Every search that ends at such positions asks one of these.
type Values[P any] interface {
	// Probe sets values[i] to the value of positions[i] for the side to move,
	// or to Unknown. The two have the same length. Calls may be concurrent.
	Probe(positions []P, values []bitboard.Value)
}

// Memory is tables that lie in memory whole. It is safe for concurrent use.
type Memory[P comparable] struct {
	space  bitboard.Space[P]
	tables [bitboard.MaxSlices]*bitboard.Table
}

// NewMemory makes one table of many, which must not change any more.
func NewMemory[P comparable](space bitboard.Space[P], tables []*bitboard.Table) *Memory[P] {
	m := &Memory[P]{space: space}
	for _, t := range tables {
		m.tables[t.Slice] = t
	}
	return m
}

// probeBatch is how many positions are ranked before their values are read, so
// that the cache misses of the reads overlap.
const probeBatch = 64

// Probe looks positions up. It implements Values.
func (m *Memory[P]) Probe(positions []P, values []bitboard.Value) {
	for len(positions) > 0 {
		n := min(len(positions), probeBatch)
		m.probe(positions[:n], values[:n])
		positions, values = positions[n:], values[n:]
	}
}

func (m *Memory[P]) probe(positions []P, values []bitboard.Value) {
	var found [probeBatch]uint8
	var refs [probeBatch]bitboard.Ref
	n := 0
	for i, p := range positions {
		values[i] = Unknown
		if m.tables[m.space.SliceOf(p)] != nil {
			found[n], refs[n] = uint8(i), bitboard.MakeRef(m.space.Rank(p))
			n++
		}
	}
	for k, ref := range refs[:n] {
		t := m.tables[ref.Slice()]
		if t.WDL != nil {
			values[found[k]] = t.WDL.At(ref.Index())
		} else {
			values[found[k]] = t.DTW[ref.Index()].Value()
		}
	}
}
