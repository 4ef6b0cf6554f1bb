package cdcl

// Each clause has two literals watched, neither of which is false unless the clause has
// nothing more to tell. So it is looked at only when one of them becomes false, and
// nothing is undone when the solver goes back (Moskewicz, Madigan, Zhao, Zhang and Malik,
// "Chaff: engineering an efficient SAT solver", DAC 2001). The blocker spares most looks.

// watch is a clause to look at when a literal becomes false. If the blocker is
// true there is no need to.
type watch struct {
	clause  *clause
	blocker literal
}

func (s *Solver) watch(c *clause) {
	s.bytes += c.bytes()
	a, b := c.literals[0], c.literals[1]
	s.watches[a] = append(s.watches[a], watch{c, b})
	s.watches[b] = append(s.watches[b], watch{c, a})
}

// propagate makes true what follows, and gives a clause that is false if one
// is.
func (s *Solver) propagate() *clause {
	for s.done < len(s.trail) {
		l := s.trail[s.done]
		lost := l.not()
		s.done++
		s.spend(1 + len(s.watches[lost]))
		if l&1 == 0 {
			if conflict := s.choose(l.variable()); conflict != nil {
				return conflict
			}
		}
		if conflict := s.visit(lost); conflict != nil {
			return conflict
		}
	}
	return nil
}

// visit looks at the clauses that watch a literal which has become false.
func (s *Solver) visit(lost literal) *clause {
	list := s.watches[lost]
	kept := list[:0]
	for i, w := range list {
		if s.values[w.blocker] > 0 {
			kept = append(kept, w)
			continue
		}
		c := w.clause
		if c.literals[0] == lost {
			c.literals[0], c.literals[1] = c.literals[1], c.literals[0]
		}
		first := c.literals[0]
		if s.values[first] > 0 {
			kept = append(kept, watch{c, first})
			continue
		}
		if s.move(c) {
			continue
		}
		kept = append(kept, watch{c, first})
		if s.values[first] < 0 {
			s.watches[lost] = append(kept, list[i+1:]...)
			return c
		}
		s.assign(first, c)
	}
	s.watches[lost] = kept
	return nil
}

// move lets a clause watch another literal instead of its second, if one is not
// false.
func (s *Solver) move(c *clause) bool {
	for k := 2; k < len(c.literals); k++ {
		if l := c.literals[k]; s.values[l] >= 0 {
			c.literals[1], c.literals[k] = l, c.literals[1]
			s.watches[l] = append(s.watches[l], watch{c, c.literals[0]})
			return true
		}
	}
	return false
}
