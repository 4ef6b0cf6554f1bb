package tablebase

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"

	"paika/bitboard"
)

func metricByte(m bitboard.Metric) byte {
	if m == bitboard.DTW {
		return 'd'
	}
	return 'w'
}

// chunkKeyByte begins the keys of chunks. There are no others.
const chunkKeyByte = 'c'

// chunkKeys makes the keys of one slice's chunks.
type chunkKeys struct{ prefix []byte }

func newChunkKeys(m bitboard.Metric, slice string) chunkKeys {
	prefix := append([]byte{chunkKeyByte, metricByte(m)}, slice...)
	return chunkKeys{append(prefix, 0)}
}

// key appends the key of a chunk to dst.
func (k chunkKeys) key(dst []byte, chunk uint64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, k.prefix...), chunk)
}

// parseChunkKey takes a key apart.
func parseChunkKey(key []byte) (m bitboard.Metric, slice string, chunk uint64, ok bool) {
	if len(key) < 2 || key[0] != chunkKeyByte {
		return 0, "", 0, false
	}
	name, number, found := bytes.Cut(key[2:], []byte{0})
	if !found || len(number) != 8 {
		return 0, "", 0, false
	}
	for m := range bitboard.MetricCount {
		if metricByte(m) == key[1] {
			return m, string(name), binary.BigEndian.Uint64(number), true
		}
	}
	return 0, "", 0, false
}

// checkSliceName refuses names whose keys or fingerprints could be taken for
// another slice's, and those that a terminal would not show as they are.
func checkSliceName(name string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("slice name %s: want a line of letters that are printed", bitboard.Quote(name))
	}
	return nil
}
