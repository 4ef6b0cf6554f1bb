package proofnumber

import (
	"fmt"
	"reflect"
	"unsafe"
)

// A hasher turns positions into 64-bit keys. Keys depend on nothing but the
// value, so that a table written by one run serves the next.
type hasher[P comparable] struct {
	fields []field
	words  bool // all fields have 8 bytes
}

// field is one integer of a position: its place and size in bytes.
type field struct {
	offset uintptr
	size   uintptr
}

// newHasher fails on positions that are not made of integers alone.
func newHasher[P comparable]() (hasher[P], error) {
	h := hasher[P]{words: true}
	t := reflect.TypeFor[P]()
	if err := h.add(t, 0); err != nil {
		return h, fmt.Errorf("positions of type %v can't be hashed: %w", t, err)
	}
	return h, nil
}

func (h *hasher[P]) add(t reflect.Type, offset uintptr) error {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if err := h.add(f.Type, offset+f.Offset); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			if err := h.add(t.Elem(), offset+uintptr(i)*t.Elem().Size()); err != nil {
				return err
			}
		}
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		h.fields = append(h.fields, field{offset, t.Size()})
		h.words = h.words && t.Size() == 8
	default:
		return fmt.Errorf("%v is no integer", t)
	}
	return nil
}

// Odd multipliers with bits well spread (Steele & Vigna, "Computationally easy,
// spectrally good multipliers", 2021).
const (
	multiplierA = 0xd1342543de82ef95
	multiplierB = 0xaf251af3b0f025b5
)

// attackerMoves is set apart in a key, since the same stones ask two different
// questions depending on who moves.
const attackerMoves = 0x9e3779b97f4a7c15

// key of a node. Every step is a bijection of the word that it takes in.
func (h *hasher[P]) key(p *P, attacker bool) uint64 {
	var k uint64
	if attacker {
		k = attackerMoves
	}
	base := unsafe.Pointer(p)
	for _, f := range h.fields {
		at := unsafe.Add(base, f.offset)
		var w uint64
		switch {
		case h.words || f.size == 8:
			w = *(*uint64)(at)
		case f.size == 4:
			w = uint64(*(*uint32)(at))
		case f.size == 2:
			w = uint64(*(*uint16)(at))
		default:
			w = uint64(*(*uint8)(at))
		}
		k = (k ^ w) * multiplierA
		k ^= k >> 32
	}
	k *= multiplierB
	return k ^ k>>29
}
