package proofnumber

// A member is a node of a proof or refutation under construction.
type member[P comparable] struct {
	position P
	attacker bool   // has the move
	ended    bool   // the rules give its value
	lost     bool   // withdrawn: it does not have the verdict that was hoped for
	parent   uint32 // the member that brought it in
	turn     uint32 // for the side whose claim it is: the turn chosen
	rank     uint32
}

// A nodeSet holds members by number, in the order in which they came, and finds
// them by position: an open-addressed table of their numbers, at most half full.
type nodeSet[P comparable] struct {
	hasher hasher[P]
	list   []member[P]
	slots  []uint32 // number plus 1; 0 is empty
}

// add finds a node or brings it in.
func (s *nodeSet[P]) add(p P, attacker bool, parent uint32) (number uint32, added bool) {
	if len(s.slots) < 2*(len(s.list)+1) {
		s.grow()
	}
	slot := s.slot(&p, attacker)
	if n := s.slots[slot]; n != 0 {
		return n - 1, false
	}
	s.list = append(s.list, member[P]{position: p, attacker: attacker, parent: parent})
	s.slots[slot] = uint32(len(s.list))
	return uint32(len(s.list) - 1), true
}

// find gives the number of a node that is a member.
func (s *nodeSet[P]) find(p P, attacker bool) (number uint32, found bool) {
	n := s.slots[s.slot(&p, attacker)]
	return n - 1, n != 0
}

// holds tells whether a node is a member that was not withdrawn.
func (s *nodeSet[P]) holds(p P, attacker bool) bool {
	n, found := s.find(p, attacker)
	return found && !s.list[n].lost
}

// slot is where a node stands, or would.
func (s *nodeSet[P]) slot(p *P, attacker bool) uint64 {
	mask := uint64(len(s.slots) - 1)
	slot := s.hasher.key(p, attacker) & mask
	for n := s.slots[slot]; n != 0; n = s.slots[slot] {
		if m := &s.list[n-1]; m.position == *p && m.attacker == attacker {
			break
		}
		slot = (slot + 1) & mask
	}
	return slot
}

func (s *nodeSet[P]) grow() {
	s.slots = make([]uint32, max(1<<10, 2*len(s.slots)))
	for i := range s.list {
		m := &s.list[i]
		s.slots[s.slot(&m.position, m.attacker)] = uint32(i + 1)
	}
}

// clear empties the set and keeps its memory.
func (s *nodeSet[P]) clear() {
	s.list = s.list[:0]
	clear(s.slots)
}
