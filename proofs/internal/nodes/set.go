package nodes

import (
	"errors"
	"hash/maphash"
	"reflect"
	"unsafe"

	"paika/bitboard"
	"paika/internal/offheap"
)

// ErrFull says that a set has reached its bound. It still has all members that it had.
var ErrFull = errors.New("the set of positions is full")

// Set is a set of nodes. An open-addressed table of numbers finds them in a list. Any
// number of goroutines may look while nobody changes it.
//
// A number takes as many bits of its slot as the table needs. The bits above are a tag, a
// part of the position's hash, so that few strangers are compared with the list.
type Set[P comparable] struct {
	seed   maphash.Seed
	most   uint64 // bytes that it may take
	values bool   // members have values
	heap   bool   // positions hold pointers
	lists  []segment[P]
	count  uint64   // of members
	slots  []uint32 // tag and number plus 1; 0 is empty. None, or a power of two of them
}

// A segment holds consecutive members.
type segment[P comparable] struct {
	block[P]
	sides  []uint64 // a bit a member: the second side moves
	values []uint32 // if they are wanted
}

const (
	segmentSize = 1 << 17
	mostMembers = 1<<32 - 2

	// The table is at most 13/16 full.
	fullest     = 13
	fullestOf   = 16
	fewestSlots = 1 << 12
)

// New makes an empty set that takes at most that many bytes. Free it.
func New[P comparable](most uint64) *Set[P] {
	return &Set[P]{seed: maphash.MakeSeed(), most: most, heap: !pointerFree(reflect.TypeFor[P]())}
}

// NewValued is New, of a set whose members have values.
func NewValued[P comparable](most uint64) *Set[P] {
	s := New[P](most)
	s.values = true
	return s
}

// load loads what is looked at of a member.
func (g *segment[P]) load(i uint64) uint32 {
	sum := uint32(*(*byte)(unsafe.Pointer(&g.positions[i]))) + uint32(g.sides[i/64])
	if g.values != nil {
		sum += g.values[i]
	}
	return sum
}

// Free gives the memory back. The set is empty then.
func (s *Set[P]) Free() {
	s.shorten(0)
	offheap.Free(s.slots)
	s.slots, s.count = nil, 0
}

// shorten leaves the first segments.
func (s *Set[P]) shorten(segments int) {
	for _, list := range s.lists[segments:] {
		list.free()
	}
	s.lists = s.lists[:segments]
}

func (g *segment[P]) free() {
	g.block.free()
	offheap.Free(g.sides)
	offheap.Free(g.values)
}

// Room is how many members surely fit into a number of bytes.
func (s *Set[P]) Room(bytes uint64) uint64 {
	const slot = 4 * 2 * fullestOf / fullest // of a table that has just grown
	return min(mostMembers-segmentSize, bytes/(s.segmentBytes()/segmentSize+1+slot+1))
}

// segmentBytes is what a segment takes.
func (s *Set[P]) segmentBytes() uint64 {
	bytes := blockBytes[P]() + segmentSize/8
	if s.values {
		bytes += segmentSize * 4
	}
	return bytes
}

// Bytes is what the set takes.
func (s *Set[P]) Bytes() uint64 {
	return uint64(len(s.lists))*s.segmentBytes() + uint64(len(s.slots))*4
}

// Count is the number of members.
func (s *Set[P]) Count() uint64 { return s.count }

// At gives a member.
func (s *Set[P]) At(number uint64) (P, bitboard.Side) {
	g, i := &s.lists[number/segmentSize], number%segmentSize
	return g.positions[i], bitboard.Side(g.sides[i/64] >> (i % 64) & 1)
}

// Value gives the value of a member: 0 unless it was set.
func (s *Set[P]) Value(number uint64) uint32 {
	if !s.values {
		return 0
	}
	return s.lists[number/segmentSize].values[number%segmentSize]
}

// SetValue sets the value of a member. The set must have values.
func (s *Set[P]) SetValue(number uint64, value uint32) {
	s.lists[number/segmentSize].values[number%segmentSize] = value
}

// Has tells whether a node is a member.
func (s *Set[P]) Has(p P, side bitboard.Side) bool {
	_, found := s.Find(p, side)
	return found
}

// Find gives the number of a member.
func (s *Set[P]) Find(p P, side bitboard.Side) (number uint64, found bool) {
	if s.count == 0 {
		return 0, false
	}
	slot, _, found := s.find(p, side)
	return uint64(s.slots[slot]&uint32(len(s.slots)-1)) - 1, found
}

// Together is how many nodes FindAll, AddAll and Ahead look for at a time, and so the best number to ask for.
const Together = 1 << 6

// FindAll is Find of many nodes. A set is much larger than the caches of a processor, which would wait for
// each member in turn: here it waits for many at once. Where each stands is told in order.
func (s *Set[P]) FindAll(many int, at func(i int) (P, bitboard.Side), tell func(i int, number uint64, found bool)) {
	if s.count == 0 {
		for i := range many {
			tell(i, 0, false)
		}
		return
	}
	var l lookup
	for from := 0; from < many; from += Together {
		some := min(Together, many-from)
		s.loadFirst(&l, from, some, at)
		s.load(&l, some)
		for i, number := range l.likely[:some] {
			p, side := at(from + i)
			found := number != nobody
			if found {
				if q, other := s.At(number); q != p || other != side {
					number, found = s.Find(p, side)
				}
			}
			tell(from+i, number, found)
		}
	}
}

// Ahead loads what Add looks at first of so many nodes. It is for those that come next, most of which are
// no members.
func (s *Set[P]) Ahead(many int, at func(i int) (P, bitboard.Side)) {
	var l lookup
	for from := 0; from < many; from += Together {
		s.loadFirst(&l, from, min(Together, many-from), at)
	}
}

// nobody is the number of no member.
const nobody = ^uint64(0)

// A lookup is what is known of some nodes while they are looked for: their hashes, what stands in their first
// slots, and the first members whose tags are theirs.
type lookup struct {
	hashes [Together]uint64
	first  [Together]uint32
	likely [Together]uint64
	loads  uint32 // keeps early loads from being optimised away
}

// loadFirst finds the hashes of some nodes, from one on, and loads their first slots, if there are any.
func (s *Set[P]) loadFirst(l *lookup, from, some int, at func(i int) (P, bitboard.Side)) {
	for i := range some {
		l.hashes[i] = s.hash(at(from + i))
	}
	if len(s.slots) == 0 {
		return
	}
	mask := uint64(len(s.slots) - 1)
	for i, hash := range l.hashes[:some] {
		l.first[i] = s.slots[hash&mask]
	}
}

// load finds the likely members for some hashes, whose first slots are loaded, and loads what is to be looked at of them. Between two
// loads there is next to nothing.
func (s *Set[P]) load(l *lookup, some int) {
	mask := uint64(len(s.slots) - 1)
	for i, hash := range l.hashes[:some] {
		l.likely[i] = nobody
		for n, slot := l.first[i], hash&mask; n != 0; n = s.slots[slot] {
			if (n^uint32(hash>>32))&^uint32(mask) == 0 {
				l.likely[i] = uint64(n)&mask - 1
				break
			}
			slot = (slot + 1) & mask
		}
	}
	for _, number := range l.likely[:some] {
		if number != nobody {
			l.loads += s.lists[number/segmentSize].load(number % segmentSize)
		}
	}
}

// find gives the slot of a member, or the empty one where it would stand, and its tag.
func (s *Set[P]) find(p P, side bitboard.Side) (slot uint64, tag uint32, found bool) {
	return s.findHashed(p, side, s.hash(p, side))
}

func (s *Set[P]) findHashed(p P, side bitboard.Side, hash uint64) (slot uint64, tag uint32, found bool) {
	mask := uint64(len(s.slots) - 1)
	tag = uint32(hash>>32) &^ uint32(mask)
	for slot = hash & mask; ; slot = (slot + 1) & mask {
		n := s.slots[slot]
		if n == 0 {
			return slot, tag, false
		}
		if n&^uint32(mask) != tag {
			continue
		}
		if q, other := s.At(uint64(n&uint32(mask) - 1)); q == p && other == side {
			return slot, tag, true
		}
	}
}

func (s *Set[P]) hash(p P, side bitboard.Side) uint64 {
	const odd = 0x9e3779b97f4a7c15
	return maphash.Comparable(s.seed, p) ^ uint64(side)*odd
}

// Add makes a node a member, and tells its number and whether it is a new one. It fails
// with ErrFull, or where the system refuses memory.
func (s *Set[P]) Add(p P, side bitboard.Side) (number uint64, added bool, err error) {
	return s.addHashed(p, side, s.hash(p, side))
}

func (s *Set[P]) addHashed(p P, side bitboard.Side, hash uint64) (number uint64, added bool, err error) {
	if s.count*fullestOf >= uint64(len(s.slots))*fullest {
		if err := s.grow(); err != nil {
			return 0, false, err
		}
	}
	slot, tag, found := s.findHashed(p, side, hash)
	if found {
		return uint64(s.slots[slot]&uint32(len(s.slots)-1)) - 1, false, nil
	}
	if s.count == uint64(len(s.lists))*segmentSize {
		if err := s.extend(); err != nil {
			return 0, false, err
		}
	}
	number = s.count
	s.put(number, p, side, 0)
	s.count++
	s.slots[slot] = tag | uint32(s.count)
	return number, true, nil
}

// AddAll is Add of many nodes, which waits for memory less often. It ends where an Add fails.
func (s *Set[P]) AddAll(many int, at func(i int) (P, bitboard.Side), tell func(i int, number uint64, added bool)) error {
	var l lookup
	for from := 0; from < many; from += Together {
		some := min(Together, many-from)
		s.loadFirst(&l, from, some, at)
		for i, hash := range l.hashes[:some] {
			p, side := at(from + i)
			number, added, err := s.addHashed(p, side, hash)
			if err != nil {
				return err
			}
			tell(from+i, number, added)
		}
	}
	return nil
}

// put writes a member into the list.
func (s *Set[P]) put(number uint64, p P, side bitboard.Side, value uint32) {
	g, i := &s.lists[number/segmentSize], number%segmentSize
	g.positions[i] = p
	g.sides[i/64] = g.sides[i/64]&^(1<<(i%64)) | uint64(side)<<(i%64)
	if s.values {
		g.values[i] = value
	}
}

// Retain leaves the members that keep names. They are numbered anew, in the same order.
func (s *Set[P]) Retain(keep func(p P, side bitboard.Side) bool) {
	kept := uint64(0)
	for number := range s.count {
		p, side := s.At(number)
		if !keep(p, side) {
			continue
		}
		s.put(kept, p, side, s.Value(number))
		kept++
	}
	s.count = kept
	s.shorten(int((kept + segmentSize - 1) / segmentSize))
	clear(s.slots)
	s.enter()
}

// extend makes room in the list.
func (s *Set[P]) extend() error {
	if s.Bytes()+s.segmentBytes() > s.most || s.count+segmentSize > mostMembers {
		return ErrFull
	}
	g, err := s.newSegment()
	if err != nil {
		g.free()
		return err
	}
	s.lists = append(s.lists, g)
	return nil
}

// newSegment allocates a segment. What it has of one that could not be had is to be freed.
func (s *Set[P]) newSegment() (g segment[P], err error) {
	if g.sides, err = offheap.Make[uint64](segmentSize / 64); err != nil {
		return g, err
	}
	if s.values {
		if g.values, err = offheap.Make[uint32](segmentSize); err != nil {
			return g, err
		}
	}
	g.block, err = newBlock[P](s.heap)
	return g, err
}

// grow doubles the slots, and enters all members anew.
func (s *Set[P]) grow() error {
	size := max(fewestSlots, 2*uint64(len(s.slots)))
	if s.Bytes()+4*(size-uint64(len(s.slots))) > s.most {
		return ErrFull
	}
	return s.index(size)
}

// Reserve makes room to find so many members: they come in without their slots growing as often. It fails
// as Add does, and leaves it at what there is where the bound is in the way.
func (s *Set[P]) Reserve(members uint64) error {
	size := max(fewestSlots, uint64(len(s.slots)))
	for members < mostMembers && members*fullestOf >= size*fullest {
		size *= 2
	}
	if size == uint64(len(s.slots)) || s.Bytes()+4*(size-uint64(len(s.slots))) > s.most {
		return nil
	}
	return s.index(size)
}

// index makes so many slots, and enters all members. Where it fails, the set can only be
// freed.
func (s *Set[P]) index(size uint64) error {
	offheap.Free(s.slots)
	s.slots = nil
	slots, err := offheap.Make[uint32](size)
	if err != nil {
		return err
	}
	s.slots = slots
	s.enter()
	return nil
}

// enter enters all members into slots that are empty.
func (s *Set[P]) enter() {
	var l lookup
	at := func(i int) (P, bitboard.Side) { return s.At(uint64(i)) }
	for from := uint64(0); from < s.count; from += Together {
		some := int(min(Together, s.count-from))
		s.loadFirst(&l, int(from), some, at)
		for i, hash := range l.hashes[:some] {
			slot, tag := s.empty(hash)
			s.slots[slot] = tag | uint32(from+uint64(i)+1)
		}
	}
}

// empty gives the slot for a node of a hash that has none, and its tag.
func (s *Set[P]) empty(hash uint64) (slot uint64, tag uint32) {
	mask := uint64(len(s.slots) - 1)
	for slot = hash & mask; s.slots[slot] != 0; slot = (slot + 1) & mask {
	}
	return slot, uint32(hash>>32) &^ uint32(mask)
}
