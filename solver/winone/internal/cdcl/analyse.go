package cdcl

import "slices"

// What is learned from a conflict is the clause of the first unique implication point: of
// all clauses that the conflict gives by resolution and that have one literal of the
// present level, the nearest to the conflict. It is mostly short, and tells something
// new on a level as low as any of them (Zhang, Madigan, Moskewicz and Malik, "Efficient
// conflict driven learning in a Boolean satisfiability solver", ICCAD 2001).

// learn derives the clause of the first unique implication point from one that
// is false, goes back to where it becomes a unit, and adds it.
func (s *Solver) learn(conflict *clause) {
	literals := s.analyse(conflict)
	back := 0
	for i := 1; i < len(literals); i++ {
		if level := int(s.levels[literals[i].variable()]); level > back {
			back = level
			literals[1], literals[i] = literals[i], literals[1]
		}
	}
	c := &clause{literals: slices.Clone(literals), learned: true, distance: s.distance(literals)}
	s.show(literals)
	s.backtrack(back)
	s.keepLemmas()
	if len(literals) == 1 {
		s.assign(literals[0], nil)
	} else {
		s.watch(c)
		s.learned = append(s.learned, c)
		s.assign(literals[0], c)
	}
	s.bump *= decay
}

// analyse resolves backwards along the trail until one literal of the present
// level is left, which comes first.
func (s *Solver) analyse(conflict *clause) []literal {
	literals := make([]literal, 1)
	open, at := 0, len(s.trail)
	s.met++
	for c := conflict; ; {
		s.use(c)
		for _, l := range c.literals {
			v := l.variable()
			if s.seen[v] || s.values[l] > 0 || s.levels[v] == 0 {
				continue
			}
			s.seen[v] = true
			s.raise(v)
			if int(s.levels[v]) == len(s.limits) {
				open++
			} else {
				literals = append(literals, l)
			}
		}
		for at--; !s.seen[s.trail[at].variable()]; at-- {
		}
		l := s.trail[at]
		if open--; open == 0 {
			literals[0] = l.not()
			s.seen[l.variable()] = false
			break
		}
		s.seen[l.variable()] = false
		if c = s.reasons[l.variable()]; s.ofTheory(c, l) {
			s.addLemma(c, l)
		}
	}
	return s.minimize(literals)
}
