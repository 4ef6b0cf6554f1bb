package tablebase

import (
	"context"

	"paika/bitboard"
)

// load fills the table of a stored slice, chunks in parallel.
func (s *Store) load(ctx context.Context, m bitboard.Metric, info SliceInfo, mask bitboard.HeldMask, table *bitboard.Table) error {
	r := s.newSliceReader(m, info, mask)
	buffers := make([][]byte, s.opts.Workers)
	for i := range buffers {
		buffers[i] = make([]byte, maxPackedBytes)
	}
	return forEach(ctx, s.opts.Workers, chunkCount(m, info.Indices),
		func(_ context.Context, worker int, number uint64) error {
			c, _, err := r.read(number, buffers[worker])
			if err == nil {
				c.unpack(table, number)
			}
			return err
		})
}
