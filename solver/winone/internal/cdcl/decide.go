package cdcl

// First lets variables be decided before all others, whatever their activity.
func (s *Solver) First(variables ...int) {
	for _, v := range variables {
		s.order.first[v] = true
		s.order.rise(v)
	}
}

// decide gives the most active open variable a value, on a new level. It tells false if
// none is open.
func (s *Solver) decide() bool {
	for s.order.size() > 0 {
		v := s.order.pop()
		if s.values[2*v] != 0 {
			continue
		}
		l := makeLiteral(v)
		if !s.decidesTrue() {
			l = l.not()
		}
		s.limits = append(s.limits, len(s.trail))
		s.assign(l, nil)
		return true
	}
	return false
}
