package cdcl

// turnRestarts is how many restarts pass until it is decided in another way.
const turnRestarts = 4

// decidesTrue tells whether what is decided is true now: in three turns of four. Few
// variables can be true, so that this decides the most, and proofs are short. Otherwise it
// is false, and what is true then is so because something needs it: models are found sooner.
// What is learned serves both (Oh, "Between SAT and UNSAT: the fundamental difference in
// CDCL SAT", SAT 2015).
func (s *Solver) decidesTrue() bool { return s.restarts/turnRestarts%4 != 2 }

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
