package parallel

import (
	"cmp"
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Each calls do for every i below n, on several workers at once. The first error ends
// it, and the context that the others have, and so does ctx.
func Each(ctx context.Context, workers int, n uint64, do func(ctx context.Context, worker int, i uint64) error) error {
	group, inner := errgroup.WithContext(ctx)
	var next atomic.Uint64
	for worker := range max(1, workers) {
		group.Go(func() error {
			for i := next.Add(1) - 1; i < n; i = next.Add(1) - 1 {
				if err := cmp.Or(ctx.Err(), inner.Err()); err != nil {
					return err
				}
				if err := do(inner, worker, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// Blocks cuts the numbers below total in blocks and hands them to the workers: those
// from lo on and below hi. It returns the context's error if that ends the work early.
func Blocks(ctx context.Context, workers int, total, block uint64, work func(worker int, lo, hi uint64)) error {
	return Each(ctx, workers, (total+block-1)/block, func(_ context.Context, worker int, i uint64) error {
		lo := i * block
		work(worker, lo, min(lo+block, total))
		return nil
	})
}

// SlotsPerWorker is how far the producers of InOrder may run ahead of the consumer.
const SlotsPerWorker = 4

// InOrder produces a value for every i below n on several workers and hands
// them to consume one at a time, in rising order. The first error ends it.
//
// No more than workers*SlotsPerWorker values exist at once, each in a slot
// that is free again when consume returns; produce may keep buffers by slot.
func InOrder[T any](ctx context.Context, workers int, n uint64,
	produce func(worker, slot int, i uint64) (T, error), consume func(i uint64, v T) error) error {
	workers = max(1, workers)
	slots := makeSlots[T](workers * SlotsPerWorker)
	free := make(chan struct{}, len(slots))
	for range slots {
		free <- struct{}{}
	}
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Uint64
	for worker := range workers {
		group.Go(func() error {
			for {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-free:
				}
				i := next.Add(1) - 1
				if i >= n {
					return nil
				}
				slot := int(i % uint64(len(slots)))
				v, err := produce(worker, slot, i)
				if err != nil {
					return err
				}
				slots[slot] <- v
			}
		})
	}
	group.Go(func() error {
		for i := range n {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case v := <-slots[i%uint64(len(slots))]:
				if err := consume(i, v); err != nil {
					return err
				}
			}
			free <- struct{}{}
		}
		return nil
	})
	return group.Wait()
}

func makeSlots[T any](n int) []chan T {
	slots := make([]chan T, n)
	for i := range slots {
		slots[i] = make(chan T, 1)
	}
	return slots
}
