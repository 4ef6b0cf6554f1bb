package retrograde

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"paika/internal/progress"
)

// A meter tells how far a build is. Work on an index is counted in shares, of
// which an index has indexShares in all.
type meter struct {
	shares  atomic.Uint64
	earlier atomic.Uint64 // shares of these that builds before did
	total   uint64        // shares
	report  func(Progress)
	told    func(group, phase string) // when one begins

	mu           sync.Mutex
	group, phase string

	stop func()
}

const (
	settleShares    = 4 // the same to complete what is stored
	sweepShares     = 2 // of the first sweep alone
	propagateShares = 1
	saveShares      = 1
	indexShares     = settleShares + sweepShares + propagateShares + saveShares
)

const reportInterval = 200 * time.Millisecond

// startMeter reports until close is called, and a last time then. Total is in shares.
func startMeter(total uint64, report func(Progress), told func(group, phase string)) *meter {
	m := &meter{total: total, report: report, told: told}
	if report != nil {
		m.stop = progress.Every(context.Background(), reportInterval, func(context.Context) { report(m.progress()) })
	}
	return m
}

func (m *meter) close() {
	if m.report != nil {
		m.stop()
		m.report(m.progress())
	}
}

func (m *meter) enter(group, phase string) {
	if m.told != nil {
		m.told(group, phase)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.group, m.phase = group, phase
}

// add counts some shares of work on each of n indices.
func (m *meter) add(n, shares uint64) { m.shares.Add(n * shares) }

// addEarlier counts some shares of work on each of n indices that a build before did.
func (m *meter) addEarlier(n, shares uint64) {
	m.add(n, shares)
	m.earlier.Add(n * shares)
}

func (m *meter) progress() Progress {
	m.mu.Lock()
	defer m.mu.Unlock()
	earlier := m.earlier.Load() // no more than shares, which rise after it
	return Progress{Group: m.group, Phase: m.phase, Done: m.shares.Load() / indexShares, Total: m.total / indexShares, Earlier: earlier / indexShares}
}
