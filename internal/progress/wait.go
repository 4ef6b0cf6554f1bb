package progress

import (
	"context"
	"time"
)

// Wait lets some time pass. It ends sooner with the context, and gives its error then.
func Wait(ctx context.Context, long time.Duration) error {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
