package jobs

import "paika/solver/proofnumber"

// Step is a position of the structure that a verdict rests on: with the turn chosen,
// where it is the turn of the side that the verdict is for, and otherwise standing for
// all its turns.
type Step[P comparable] struct {
	Node[P]
	Chosen bool
	To     P
	Rank   uint32 // in a proof: lower than that of every step that leads here
}

// Support is what the verdict rests on: positions that were split, and those at which
// they end and that jobs have decided. Each turn of a step leads to another step, to a
// part, to a position that the tables know, or to an end of the game. Both are empty
// where tables or the rules decide the root. It must not be called before there is a
// verdict.
func (t *Tree[P]) Support() (steps []Step[P], parts []Node[P]) {
	s := &structure[P]{Tree: t, goal: t.root.verdict, after: make(map[Node[P]][]Node[P]), rank: make(map[Node[P]]uint32)}
	s.gather()
	if s.goal == proofnumber.Refuted {
		s.evict()
	} else {
		s.climb()
	}
	return s.walk()
}

// A structure is a graph of the nodes that were split, by positions.
type structure[P comparable] struct {
	*Tree[P]
	goal  proofnumber.Verdict
	order []Node[P]             // as they were found from the root
	after map[Node[P]][]Node[P] // of those in the structure
	rank  map[Node[P]]uint32    // of those that are proved by what is below them
}

// own tells whether the side that the verdict is for has the move.
func (s *structure[P]) own(n Node[P]) bool { return n.AttackerMoves == (s.goal == proofnumber.Proved) }

// part tells whether a job has decided a node as the verdict has it.
func (s *structure[P]) part(n Node[P]) bool {
	k := s.known[n]
	return k != nil && k.verdict == s.goal
}

// leaf tells whether the structure ends at a node, with what it is to rest on.
func (s *structure[P]) leaf(n Node[P]) bool { return s.part(n) || s.ended(n) == s.goal }

// gather finds what was split, from the root on.
func (s *structure[P]) gather() {
	if s.leaf(s.root.Node) {
		return
	}
	s.add(s.root.Node)
	for i := 0; i < len(s.order); i++ {
		for _, n := range s.after[s.order[i]] {
			s.add(n)
		}
	}
}

// add takes a node in that was split. Others are no part of any structure, but as its
// leaves.
func (s *structure[P]) add(n Node[P]) {
	if _, there := s.after[n]; there || s.known[n] == nil || s.leaf(n) || s.ended(n) != proofnumber.Undecided || s.crowded(n.Position) {
		return
	}
	s.after[n] = s.Tree.after(n)
	s.order = append(s.order, n)
}

// evict leaves a closed set: what stays is refuted, however it was reached.
func (s *structure[P]) evict() {
	for changed := true; changed; {
		changed = false
		for i := len(s.order) - 1; i >= 0; i-- {
			n := s.order[i]
			if s.after[n] != nil && !s.stays(n) {
				delete(s.after, n)
				changed = true
			}
		}
	}
}

// stays tells whether a node is refuted by those that are still there.
func (s *structure[P]) stays(n Node[P]) bool {
	for _, to := range s.after[n] {
		if holds := s.after[to] != nil || s.leaf(to); holds == s.own(n) {
			return holds
		}
	}
	return !s.own(n)
}

// climb gives ranks from the leaves up, and leaves what has one.
func (s *structure[P]) climb() {
	for changed := true; changed; {
		changed = false
		for i := len(s.order) - 1; i >= 0; i-- {
			n := s.order[i]
			if s.rank[n] != 0 {
				continue
			}
			if rank := s.above(n); rank != 0 {
				s.rank[n] = rank
				changed = true
			}
		}
	}
	for _, n := range s.order {
		if s.rank[n] == 0 {
			delete(s.after, n)
		}
	}
}

// above is the rank of a node by those that its turns have; 0 where it is not proved
// yet.
func (s *structure[P]) above(n Node[P]) uint32 {
	highest := uint32(0)
	for _, to := range s.after[n] {
		rank, proved := s.rank[to], s.leaf(to)
		switch {
		case !proved && rank == 0 && !s.own(n):
			return 0
		case (proved || rank != 0) && s.own(n):
			return rank + 1
		}
		highest = max(highest, rank)
	}
	if s.own(n) {
		return 0
	}
	return highest + 1
}

// walk lists what play from the root can come to.
func (s *structure[P]) walk() (steps []Step[P], parts []Node[P]) {
	seen := map[Node[P]]bool{s.root.Node: true}
	for list := []Node[P]{s.root.Node}; len(list) > 0; list = list[1:] {
		n := list[0]
		next := s.after[n]
		if next == nil {
			if s.part(n) && s.ended(n) == proofnumber.Undecided {
				parts = append(parts, n)
			}
			continue
		}
		step := Step[P]{Node: n, Rank: s.rank[n], Chosen: s.own(n)}
		if step.Chosen {
			chosen := s.choose(n)
			step.To, next = chosen.Position, []Node[P]{chosen}
		}
		steps = append(steps, step)
		for _, to := range next {
			if !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
		}
	}
	return steps, parts
}

// choose is the turn of a node of the verdict's side: to a leaf if there is one, else
// to another node of the structure, in a proof to the lowest.
func (s *structure[P]) choose(n Node[P]) Node[P] {
	var best Node[P]
	least := ^uint32(0)
	for _, to := range s.after[n] {
		switch {
		case s.leaf(to):
			return to
		case s.after[to] != nil && (s.goal == proofnumber.Refuted || s.rank[to] < s.rank[n]) && s.rank[to] < least:
			best, least = to, s.rank[to]
		}
	}
	return best
}
