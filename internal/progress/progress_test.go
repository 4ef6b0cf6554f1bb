package progress

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

func TestEveryCallsUntilItIsStopped(t *testing.T) {
	called := make(chan struct{}, 100)
	stop := Every(t.Context(), time.Millisecond, func(context.Context) { called <- struct{}{} })
	<-called
	<-called
	stop()
	for len(called) > 0 {
		<-called
	}
	time.Sleep(5 * time.Millisecond)
	if len(called) > 0 {
		t.Error("called after stop")
	}
	stop() // may be called again
}

func TestEveryEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun := make(chan struct{})
	var once sync.Once
	stop := Every(ctx, time.Millisecond, func(ctx context.Context) {
		once.Do(func() { close(begun) })
		<-ctx.Done() // a call that goes on until it is told to end
	})
	<-begun
	cancel()
	stop()
}

func TestThereAreNoIntervalsOfZero(t *testing.T) {
	Every(t.Context(), 0, func(context.Context) { panic("never") })()
}

func TestASumCountsWhatAllHaveDone(t *testing.T) {
	var last uint64
	sum := NewSum(1000, func(done, total uint64) {
		if done != last+1 || total != 1000 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	})
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			for range 100 {
				sum.Add(1)
			}
		})
	}
	group.Wait()
	if last != 1000 {
		t.Errorf("%d of 1000", last)
	}
	NewSum(1, nil).Add(1) // nobody listens
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the context was cancelled", err)
	}
	if err := Wait(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
}

func TestAwaitEndsWithWhicheverIsFirst(t *testing.T) {
	failed := errors.New("it failed")
	if n, err := Await(t.Context(), func() (int, error) { return 5, failed }); n != 5 || err != failed {
		t.Errorf("%d, %v, want 5, %v", n, err, failed)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	end := make(chan struct{})
	defer close(end)
	n, err := Await(ctx, func() (int, error) {
		cancel()
		<-end
		return 5, nil
	})
	if n != 0 || err != context.Canceled {
		t.Errorf("%d, %v, want that the context was cancelled", n, err)
	}
}
