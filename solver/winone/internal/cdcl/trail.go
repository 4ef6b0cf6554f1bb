package cdcl

// assign makes a literal true, for a reason or, without one, at the present
// level.
func (s *Solver) assign(l literal, reason *clause) {
	s.values[l], s.values[l.not()] = 1, -1
	s.levels[l.variable()], s.reasons[l.variable()] = int32(len(s.limits)), reason
	s.trail = append(s.trail, l)
}

// backtrack undoes the levels above one.
func (s *Solver) backtrack(level int) {
	if len(s.limits) <= level {
		return
	}
	keep := s.limits[level]
	for i, l := range s.trail[keep:] {
		s.values[l], s.values[l.not()] = 0, 0
		s.reasons[l.variable()] = nil
		s.order.push(l.variable())
		if l&1 != 0 && keep+i < s.told {
			s.theory.Rises(l.variable())
		}
	}
	s.trail, s.limits, s.done = s.trail[:keep], s.limits[:level], keep
	s.told = min(s.told, keep)
	for n := len(s.explained); n > 0 && s.explained[n-1].at >= keep; n-- {
		s.bytes -= s.explained[n-1].bytes
		s.explained = s.explained[:n-1]
	}
}

// level is the highest that literals of a false clause come from: the present one,
// unless a theory found it.
func (s *Solver) level(c *clause) int {
	level := int32(0)
	for _, l := range c.literals {
		level = max(level, s.levels[l.variable()])
	}
	return int(level)
}
