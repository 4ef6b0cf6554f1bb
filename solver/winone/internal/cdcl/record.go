package cdcl

// Record shows each clause that is learned or kept of the theory's reasons, as variables
// and their negatives, before it is used: it follows from what the solver was told, from
// the theory, and from those before it, by propagation alone. (Goldberg and Novikov,
// "Verification of proofs of unsatisfiability for CNF formulas", DATE 2003.)
func (s *Solver) Record(learned func(clause []int)) { s.record = learned }

// show records a clause.
func (s *Solver) show(literals []literal) {
	if s.record == nil {
		return
	}
	shown := make([]int, len(literals))
	for i, l := range literals {
		shown[i] = l.variable()
		if l&1 != 0 {
			shown[i] = -shown[i]
		}
	}
	s.record(shown)
}
