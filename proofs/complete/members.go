package complete

import (
	"fmt"
	"hash/maphash"
	"reflect"
	"unsafe"

	"paika/bitboard"
	"paika/internal/offheap"
)

// members is a set of positions with the side to move, numbered in the order in which
// they came. An open-addressed table of numbers finds them in a list. Both lie off the Go
// heap, and grow within a bound. Any number of goroutines may look while nobody adds.
//
// A number takes as many bits of its slot as the table needs. The bits above are a tag, a
// part of the position's hash, so that few strangers are compared with the list.
type members[P comparable] struct {
	seed  maphash.Seed
	most  uint64       // bytes that it may take
	lists []segment[P] // segmentSize members each
	count uint64       // of members
	slots []uint32     // tag and number plus 1; 0 is empty. A power of two of them
}

// A segment holds consecutive members.
type segment[P comparable] struct {
	memory    []uint64
	positions []P      // in the memory
	sides     []uint64 // a bit a member: the second side moves
}

const (
	segmentSize = 1 << 17
	mostMembers = 1<<32 - 2

	// The table is at most 13/16 full.
	fullest     = 13
	fullestOf   = 16
	fewestSlots = 1 << 12
)

// newMembers makes an empty set that takes at most that many bytes. It fails on positions
// that hold pointers, which the collector would not see.
func newMembers[P comparable](most uint64) (*members[P], error) {
	if t := reflect.TypeFor[P](); !pointerFree(t) {
		return nil, fmt.Errorf("positions of type %v hold pointers", t)
	}
	m := &members[P]{seed: maphash.MakeSeed(), most: most}
	return m, m.grow()
}

// pointerFree tells whether values of a type are made of numbers alone.
func pointerFree(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if !pointerFree(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return pointerFree(t.Elem())
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128 && t.Kind() != reflect.Uintptr
}

// free gives the memory back.
func (m *members[P]) free() {
	for _, s := range m.lists {
		offheap.Free(s.memory)
		offheap.Free(s.sides)
	}
	offheap.Free(m.slots)
	m.lists, m.slots, m.count = nil, nil, 0
}

// segmentBytes is what a segment takes.
func (m *members[P]) segmentBytes() uint64 {
	var p P
	return segmentSize*uint64(unsafe.Sizeof(p)) + segmentSize/8
}

// bytes is what the set takes.
func (m *members[P]) bytes() uint64 {
	return uint64(len(m.lists))*m.segmentBytes() + uint64(len(m.slots))*4
}

// at gives a member.
func (m *members[P]) at(number uint64) (P, bitboard.Side) {
	s, i := &m.lists[number/segmentSize], number%segmentSize
	return s.positions[i], bitboard.Side(s.sides[i/64] >> (i % 64) & 1)
}

// has tells whether a position is a member.
func (m *members[P]) has(p P, side bitboard.Side) bool {
	_, _, found := m.find(p, side)
	return found
}

// find gives the slot of a member, or the empty one where it would stand, and its tag.
func (m *members[P]) find(p P, side bitboard.Side) (slot uint64, tag uint32, found bool) {
	hash, mask := m.hash(p, side), uint64(len(m.slots)-1)
	tag = uint32(hash>>32) &^ uint32(mask)
	for slot = hash & mask; ; slot = (slot + 1) & mask {
		n := m.slots[slot]
		if n == 0 {
			return slot, tag, false
		}
		if n&^uint32(mask) != tag {
			continue
		}
		if q, s := m.at(uint64(n&uint32(mask) - 1)); q == p && s == side {
			return slot, tag, true
		}
	}
}

func (m *members[P]) hash(p P, side bitboard.Side) uint64 {
	const odd = 0x9e3779b97f4a7c15
	return maphash.Comparable(m.seed, p) ^ uint64(side)*odd
}

// add makes a position a member, and tells whether it is a new one.
func (m *members[P]) add(p P, side bitboard.Side) (added bool, err error) {
	if m.count*fullestOf >= uint64(len(m.slots))*fullest {
		if err := m.grow(); err != nil {
			return false, err
		}
	}
	slot, tag, found := m.find(p, side)
	if found {
		return false, nil
	}
	if m.count == uint64(len(m.lists))*segmentSize {
		if err := m.extend(); err != nil {
			return false, err
		}
	}
	s, i := &m.lists[m.count/segmentSize], m.count%segmentSize
	s.positions[i] = p
	s.sides[i/64] |= uint64(side) << (i % 64)
	m.count++
	m.slots[slot] = tag | uint32(m.count)
	return true, nil
}

// extend makes room in the list.
func (m *members[P]) extend() (err error) {
	if m.bytes()+m.segmentBytes() > m.most || m.count+segmentSize > mostMembers {
		return m.full()
	}
	var p P
	var s segment[P]
	if s.memory, err = offheap.Make[uint64](segmentSize * (uint64(unsafe.Sizeof(p)) + 7) / 8); err != nil {
		return err
	}
	if s.sides, err = offheap.Make[uint64](segmentSize / 64); err != nil {
		offheap.Free(s.memory)
		return err
	}
	// Positions hold no pointers, as newMembers has seen to.
	s.positions = unsafe.Slice((*P)(unsafe.Pointer(unsafe.SliceData(s.memory))), segmentSize)
	m.lists = append(m.lists, s)
	return nil
}

// full says that there is no more room.
func (m *members[P]) full() error {
	return fmt.Errorf("%w: %d of them take %d MiB", ErrMemory, m.count, m.bytes()>>20)
}

// grow doubles the slots, and enters all members anew.
func (m *members[P]) grow() error {
	size := max(fewestSlots, 2*uint64(len(m.slots)))
	if m.bytes()+4*(size-uint64(len(m.slots))) > m.most {
		return m.full()
	}
	offheap.Free(m.slots)
	var err error
	if m.slots, err = offheap.Make[uint32](size); err != nil {
		return err
	}
	for number := range m.count {
		slot, tag := m.empty(m.at(number))
		m.slots[slot] = tag | uint32(number+1)
	}
	return nil
}

// empty gives the slot for a position that has none, and its tag.
func (m *members[P]) empty(p P, side bitboard.Side) (slot uint64, tag uint32) {
	hash, mask := m.hash(p, side), uint64(len(m.slots)-1)
	for slot = hash & mask; m.slots[slot] != 0; slot = (slot + 1) & mask {
	}
	return slot, uint32(hash>>32) &^ uint32(mask)
}
