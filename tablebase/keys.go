package tablebase

import (
	"encoding/binary"
	"fmt"
	"strings"

	"paika/bitboard"
)

// metricCount is the number of metrics; they are numbered from 0.
const metricCount = 2

func metricByte(m bitboard.Metric) byte {
	if m == bitboard.DTW {
		return 'd'
	}
	return 'w'
}

func manifestKey(m bitboard.Metric) []byte { return []byte{'m', metricByte(m)} }

// chunkKeys makes the keys of one slice's chunks.
type chunkKeys struct{ prefix []byte }

func newChunkKeys(m bitboard.Metric, slice string) chunkKeys {
	prefix := append([]byte{'c', metricByte(m)}, slice...)
	return chunkKeys{append(prefix, 0)}
}

// key appends the key of a chunk to dst.
func (k chunkKeys) key(dst []byte, chunk uint64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, k.prefix...), chunk)
}

// checkSliceName refuses names whose keys or fingerprints could be taken for
// another slice's.
func checkSliceName(name string) error {
	if name == "" || strings.ContainsAny(name, "\x00\n") {
		return fmt.Errorf("slice name %q: want a line of text without zero bytes", name)
	}
	return nil
}
