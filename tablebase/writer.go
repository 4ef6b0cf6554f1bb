package tablebase

import (
	"context"
	"fmt"
	"hash"

	"paika/bitboard"
	"paika/internal/parallel"
	"paika/tablebase/internal/badgerdir"
)

// What is written in one transaction at most: values in bytes, and entries,
// since a Badger transaction holds few of those that stay out of the value log.
const (
	batchBytes   = 4 << 20
	batchEntries = 256
)

// sliceWriter writes the chunks of one slice and takes their measure.
type sliceWriter struct {
	store   *Store
	metric  bitboard.Metric
	table   *bitboard.Table
	indices uint64
	keys    chunkKeys
	mask    bitboard.HeldMask // of what is stored; nil stands for all

	hash        hash.Hash64
	fingerprint fingerprint
	bytes       uint64 // of all values
	batch       []badgerdir.Entry
	batchBytes  int
}

// packedChunk is a chunk on its way to the store.
type packedChunk struct {
	packed, key, value []byte
	sections           []digest // of the values, those left out included
}

func (w *sliceWriter) write(ctx context.Context) error {
	if err := w.pack(ctx, w.add); err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	return w.store.folder.Sync()
}

// pack hands the chunks on, packed, in their order.
func (w *sliceWriter) pack(ctx context.Context, take func(number uint64, c packedChunk) error) error {
	workers := w.store.opts.Workers
	packers := make([]packer, workers)
	buffers := make([][]byte, workers*parallel.SlotsPerWorker)
	return parallel.InOrder(ctx, workers, ChunkCount(w.metric, w.indices),
		func(worker, slot int, chunk uint64) (packedChunk, error) {
			c, err := w.encode(&packers[worker], buffers[slot][:0], chunk)
			buffers[slot] = c.packed
			return c, err
		}, take)
}

// checkSpace fails with ErrDiskFull unless there is room for the slice. It packs it once more
// where there is none for chunks that can't be compressed.
func (w *sliceWriter) checkSpace(ctx context.Context) error {
	chunks := ChunkCount(w.metric, w.indices)
	folder := w.store.folder
	if folder.CheckSpace(storedBytes(w.metric, w.indices, chunks*mostStored)) == nil {
		return nil
	}
	var bytes uint64
	err := w.pack(ctx, func(_ uint64, c packedChunk) error {
		bytes += uint64(len(c.value))
		return nil
	})
	if err != nil {
		return err
	}
	return folder.CheckSpace(storedBytes(w.metric, w.indices, bytes))
}

// storedBytes is about what the chunks of a slice take in the folder, of values of so many bytes.
func storedBytes(m bitboard.Metric, indices, values uint64) uint64 {
	const besideChunk = 256 // its key in the logs, and what goes with it
	return values + besideChunk*ChunkCount(m, indices)
}

// packer is what one worker packs with.
type packer struct {
	dtw    dtwPacker
	held   [wdlChunkIndices / 64]uint64
	hasher sectionHasher
}

func (w *sliceWriter) encode(p *packer, buffer []byte, chunk uint64) (c packedChunk, err error) {
	n := chunkLength(w.metric, w.indices, chunk)
	from := chunk * chunkIndices(w.metric)
	kind := wdlZstd
	switch {
	case w.metric == bitboard.DTW:
		kind, c.packed, err = p.dtw.pack(buffer, w.table.DTW[from:from+uint64(n)])
	case w.mask != nil:
		kind = wdlHeldZstd
		w.mask.Held(p.held[:(n+63)/64], w.table.Slice, from, from+uint64(n))
		c.packed, err = packHeld(buffer, w.table.WDL[from/32:], p.held[:], n)
	default:
		c.packed, err = packWDL(buffer, w.table.WDL[from/32:], n)
	}
	if err == nil {
		c.sections, err = p.hasher.table(nil, w.table, from, n)
	}
	if err != nil {
		return c, fmt.Errorf("chunk %d: %w", chunk, err)
	}
	c.key = w.keys.key(nil, chunk)
	codec := w.store.codec
	c.value = codec.encode(codec.encoders(w.metric, w.indices), c.key, kind, n, c.packed)
	return c, nil
}

func (w *sliceWriter) add(_ uint64, c packedChunk) error {
	w.hash.Write(c.packed)
	w.fingerprint.add(c.sections)
	w.bytes += uint64(len(c.value))
	w.batch = append(w.batch, badgerdir.Entry{Key: c.key, Value: c.value})
	w.batchBytes += len(c.value)
	if w.batchBytes < batchBytes && len(w.batch) < batchEntries {
		return nil
	}
	return w.flush()
}

func (w *sliceWriter) flush() error {
	err := w.store.folder.Put(w.batch)
	w.batch, w.batchBytes = w.batch[:0], 0
	return err
}

func (w *sliceWriter) checksum() string { return fmt.Sprintf("%016x", w.hash.Sum64()) }
