package cdcl

// A Theory knows what follows from what has a value, beside the clauses. It is told
// of changes, so that it need not look at everything each time.
type Theory interface {
	// Falls tells that a variable has become false, Rises that one of which it was
	// told so no longer is. What a theory has excluded itself is told as well, in the
	// next round, unless it has been undone before.
	Falls(variable int)
	Rises(variable int)

	// Consequences calls Exclude for what follows. It is asked whenever nothing more
	// follows from the clauses, and again until it excludes nothing. It tells how
	// often it has looked at a variable, or the like.
	Consequences() (work int)
}

// explained is a reason that a theory gave: clauses have no part in it, and it goes
// when the trail does.
type explained struct {
	at    int // length of the trail before
	bytes uint64
}

// Ask lets a theory tell what follows.
func (s *Solver) Ask(t Theory) { s.theory = t }

// False tells whether a variable is false in the model found or, for a theory,
// as far as is known.
func (s *Solver) False(variable int) bool { return s.values[2*variable] < 0 }

// Never tells whether a variable is false in every model.
func (s *Solver) Never(variable int) bool { return s.False(variable) && s.levels[variable] == 0 }

// Level is the number of decisions that what has a value rests on.
func (s *Solver) Level() int { return len(s.limits) }

// Exclude is for a theory: it makes variables false because others are, all of which
// are false.
func (s *Solver) Exclude(variables, because []int) {
	reason := &clause{literals: make([]literal, len(because), len(because)+1)}
	for i, v := range because {
		reason.literals[i] = makeLiteral(v)
	}
	s.spend(len(because))
	if len(s.limits) > 0 {
		held := explained{len(s.trail), reasonBytes + literalBytes*uint64(len(because))}
		s.explained = append(s.explained, held)
		s.bytes += held.bytes
	}
	for _, v := range variables {
		switch l := makeLiteral(v).not(); {
		case s.values[l] == 0:
			s.assign(l, reason)
		case s.values[l] < 0:
			s.refuted = &clause{literals: append(reason.literals, l)}
			return
		}
	}
}

// consequences makes true what follows from clauses and theory, and gives a clause
// that is false if one is.
func (s *Solver) consequences() *clause {
	for {
		conflict := s.propagate()
		if conflict != nil || s.theory == nil {
			return conflict
		}
		known := len(s.trail)
		s.tell()
		s.spend(s.theory.Consequences())
		if s.refuted != nil {
			conflict, s.refuted = s.refuted, nil
			return conflict
		}
		if len(s.trail) == known {
			return nil
		}
	}
}

// tell tells the theory what has become false.
func (s *Solver) tell() {
	for ; s.told < len(s.trail); s.told++ {
		if l := s.trail[s.told]; l&1 != 0 {
			s.theory.Falls(l.variable())
		}
	}
}
