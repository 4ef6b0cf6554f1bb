package tablebase

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// forEach calls do for every i below n, on several workers at once, each with
// a number of its own. The first error ends it, and so does ctx.
func forEach(ctx context.Context, workers int, n uint64, do func(ctx context.Context, worker int, i uint64) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Uint64
	for worker := range workers {
		group.Go(func() error {
			for i := next.Add(1) - 1; i < n; i = next.Add(1) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := do(ctx, worker, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// slotsPerWorker is how far producers may run ahead of the consumer.
const slotsPerWorker = 4

// inOrder produces a value for every i below n on several workers and hands
// them to consume one at a time, in rising order.
//
// No more than workers*slotsPerWorker values exist at once, each in a slot
// that is free again when consume returns; produce may keep buffers by slot.
func inOrder[T any](ctx context.Context, workers int, n uint64,
	produce func(worker, slot int, i uint64) (T, error), consume func(i uint64, v T) error) error {
	slots := makeSlots[T](workers * slotsPerWorker)
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
