package cdcl

import "slices"

// A clause of fewer literals forbids more, and is a unit sooner. Some literals of one that is
// learned are false because others of it are, by reasons on the trail: without them it
// says as much.

// minimize leaves out the literals that follow from others of the clause (Sörensson
// and Biere, "Minimizing learned clauses", SAT 2009), and forgets which variables
// were seen.
func (s *Solver) minimize(literals []literal) []literal {
	kept := literals[:1]
	all := slices.Clone(literals[1:])
	s.touched = s.touched[:0]
	for _, l := range all {
		if !s.implied(l, 0) {
			kept = append(kept, l)
		}
	}
	for _, l := range all {
		s.seen[l.variable()] = false
	}
	for _, v := range s.touched {
		s.proved[v] = unknown
	}
	return kept
}

// proof is what is known of a variable that is not in a clause being minimized.
type proof int8

const (
	unknown proof = iota
	follows       // from variables of the clause
	stands        // alone
)

// deepest bounds how deep reasons of reasons are looked at.
const deepest = 1000

// implied tells whether all other literals of the reason of one are in the clause,
// false for good, or implied in turn.
func (s *Solver) implied(l literal, depth int) bool {
	reason := s.reasons[l.variable()]
	if reason == nil || depth == deepest {
		return false
	}
	for _, other := range reason.literals {
		v := other.variable()
		if v == l.variable() || s.seen[v] || s.levels[v] == 0 {
			continue
		}
		if s.proved[v] == unknown {
			s.touched = append(s.touched, v)
			s.proved[v] = follows
			if !s.implied(other, depth+1) {
				s.proved[v] = stands
			}
		}
		if s.proved[v] == stands {
			return false
		}
	}
	return true
}
