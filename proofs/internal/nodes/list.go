package nodes

import (
	"reflect"
	"unsafe"

	"paika/internal/offheap"
)

// List holds positions in the order in which they came, as a set does. The empty list is ready for use.
// Any number of goroutines may look while nobody appends.
type List[P comparable] struct {
	blocks []block[P]
	count  uint64
}

// Append appends a position. It fails where the system refuses memory.
func (l *List[P]) Append(p P) error {
	if l.count == uint64(len(l.blocks))*segmentSize {
		b, err := newBlock[P](!pointerFree(reflect.TypeFor[P]()))
		if err != nil {
			return err
		}
		l.blocks = append(l.blocks, b)
	}
	l.blocks[l.count/segmentSize].positions[l.count%segmentSize] = p
	l.count++
	return nil
}

// At gives the position of a number, from 0.
func (l *List[P]) At(number uint64) P {
	return l.blocks[number/segmentSize].positions[number%segmentSize]
}

// Count is the number of positions.
func (l *List[P]) Count() uint64 { return l.count }

// Bytes is what a list of so many positions takes.
func (l *List[P]) Bytes(positions uint64) uint64 {
	return (positions + segmentSize - 1) / segmentSize * blockBytes[P]()
}

// Free gives the memory back. The list is empty then.
func (l *List[P]) Free() {
	for _, b := range l.blocks {
		b.free()
	}
	*l = List[P]{}
}

// A block has room for segmentSize positions.
type block[P comparable] struct {
	memory    []uint64
	positions []P // in the memory, if that is there
}

// newBlock allocates a block: on the Go heap where positions hold pointers.
func newBlock[P comparable](heap bool) (b block[P], err error) {
	if heap {
		return block[P]{positions: make([]P, segmentSize)}, nil
	}
	if b.memory, err = offheap.Make[uint64](blockBytes[P]() / 8); err != nil {
		return b, err
	}
	// Positions hold no pointers here.
	b.positions = unsafe.Slice((*P)(unsafe.Pointer(unsafe.SliceData(b.memory))), segmentSize)
	return b, nil
}

// blockBytes is what a block takes: whole words.
func blockBytes[P comparable]() uint64 {
	var p P
	return segmentSize * uint64(unsafe.Sizeof(p))
}

func (b *block[P]) free() { offheap.Free(b.memory) }

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
