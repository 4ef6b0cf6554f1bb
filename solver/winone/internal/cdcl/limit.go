package cdcl

// Learned clauses and the theory's reasons grow without bound. What they take is counted, not
// measured, so that the solver does the same on every machine.

// What variables and clauses take, in bytes: measured. Watches lie in lists that
// have room to grow.
const (
	variableBytes = 160
	groupBytes    = 120
	clauseBytes   = 144 // two watches included
	literalBytes  = 5
	reasonBytes   = 96 // that a theory gave
)

// stopEvery is how much work passes between two questions whether to stop.
const stopEvery = 1 << 17

// bytes is about what a clause takes that is watched.
func (c *clause) bytes() uint64 { return clauseBytes + literalBytes*uint64(len(c.literals)) }

// Limit bounds what the solver holds, in bytes; 0 is no bound. It drops learned
// clauses earlier then, and Run tells Full where that does not help. Run asks
// stop, if there is one, now and then, and ends once it tells true.
func (s *Solver) Limit(bytes uint64, stop func() bool) {
	s.most, s.stop, s.crowded = bytes, stop, false
}

// stopped asks whether to stop, once enough has been done since the last time.
func (s *Solver) stopped() bool {
	if s.stop == nil || s.passed < stopEvery {
		return false
	}
	s.passed = 0
	return s.stop()
}

// fit drops learned clauses where the solver holds more than it may, and tells
// whether it holds no more than that now.
func (s *Solver) fit() bool {
	if s.most == 0 || s.bytes <= s.most {
		return true
	}
	s.backtrack(0)
	s.reduce()
	return s.bytes <= s.most
}

// Work is how much the solver has done since it was made: looks at clauses that watch a
// literal, at the literals of the theory's reasons, and what the theory has told.
func (s *Solver) Work() uint64 { return s.work }

// spend counts work.
func (s *Solver) spend(work int) {
	s.passed += work
	s.work += uint64(work)
}

// Bytes is about what the solver holds.
func (s *Solver) Bytes() uint64 { return s.bytes }
