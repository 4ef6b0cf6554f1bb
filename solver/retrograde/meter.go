package retrograde

import (
	"sync"
	"sync/atomic"
	"time"
)

// A meter tells how far a build is. Work on an index is counted in shares, of
// which an index has indexShares in all.
type meter struct {
	shares atomic.Uint64
	total  uint64 // indices
	report func(Progress)

	mu           sync.Mutex
	group, phase string

	stop chan struct{}
	done sync.WaitGroup
}

const (
	settleShares    = 4
	sweepShares     = 2 // of the first sweep alone
	propagateShares = 1
	saveShares      = 1
	indexShares     = settleShares + sweepShares + propagateShares + saveShares
)

const reportInterval = 200 * time.Millisecond

// startMeter makes a meter that reports until it is closed.
func startMeter(total uint64, report func(Progress)) *meter {
	m := &meter{total: total, report: report, stop: make(chan struct{})}
	if report == nil {
		return m
	}
	m.done.Go(func() {
		tick := time.NewTicker(reportInterval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				report(m.progress())
			case <-m.stop:
				report(m.progress())
				return
			}
		}
	})
	return m
}

func (m *meter) close() {
	close(m.stop)
	m.done.Wait()
}

func (m *meter) enter(group, phase string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.group, m.phase = group, phase
}

// add counts some shares of work on each of n indices.
func (m *meter) add(n, shares uint64) { m.shares.Add(n * shares) }

func (m *meter) progress() Progress {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Progress{Group: m.group, Phase: m.phase, Done: m.shares.Load() / indexShares, Total: m.total}
}
