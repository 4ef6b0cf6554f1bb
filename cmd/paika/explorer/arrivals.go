package explorer

import (
	"sync"
	"time"
)

// lookEvery is the least time between two looks for new tables.
const lookEvery = 2 * time.Second

// arrivals is the state of looking for tables that have come.
type arrivals struct {
	mu     sync.Mutex // held while somebody looks
	looked time.Time
}

// look serves tables that have come since somebody looked, unless that was just now
// or another request is at it.
func (s *Server) look() {
	if s.config.More == nil || !s.arrivals.mu.TryLock() {
		return
	}
	defer s.arrivals.mu.Unlock()
	if time.Since(s.arrivals.looked) < lookEvery {
		return
	}
	s.views.add(s.config.More())
	s.arrivals.looked = time.Now()
}
