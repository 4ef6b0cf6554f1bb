package proofnumber

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"paika/internal/offheap"
	"paika/solver/checkpoint"
)

// Numbers are stored in 20 bits. Infinity stands for a goal that can't be
// reached; whatever a search computes beyond the number below it is cut to that.
const (
	numberBits = 20
	infinity   = 1<<numberBits - 1
	most       = infinity - 1
	settled    = infinity - 1 // beside a 0: the goal can't be reached, and that is a fact
)

// The work behind an entry is stored in the 24 bits that are left, in nodes.
const mostEffort = 1<<(64-2*numberBits) - 1

// entryBytes is the size of an entry of a Table.
const entryBytes = 16

// bucketEntries share one cache line.
const bucketEntries = 4

// minTableBytes is the least size of a table.
const minTableBytes = 1 << 10

// Table is a transposition table: what searches have found out about
// positions, and how much work that took. It has a fixed size. It lies off the
// Go heap, on huge pages where the system has them.
//
// It begins small and grows as it fills, up to its size: memory that a search has
// no use for is never touched.
//
// Any number of searches may use a table one after the other, or at the same time
// if it was made by NewFullTable, as long as all of them play the same game under the
// same rules with the same end positions. An Exchange may hear others meanwhile.
//
// An entry is two words: the key and the data, the first stored as their
// exclusive or. Both are read and written without a lock; where two writers
// meet, the halves do not fit and the entry counts as absent (R. Hyatt and T.
// Mann, "A lockless transposition table implementation for parallel search",
// ICGA Journal 25(1), 2002).
type Table struct {
	words   []uint64
	first   uint64         // buckets at which it begins
	buckets atomic.Uint64  // in use: the first ones
	entered atomic.Uint64  // entries, about
	fit     checkpoint.Fit // of what was loaded
	claims  atomic.Bool    // something in it comes from a file: what is said to be a fact may be none
	barred  atomic.Bool    // a search has met barred nodes, and left their numbers
	layout  sync.RWMutex   // held while entries move to other buckets, and by who reads or hears beside the search
}

// firstBuckets is the size at which a table begins, in buckets, where it has that
// many; crowdedBucket how many entries a bucket has, on average, when it grows.
const (
	firstBuckets  = 1 << 14
	crowdedBucket = 2
)

// NewTable makes an empty table of at most that many bytes. It fails on less
// than 1 KiB, and where the system refuses the memory.
func NewTable(bytes uint64) (*Table, error) {
	if bytes < minTableBytes {
		return nil, fmt.Errorf("a transposition table of %d bytes: want %d or more", bytes, minTableBytes)
	}
	first, all := tableBuckets(bytes)
	t := &Table{first: first}
	t.buckets.Store(t.first)
	var err error
	if t.words, err = offheap.Make[uint64](all * bucketEntries * 2); err != nil {
		return nil, fmt.Errorf("transposition table: %w", err)
	}
	return t, nil
}

// tableBuckets are those that a table of so many bytes has at first, and when it is whole.
func tableBuckets(bytes uint64) (first, all uint64) {
	doublings := 0
	for first = bytes / (entryBytes * bucketEntries); first > firstBuckets; first /= 2 {
		doublings++
	}
	return first, first << doublings
}

// TableBytes is what a table takes, in bytes, when it is whole, of those that [NewTable] is given.
// A table of so many is as large.
func TableBytes(bytes uint64) uint64 {
	_, all := tableBuckets(bytes)
	return all * entryBytes * bucketEntries
}

// NewFullTable makes an empty table that has its size from the beginning. A table that
// grows is for one search at a time.
func NewFullTable(bytes uint64) (*Table, error) {
	t, err := NewTable(bytes)
	if err != nil {
		return nil, err
	}
	t.first = uint64(len(t.words)) / (2 * bucketEntries)
	t.buckets.Store(t.first)
	return t, nil
}

// clear empties the table. No search may use it meanwhile; who looks into it or saves it
// waits.
func (t *Table) clear() {
	t.layout.Lock()
	defer t.layout.Unlock()
	for i := range t.buckets.Load() * bucketEntries * 2 {
		atomic.StoreUint64(&t.words[i], 0)
	}
	t.buckets.Store(t.first)
	t.entered.Store(0)
	t.claims.Store(false)
}

// crowded tells whether the table would be better for growing, and can.
func (t *Table) crowded() bool {
	return t.entered.Load() > crowdedBucket*t.buckets.Load() && t.mayGrow()
}

// mayGrow tells whether the table does not yet use all that it has.
func (t *Table) mayGrow() bool {
	return 2*t.buckets.Load()*bucketEntries*2 <= uint64(len(t.words))
}

// grow doubles the buckets in use: what is in bucket i goes to 2i or 2i+1. No
// search may use the table meanwhile; who looks into it or saves it waits.
func (t *Table) grow(workers int) {
	t.layout.Lock()
	defer t.layout.Unlock()
	n := t.buckets.Load()
	t.buckets.Store(2 * n)
	for n > 1 { // the upper half moves to where nothing lies any more
		lower := n - n/2
		t.spread(lower, n, workers)
		n = lower
	}
	t.split(0)
	t.checkPlaces()
}

// spread splits the buckets from lo up to hi, which do not lie where others of
// them go. The workers share them.
func (t *Table) spread(lo, hi uint64, workers int) {
	var group sync.WaitGroup
	each := (hi-lo)/uint64(workers) + 1
	for from := lo; from < hi; from += each {
		group.Go(func() {
			for i := from; i < min(from+each, hi); i++ {
				t.split(i)
			}
		})
	}
	group.Wait()
}

// split takes what a bucket held before the table grew to where it belongs now. Nothing else
// lies there.
func (t *Table) split(number uint64) {
	old, buckets := *t.at(number), t.buckets.Load()
	var halves [2]bucket
	var filled [2]int
	for i := 0; i < len(old); i += 2 {
		if key, data := old[i]^old[i+1], old[i+1]; data != 0 {
			half := mulHigh(key, buckets) & 1
			copy(halves[half][filled[half]:], old[i:i+2])
			filled[half] += 2
		}
	}
	*t.at(2 * number), *t.at(2*number + 1) = halves[0], halves[1]
}

// Close frees the memory. No search may use the table any more.
func (t *Table) Close() {
	offheap.Free(t.words)
	t.words = nil
}

// Bytes is the size up to which the table grows.
func (t *Table) Bytes() uint64 { return uint64(len(t.words)) * 8 }

// bucket is the words of entries that share a cache line.
type bucket [2 * bucketEntries]uint64

// bucket is that of a key.
func (t *Table) bucket(key uint64) *bucket {
	return t.at(mulHigh(key, t.buckets.Load()))
}

// at is a bucket by its number.
func (t *Table) at(number uint64) *bucket {
	return (*bucket)(t.words[number*2*bucketEntries:])
}

// mulHigh takes a key to a number below n.
func mulHigh(key, n uint64) uint64 {
	i, _ := bits.Mul64(key, n)
	return i
}

// touch loads the buckets of keys, with nothing between two loads, so that the processor
// waits for all of them at once. The sum is there for the compiler.
func (t *Table) touch(keys []uint64) (sum uint64) {
	buckets := t.buckets.Load()
	for _, key := range keys {
		sum += atomic.LoadUint64(&t.words[mulHigh(key, buckets)*2*bucketEntries])
	}
	return sum
}

// find reads the entry of a key. No entry has data 0.
func (t *Table) find(key uint64) (record, bool) {
	b := t.bucket(key)
	for i := 0; i < len(b); i += 2 {
		data := atomic.LoadUint64(&b[i+1])
		if atomic.LoadUint64(&b[i])^data == key && data != 0 {
			return unpack(data), true
		}
	}
	return record{}, false
}

// store adds what nodes of work found out about a key. The least work of the
// bucket makes room for it. A fact stays. It tells what was there of the key, or nothing if
// the key is new, and what is there now.
func (t *Table) store(key uint64, r record) (old, now record) {
	b := t.bucket(key)
	place, old, found := b.place(key)
	if found && old.fact() {
		return old, old
	}
	r.effort = min(r.effort+old.effort, mostEffort)
	b.put(place, key, r)
	return old, r
}

// hear takes up what another table holds, unless this one knows better: of a node that is
// not solved, by more work. It tells whether it did. The layout is read-locked.
func (t *Table) hear(key uint64, r record) (taken bool) {
	if r.hopeless() { // for who has less room
		return false
	}
	b := t.bucket(key)
	place, old, found := b.place(key)
	if found && (old.fact() || !r.fact() && old.effort >= r.effort) {
		return false
	}
	if r.solved() {
		t.claims.Store(true)
	}
	if !found {
		t.entered.Add(1)
	}
	b.put(place, key, r)
	return true
}

// place is where a key has its entry, and what that says; if it has none, where the least
// work makes room for it.
func (b *bucket) place(key uint64) (place int, old record, found bool) {
	least := ^uint32(0)
	for i := 0; i < len(b); i += 2 {
		data := atomic.LoadUint64(&b[i+1])
		r := unpack(data)
		if data != 0 && atomic.LoadUint64(&b[i])^data == key {
			return i, r, true
		}
		if data == 0 {
			r.effort = 0
		}
		if r.effort < least {
			place, least = i, r.effort
		}
	}
	return place, record{}, false
}

// put writes an entry.
func (b *bucket) put(place int, key uint64, r record) {
	checkRecord(r)
	data := r.pack()
	atomic.StoreUint64(&b[place], key^data)
	atomic.StoreUint64(&b[place+1], data)
}

// forget drops what the table has on a key.
func (t *Table) forget(key uint64) {
	b := t.bucket(key)
	for i := 0; i < len(b); i += 2 {
		if atomic.LoadUint64(&b[i])^atomic.LoadUint64(&b[i+1]) == key {
			atomic.StoreUint64(&b[i+1], 0)
		}
	}
}
