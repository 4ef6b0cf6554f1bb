package tablebase

import (
	"context"
	"fmt"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
)

// load fills the table of a stored slice, chunks in parallel, and computes its
// checksum from them, the way that the manifest's was computed.
func (s *Store) load(ctx context.Context, m bitboard.Metric, info SliceInfo, mask bitboard.HeldMask, table *bitboard.Table, watch func(indices uint64)) (checksum string, err error) {
	r := s.newSliceReader(m, info, mask)
	buffers := make([][]byte, s.opts.Workers*slotsPerWorker)
	hash := xxh3.New()
	err = inOrder(ctx, s.opts.Workers, chunkCount(m, info.Indices),
		func(_, slot int, number uint64) ([]byte, error) {
			if buffers[slot] == nil {
				buffers[slot] = make([]byte, maxPackedBytes)
			}
			c, _, err := r.read(number, buffers[slot])
			if err == nil {
				c.unpack(table, number)
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
