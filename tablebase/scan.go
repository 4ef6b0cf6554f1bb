package tablebase

import (
	"context"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/internal/parallel"
)

// Scan is what every chunk of a slice, read once, comes to: what a manifest says of
// the slice and its chunks tell by themselves.
type Scan struct {
	Chunks      uint64
	Bytes       uint64 // of all of them as they are stored, compressed
	Checksum    string // of the packed chunks, in the form of SliceInfo
	Fingerprint string // of what is stored, where the slice leaves no values out
}

// ScannedChunk is a chunk that a Scan came to.
type ScannedChunk struct {
	Number  uint64
	First   uint64 // index
	Indices int
	Err     error // why it could not be read, or nil
}

// ScanBytes is what one worker of a Scan takes at most: chunks, and what sections
// are hashed from.
const ScanBytes = (parallel.SlotsPerWorker + 2) * maxPackedBytes

// Scan reads every chunk of a slice that has the name and the number of indices that
// info says, and believes nothing else of it. It takes so many goroutines, at least one, and
// tells watch of each chunk, in their order. Damage is told there and is no error of its own.
// Errors: ErrClosed, and that of ctx.
func (t *Tables) Scan(ctx context.Context, info SliceInfo, workers int, watch func(ScannedChunk)) (Scan, error) {
	return t.ScanInto(ctx, info, nil, workers, watch)
}

// ScanInto is Scan, and fills a table, unless it is nil, with what could be read: as Load does
// where the checksum is that of the manifest. Its length must be that of so many indices.
func (t *Tables) ScanInto(ctx context.Context, info SliceInfo, table *bitboard.Table, workers int, watch func(ScannedChunk)) (Scan, error) {
	if table != nil {
		if err := table.CheckLength(t.metric, info.Indices); err != nil {
			return Scan{}, &SliceError{t.metric, info.Name, err}
		}
	}
	r := t.store.newSliceReader(ctx, t.metric, info, t.space)
	if err := ctx.Err(); err != nil { // r may be unsure
		return Scan{}, err
	}
	workers = max(1, workers)
	sc := scanner{table, make([][]byte, workers*parallel.SlotsPerWorker), make([]sectionHasher, workers)}
	hash, sum := xxh3.New(), newFingerprint(t.store.id, t.metric, info.Name, info.Indices)
	found := Scan{Chunks: ChunkCount(t.metric, info.Indices)}
	err := parallel.InOrder(ctx, workers, found.Chunks,
		func(worker, slot int, number uint64) (scanned, error) { return sc.read(r, worker, slot, number) },
		func(number uint64, c scanned) error {
			found.Bytes += uint64(c.stored)
			hash.Write(c.packed)
			sum.add(c.sections)
			watch(ScannedChunk{number, number * chunkIndices(t.metric), chunkLength(t.metric, info.Indices, number), c.err})
			return nil
		})
	found.Checksum, found.Fingerprint = fmt.Sprintf("%016x", hash.Sum64()), sum.String()
	return found, err
}

// scanned is a chunk that was read, or could not be.
type scanned struct {
	packed   []byte
	sections []digest
	stored   int
	err      error
}

// scanner is what workers read with.
type scanner struct {
	table   *bitboard.Table // to fill, or nil
	buffers [][]byte        // by slot
	hashers []sectionHasher // by worker
}

// read reads a chunk.
func (sc *scanner) read(r *sliceReader, worker, slot int, number uint64) (scanned, error) {
	if sc.buffers[slot] == nil {
		sc.buffers[slot] = make([]byte, maxPackedBytes)
	}
	c, stored, err := r.read(number, sc.buffers[slot])
	switch {
	case errors.Is(err, ErrClosed):
		return scanned{}, err
	case err != nil:
		return scanned{stored: stored, err: err}, nil
	}
	return scanned{c.packed, sc.digests(worker, number, &c), stored, nil}, nil
}

// digests are those of the sections of a chunk. It fills the table.
func (sc *scanner) digests(worker int, number uint64, c *chunk) []digest {
	h := &sc.hashers[worker]
	if sc.table == nil {
		return h.chunk(nil, c)
	}
	c.unpack(sc.table, number)
	if c.metric == bitboard.DTW {
		return h.dtw(nil, sc.table.DTW[number*dtwChunkIndices:][:c.n])
	}
	return h.chunk(nil, c)
}
