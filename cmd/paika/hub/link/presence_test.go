package link

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
)

// TestPresenceTellsOnceThatNobodyAnswers, and that somebody does again. What one request meets is no
// news, nor is what requests meet whose connection is gone: that is told where it ends.
func TestPresenceTellsOnceThatNobodyAnswers(t *testing.T) {
	const connected = true
	silent, absent := fmt.Errorf("a request: %w", context.DeadlineExceeded), fmt.Errorf("a request: %w", nats.ErrNoResponders)
	synctest.Test(t, func(t *testing.T) {
		var told, want []string
		p := &presence{url: "here", tell: func(text string) { told = append(told, text) }}
		for i, step := range []struct {
			err       error
			connected bool
			tells     string
		}{
			{nil, connected, ""},
			{silent, connected, ""},
			{nil, connected, ""},
			{silent, connected, ""},
			{silent, connected, "the hub at here does not answer, and is waited for"},
			{silent, connected, ""},
			{absent, connected, ""},
			{nil, connected, "the hub at here is back"},
			{absent, connected, ""},
			{context.Canceled, connected, ""},
			{absent, connected, "the hub at here is away, and is waited for"},
			{silent, connected, ""},
			{nil, connected, "the hub at here is back"},
			{silent, !connected, ""},
			{silent, !connected, ""},
		} {
			time.Sleep(silentAfter + time.Second)
			if step.tells != "" {
				want = append(want, step.tells)
			}
			if p.hear(step.err, step.connected); !slices.Equal(told, want) {
				t.Fatalf("step %d: told %q, want %q", i, told, want)
			}
		}
	})
}
