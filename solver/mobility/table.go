package mobility

import (
	"math/bits"
	"sync/atomic"

	"paika/solver/offheap"
)

// bucket is how many entries a position may stand in: a cache line of them.
const bucket = 4

// table is the transposition table. An entry is two words, a position's
// occupied points XORed with its data, spread over all bits, and the data: whole
// positions are compared, and an entry torn between two writers holds points that
// no position has, but for a chance of one in 2^40 or less.
//
// Data holds, from the lowest bit, the proof number, the disproof number, the
// side to move and the binary logarithm of the nodes that they cost.
type table struct {
	words []uint64
	shift int // from a hash to its bucket's number
}

const (
	numberBits = 28
	sideBit    = 2 * numberBits
	workBit    = sideBit + 1

	entryBytes = 16
)

// newTable takes up to so many bytes, one bucket at least.
func newTable(bytes uint64) (*table, error) {
	buckets := max(1, bytes/(bucket*entryBytes))
	log := bits.Len64(buckets) - 1
	words, err := offheap.Make[uint64](bucket * 2 << log)
	if err != nil {
		return nil, err
	}
	return &table{words: words, shift: 64 - log}, nil
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

// store keeps the numbers of a position and what they cost, in nodes.
func (t *table) store(n node, v numbers, cost uint64) {
	t.put(n, pack(v)|n.side<<sideBit|uint64(bits.Len64(cost))<<workBit)
}

// put replaces what the position had, or else the bucket's cheapest entry.
func (t *table) put(n node, entry uint64) {
	b := t.bucket(n)
	at, least := 0, uint64(64)
	for i := 0; i < 2*bucket; i += 2 {
		data := atomic.LoadUint64(&b[i+1])
		if atomic.LoadUint64(&b[i])^spread(data) == n.own|n.opp && data>>sideBit&1 == n.side {
			at = i
			break
		}
		if work := data >> workBit; work < least {
			at, least = i, work
		}
	}
	atomic.StoreUint64(&b[at], (n.own|n.opp)^spread(entry))
	atomic.StoreUint64(&b[at+1], entry)
}

// spread maps 0 to 0 and data that differ to words that differ all over.
func spread(data uint64) uint64 {
	data *= 0x9e3779b97f4a7c15
	return data ^ data>>32
}

// entries yields what the table holds, each entry as its data and its points.
// Searches may go on meanwhile.
func (t *table) entries(yield func(data, points uint64) bool) {
	for i := 0; i < len(t.words); i += 2 {
		data := atomic.LoadUint64(&t.words[i+1])
		if data != 0 && !yield(data, atomic.LoadUint64(&t.words[i])^spread(data)) {
			return
		}
	}
}

// add takes up an entry that another table held.
func (t *table) add(data, points uint64) {
	t.put(node{own: points, side: data >> sideBit & 1}, data)
}

func (t *table) bucket(n node) []uint64 {
	at := n.hash() >> t.shift * (2 * bucket)
	return t.words[at : at+2*bucket : at+2*bucket]
}
