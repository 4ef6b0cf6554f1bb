package hub

import "slices"

// inTurn is a part that is checked, or about to be.
type inTurn struct {
	position string
	size     int64         // bytes of its file
	over     chan struct{} // closed when the check is
}

// takeTurn waits until no part of the same position is checked that has to be waited for: once one
// is taken up no other is wanted, and a check takes all cores that the hub has for it. A much
// larger one is not waited for. Then it waits for a place among all checks. It tells false where
// the hub ends first.
func (h *Hub) takeTurn(s *underway, position string, size int64) (leave func(), taken bool) {
	for {
		h.mutex.Lock()
		other := s.ahead(position, size)
		if other == nil {
			mine := &inTurn{position, size, make(chan struct{})}
			s.inTurn = append(s.inTurn, mine)
			h.mutex.Unlock()
			return h.takePlace(s, mine)
		}
		h.mutex.Unlock()
		select {
		case <-other.over:
		case <-h.context.Done():
			return nil, false
		}
	}
}

// takePlace waits for a place among all checks.
func (h *Hub) takePlace(s *underway, mine *inTurn) (leave func(), taken bool) {
	select {
	case h.checks <- struct{}{}:
		return func() { <-h.checks; h.leaveTurn(s, mine) }, true
	case <-h.context.Done():
		h.leaveTurn(s, mine)
		return nil, false
	}
}

// muchLarger is how many times as large a file is that is not waited for.
const muchLarger = 2

// ahead is a check that is waited for by a part of a position; nil if there is none. The mutex is
// held.
func (s *underway) ahead(position string, size int64) *inTurn {
	for _, other := range s.inTurn {
		if other.position == position && other.size <= muchLarger*size {
			return other
		}
	}
	return nil
}

// leaveTurn ends a check.
func (h *Hub) leaveTurn(s *underway, mine *inTurn) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	s.inTurn = slices.DeleteFunc(s.inTurn, func(other *inTurn) bool { return other == mine })
	close(mine.over)
}
