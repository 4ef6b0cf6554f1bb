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

// sparse is a memory that has lost what the game leaves out by the time a table is
// loaded, unless it was saved whole after that.
type sparse struct {
	*memory
	game interface {
		bitboard.HeldMask
		Indices(s bitboard.Slice) uint64
	}
	lost  int // values
	whole map[bitboard.Slice]bool
}

func (m *sparse) LeavesOut(s bitboard.Slice) bool {
	t := m.tables[s]
	return t != nil && t.WDL != nil && !m.whole[s]
}

func (m *sparse) SaveWhole(ctx context.Context, t *bitboard.Table) error {
	m.whole[t.Slice] = true
	return m.Save(ctx, t, m.summaries[t.Slice])
}

func (m *sparse) Load(ctx context.Context, t *bitboard.Table) error {
	if err := m.memory.Load(ctx, t); err != nil || !m.LeavesOut(t.Slice) {
		return err
	}
	n := m.game.Indices(t.Slice)
	held := make([]uint64, (n+63)/64)
	m.game.Held(held, t.Slice, 0, n)
	for i := range n {
		if held[i/64]>>(i%64)&1 == 0 {
			t.WDL.Set(i, bitboard.Value(i%4)) // 3 is no value at all
			m.lost++
		}
	}
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

// checkpoints is a memory that keeps the work on an unfinished group as well.
type checkpoints struct {
	*memory
	text         []byte
	tables       []*bitboard.Table
	saved, taken int
	failSave     error
	refused      func(why error) error // RefuseCheckpoint, if it is not nil
	loaded       func()                // told when the work is taken up, if it is not nil
}

func (c *checkpoints) SaveCheckpoint(text []byte, tables []*bitboard.Table) error {
	c.saved++
	if c.failSave != nil {
		return c.failSave
	}
	c.text, c.tables = slices.Clone(text), nil
	for _, t := range tables {
		c.tables = append(c.tables, &bitboard.Table{Slice: t.Slice, WDL: slices.Clone(t.WDL), DTW: slices.Clone(t.DTW)})
	}
	return nil
}

func (c *checkpoints) LoadCheckpoint(_ context.Context, tables []*bitboard.Table) (text []byte, refused, err error) {
	if !c.has(tables) {
		return nil, nil, nil
	}
	for i, t := range tables {
		copy(t.WDL, c.tables[i].WDL)
		copy(t.DTW, c.tables[i].DTW)
	}
	c.taken++
	if c.loaded != nil {
		c.loaded()
	}
	return c.text, nil, nil
}

func (c *checkpoints) RefuseCheckpoint(_ []*bitboard.Table, why error) error {
	if c.refused == nil {
		return why
	}
	return c.refused(why)
}

// has tells whether the checkpoint is that of tables.
func (c *checkpoints) has(tables []*bitboard.Table) bool {
	return slices.EqualFunc(tables, c.tables, func(t, u *bitboard.Table) bool { return t.Slice == u.Slice })
}

func (c *checkpoints) DropCheckpoint(tables []*bitboard.Table) error {
	if c.has(tables) {
		c.text, c.tables = nil, nil
	}
	return nil
}
