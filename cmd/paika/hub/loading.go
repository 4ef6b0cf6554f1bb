package hub

import (
	"paika/internal/progress"
)

// loadPauses is how often within a lease a hub could begin to load tables: so long it leaves them
// where they are, unless it needs them.
const loadPauses = 6

// loadLater has the tables of a question loaded after a while, so that they are there when a part
// comes. Until then the cores of the hub's machine are for workers on it, which load the same.
func (h *Hub) loadLater(q *asked) {
	s := q.search
	h.spawn(func() {
		if progress.Wait(h.context, h.options.Lease/loadPauses) == nil {
			h.loadNow(q, s)
		}
	})
}

// loadNow has the tables of a search loaded, and returns when they are. Where that fails the
// question does.
func (h *Hub) loadNow(q *asked, s *search) {
	h.mutex.Lock()
	if s == nil || q.search != s {
		h.mutex.Unlock()
		return
	}
	s.checks.Add(1)
	h.mutex.Unlock()
	err := s.load(h.context)
	s.checks.Done()
	if err == nil || h.context.Err() != nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if q.search == s {
		h.failed(q, err)
	}
}

// loadFor does so for a result: what it says of a position can make the hub look at those that
// follow.
func (h *Hub) loadFor(question string) {
	h.mutex.Lock()
	q := h.questions[question]
	if q == nil {
		h.mutex.Unlock()
		return
	}
	s := q.search
	h.mutex.Unlock()
	h.loadNow(q, s)
}
