package mobility

import (
	"math/bits"
	"math/rand/v2"
	"slices"
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
