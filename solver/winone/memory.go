package winone

// key names a state of the search: the exclusive or of a random 128-bit number
// for each fact that makes it up. Two of n states share one with a probability
// below n²/2^129, less than 10^-22 for the hundred million that memory holds.
type key struct{ hi, lo uint64 }

// The kinds of facts about a place.
const (
	ballHere   = iota << 32 // the ball is there
	manGone                 // the man who stood there has been jumped
	manNeeded               // the man who stands there must go
	targetHere              // the tail of the series begins there
	jumpsLeft               // so many jumps, rather than a place
	edgeKept                // an edge, rather than a place, may be jumped
	edgeWaits               // an edge may be once a man has gone
)

// fact is the random number of a fact about a place.
func fact(kind, place uint64) key {
	x := kind | place
	return key{mix(x + 0x9e3779b97f4a7c15), mix(x ^ 0xd1b54a32d192ed03)}
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood, "Fast splittable
// pseudorandom number generators", OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (k key) xor(other key) key { return key{k.hi ^ other.hi, k.lo ^ other.lo} }

// memory is the set of states that are known to lead nowhere.
type memory struct {
	slots []key // open addressing; the zero key is an empty slot
	used  int
	most  int // states
}

const (
	smallMemory = 1 << 10 // slots
	fullMemory  = 1 << 22 // states, in 128 MiB
)

// bound sets how many states are remembered, by the bytes that they may take.
func (m *memory) bound(bytes uint64) {
	m.most = fullMemory
	for m.most > smallMemory/2 && uint64(m.most)*stateBytes > bytes {
		m.most /= 2
	}
}

// trim lets go of all slots but a few, and forgets everything.
func (m *memory) trim() {
	if len(m.slots) > smallMemory {
		m.slots = nil
	}
}

// reset forgets everything.
func (m *memory) reset() {
	switch {
	case len(m.slots) != smallMemory:
		m.slots = make([]key, smallMemory)
	case m.used > 0:
		clear(m.slots)
	}
	m.used = 0
}

// slot is where a key is, or would go.
func (m *memory) slot(k key) *key {
	mask := uint64(len(m.slots) - 1)
	for i := k.lo & mask; ; i = (i + 1) & mask {
		if s := &m.slots[i]; *s == k || *s == (key{}) {
			return s
		}
	}
}

func (m *memory) has(k key) bool { return *m.slot(k) == k }

// add remembers a state, unless too many are.
func (m *memory) add(k key) {
	if m.used >= m.most {
		return
	}
	if 2*m.used >= len(m.slots) {
		old := m.slots
		m.slots = make([]key, 2*len(old))
		for _, k := range old {
			if k != (key{}) {
				*m.slot(k) = k
			}
		}
	}
	if s := m.slot(k); *s != k {
		*s = k
		m.used++
	}
}
