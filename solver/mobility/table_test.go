package mobility

import (
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"paika/solver/checkpoint"
)

// A table that grows keeps what it holds, and one that may not grow keeps
// working.
func TestTableGrows(t *testing.T) {
	const entries = 100_000
	for _, most := range []uint64{1, 64, entryBytes * entries * 16} {
		table, err := newTable(most)
		if err != nil {
			t.Fatal(err)
		}
		begun := table.capacity()
		rng := rand.New(rand.NewPCG(1, 0))
		nodes := make([]node, entries)
		lost := 0
		table.enter()
		for i := range nodes {
			nodes[i] = node{own: rng.Uint64(), side: uint64(i & 1)}
			table.pause(table.store(nodes[i], numbers{uint64(i) + 1, 7}, 1))
			if v, known := table.find(nodes[i]); !known || v != (numbers{uint64(i) + 1, 7}) {
				t.Fatalf("entry %d just stored: %v, %v", i, v, known)
			}
		}
		for i, n := range nodes {
			switch v, known := table.find(n); {
			case !known:
				lost++
			case v != (numbers{uint64(i) + 1, 7}):
				t.Fatalf("entry %d: %v", i, v)
			}
		}
		table.leave()
		held := uint64(0)
		for range table.entries {
			held++
		}
		if held != table.used.Load() || held+uint64(lost) != entries {
			t.Errorf("%d bytes: %d entries, %d counted, %d lost of %d", most, held, table.used.Load(), lost, entries)
		}
		if grown := table.capacity() > begun; grown != (most > entries) {
			t.Errorf("%d bytes: from %d to %d entries", most, begun, table.capacity())
		}
		if most > entries && lost > entries/100 {
			t.Errorf("%d of %d entries lost", lost, entries)
		}
		table.free()
	}
}

// What a table saved, another one of that size takes up whole, be it from a file of before that
// does not tell the room. One that may take less has the dearest of them, and counts the others.
func TestACheckpointIsTakenUpWhole(t *testing.T) {
	const entries = 400_000
	saved := newTableOf(t, entryBytes*entries*8)
	rng := rand.New(rand.NewPCG(3, 0))
	saved.enter()
	for range entries {
		saved.pause(saved.store(node{own: rng.Uint64(), side: rng.Uint64() & 1}, numbers{1 + rng.Uint64()%1000, 7}, 1+rng.Uint64()%1000))
	}
	saved.leave()
	held := count(saved)
	whole, old := checkpointFile(t), checkpointFile(t)
	if err := saved.save(t.Context(), whole, checkpoint.Header{}); err != nil {
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
		{"the same", whole, 8 * entryBytes * entries, held},
		{"larger", whole, 32 * entryBytes * entries, held},
		{"of before", old, 8 * entryBytes * entries, held - held/500},
		{"smaller", whole, entryBytes * entries / 2, entryBytes * entries / 64 / 2},
	} {
		table := newTableOf(t, c.bytes)
		if _, err := table.load(t.Context(), c.file, ""); err != nil {
			t.Fatal(err)
		}
		kept := count(table)
		if table.fit.Entries != held || table.fit.Bytes < 8*saved.capacity()*2 {
			t.Errorf("%s: %+v, of %d entries in %d places", c.name, table.fit, held, saved.capacity())
		}
		if kept < c.least || kept+table.fit.Unfit != held || kept != table.used.Load() {
			t.Errorf("%s: %d entries of %d, %d counted, %d found no room; want %d", c.name, kept, held, table.used.Load(), table.fit.Unfit, c.least)
		}
	}
}

func newTableOf(t *testing.T, bytes uint64) *table {
	t.Helper()
	table, err := newTable(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.free)
	return table
}

// count is how many entries a table holds.
func count(t *table) (entries uint64) {
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

// What a number packs to keeps the order of numbers, unpacks to that number or the
// next one that 23 digits can give, and packs to itself again.
func TestPackedNumbers(t *testing.T) {
	sample := []uint64{0, 1, 2, most - 1, most, infinite}
	for log := 2; log < 62; log++ {
		for _, near := range []uint64{0, 1, 2, 3} {
			sample = append(sample, 1<<log-near, 1<<log+near)
		}
	}
	rng := rand.New(rand.NewPCG(2, 0))
	for range 10_000 {
		sample = append(sample, rng.Uint64()%(most+1)>>rng.IntN(62))
	}
	slices.Sort(sample)
	last := uint64(0)
	for _, n := range sample {
		code := packNumber(n)
		if code < last || code > packedMask {
			t.Fatalf("%d packs to %d, a smaller number to %d", n, code, last)
		}
		last = code
		digits := max(bits.Len64(n)-mantissaBits-1, 0)
		if got := unpackNumber(code); got < n || got-n >= 1<<digits || packNumber(got) != code {
			t.Fatalf("%d packs to %d, which unpacks to %d and packs to %d", n, code, got, packNumber(got))
		}
	}
	if rounded(most) != most || rounded(infinite) != infinite {
		t.Errorf("%d rounds to %d, %d to %d", uint64(most), rounded(most), uint64(infinite), rounded(infinite))
	}
	if v := (numbers{most, infinite}); unpack(pack(v)) != v {
		t.Errorf("%v packs to %v", v, unpack(pack(v)))
	}
}
