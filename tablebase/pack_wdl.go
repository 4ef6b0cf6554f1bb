package tablebase

import (
	"encoding/binary"
	"errors"
	"fmt"

	"paika/bitboard"
)

// lowBits has the lower bit of each of a word's 32 values.
const lowBits = 0x5555555555555555

// packWDL appends n values as little-endian words, the rest of the last word
// zero.
func packWDL(dst []byte, values bitboard.Packed, n int) ([]byte, error) {
	words := values[:bitboard.PackedWords(uint64(n))]
	for i, w := range words {
		if i == len(words)-1 && n%32 != 0 {
			w &= 1<<(n%32*2) - 1
		}
		if w&(w>>1)&lowBits != 0 {
			return nil, notAValue(i)
		}
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst, nil
}

// packHeld is packWDL for a table that leaves values out: bit i of held tells
// whether value i counts. The others take the value that stands before them,
// which costs next to nothing once it is compressed.
func packHeld(dst []byte, values bitboard.Packed, held []uint64, n int) ([]byte, error) {
	var last uint64
	for i, w := range values[:bitboard.PackedWords(uint64(n))] {
		holds := held[i/2] >> (i % 2 * 32)
		var packed uint64
		for shift := 0; shift < 2*min(32, n-32*i); shift += 2 {
			if holds&1 != 0 {
				last = w >> shift & 3
			}
			packed |= last << shift
			holds >>= 1
		}
		if packed&(packed>>1)&lowBits != 0 {
			return nil, notAValue(i)
		}
		dst = binary.LittleEndian.AppendUint64(dst, packed)
	}
	return dst, nil
}

// wdlBytes is the length of n packed values.
func wdlBytes(n int) int { return int(bitboard.PackedWords(uint64(n))) * 8 }

// checkWDL checks what packWDL wrote of n values.
func checkWDL(packed []byte, n int) error {
	if len(packed) != wdlBytes(n) {
		return fmt.Errorf("%s of values, want %d", bitboard.Count(len(packed), "byte"), wdlBytes(n))
	}
	if rest := n % 32; rest != 0 && binary.LittleEndian.Uint64(packed[len(packed)-8:])>>(2*rest) != 0 {
		return errors.New("something stands behind the last value of the chunk")
	}
	for i := 0; i < len(packed); i += 8 {
		if w := binary.LittleEndian.Uint64(packed[i:]); w&(w>>1)&lowBits != 0 {
			return notAValue(i / 8)
		}
	}
	return nil
}

// valueWDL is the value of index i.
func valueWDL(packed []byte, i uint64) bitboard.Value {
	return bitboard.Value(packed[i>>2]>>(i&3*2)) & 3
}

// unpackWDL copies packed values into the words that they came from.
func unpackWDL(dst bitboard.Packed, packed []byte) {
	for i := range len(packed) / 8 {
		dst[i] = binary.LittleEndian.Uint64(packed[i*8:])
	}
}

// notAValue names the word of a chunk that holds the fourth bit pattern.
func notAValue(word int) error {
	return fmt.Errorf("one of the indices %d to %d of the chunk holds no value", word*32, word*32+31)
}
