package cdcl

import "slices"

// Learned clauses slow down what follows, and most are of no more use soon. Those whose
// literals come from few levels stay useful: once all but one of a level's are false, the
// rest mostly are as well (Audemard and Simon). Others are worth something as long as
// conflicts use them (Oh).

const (
	firstKeep = 2000 // learned clauses before half of them go the first time
	moreKeep  = 300  // more each time

	lasting = 2 // clauses of no greater distance are never dropped
	near    = 6 // and those of no greater one after the others
)

// use notes that a learned clause has a part in a conflict.
func (s *Solver) use(c *clause) {
	if !c.learned {
		return
	}
	c.used = s.met
	if c.distance > lasting {
		c.distance = min(c.distance, s.distance(c.literals))
	}
}

// distance is the number of levels that literals come from.
func (s *Solver) distance(literals []literal) int {
	s.counted++
	n := 0
	for _, l := range literals {
		if mark := &s.marks[s.levels[l.variable()]]; *mark != s.counted {
			*mark = s.counted
			n++
		}
	}
	return n
}

// reduce drops half of the learned clauses: of those that are not near the ones that have
// not been used for the longest time, then the others by their distance. It is called at
// level 0.
func (s *Solver) reduce() {
	slices.SortStableFunc(s.learned, func(a, b *clause) int {
		switch {
		case a.distance > near && b.distance > near:
			return b.used - a.used
		default:
			return a.distance - b.distance
		}
	})
	half := len(s.learned) / 2
	kept := s.learned[:half]
	for _, c := range s.learned[half:] {
		locked := s.reasons[c.literals[0].variable()] == c && s.values[c.literals[0]] > 0
		if c.distance <= lasting || locked {
			kept = append(kept, c)
		} else {
			c.dropped = true
			s.bytes -= c.bytes()
		}
	}
	clear(s.learned[len(kept):])
	s.learned = kept
	s.sweep()
}

// sweep takes the clauses that were dropped out of the lists of watches, which
// would hold them in memory, and the room that these no longer need.
func (s *Solver) sweep() {
	for l, list := range s.watches {
		list = slices.DeleteFunc(list, func(w watch) bool { return w.clause.dropped })
		if cap(list) > 2*len(list) {
			list = slices.Clone(list)
		}
		s.watches[l] = list
	}
}
