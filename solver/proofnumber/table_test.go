package proofnumber

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"paika/solver/checkpoint"
)

// What a table saved, another one of that size takes up whole, be it from a file of before that
// does not tell the room. One that has less has those with the most work behind them, and counts
// the others.
func TestACheckpointIsTakenUpWhole(t *testing.T) {
	const entries = 300_000
	saved := newTableOf(t, 4*entryBytes*entries)
	rng := rand.New(rand.NewPCG(3, 0))
	for range entries {
		if old, _ := saved.store(rng.Uint64(), record{1 + rng.Uint32N(1000), 1 + rng.Uint32N(1000), 1 + rng.Uint32N(1000)}); old == (record{}) {
			saved.entered.Add(1)
		}
		if saved.crowded() {
			saved.grow(1)
		}
	}
	held := count(saved)
	whole, old := checkpointFile(t), checkpointFile(t)
	if err := saved.Save(t.Context(), whole, checkpoint.Header{}); err != nil {
		t.Fatal(err)
	}
	if err := old.Save(t.Context(), checkpoint.Header{Format: CheckpointFormat}, saved.entries); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		file  *checkpoint.File
		bytes uint64
		least uint64 // entries that are kept
	}{
		{"the same", whole, 4 * entryBytes * entries, held},
		{"larger", whole, 13 * entryBytes * entries, held - held/10_000}, // no power of two times as large
		{"of before", old, 4 * entryBytes * entries, held - held/100},
		{"smaller", whole, entryBytes * entries / 4, entries / 5},
	} {
		table := newTableOf(t, c.bytes)
		if _, err := table.Load(t.Context(), c.file, ""); err != nil {
			t.Fatal(err)
		}
		kept := count(table)
		if fit := table.Fit(); fit.Entries != held || fit.Bytes < saved.buckets.Load()*bucketEntries*entryBytes {
			t.Errorf("%s: %+v, of %d entries in %d buckets", c.name, fit, held, saved.buckets.Load())
		}
		if cramped := table.Cramped(); cramped != (c.name == "smaller") {
			t.Errorf("%s: cramped %t", c.name, cramped)
		}
		if kept < c.least || kept+table.Fit().Unfit != held || kept != table.entered.Load() {
			t.Errorf("%s: %d entries of %d, %d counted, %d found no room; want %d", c.name, kept, held, table.entered.Load(), table.Fit().Unfit, c.least)
		}
	}
}

func newTableOf(t *testing.T, bytes uint64) *Table {
	t.Helper()
	table, err := NewTable(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.Close)
	return table
}

// count is how many entries a table holds.
func count(t *Table) (entries uint64) {
	for range t.entries {
		entries++
	}
	return entries
}

func checkpointFile(t *testing.T) *checkpoint.File {
	t.Helper()
	f, err := checkpoint.Open(filepath.Join(t.TempDir(), "search"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}
