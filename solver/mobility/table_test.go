package mobility

import (
	"math/rand/v2"
	"testing"
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
			table.pause(table.store(nodes[i], numbers{uint32(i) + 1, 7}, 1))
			if v, known := table.find(nodes[i]); !known || v != (numbers{uint32(i) + 1, 7}) {
				t.Fatalf("entry %d just stored: %v, %v", i, v, known)
			}
		}
		for i, n := range nodes {
			switch v, known := table.find(n); {
			case !known:
				lost++
			case v != (numbers{uint32(i) + 1, 7}):
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
