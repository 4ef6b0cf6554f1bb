package cdcl

// A group of n variables of which one at most is true would take n² clauses. Here a list
// does that is read once one of them is true.

// AtMostOne says that no two of some variables are true. It takes a place of memory
// for each, and is told before the first Run.
func (s *Solver) AtMostOne(variables ...int) {
	group := make([]literal, len(variables))
	for i, v := range variables {
		group[i] = makeLiteral(v).not()
		s.groups[v] = append(s.groups[v], group)
		if s.chosen[v] == nil {
			s.chosen[v] = &clause{literals: []literal{group[i]}}
		}
	}
	s.bytes += groupBytes * uint64(len(variables))
	s.done = 0 // what is true already has not met the group
}

// choose makes the other variables of a true one's groups false.
func (s *Solver) choose(v int) *clause {
	for _, group := range s.groups[v] {
		for _, l := range group {
			switch {
			case s.values[l] == 0:
				s.assign(l, s.chosen[v])
			case s.values[l] < 0 && l.variable() != v:
				return &clause{literals: []literal{makeLiteral(v).not(), l}}
			}
		}
	}
	return nil
}
