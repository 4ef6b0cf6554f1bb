package parallel

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
)

// Every number is handed out once, whatever the workers and the blocks.
func TestBlocksCoverEverythingOnce(t *testing.T) {
	for _, total := range []uint64{0, 1, 63, 64, 65, 1000} {
		for _, workers := range []int{-1, 0, 1, 2, 8} {
			for _, block := range []uint64{1, 7, 64, 2000} {
				seen := make([]atomic.Int32, total)
				err := Blocks(t.Context(), workers, total, block, func(worker int, lo, hi uint64) {
					if lo >= hi || hi-lo > block || worker >= max(1, workers) {
						t.Errorf("worker %d of %d: %d to %d in blocks of %d", worker, workers, lo, hi, block)
					}
					for i := lo; i < hi; i++ {
						seen[i].Add(1)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				for i := range seen {
					if n := seen[i].Load(); n != 1 {
						t.Errorf("%d of %d was handed out %d times", i, total, n)
					}
				}
			}
		}
	}
}

func TestInOrderKeepsTheOrderWithinItsSlots(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 3, 8} {
		var used [8 * SlotsPerWorker]atomic.Bool
		var got []uint64
		err := InOrder(t.Context(), workers, 500,
			func(_, slot int, i uint64) (uint64, error) {
				if slot >= max(1, workers)*SlotsPerWorker || used[slot].Swap(true) {
					t.Errorf("slot %d is not free", slot)
				}
				return i * i, nil
			},
			func(i, v uint64) error {
				if v != i*i {
					t.Errorf("%d came with %d", i, v)
				}
				got = append(got, i)
				used[i%uint64(max(1, workers)*SlotsPerWorker)].Store(false)
				return nil
			})
		if err != nil || len(got) != 500 || !slices.IsSorted(got) {
			t.Errorf("%d workers: %d values, in order %t, %v", workers, len(got), slices.IsSorted(got), err)
		}
	}
}

func TestTheFirstErrorEndsTheWork(t *testing.T) {
	wrong := errors.New("wrong")
	err := Each(t.Context(), 4, 1<<40, func(ctx context.Context, _ int, i uint64) error {
		if i == 100 {
			return wrong
		}
		return nil
	})
	if !errors.Is(err, wrong) {
		t.Errorf("Each: %v", err)
	}
	produce := func(_, _ int, i uint64) (uint64, error) { return i, nil }
	if err := InOrder(t.Context(), 4, 1<<40, produce, func(uint64, uint64) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("InOrder: %v", err)
	}
}

func TestTheContextEndsTheWork(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := Blocks(ctx, 4, 1<<40, 1, func(_ int, lo, _ uint64) {
		if lo == 100 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
