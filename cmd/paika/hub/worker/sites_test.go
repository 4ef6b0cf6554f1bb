package worker

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/proofs"
)

// TestASiteThatWasNotOpenedIsForNobodyElse: also where who opened it had been told meanwhile that
// its job is no longer wanted.
func TestASiteThatWasNotOpenedIsForNobodyElse(t *testing.T) {
	for i := range 64 { // who has an error and is no longer wanted hears one of both
		opened := 0
		w := &worker{Options: Options{Access: link.Inside(nil, keys.Credentials{}, nil)}, context: t.Context()}
		w.Open = func(context.Context, proofs.Setting, string, *share.Supply) (share.Site, error) {
			opened++
			return nil, fmt.Errorf("%w: %d", errOpened, opened)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := w.acquire(gone, share.Task{}); err == nil {
			t.Fatal("want an error")
		}
		_, err := w.acquire(t.Context(), share.Task{})
		if want := fmt.Sprintf("%v: %d", errOpened, 2); err == nil || err.Error() != want {
			t.Fatalf("%d: %v, want %s", i, err, want)
		}
		if w.memory.there != nil || w.memory.users > 0 {
			t.Fatalf("%d: a site is left", i)
		}
	}
}

var errOpened = errors.New("not opened")
