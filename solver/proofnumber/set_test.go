package proofnumber

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"testing"
)

// number is a position for sets.
type number struct{ N uint32 }

// TestNodeSet has several workers add the same nodes, in a set that has to grow,
// and wants each to be a member once.
func TestNodeSet(t *testing.T) {
	h, err := newHasher[number]()
	if err != nil {
		t.Fatal(err)
	}
	s, err := newNodeSet[number](h, 1<<19)
	if err != nil {
		t.Fatal(err)
	}
	defer s.free()
	const nodes = 10_000
	for round := range 2 {
		s.clear()
		for done := uint32(0); done < nodes; {
			to := min(done+200, nodes)
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() {
					for i := done; i < to; i++ {
						s.add(&number{i / 2}, i%2 == 0)
					}
				})
			}
			group.Wait()
			for i := done; i < to; i++ {
				if _, found := s.find(&number{i / 2}, i%2 == 0); !found {
					if !s.grow() {
						t.Fatalf("round %d: no room for node %d", round, i)
					}
					to = done // again
				}
			}
			done = to
		}
		seen := make(map[placed]int)
		for i := range s.len() {
			if m := &s.list[i]; m.stays() {
				seen[placed{m.position, m.attacker()}]++
			}
		}
		if len(seen) != nodes {
			t.Errorf("round %d: %d nodes, want %d", round, len(seen), nodes)
		}
		for n, times := range seen {
			if times != 1 {
				t.Errorf("round %d: %v is a member %d times", round, n, times)
			}
		}
	}
}

type placed struct {
	position number
	attacker bool
}

// TestNodeSetIsFull fills a set to its bound.
func TestNodeSetIsFull(t *testing.T) {
	h, err := newHasher[number]()
	if err != nil {
		t.Fatal(err)
	}
	s, err := newNodeSet[number](h, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	defer s.free()
	n := uint32(0)
	for {
		if _, ok := s.add(&number{n}, true); ok {
			n++
		} else if !s.grow() {
			break
		}
	}
	if n != s.len() || n < fewestMembers || n > 1<<10/8 {
		t.Errorf("%d members, of which the set counts %d", n, s.len())
	}
	if at, ok := s.add(&number{0}, true); !ok || at != 0 {
		t.Error("a full set does not find its members")
	}
	if _, ok := s.add(&number{0}, false); ok {
		t.Error("a full set takes one more")
	}
}

// TestTableGrows wants everything that was stored to be found after the table
// has grown to its size, by one worker and by several.
func TestTableGrows(t *testing.T) {
	table, err := NewTable(1 << 24)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	key := func(i uint64) uint64 { return (i + 1) * multiplierA }
	const entries = 200_000
	sizes := 0
	for i := range uint64(entries) {
		if old, _ := table.store(key(i), record{phi: 3, delta: uint32(1 + i%1000), effort: 1}); old == (record{}) {
			table.entered.Add(1)
		}
		if table.crowded() {
			sizes++
			table.grow(sizes)
		}
	}
	if sizes != 3 {
		t.Errorf("it grew %d times, want 3", sizes)
	}
	lost := 0
	for i := range uint64(entries) {
		if r, found := table.find(key(i)); !found {
			lost++
		} else if r.delta != uint32(1+i%1000) {
			t.Fatalf("entry %d: %v", i, r)
		}
	}
	if lost > entries/20 {
		t.Errorf("%d of %d entries are lost", lost, entries)
	}
}

// TestTableGrowsWhileOthersAreHeard wants each entry to be one that was said, in the bucket of
// its key, also of those that came while entries moved.
func TestTableGrowsWhileOthersAreHeard(t *testing.T) {
	const entries = 1 << 15 // that are said again and again
	said := binary.LittleEndian.AppendUint64(nil, 2)
	said = binary.LittleEndian.AppendUint32(said, 0)
	keys := make(map[uint64]bool)
	for i := range uint64(entries) {
		key := (i + 1) * multiplierA
		keys[key] = true
		said = binary.LittleEndian.AppendUint64(said, key)
		said = binary.LittleEndian.AppendUint64(said, record{phi: 3, delta: 4, effort: 1}.pack())
	}
	for range 8 {
		table, err := NewTable(1 << 26)
		if err != nil {
			t.Fatal(err)
		}
		x := NewExchange(table, 1, 1, 1<<20)
		hear := func() {
			if err := x.Hear(said); err != nil {
				t.Error(err)
			}
		}
		hear()
		var talk sync.WaitGroup
		var ended atomic.Bool
		talk.Go(func() {
			for !ended.Load() {
				hear()
			}
		})
		for 2*table.buckets.Load()*bucketEntries*2 <= uint64(len(table.words)) {
			table.grow(1)
		}
		ended.Store(true)
		talk.Wait()
		found := 0
		for number := range table.buckets.Load() {
			b := table.at(number)
			for i := 0; i < len(b); i += 2 {
				if b[i+1] == 0 {
					continue
				}
				found++
				if key := b[i] ^ b[i+1]; table.bucket(key) != b || !keys[key] {
					t.Fatalf("key %x, which was said: %v, is in bucket %d", key, keys[key], number)
				}
			}
		}
		if found < entries*9/10 {
			t.Errorf("%d of %d entries are there", found, entries)
		}
		x.Close()
		table.Close()
	}
}
