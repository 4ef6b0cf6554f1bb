package cdcl

// A search that decided badly at first may take long to get back there. It begins anew
// after some conflicts, mostly few and seldom many, and keeps what it has learned (Luby,
// Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms", Information
// Processing Letters 47, 1993).

// restartUnit is the number of conflicts before the first restart.
const restartUnit = 16

// restart goes back to level 0 when it is time, and drops learned clauses there once they
// are too many.
func (s *Solver) restart() {
	if s.conflicts < restartUnit*Luby(s.restarts) {
		return
	}
	s.conflicts = 0
	s.restarts++
	s.backtrack(0)
	if len(s.learned) >= s.keep {
		s.keep += moreKeep
		s.reduce()
	}
}

// Luby is term i, from 0, of the sequence 1, 1, 2, 1, 1, 2, 4, ...
func Luby(i uint64) uint64 {
	size, power := uint64(1), uint64(1)
	for size < i+1 {
		size, power = 2*size+1, 2*power
	}
	for size-1 != i {
		size, power = (size-1)/2, power/2
		i %= size
	}
	return power
}
