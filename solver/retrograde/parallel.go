package retrograde

import (
	"context"
	"iter"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"paika/bitboard"
)

// parallel cuts [0, total) in blocks and hands them to the workers in rising
// order. It returns the context's error if that ends the work early.
func parallel(ctx context.Context, workers int, total, block uint64, work func(worker int, lo, hi uint64)) error {
	var next atomic.Uint64
	var group errgroup.Group
	for w := range workers {
		group.Go(func() error {
			for {
				lo := next.Add(block) - block
				if lo >= total {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				work(w, lo, min(lo+block, total))
			}
		})
	}
	return group.Wait()
}

// runs cuts references in runs that lie in one slice, and gives their indices
// in a buffer that is used again for the next run.
func runs(refs []bitboard.Ref, buffer *[]uint64) iter.Seq2[bitboard.Slice, []uint64] {
	return func(yield func(bitboard.Slice, []uint64) bool) {
		for len(refs) > 0 {
			s := refs[0].Slice()
			*buffer = (*buffer)[:0]
			for len(refs) > 0 && refs[0].Slice() == s {
				*buffer = append(*buffer, refs[0].Index())
				refs = refs[1:]
			}
			if !yield(s, *buffer) {
				return
			}
		}
	}
}
