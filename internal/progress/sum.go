package progress

import "sync"

// Sum adds up what workers have done, and reports it with every piece. It is safe for
// concurrent use.
type Sum struct {
	report func(done, total uint64)

	mu          sync.Mutex
	done, total uint64
}

// NewSum makes the sum of work of that size. report, which may be nil, is called by
// the workers, one at a time.
func NewSum(total uint64, report func(done, total uint64)) *Sum {
	return &Sum{report: report, total: total}
}

// Add adds n to what is done.
func (s *Sum) Add(n uint64) {
	if s.report == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done += n
	s.report(s.done, s.total)
}
