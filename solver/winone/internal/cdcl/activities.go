package cdcl

// Variables are decided by their activity: how often they had a part in conflicts, those
// of late counted most. So the search stays with one matter until it is settled. Counts
// do not decay; what is added to them grows.

const (
	decay   = 1 / 0.87
	rescale = 1e100
)

// raise makes a variable more active.
func (s *Solver) raise(v int) {
	if s.activities[v] += s.bump; s.activities[v] > rescale {
		for i := range s.activities {
			s.activities[i] /= rescale
		}
		s.bump /= rescale
	}
	s.order.rise(v)
}
