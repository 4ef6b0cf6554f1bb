package mobility

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"paika/internal/offheap"
	"paika/solver/checkpoint"
)

// bucket is how many entries a position may stand in: a cache line of them.
const bucket = 4

// table is the transposition table. An entry is two words, a position's
// occupied points XORed with its data, spread over all bits, and the data: whole
// positions are compared, and an entry torn between two writers holds points that
// no position has, but for a chance of one in 2^40 or less.
//
// Data holds, from the lowest bit, the packed proof and disproof numbers, the
// side to move, whether the numbers are a claim (confirm.go) and the binary
// logarithm of the nodes that they cost.
//
// The table begins small, so that short searches stay in the cache and touch
// little memory, and doubles when a quarter of it is full: from a half on, full
// buckets lose entries, and the eight searches of 6x6 visited 1.7 times the
// nodes. Who calls find, store or fetch has entered it, and leaves it now and
// then.
type table struct {
	words []uint64       // all that it may take; it uses the first of them
	shift int            // from a hash to its bucket's number
	least int            // shift when it uses all
	used  atomic.Uint64  // entries
	fit   checkpoint.Fit // of what was taken up
	claim uint64         // claimed where what a search stores may rest on a file, else 0

	growing sync.RWMutex // held for reading by those inside
	saving  sync.Mutex   // held while it must not grow
}

const (
	sideBit = 2 * numberBits
	workBit = sideBit + 2
	claimed = 1 << (sideBit + 1)

	// An entry in a file has no place for claimed: all of them are claims.
	filedWorkBit = sideBit + 1

	entryBytes = 16

	// firstBuckets is the binary logarithm of the buckets used at first.
	firstBuckets = 12
)

// newTable takes up to so many bytes, one bucket at least.
func newTable(bytes uint64) (*table, error) {
	buckets := max(1, bytes/(bucket*entryBytes))
	log := bits.Len64(buckets) - 1
	words, err := offheap.Make[uint64](bucket * 2 << log)
	if err != nil {
		return nil, err
	}
	return &table{words: words, shift: 64 - min(log, firstBuckets), least: 64 - log}, nil
}

// bytes is the size of the table when it uses all.
func (t *table) bytes() uint64 { return uint64(len(t.words)) * 8 }

// enter is for every worker before it uses the table, leave for when it ends.
func (t *table) enter() { t.growing.RLock() }
func (t *table) leave() { t.growing.RUnlock() }

// pause lets a worker that is inside step out for the table to grow. It takes the
// number of entries that the worker has added since the last time.
func (t *table) pause(added uint64) {
	t.used.Add(added)
	crowded := t.crowded()
	t.leave()
	if crowded {
		t.grow()
	}
	t.enter()
}

// crowded tells whether the table should grow, and may.
func (t *table) crowded() bool { return t.used.Load() > t.capacity()/4 && t.shift > t.least }

// capacity is the entries that it has room for now.
func (t *table) capacity() uint64 { return bucket << (64 - t.shift) }

// grow doubles what the table uses, unless another worker has done so or it is
// being saved. The entries of a bucket move to the two at twice its place, which
// are empty, from the last bucket to the first.
func (t *table) grow() {
	if !t.saving.TryLock() {
		return
	}
	defer t.saving.Unlock()
	t.growing.Lock()
	defer t.growing.Unlock()
	if !t.crowded() {
		return
	}
	buckets := 1 << (64 - t.shift)
	t.shift--
	for b := buckets - 1; b >= 0; b-- {
		from := t.words[b*2*bucket:][:2*bucket]
		moved := [2 * bucket]uint64(from)
		clear(from)
		for i := 0; i < 2*bucket; i += 2 {
			if data := moved[i+1]; data != 0 {
				t.move(moved[i]^spread(data), data)
			}
		}
	}
	t.checkPlaces()
}

// move puts an entry into the first free place of its bucket.
func (t *table) move(points, data uint64) {
	b := t.bucket(node{own: points, side: data >> sideBit & 1})
	for i := 0; i < 2*bucket; i += 2 {
		if b[i+1] == 0 {
			b[i], b[i+1] = points^spread(data), data
			return
		}
	}
}

func (t *table) free() { offheap.Free(t.words) }

// fetch starts to load what find will need, so that the cache misses of many
// positions overlap.
func (t *table) fetch(n node) { atomic.LoadUint64(&t.bucket(n)[0]) }

// find gives the numbers stored for a position.
func (t *table) find(n node) (numbers, bool) {
	b := t.bucket(n)
	for i := 0; i < 2*bucket; i += 2 {
		data := atomic.LoadUint64(&b[i+1])
		if atomic.LoadUint64(&b[i])^spread(data) == n.own|n.opp && data>>sideBit&1 == n.side && data != 0 {
			return unpack(data), true
		}
	}
	return numbers{}, false
}

// store keeps the numbers of a position and what they cost, in nodes. It tells
// how many entries that adds, one or none.
func (t *table) store(n node, v numbers, cost uint64) (added uint64) {
	return t.put(n, pack(v)|n.side<<sideBit|t.claim|uint64(bits.Len64(cost))<<workBit)
}

// put replaces what the position had, or else the bucket's cheapest entry.
func (t *table) put(n node, entry uint64) (added uint64) {
	b := t.bucket(n)
	at, _ := place(b, n)
	return write(b, at, n, entry)
}

// place is where a position has its entry in its bucket; if it has none, where the cheapest
// one makes room for it.
func place(b []uint64, n node) (at int, found bool) {
	least := uint64(64)
	for i := 0; i < 2*bucket; i += 2 {
		data := atomic.LoadUint64(&b[i+1])
		if atomic.LoadUint64(&b[i])^spread(data) == n.own|n.opp && data>>sideBit&1 == n.side {
			return i, true
		}
		if work := data >> workBit; work < least {
			at, least = i, work
		}
	}
	return at, false
}

// write puts an entry into a place of its bucket. It tells how many entries that adds.
func write(b []uint64, at int, n node, entry uint64) (added uint64) {
	checkEntry(n, entry)
	if atomic.LoadUint64(&b[at+1]) == 0 {
		added = 1
	}
	atomic.StoreUint64(&b[at], (n.own|n.opp)^spread(entry))
	atomic.StoreUint64(&b[at+1], entry)
	return added
}

// spread maps 0 to 0 and data that differ to words that differ all over.
func spread(data uint64) uint64 {
	data *= 0x9e3779b97f4a7c15
	return data ^ data>>32
}

// entries yields what the table holds, each entry as its data and its points. The table
// does not grow meanwhile.
func (t *table) entries(yield func(data, points uint64) bool) {
	for i := range int(t.capacity()) {
		data := atomic.LoadUint64(&t.words[2*i+1])
		if data != 0 && !yield(filed(data), atomic.LoadUint64(&t.words[2*i])^spread(data)) {
			return
		}
	}
}

// filed is an entry's data as they stand in a file.
func filed(data uint64) uint64 {
	return data&(claimed-1) | data>>workBit<<filedWorkBit
}

// reserve makes an empty table use as much as so many entries had room in, or all that it may
// take. Nobody is inside.
func (t *table) reserve(room uint64) {
	t.fit.Bytes = entryBytes << bits.Len64(max(1, room)-1)
	for t.capacity() < room && t.shift > t.least {
		t.shift--
	}
}

// add takes up an entry that another table held, as a claim. Where its bucket is full the
// cheapest one finds no room. It tells false where no search can have written it. Nobody is
// inside.
func (t *table) add(data, points uint64) bool {
	work := data >> filedWorkBit
	if v := unpack(data); work >= 64 || !v.sound() {
		return false
	}
	t.claim = claimed
	t.fit.Entries++
	n, entry := node{own: points, side: data >> sideBit & 1}, data&(claimed-1)|claimed|work<<workBit
	b := t.bucket(n)
	at, found := place(b, n)
	if there := b[at+1]; !found && there != 0 {
		if t.fit.Unfit++; there>>workBit > work {
			return true
		}
	}
	t.used.Add(write(b, at, n, entry))
	if t.crowded() {
		t.grow()
	}
	return true
}

// clear empties the table. Nobody is inside, but it may be saved.
func (t *table) clear() {
	t.saving.Lock()
	defer t.saving.Unlock()
	for i := range t.words[:2*t.capacity()] {
		atomic.StoreUint64(&t.words[i], 0)
	}
	t.shift = 64 - min(64-t.least, firstBuckets)
	t.used.Store(0)
	t.claim = 0
}

// look gives all that is stored for a position: its data, or 0.
func (t *table) look(n node) uint64 {
	b := t.bucket(n)
	for i := 0; i < 2*bucket; i += 2 {
		data := atomic.LoadUint64(&b[i+1])
		if atomic.LoadUint64(&b[i])^spread(data) == n.own|n.opp && data>>sideBit&1 == n.side {
			return data
		}
	}
	return 0
}

func (t *table) bucket(n node) []uint64 {
	at := n.hash() >> t.shift * (2 * bucket)
	return t.words[at : at+2*bucket : at+2*bucket]
}
