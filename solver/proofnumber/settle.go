package proofnumber

import (
	"errors"
	"fmt"
)

// ErrContradiction says that a position which the table has as proved turns out
// refuted: two positions share a key, or the table was changed from outside.
var ErrContradiction = errors.New("the transposition table contradicts itself")

// ErrTableTooSmall says that what a search had found was lost from the
// transposition table again and again before it could be put together.
var ErrTableTooSmall = errors.New("the transposition table is too small for this question")

// patience bounds the work of a settler: looks for each member of its largest
// set, and new searches of one node. Where the table keeps what it is given,
// both stay far below.
const (
	patience      = 10_000
	againPatience = 100
)

// A settler turns what a search believes into a structure that stands by
// itself: for a refutation a set of nodes that the attacker can't leave, for a
// proof one in which every line comes to an end. It looks at every node with the
// rules and the tables, and searches again what the transposition table lost.
type settler[P comparable] struct {
	*worker[P]
	goal    Verdict
	members nodeSet[P]
	pending []uint32 // members to be looked at
	node    frame[P] // the member looked at
	looks   int
	largest int  // most members of a set so far
	lost    bool // a member was lost since the set was begun
	edges   []edge
}

// edge leads from a member to one that its rank depends on.
type edge struct{ from, to uint32 }

func newSettler[P comparable](w *worker[P], goal Verdict) *settler[P] {
	s := &settler[P]{worker: w, goal: goal, members: nodeSet[P]{hasher: w.hasher}}
	if goal == Refuted {
		w.set = &s.members
	}
	return s
}

// settle builds the structure for a node, and gives the verdict that comes out.
//
// A refutation can turn into a proof, since what a search believes refuted may
// rest on repeating a position that the attacker wins after all. Each correction
// adds a fact to the table, and the structure is built again until none is
// needed. The verdict is Undecided if the run ends first, and ErrTableTooSmall
// the error if corrections are lost as fast as they are made.
func (s *settler[P]) settle(p P, attacker bool) (Verdict, error) {
	for {
		s.begin(p, attacker)
		for len(s.pending) > 0 {
			number := s.pending[len(s.pending)-1]
			s.pending = s.pending[:len(s.pending)-1]
			if err := s.look(number); err != nil {
				return Undecided, err
			}
			switch {
			case s.run.stopped():
				return Undecided, nil
			case s.members.list[0].lost:
				return Proved, nil
			}
			s.largest = max(s.largest, len(s.members.list))
			if s.looks > patience*s.largest {
				return Undecided, ErrTableTooSmall
			}
		}
		if !s.lost && (s.goal == Refuted || s.order()) {
			return s.goal, nil
		}
	}
}

// begin empties the set but for the node itself.
func (s *settler[P]) begin(p P, attacker bool) {
	s.members.clear()
	s.members.add(p, attacker, 0)
	s.pending, s.edges, s.lost = append(s.pending[:0], 0), s.edges[:0], false
}

// look makes sure of one member: the side whose claim it is gets a turn that
// keeps it, all turns of the other side are brought in.
func (s *settler[P]) look(number uint32) error {
	m := &s.members.list[number]
	if m.lost {
		return nil
	}
	if s.looks++; s.looks%pollEvery == 0 {
		s.poll()
		s.settling.Store(uint64(len(s.members.list)))
	}
	f := &s.node
	f.position, f.attacker, f.key = m.position, m.attacker, s.hasher.key(&m.position, m.attacker)
	s.expand(f)
	if len(f.turns) == 0 {
		m.ended = true
		if valued(f.attacker, s.rules.Ended(f.position)).verdict(f.attacker) != s.goal {
			return s.lose(number)
		}
		return nil
	}
	if m.attacker == (s.goal == Proved) {
		return s.pick(number)
	}
	return s.follow(number)
}

// pick chooses a turn for the side whose claim it is.
func (s *settler[P]) pick(number uint32) error {
	f := &s.node
	best, known := s.best()
	if !known {
		v, err := s.again(f.position, f.attacker)
		if err != nil || v == Undecided {
			return err
		}
		if v != s.goal {
			return s.lose(number)
		}
		// Even what was found a moment ago may be lost from the table by now.
		copy(f.states, s.frame(0).states)
		best, _ = s.best()
	}
	s.members.list[number].turn = uint32(best)
	s.bring(best, number)
	return nil
}

// best is the turn of the node looked at that keeps the claim with the least to
// follow: one into a table, else to a member, else with the lowest rank.
func (s *settler[P]) best() (best int, known bool) {
	f, least := &s.node, uint32(infinity)+1
	for i, st := range f.states {
		cost := st.rank + 2
		switch {
		case st.delta != 0:
			continue
		case f.values[i] != Unknown:
			cost = 0
		case s.goal == Refuted:
			if n, found := s.members.find(f.turns[i], !f.attacker); found && !s.members.list[n].lost {
				cost = 1
			}
		}
		if cost < least {
			best, least, known = i, cost, true
		}
	}
	return best, known
}

// follow brings in all turns of the side whose claim it is not.
func (s *settler[P]) follow(number uint32) error {
	f := &s.node
	for i, st := range f.states {
		v := st.verdict(!f.attacker)
		if v != s.goal && f.values[i] == Unknown && (v == Undecided || s.goal == Proved) {
			var err error
			if v, err = s.again(f.turns[i], !f.attacker); err != nil || v == Undecided {
				return err
			}
		}
		if v != s.goal {
			return s.lose(number)
		}
		s.bring(i, number)
	}
	return nil
}

// bring makes what a turn of the node looked at leads to a member, unless a
// table has it.
func (s *settler[P]) bring(turn int, number uint32) {
	f := &s.node
	if f.values[turn] != Unknown {
		return
	}
	to, added := s.members.add(f.turns[turn], !f.attacker, number)
	if added {
		s.pending = append(s.pending, to)
	}
	if s.goal == Proved {
		s.edges = append(s.edges, edge{number, to})
	}
}

// again searches a node with nothing on the path, and leaves it in the first
// frame. Where a proof is expected, a refutation is settled before it is
// believed, which puts right what the table has on the node's turns.
func (s *settler[P]) again(p P, attacker bool) (Verdict, error) {
	for range againPatience {
		v := s.root(p, attacker).verdict(attacker)
		if v != Refuted || s.goal != Proved {
			return v, nil
		}
		v, err := newSettler(newWorker(s.Search, s.run), Refuted).settle(p, attacker)
		if err != nil || v != Proved {
			return v, err
		}
	}
	return Undecided, ErrTableTooSmall
}

// lose withdraws a member and has the one that brought it in looked at again.
// Others that rely on it are found when the set is built anew.
func (s *settler[P]) lose(number uint32) error {
	m := &s.members.list[number]
	if s.goal == Proved {
		return fmt.Errorf("%w: a proof needs %v", ErrContradiction, m.position)
	}
	m.lost, s.lost = true, true
	if !m.ended {
		s.save(&s.node, s.choose(&s.node).state, 1)
	}
	if number != 0 {
		s.pending = append(s.pending, m.parent)
	}
	return nil
}

// order gives every member of a proof its rank, one more than the highest that
// it depends on. Where entries were lost and proved again, members can depend on
// each other in a circle. What the table has on those is then dropped, to be
// searched again, and order tells false.
func (s *settler[P]) order() bool {
	members := s.members.list
	first := make([]uint32, len(members)+1) // by member: its first place in users
	waiting := make([]uint32, len(members)) // edges of a member that lead to one without rank
	for _, e := range s.edges {
		first[e.to+1]++
		waiting[e.from]++
	}
	for i := range members {
		first[i+1] += first[i]
	}
	users, next := make([]uint32, len(s.edges)), make([]uint32, len(members))
	copy(next, first)
	for _, e := range s.edges {
		users[next[e.to]] = e.from
		next[e.to]++
	}
	var ready []uint32
	for i := range members {
		if waiting[i] == 0 {
			ready = append(ready, uint32(i))
		}
	}
	for done := 0; done < len(ready); done++ {
		i := ready[done]
		for _, user := range users[first[i]:first[i+1]] {
			members[user].rank = max(members[user].rank, members[i].rank+1)
			if waiting[user]--; waiting[user] == 0 {
				ready = append(ready, user)
			}
		}
	}
	if len(ready) == len(members) {
		return true
	}
	for i := range members {
		if waiting[i] != 0 {
			s.table.forget(s.hasher.key(&members[i].position, members[i].attacker))
		}
	}
	return false
}

// emit gives the steps of a structure that is settled.
func (s *settler[P]) emit(emit func(Step[P]) error) error {
	for i := range s.members.list {
		m := &s.members.list[i]
		if m.ended {
			continue
		}
		step := Step[P]{Position: m.position, AttackerMoves: m.attacker, Rank: m.rank}
		if step.Chosen = m.attacker == (s.goal == Proved); step.Chosen {
			s.node.turns = s.rules.Turns(s.node.turns[:0], m.position)
			step.To = s.node.turns[m.turn]
		}
		if err := emit(step); err != nil {
			return err
		}
	}
	return nil
}
