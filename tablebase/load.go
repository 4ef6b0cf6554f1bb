package tablebase

import (
	"context"
	"fmt"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/internal/parallel"
)

// load fills the table of a stored slice, chunks in parallel, and gives its
// checksum.
func (s *Store) load(ctx context.Context, m bitboard.Metric, info SliceInfo, space Space, table *bitboard.Table, watch func(indices uint64)) (checksum string, err error) {
	return s.eachChunk(ctx, m, info, space, func(c *chunk, number uint64) { c.unpack(table, number) }, watch)
}

// eachChunk reads a stored slice, chunks in parallel, and computes its checksum from
// them, the way that the manifest's was computed. It calls use for each chunk, of
// which the memory is used again afterwards, and watch with the indices read, one
// call at a time.
func (s *Store) eachChunk(ctx context.Context, m bitboard.Metric, info SliceInfo, space Space, use func(c *chunk, number uint64), watch func(indices uint64)) (checksum string, err error) {
	r := s.newSliceReader(ctx, m, info, space)
	if err := ctx.Err(); err != nil { // r may be unsure
		return "", err
	}
	buffers := make([][]byte, s.opts.Workers*parallel.SlotsPerWorker)
	hash := xxh3.New()
	err = parallel.InOrder(ctx, s.opts.Workers, ChunkCount(m, info.Indices),
		func(_, slot int, number uint64) ([]byte, error) {
			if buffers[slot] == nil {
				buffers[slot] = make([]byte, maxPackedBytes)
			}
			c, _, err := r.read(number, buffers[slot])
			if err == nil {
				use(&c, number)
			}
			return c.packed, err
		},
		func(number uint64, packed []byte) error {
			watch(min(info.Indices, (number+1)*chunkIndices(m)))
			_, err := hash.Write(packed)
			return err
		})
	return fmt.Sprintf("%016x", hash.Sum64()), err
}
