package cdcl

// turnRestarts is how many restarts pass until it is decided in another way.
const turnRestarts = 4

// decidesTrue tells whether what is decided is true now: in three turns of four. Few
// variables can be true, so that this decides the most, and proofs are short. Otherwise it
// is false, and what is true then is so because something needs it: models are found sooner.
// What is learned serves both (Oh, "Between SAT and UNSAT: the fundamental difference in
// CDCL SAT", SAT 2015).
func (s *Solver) decidesTrue() bool { return s.restarts/turnRestarts%4 != 2 }
