package hub

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/proofs"
)

// measured has a hub tell workers of questions that come.
func measured(o *Options) {
	o.Measure = func(proofs.Setting) ([]proofs.Table, uint64, error) { return nil, 0, nil }
}

// workWith has a worker at work that opens sites by a function.
func workWith(t *testing.T, h *Hub, open share.Opener) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	o := worker.Options{Access: h.Inside(), Name: "w", Version: version, Lanes: 1, Table: 1 << 20, Sets: 1 << 20, Dir: t.TempDir(), Open: open}
	group.Go(func() {
		if err := worker.Work(ctx, o); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); group.Wait() })
	for len(h.Status().Workers) == 0 {
		time.Sleep(time.Millisecond)
	}
}

// waiting is a hub that loads tables once a worker does.
func waiting(t *testing.T, g *game) (h *Hub, loads chan struct{}) {
	t.Helper()
	loads = make(chan struct{})
	return startHub(t, t.TempDir(), func(o *Options) {
		measured(o)
		o.Open = func(ctx context.Context, _ proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
			select {
			case <-loads:
				return g.open(ctx)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}), loads
}

// TestWorkersLoadTablesBesideTheHub, which here waits until they do.
func TestWorkersLoadTablesBesideTheHub(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h, loads := waiting(t, g)
	var opened atomic.Int32
	workWith(t, h, func(ctx context.Context, _ proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
		if opened.Add(1) == 1 {
			close(loads)
		}
		return g.open(ctx)
	})
	answered(t, dial(t, h.Inside()), g, "white-wins")
	if many := opened.Load(); many != 1 {
		t.Errorf("the tables were loaded %d times", many)
	}
}

// TestTablesThatCantBeLoadedEarlyAreLoadedForTheJob, though that waits for them already.
func TestTablesThatCantBeLoadedEarlyAreLoadedForTheJob(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h, loads := waiting(t, g)
	var opened atomic.Int32
	workWith(t, h, func(ctx context.Context, _ proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
		if opened.Add(1) > 1 {
			return g.open(ctx)
		}
		close(loads)
		for !started(h, "w") {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond) // until it sits down
		return nil, errors.New("not yet")
	})
	answered(t, dial(t, h.Inside()), g, "white-wins")
}

// started tells whether a worker has said that it has a job.
func started(h *Hub, name string) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, g := range h.out {
		if g.worker.name == name {
			return true
		}
	}
	return false
}

// TestTablesOfAnotherQuestionMakeWay: those for which the hub still waits are no longer loaded
// once there is a job of another question.
func TestTablesOfAnotherQuestionMakeWay(t *testing.T) {
	slow, g := fanoronaOn(t, 5, 3), fanoronaOn(t, 3, 3)
	never := func(ctx context.Context) (share.Site, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	h := startHub(t, t.TempDir(), func(o *Options) {
		measured(o)
		o.Open = func(ctx context.Context, s proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
			if s == slow.setting {
				return never(ctx)
			}
			return g.open(ctx)
		}
	}, g)
	var loading atomic.Bool
	workWith(t, h, func(ctx context.Context, s proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
		if s == slow.setting {
			loading.Store(true)
			defer loading.Store(false)
			return never(ctx)
		}
		if loading.Load() {
			t.Error("tables of two questions are loaded at a time")
		}
		return g.open(ctx)
	})
	c := dial(t, h.Inside())
	if s, err := c.Ask(t.Context(), slow.question("white-wins")); err != nil || s.Stage != wire.Preparing {
		t.Fatal(s.Stage, err)
	}
	for !loading.Load() {
		time.Sleep(time.Millisecond)
	}
	answered(t, c, g, "white-wins")
}
