package proofnumber

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"paika/internal/offheap"
)

// A member is a node of a set. Its flags and what it rests on are read and written by
// several workers.
type member[P comparable] struct {
	position P
	flags    atomic.Uint32

	// Of a structure that is put together. Where a turn is chosen: the number of the member
	// that it leads to, plus 1; 0 if it leads to none. Else the rank, in a proof, once it is
	// known.
	rests atomic.Uint32
}

// Flags of a member, and above them the turn that was chosen for the side whose
// claim it is.
const (
	byAttacker uint32 = 1 << iota // has the move
	lookedAt                      // its turns are taken care of
	setAside                      // its turns are to be taken care of later
	evicted                       // it does not belong to the set after all
	over                          // it has no turns
	vacant                        // none: two workers brought in the same node at a time
	flagBits   = iota
)

func (m *member[P]) has(flag uint32) bool { return m.flags.Load()&flag != 0 }

// attacker tells whether the attacker has the move.
func (m *member[P]) attacker() bool { return m.has(byAttacker) }

// stays tells whether the member is one, for all that is known.
func (m *member[P]) stays() bool { return !m.has(evicted | vacant) }

func (m *member[P]) set(flag uint32) { m.flags.Or(flag) }

// choose takes a turn by its number, which is cut to the bits that there are:
// no game has as many turns.
func (m *member[P]) choose(turn int) {
	m.flags.Store(m.flags.Load()&(1<<flagBits-1) | uint32(turn)<<flagBits)
}

func (m *member[P]) turn() int { return int(m.flags.Load() >> flagBits) }

// A nodeSet holds members by number, in the order in which they came, and finds
// them by position: an open-addressed table of numbers beside a list. Both lie
// off the Go heap and have a fixed size. Workers may add and find at the same
// time.
//
// A number takes as many bits of its slot as there may be members. The bits above are a tag, a
// part of the key, so that few strangers are compared with the list.
type nodeSet[P comparable] struct {
	hasher  hasher[P]
	memory  []uint64
	list    []member[P]   // in the memory
	slots   []uint32      // tag and number plus 1; 0 is empty
	used    uint64        // slots in use, from the first: they are cleared for every set
	numbers uint32        // the bits of a slot that are a number
	count   atomic.Uint64 // members
}

const (
	fewestMembers = 1 << 6
	fewestSlots   = 1 << 10
)

// newNodeSet makes an empty set within a number of bytes. What it does not fill
// is never touched.
func newNodeSet[P comparable](h hasher[P], bytes uint64) (*nodeSet[P], error) {
	size := uint64(unsafe.Sizeof(member[P]{}))
	most := max(fewestMembers, min(bytes/(size+6), 1<<32-2))
	s := &nodeSet[P]{hasher: h}
	var err error
	if s.memory, err = offheap.Make[uint64]((most*size + 7) / 8); err == nil {
		s.slots, err = offheap.Make[uint32](max(fewestSlots, most*3/2))
	}
	if err != nil {
		s.free()
		return nil, fmt.Errorf("set of positions: %w", err)
	}
	// Positions are made of integers alone, as their hasher has seen to.
	s.list = unsafe.Slice((*member[P])(unsafe.Pointer(unsafe.SliceData(s.memory))), most)
	s.use(fewestSlots)
	return s, nil
}

// use has so many slots in use.
func (s *nodeSet[P]) use(slots uint64) {
	s.used = slots
	s.numbers = uint32(1<<bits.Len64(s.room()) - 1)
}

// free gives the memory back.
func (s *nodeSet[P]) free() {
	offheap.Free(s.memory)
	offheap.Free(s.slots)
	s.memory, s.list, s.slots = nil, nil, nil
}

// len is the number of members, those that left among them.
func (s *nodeSet[P]) len() uint32 { return uint32(min(s.count.Load(), s.room())) }

// room is how many members the slots in use are for.
func (s *nodeSet[P]) room() uint64 { return min(uint64(len(s.list)), s.used/3*2) }

// find gives the number of a node that is in the set or was.
func (s *nodeSet[P]) find(p *P, attacker bool) (number uint32, found bool) {
	number, found, _, _ = s.walk(p, attacker)
	return number, found
}

// walk looks for a node from its first slot to the empty one at which the walk
// ends. It gives the tag that the node's slot has.
func (s *nodeSet[P]) walk(p *P, attacker bool) (number uint32, found bool, end uint64, tag uint32) {
	key := s.hasher.key(p, attacker)
	tag = uint32(key) &^ s.numbers
	for slot := mulHigh(key, s.used); ; slot++ {
		if slot == s.used {
			slot = 0
		}
		n := atomic.LoadUint32(&s.slots[slot])
		if n == 0 {
			return 0, false, slot, tag
		}
		if n&^s.numbers != tag {
			continue
		}
		if m := &s.list[n&s.numbers-1]; m.position == *p && m.attacker() == attacker {
			return n&s.numbers - 1, true, slot, tag
		}
	}
}

// together is how many nodes are looked for at a time.
const together = 1 << 6

// nobody is the number of no member.
const nobody = 1<<32 - 1

// load loads what finding nodes takes, by their keys, and gives for each the number of the member that it
// is, if it is one, and the set has it in the first slots with its tag. Between two loads there is next to
// nothing, so that the processor waits for many of them at once. The sum is there for the compiler.
func (s *nodeSet[P]) load(keys []uint64, likely []uint32) (sum uint64) {
	for len(keys) > 0 {
		some, numbers := keys[:min(together, len(keys))], likely
		for i, key := range some {
			numbers[i] = atomic.LoadUint32(&s.slots[mulHigh(key, s.used)])
		}
		for i, key := range some {
			numbers[i] = s.likely(key, numbers[i])
		}
		for _, n := range numbers[:len(some)] {
			if n != nobody {
				sum += uint64(s.list[n].flags.Load())
			}
		}
		keys, likely = keys[len(some):], likely[len(some):]
	}
	return sum
}

// likely is the number of the first member that has the tag of a key, from what stands in the key's first
// slot on.
func (s *nodeSet[P]) likely(key uint64, first uint32) (number uint32) {
	slot := mulHigh(key, s.used)
	for n := first; n != 0; n = atomic.LoadUint32(&s.slots[slot]) {
		if (n^uint32(key))&^s.numbers == 0 {
			return n&s.numbers - 1
		}
		if slot++; slot == s.used {
			slot = 0
		}
	}
	return nobody
}

// add makes a node a member, if it is none yet, and gives its number. It tells false where
// there is no room.
func (s *nodeSet[P]) add(p *P, attacker bool) (number uint32, ok bool) {
	number, found, slot, tag := s.walk(p, attacker)
	if found {
		return number, true
	}
	next := s.count.Add(1) - 1
	if next >= s.room() {
		s.count.Add(^uint64(0))
		return 0, false
	}
	m := &s.list[next]
	m.position = *p
	m.rests.Store(0)
	m.flags.Store(0)
	if attacker {
		m.flags.Store(byAttacker)
	}
	for !atomic.CompareAndSwapUint32(&s.slots[slot], 0, tag|uint32(next)+1) {
		if number, found, slot, tag = s.walk(p, attacker); found {
			m.set(vacant)
			return number, true
		}
	}
	return uint32(next), true
}

// grow makes more slots, and tells false where there are no more. No one else
// may use the set meanwhile.
func (s *nodeSet[P]) grow() bool {
	if s.used == uint64(len(s.slots)) {
		return false
	}
	clear(s.slots[:s.used])
	s.use(min(2*s.used, uint64(len(s.slots))))
	var keys [together]uint64
	var loaded [together]uint32
	for from, all := uint64(0), uint64(s.len()); from < all; from += together {
		some := s.list[from:min(from+together, all)]
		for i := range some {
			keys[i] = s.hasher.key(&some[i].position, some[i].attacker())
		}
		for i, key := range keys[:len(some)] {
			loaded[i] = s.slots[mulHigh(key, s.used)] // of many at once: see load
		}
		for i := range some {
			if !some[i].has(vacant) {
				s.enter(keys[i], uint32(from)+uint32(i))
			}
		}
	}
	s.checkSlots()
	return true
}

// enter puts the number of a member, which has no slot yet, into its slot. No one else may use the set
// meanwhile.
func (s *nodeSet[P]) enter(key uint64, number uint32) {
	slot := mulHigh(key, s.used)
	for s.slots[slot] != 0 {
		if slot++; slot == s.used {
			slot = 0
		}
	}
	s.slots[slot] = uint32(key)&^s.numbers | number + 1
}

// clear empties the set.
func (s *nodeSet[P]) clear() {
	clear(s.slots[:s.used])
	s.use(fewestSlots)
	s.count.Store(0)
}
