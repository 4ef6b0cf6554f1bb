package cdcl

// A theory's reasons are not clauses: most are never needed again, and clauses slow down
// what follows. Those that a conflict rests on become clauses, learned ones like others.

// ofTheory tells whether the reason of a literal is one that the theory gave: that leaves
// the literal out, as only a group's does otherwise.
func (s *Solver) ofTheory(reason *clause, l literal) bool {
	if len(reason.literals) == 0 || reason.literals[0] == l {
		return false
	}
	return s.chosen[reason.literals[0].variable()] != reason
}

// addLemma makes a clause of the reason that the theory gave for a literal. It watches the
// literal, and of the others the one that has become false last.
func (s *Solver) addLemma(reason *clause, l literal) {
	literals := append([]literal{l}, reason.literals...)
	last := 1
	for i, other := range literals {
		if i > 0 && s.levels[other.variable()] > s.levels[literals[last].variable()] {
			last = i
		}
	}
	literals[1], literals[last] = literals[last], literals[1]
	s.show(literals)
	s.lemmas = append(s.lemmas, &clause{literals: literals, learned: true, distance: s.distance(literals)})
}

// keepLemmas adds the theory's reasons that the last conflict rests on to the clauses
// learned. The theory only tells what is false, and these tell as well what is then true,
// and where it is not asked.
func (s *Solver) keepLemmas() {
	for _, c := range s.lemmas {
		s.watch(c)
		s.learned = append(s.learned, c)
	}
	s.lemmas = s.lemmas[:0]
}
