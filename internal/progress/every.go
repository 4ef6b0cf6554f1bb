package progress

import (
	"context"
	"sync"
	"time"
)

// Every calls do at intervals, one call at a time, until the function that it gives is
// called or the context ends. do is told by its context when one of them has come.
// stop returns when no call is under way any more; it may be called again. There are
// no intervals of 0: nothing is called then.
func Every(ctx context.Context, interval time.Duration, do func(context.Context)) (stop func()) {
	if interval <= 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var calling sync.WaitGroup
	calling.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				do(ctx)
			case <-ctx.Done():
				return
			}
		}
	})
	return func() { cancel(); calling.Wait() }
}
