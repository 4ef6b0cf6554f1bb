package proofnumber

import (
	"fmt"
	"sync"

	"paika/bitboard"
)

// Unknown is the value of a position that a source of values says nothing of.
const Unknown bitboard.Value = 3

// Values answers for positions whose value is known before a search, from tables in
// memory or on disk. Every search that ends at such positions asks one of these.
type Values[P any] interface {
	// Probe sets values[i] to the value of positions[i] for the side to move,
	// or to Unknown. The two have the same length. Calls may be concurrent.
	Probe(positions []P, values []bitboard.Value)
}

// Memory is tables that lie in memory. It is safe for concurrent use.
type Memory[P comparable] struct {
	space  bitboard.Space[P]
	tables [bitboard.MaxSlices]*bitboard.Table
	ahead  *ahead[P] // nil where the tables are whole
}

// NewMemory makes one table of many, which must not change any more. It panics where one has not
// the length of its slice.
func NewMemory[P comparable](space bitboard.Space[P], tables []*bitboard.Table) *Memory[P] {
	m := &Memory[P]{space: space}
	for _, t := range tables {
		metric := bitboard.WDL
		if t.DTW != nil {
			metric = bitboard.DTW
		}
		if err := t.CheckLength(metric, space.Indices(t.Slice)); err != nil {
			panic(fmt.Sprintf("proofnumber: slice %s: %v", space.SliceName(t.Slice), err))
		}
		m.tables[t.Slice] = t
	}
	return m
}

// Sparse is a game whose tables can lack values that a look one turn ahead finds.
type Sparse[P comparable] interface {
	bitboard.Space[P]
	bitboard.Rules[P]
	bitboard.Sparse[P]
}

// NewSparseMemory is NewMemory for tables of which some, those of the slices that lack
// values, have only what the game holds. below has the tables of all slices that turns
// from there lead to, and may lack the same values. Where a slice has no table there, the game
// is over.
func NewSparseMemory[P comparable](game Sparse[P], tables []*bitboard.Table, lack []bitboard.Slice, below []*bitboard.Table) *Memory[P] {
	m := NewMemory(game, tables)
	m.ahead = &ahead[P]{game: game, below: NewMemory(game, below)}
	m.ahead.below.ahead = m.ahead
	for _, s := range lack {
		m.ahead.lack[s] = true
	}
	m.ahead.rooms.New = func() any { return new(aheadRoom[P]) }
	return m
}

// ahead looks one turn ahead for values that tables lack.
type ahead[P comparable] struct {
	game  Sparse[P]
	lack  [bitboard.MaxSlices]bool
	below *Memory[P] // where turns lead to
	rooms sync.Pool  // of *aheadRoom[P]
}

// aheadRoom is what one look takes.
type aheadRoom[P comparable] struct {
	turns  []P
	values []bitboard.Value
}

// lacks tells whether the table of a slice lacks the value of a position in it.
func (a *ahead[P]) lacks(s bitboard.Slice, p P) bool {
	return a != nil && a.lack[s] && !a.game.Holds(p)
}

// value is that of a position whose turns all lead to tables below, or end the game.
func (a *ahead[P]) value(p P) bitboard.Value {
	room := a.rooms.Get().(*aheadRoom[P])
	defer a.rooms.Put(room)
	room.turns = a.game.Turns(room.turns[:0], p)
	room.values = resize(room.values, len(room.turns))
	a.below.Probe(room.turns, room.values)
	var seen bitboard.Values
	for i, v := range room.values {
		if v == Unknown {
			v = a.game.Ended(room.turns[i])
		}
		seen |= 1 << v
	}
	return seen.Verdict()
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
		switch slice := m.space.SliceOf(p); {
		case m.tables[slice] == nil:
			values[i] = Unknown
		case m.ahead.lacks(slice, p):
			values[i] = m.ahead.value(p)
		default:
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
