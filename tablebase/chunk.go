package tablebase

import (
	"context"
	"errors"
	"fmt"

	"paika/bitboard"
	"paika/tablebase/internal/badgerdir"
)

// chunk is the values of one chunk, decompressed and checked but still packed.
type chunk struct {
	n      int    // indices
	packed []byte // all of it
	dtw    packedDTW
	metric bitboard.Metric
}

// openChunk checks packed values of n indices, of a slice that leaves some out
// or not.
func openChunk(m bitboard.Metric, kind chunkKind, leavesOut bool, packed []byte, n int) (chunk, error) {
	c := chunk{n: n, packed: packed, metric: m}
	switch {
	case m == bitboard.WDL && (kind == wdlZstd && !leavesOut || kind == wdlHeldZstd && leavesOut):
		return c, checkWDL(packed, n)
	case m == bitboard.DTW && (kind == dtwZstd || kind == dtwZstdDouble):
		var err error
		c.dtw, err = openDTW(kind, packed, n)
		return c, err
	}
	return c, fmt.Errorf("chunks of kind %d do not belong in %s", kind, m)
}

// outcome is the value at an index of the chunk.
func (c *chunk) outcome(i uint64) bitboard.Outcome {
	if c.metric == bitboard.DTW {
		return c.dtw.at(i).Outcome()
	}
	return bitboard.Outcome{Value: valueWDL(c.packed, i), Distance: bitboard.UnknownDistance}
}

// unpack fills the chunk's part of a table.
func (c *chunk) unpack(table *bitboard.Table, number uint64) {
	from := number * chunkIndices(c.metric)
	if c.metric == bitboard.DTW {
		c.dtw.unpack(table.DTW[from : from+uint64(c.n)])
		return
	}
	unpackWDL(table.WDL[from/32:], c.packed)
}

// sliceReader reads the chunks of one stored slice. It is safe for concurrent
// use.
type sliceReader struct {
	store     *Store
	metric    bitboard.Metric
	name      string
	indices   uint64
	keys      chunkKeys
	leavesOut bool
	unsure    bool // about that: none of the chunks could be read that tell, and another time one may be
}

// newSliceReader makes a reader of a slice that is stored. Its chunks tell whether it
// leaves values out, which takes a game that can tell of which. Once ctx ends, it is unsure:
// whole chunks would seem damaged to who reads them then.
func (s *Store) newSliceReader(ctx context.Context, m bitboard.Metric, info SliceInfo, space Space) *sliceReader {
	r := &sliceReader{store: s, metric: m, name: info.Name, indices: info.Indices, keys: newChunkKeys(m, info.Name)}
	if _, sparse := space.(bitboard.HeldMask); sparse {
		kind := r.findKind(ctx)
		r.leavesOut, r.unsure = kind == wdlHeldZstd, kind == 0
	}
	return r
}

// read returns one chunk and the length of its stored value. The chunk's
// memory is buffer, if that has room for maxPackedBytes. Errors are
// *ChunkError or ErrClosed.
func (r *sliceReader) read(number uint64, buffer []byte) (c chunk, stored int, err error) {
	n := chunkLength(r.metric, r.indices, number)
	key := r.keys.key(nil, number)
	err = r.store.value(key, func(value []byte) error {
		stored = len(value)
		kind, packed, err := r.store.codec.decode(key, value, n, buffer)
		if err != nil {
			return err
		}
		c, err = openChunk(r.metric, kind, r.leavesOut, packed, n)
		return err
	})
	return c, stored, r.failed(number, err)
}

var (
	errMissingChunk = errors.New("the chunk is missing")
	errShortChunk   = errors.New("the chunk is cut short")
)

// failed says which chunk could not be read.
func (r *sliceReader) failed(number uint64, err error) error {
	switch {
	case err == nil, errors.Is(err, ErrClosed):
		return err
	case errors.Is(err, badgerdir.ErrNoKey):
		err = errMissingChunk
	}
	return &ChunkError{r.metric, r.name, number, err}
}

// readNew is read into memory of its own.
func (r *sliceReader) readNew(number uint64) (*chunk, error) {
	c, _, err := r.read(number, nil)
	return &c, err
}
