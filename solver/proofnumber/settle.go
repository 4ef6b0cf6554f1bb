package proofnumber

import (
	"errors"
	"sync"
	"sync/atomic"
)

// ErrTableTooSmall says that what a search had found was lost from the
// transposition table again and again before it could be put together.
var ErrTableTooSmall = errors.New("the transposition table is too small for this question")

// ErrSetTooSmall says that no part of a refutation that is closed in itself fits
// into the memory for sets.
var ErrSetTooSmall = errors.New("the memory for sets of positions is too small for this question")

const (
	// patience bounds how often in a row a settler may fail without a new fact.
	patience = 100

	// mendNodes bounds the search for another support of a belief that has lost
	// its own. Where it takes more, the belief is given up, and the search from
	// the root sees what is to be done.
	mendNodes = 1 << 8
)

// A settler makes facts of beliefs. From a node that the search believes refuted
// it gathers what the belief rests on: of the attacker's nodes all turns, of the
// defender's the one chosen. Facts and tables end it. Then it evicts, until
// nothing changes, every node with a turn of the attacker to one that is not
// believed refuted or was evicted, and those where the defender has no turn left
// to one that stays. What stays is a closed set: each node in it is refuted,
// however it was reached, and is entered in the table as a fact. What was
// evicted is believed no longer.
type settler[P comparable] struct {
	*crew[P]
	narrow  bool // the set is full: what did not get in counts as evicted
	evicted atomic.Uint64
	facts   atomic.Uint64 // new ones
}

// settle gathers and evicts from a node that is believed refuted. It tells
// whether the node is refuted, and whether there are new facts at all. Both are
// false where the run ends first.
//
// Where the set is full before it is closed, a node that did not get in is
// settled first: once it is, it takes no room.
func (s *settler[P]) settle(p P, attacker bool) (stays, progress bool, err error) {
	p = s.fold(p)
	at, side := p, attacker
	for failed := 0; ; {
		s.facts.Store(0)
		outside := s.fixpoint(at, side)
		if s.run.stopped() {
			return false, false, nil
		}
		progress = progress || s.facts.Load() > 0
		switch {
		case s.narrow && s.facts.Load() == 0:
			if failed++; failed > patience {
				return false, progress, ErrSetTooSmall
			}
			at, side = outside.position, outside.attacker()
		case s.narrow || at != p || side != attacker:
			at, side, failed = p, attacker, 0
		default:
			return s.set.list[0].stays(), progress, nil
		}
	}
}

// fixpoint builds the set of a node, and enters what stays. If the set is full,
// it gives a member that was not looked at. Members are folded.
//
// What is entered is closed. Either nothing was ever evicted: then each member was looked
// at, and rests on members. Or the last pass of check has looked at all members, brought in
// none and evicted none: then what had been evicted was the same all along, and no member
// that stays rests on it. A pass that only brought some in is not the last: they may rest
// on what was evicted before they came.
func (s *settler[P]) fixpoint(p P, attacker bool) (outside *member[P]) {
	s.begin(p, attacker)
	s.narrow = false
	s.evicted.Store(0)
	for changed := true; changed && !s.run.stopped(); {
		if !s.gather(s.lookAll) {
			s.narrow = true
			outside = &s.set.list[s.set.len()-1]
			s.each(s.seen, s.set.len(), func(_ *hand[P], m *member[P]) {
				if !m.has(lookedAt) {
					m.set(evicted)
				}
			})
			s.seen = s.set.len()
		}
		members, left := s.set.len(), s.evicted.Load()
		if left > 0 || s.narrow {
			s.back(s.checkAll)
		}
		changed = s.set.len() > members || s.evicted.Load() > left
	}
	if !s.run.stopped() {
		s.checkClosed()
		s.each(0, s.set.len(), s.enter)
	}
	return outside
}

// enter makes a fact of a member that stays.
func (s *settler[P]) enter(h *hand[P], m *member[P]) {
	if !m.stays() {
		return
	}
	key := s.key(&m.position, m.attacker())
	if r, found := s.table.find(key); found && r.fact() {
		return
	}
	s.facts.Add(1)
	r := refuted(m.attacker(), true).record(m.attacker())
	r.effort = 1
	s.store(s.run, key, r)
}

// lookAll looks at those of some members that nobody has looked at. It tells false where there is
// no room.
func (s *settler[P]) lookAll(h *hand[P], some []member[P]) bool {
	for i := range some {
		if m := &some[i]; m.has(lookedAt | vacant | evicted) {
			continue
		} else if !s.look(h, m) {
			return false
		}
	}
	return true
}

// look brings in what a member rests on, or evicts it. It tells false where
// there is no room.
func (s *settler[P]) look(h *hand[P], m *member[P]) bool {
	f := &h.node
	h.place(f, m.position, m.attacker())
	h.expand(f)
	switch {
	case len(f.turns) == 0:
		if h.end(f).verdict(f.attacker) != Refuted {
			s.evict(h, m)
		}
		m.set(lookedAt)
		return true
	case f.attacker:
		return s.follow(h, m)
	}
	return s.pick(h, m)
}

// follow brings in all turns of the attacker's, each of which must be refuted.
func (s *settler[P]) follow(h *hand[P], m *member[P]) bool {
	f := &h.node
	for i := range f.states {
		if f.states[i].verdict(false) == Undecided {
			f.states[i] = h.mend(f.turns[i], false)
		}
		if f.states[i].verdict(false) != Refuted {
			s.evict(h, m)
			return true
		}
	}
	for i := range f.states {
		if !f.states[i].fact && !s.add(f.turns[i], false) {
			return false
		}
	}
	m.set(lookedAt)
	return true
}

// pick brings in the defender's best turn.
func (s *settler[P]) pick(h *hand[P], m *member[P]) bool {
	f := &h.node
	best := s.best(f)
	if best < 0 && h.mend(f.position, false).verdict(false) == Refuted {
		copy(f.states, h.frame(0).states)
		best = s.best(f)
	}
	if best < 0 {
		s.evict(h, m)
		return true
	}
	if !f.states[best].fact && !s.add(f.turns[best], true) {
		return false
	}
	m.choose(best)
	m.set(lookedAt)
	return true
}

// best is the defender's turn that is a fact, or leads to a member, or else to
// what took the search the least work; -1 where none is believed refuted or all
// of those were evicted.
func (s *settler[P]) best(f *frame[P]) int {
	best, least := -1, uint64(1)<<63
	for i := range f.states {
		st, cost := &f.states[i], uint64(0)
		if st.delta != 0 {
			continue
		}
		if !st.fact {
			n, found := s.find(f.turns[i], !f.attacker)
			switch {
			case found && !s.set.list[n].stays():
				continue
			case found:
				cost = 1
			default:
				r, _ := s.table.find(f.keys[i])
				cost = 2 + uint64(r.effort)
			}
		}
		if cost < least {
			best, least = i, cost
		}
	}
	return best
}

// checkAll checks some members from the last to the first.
func (s *settler[P]) checkAll(h *hand[P], some []member[P]) {
	for i := len(some) - 1; i >= 0; i-- {
		s.check(h, &some[i])
	}
}

// check evicts a member that rests on one that was evicted, unless the defender
// has another turn.
func (s *settler[P]) check(h *hand[P], m *member[P]) {
	if !m.stays() || s.narrow && !m.has(lookedAt) {
		return
	}
	if len(h.turnsOf(m)) == 0 {
		return
	}
	f := &h.node
	if !f.attacker {
		if !s.gone(f.turns[m.turn()], true) {
			return
		}
		h.expand(f)
		if !s.pick(h, m) {
			s.evict(h, m)
		}
		return
	}
	for i := range f.turns {
		if s.gone(f.turns[i], false) {
			h.expand(f)
			s.evict(h, m)
			return
		}
	}
}

// gone tells whether a node was a member and is none any more.
func (s *settler[P]) gone(p P, attacker bool) bool {
	n, found := s.find(p, attacker)
	return found && !s.set.list[n].stays()
}

// add makes a node a member, and find gives its number, by the position that
// stands for its images.
func (s *settler[P]) add(p P, attacker bool) bool {
	p = s.fold(p)
	_, ok := s.set.add(&p, attacker)
	return ok
}

func (s *settler[P]) find(p P, attacker bool) (number uint32, found bool) {
	p = s.fold(p)
	return s.set.find(&p, attacker)
}

// evict takes a member, whose frame is expanded, out of the set. The table keeps
// no belief about it; it may be the first to know that the attacker wins there.
func (s *settler[P]) evict(h *hand[P], m *member[P]) {
	m.set(evicted)
	s.evicted.Add(1)
	f := &h.node
	var c state
	if len(f.turns) > 0 {
		c = choose(f.states, f.attacker, s.options.Sums).state
	} else {
		c = h.end(f)
	}
	switch {
	case c.verdict(f.attacker) == Proved:
		s.facts.Add(1)
		h.save(f, c, 1)
	case !s.narrow:
		s.table.forget(f.key)
	}
}

// mend searches a node that has lost what it rested on, within a quota. The
// first frame shows its turns.
func (h *hand[P]) mend(p P, attacker bool) state { return h.within(mendNodes, p, attacker) }

// within searches a node, with nothing above it, for so many nodes at most.
func (h *hand[P]) within(nodes uint64, p P, attacker bool) state {
	h.quota = h.nodes + nodes
	defer func() { h.quota = 0 }()
	return h.root(p, attacker)
}

// A crew is workers that build a set together.
type crew[P comparable] struct {
	*Search[P]
	run   *run
	set   *nodeSet[P]
	hands []*hand[P]
	seen  uint32 // members that have been looked at: those with lower numbers
}

// A hand is a worker of a crew, with the node that it looks at.
type hand[P comparable] struct {
	*worker[P]
	node  frame[P]
	looks []look[P] // at members of what is put together, several at a time

	// Room for what is loaded for them.
	keys   []uint64
	likely []uint32
}

// turnsOf lists the turns of a member, in the order in which it knows its own.
func (h *hand[P]) turnsOf(m *member[P]) []P {
	f := &h.node
	h.place(f, m.position, m.attacker())
	h.list(f)
	return f.turns
}

// newCrew takes its share of the memory for sets.
func newCrew[P comparable](s *Search[P], r *run) (*crew[P], error) {
	set, err := newNodeSet(s.hasher, s.options.Sets/2)
	if err != nil {
		return nil, err
	}
	c := &crew[P]{Search: s, run: r, set: set}
	for range s.options.Workers {
		c.hands = append(c.hands, &hand[P]{worker: newWorker(s, r)})
	}
	return c, nil
}

// disband gives the memory back.
func (c *crew[P]) disband() {
	c.settling.Store(0)
	c.set.free()
}

// begin empties the set but for one node.
func (c *crew[P]) begin(p P, attacker bool) {
	c.set.clear()
	c.set.add(&p, attacker)
	c.seen = 0
}

// gather has members looked at, some at a time, until all are looked at, set aside or evicted. It
// tells false where the set is full before that.
func (c *crew[P]) gather(look func(h *hand[P], some []member[P]) bool) bool {
	for c.seen < c.set.len() && !c.run.stopped() {
		to := c.set.len()
		var full atomic.Bool
		c.blocks(c.seen, to, blockMembers, func(h *hand[P], lo, hi uint32) {
			if !full.Load() && !look(h, c.set.list[lo:hi]) {
				full.Store(true)
			}
		})
		c.settling.Store(uint64(c.set.len()))
		switch {
		case !full.Load():
			c.seen = to
		case !c.set.grow():
			return false
		}
	}
	return true
}

// blockMembers is how many members a worker takes at a time: few, since some take a
// search and some no time at all.
const blockMembers = 1 << 4

// each has the workers visit the members from lo up to hi, those that left too.
func (c *crew[P]) each(lo, hi uint32, visit func(*hand[P], *member[P])) {
	c.blocks(lo, hi, blockMembers, func(h *hand[P], lo, hi uint32) {
		for i := lo; i < hi; i++ {
			visit(h, &c.set.list[i])
		}
	})
}

// back has the workers visit all members from the last to the first, more or
// less, some at a time: what a member rests on came after it, most of the time.
func (c *crew[P]) back(visit func(h *hand[P], some []member[P])) {
	all := c.set.len()
	c.blocks(0, all, blockMembers, func(h *hand[P], lo, hi uint32) {
		visit(h, c.set.list[all-hi:all-lo])
	})
}

// blocks divides numbers among the workers, so many at a time.
func (c *crew[P]) blocks(lo, hi, many uint32, do func(h *hand[P], lo, hi uint32)) {
	var next atomic.Uint64
	next.Store(uint64(lo))
	var group sync.WaitGroup
	for _, h := range c.hands[:max(1, min(len(c.hands), int((hi-lo)/many)))] {
		group.Go(func() {
			for !c.run.stopped() {
				from := next.Add(uint64(many)) - uint64(many)
				if from >= uint64(hi) {
					return
				}
				do(h, uint32(from), uint32(min(from+uint64(many), uint64(hi))))
			}
		})
	}
	group.Wait()
}
