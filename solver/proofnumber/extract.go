package proofnumber

import (
	"errors"
	"sync"
	"sync/atomic"
)

// ErrContradiction says that a position which the table has as proved turns out
// refuted, or the other way round: two positions share a key, or the table was
// changed from outside.
var ErrContradiction = errors.New("the transposition table contradicts itself")

// An extractor puts together, from facts alone, a structure that stands by
// itself: for a refutation a set of nodes that the attacker can't leave, for a
// proof one in which every line comes to an end. Facts that the table has lost
// are found again.
type extractor[P comparable] struct {
	*crew[P]
	goal   Verdict
	mutex  sync.Mutex    // of short
	short  []*member[P]  // members that lack a fact
	raised atomic.Uint64 // members that got their rank
}

// extract builds the structure of a node for which the goal is a fact. It tells
// false where the run ends first.
func (x *extractor[P]) extract(p P, attacker bool) (done bool, err error) {
	for range patience {
		x.begin(p, attacker)
		x.short = x.short[:0]
		if err := x.complete(); err != nil || x.run.stopped() {
			return false, err
		}
		if x.goal == Refuted || x.rank() {
			return !x.run.stopped(), nil
		}
	}
	return false, ErrTableTooSmall
}

// complete gathers all that follows, and decides again what the table lost.
func (x *extractor[P]) complete() error {
	for {
		if !x.gather(x.look) {
			return ErrSetTooSmall
		}
		if len(x.short) == 0 || x.run.stopped() {
			return nil
		}
		for _, m := range x.short {
			if err := x.supply(m); err != nil || x.run.stopped() {
				return err
			}
		}
		x.short = x.short[:0]
	}
}

// look brings in what a member needs. One that lacks a fact which takes more than a hand alone
// spends is put aside. It tells false where there is no room.
func (x *extractor[P]) look(h *hand[P], m *member[P]) bool {
	missing, ok := x.needs(h, m)
	for missing >= 0 && x.supplyAlone(h, m, missing) {
		missing, ok = x.bring(h, m)
	}
	switch {
	case missing >= 0:
		m.set(setAside)
		x.mutex.Lock()
		defer x.mutex.Unlock()
		x.short = append(x.short, m)
	case ok:
		m.set(lookedAt)
	}
	return ok
}

// needs looks up the turns of a member, and brings in what it needs.
func (x *extractor[P]) needs(h *hand[P], m *member[P]) (missing int, ok bool) {
	f := &h.node
	h.place(f, m.position, m.attacker())
	h.expand(f)
	x.run.awaited.recall(f.keys, f.states, !f.attacker)
	return x.bring(h, m)
}

// bring brings in what the member needs at which a hand looks: the best turn of the side whose
// claim it is, all of the other's. missing is a turn on which there is no fact, for the
// first side any; -1 if there is none. A barred node, and an end of the game that is not what
// the goal wants, lack what no search will find.
func (x *extractor[P]) bring(h *hand[P], m *member[P]) (missing int, ok bool) {
	f := &h.node
	switch {
	case f.barred:
		return 0, true
	case len(f.turns) == 0:
		m.set(over)
		if valued(f.attacker, x.rules.Ended(f.position)).verdict(f.attacker) != x.goal {
			return 0, true
		}
		return -1, true
	case x.chooses(f.attacker):
		return x.bringBest(f, m)
	}
	for i := range f.turns {
		if !x.holds(f, i) {
			return i, true
		}
	}
	for i := range f.turns {
		if x.leaf(f, i) {
			continue
		}
		if _, ok := x.set.add(&f.turns[i], !f.attacker); !ok {
			return -1, false
		}
	}
	return -1, true
}

// bringBest brings in the best turn of a member, and notes where it leads.
func (x *extractor[P]) bringBest(f *frame[P], m *member[P]) (missing int, ok bool) {
	best := x.best(f)
	if best < 0 {
		return 0, true
	}
	number, inside := uint32(0), false
	if x.leaf(f, best) {
		number, inside = x.set.find(&f.turns[best], !f.attacker) // the root may be one
	} else if number, inside = x.set.add(&f.turns[best], !f.attacker); !inside {
		return -1, false
	}
	m.choose(best)
	if inside {
		m.rests.Store(number + 1)
	}
	return -1, true
}

// chooses tells whether one turn is enough for who has the move.
func (x *extractor[P]) chooses(attacker bool) bool { return attacker == (x.goal == Proved) }

// holds tells whether it is a fact that a turn leads to what the goal wants.
func (x *extractor[P]) holds(f *frame[P], turn int) bool {
	st := &f.states[turn]
	return st.fact && st.verdict(!f.attacker) == x.goal || x.lemma(f.turns[turn], !f.attacker, x.goal)
}

// leaf tells whether a turn leads out of the structure: into the tables, to a
// lemma.
func (x *extractor[P]) leaf(f *frame[P], turn int) bool {
	return f.values[turn] != Unknown || x.lemma(f.turns[turn], !f.attacker, x.goal)
}

// best is the turn that holds with the least to follow; -1 if there is none.
func (x *extractor[P]) best(f *frame[P]) int {
	own := uint32(0) // where the table has lost it, none is lower
	if r, found := x.table.find(f.key); found {
		own = r.state(f.attacker).rank
	}
	best, least := -1, ^uint64(0)
	for i := range f.states {
		if !x.holds(f, i) {
			continue
		}
		if cost := x.follow(f, i, own); cost < least {
			best, least = i, cost
		}
	}
	return best
}

// follow tells how much there is to follow a turn: nothing to a leaf, next to nothing
// to a member, which in a proof has to be of lower rank than the node's own, else
// the rank and what took the search the work. Members come first since a position
// and its image are proved by turns that mirror each other, and have fewer positions
// below them in common than if each were searched.
func (x *extractor[P]) follow(f *frame[P], turn int, own uint32) uint64 {
	if x.leaf(f, turn) {
		return 0
	}
	rank := f.states[turn].rank
	if _, member := x.set.find(&f.turns[turn], !f.attacker); member && (x.goal == Refuted || rank < own) {
		return 1
	}
	r, _ := x.table.find(f.keys[turn])
	return uint64(rank+1)<<32 + uint64(r.effort)
}

// smallNodes bounds the search for a fact by one hand alone.
const smallNodes = 1 << 12

// supplyAlone has the hand that looks at a member find a fact that it lacks, where that takes
// little and makes no belief. The rest is for all together, for which workers are made anew each
// time. A lone hand gains by it where members lack much: where others have told some of what was
// found.
func (x *extractor[P]) supplyAlone(h *hand[P], m *member[P], missing int) bool {
	if len(x.hands) == 1 && x.options.Exchange == nil || len(h.node.turns) == 0 || x.run.stopped() {
		return false
	}
	p, attacker := x.lacks(h, m, missing)
	st := h.within(smallNodes, p, attacker)
	if !st.fact || st.verdict(attacker) != x.goal {
		return false
	}
	if f := &h.node; attacker != f.attacker {
		f.states[missing] = st
	} else {
		copy(f.states, h.frame(0).states)
	}
	return true
}

// supply finds the facts that a member lacks, and looks at it again. Two of them
// may drive each other out of the table, so that each search for one loses the
// other. So they are kept beside it until the member has all.
func (x *extractor[P]) supply(m *member[P]) error {
	h := x.hands[0]
	defer func() { x.run.awaited = nil }()
	for tries := 0; ; tries++ {
		missing, ok := x.needs(h, m)
		switch {
		case !ok && !x.set.grow():
			return ErrSetTooSmall
		case !ok:
			continue
		case missing < 0:
			m.set(lookedAt)
			return nil
		case tries >= len(h.node.turns)+patience:
			return ErrTableTooSmall
		}
		if x.run.awaited == nil {
			x.run.awaited = await(h.node.keys)
		}
		if err := x.find(m, missing); err != nil || x.run.stopped() {
			return err
		}
	}
}

// lacks is what to search for where a member lacks a fact: a turn where it needs all, else
// the member, which finds one of a turn. The hand has looked at the member.
func (x *extractor[P]) lacks(h *hand[P], m *member[P], missing int) (p P, attacker bool) {
	p, attacker = m.position, m.attacker()
	if turns := h.node.turns; attacker != (x.goal == Proved) && len(turns) > 0 {
		return turns[missing], !attacker
	}
	return p, attacker
}

// find searches for a fact that a member lacks.
func (x *extractor[P]) find(m *member[P], missing int) error {
	p, attacker := x.lacks(x.hands[0], m, missing)
	v, err := x.decide(x.run, p, attacker)
	if err == nil && v != x.goal && v != Undecided {
		err = &contradiction[P]{m.position, m.attacker(), x.goal}
	}
	return err
}

// rank gives every member of a proof its rank, one more than the highest that it
// depends on. Where entries were lost and proved again, members can depend on
// each other in a circle. What the table has on those is then dropped, to be
// searched again, and rank tells false.
func (x *extractor[P]) rank() bool {
	for changed := true; changed; {
		x.raised.Store(0)
		x.back(x.raise)
		changed = x.raised.Load() > 0
	}
	if x.run.stopped() { // what has no rank yet may be as good as the rest
		return true
	}
	circle := false
	for i := range x.set.len() {
		if m := &x.set.list[i]; m.stays() && x.ranked(m) == 0 {
			circle = true
			x.table.forget(x.key(&m.position, m.attacker()))
		}
	}
	return !circle
}

// ranked is the rank of a member of a proof, 0 if it is not known yet.
func (x *extractor[P]) ranked(m *member[P]) uint32 {
	rests := m.rests.Load()
	switch {
	case m.has(over):
		return 1
	case !x.chooses(m.attacker()):
		return rests
	case rests == 0:
		return 1
	}
	if below := x.ranked(&x.set.list[rests-1]); below != 0 {
		return below + 1
	}
	return 0
}

// raise gives a member its rank that needs all its turns, if all that it needs have one.
func (x *extractor[P]) raise(h *hand[P], m *member[P]) {
	if !m.stays() || x.chooses(m.attacker()) || x.ranked(m) != 0 {
		return
	}
	rank, turns := uint32(1), h.turnsOf(m)
	for i := range turns {
		if n, found := x.set.find(&turns[i], !m.attacker()); found {
			below := x.ranked(&x.set.list[n])
			if below == 0 {
				return
			}
			rank = max(rank, below+1)
		}
	}
	m.rests.Store(rank)
	x.raised.Add(1)
}

// emitBlock is how many members the workers list the turns of before their steps are
// emitted.
const emitBlock = 1 << 12

// emit gives the steps, in the order in which members came. It tells false where the run
// ends first.
func (x *extractor[P]) emit(emit func(Step[P]) error) (done bool, err error) {
	var steps [emitBlock]Step[P]
	var told [emitBlock]bool
	all := x.set.len()
	for lo := uint32(0); lo < all; lo += emitBlock {
		hi := min(lo+emitBlock, all)
		x.blocks(lo, hi, blockMembers, func(h *hand[P], from, to uint32) {
			for i := from; i < to; i++ {
				steps[i-lo], told[i-lo] = x.step(h, &x.set.list[i])
			}
		})
		for i := range hi - lo {
			if x.run.stopped() {
				return false, nil
			}
			if !told[i] {
				continue
			}
			if err := emit(steps[i]); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// step is that of a member, if it is to be told: an end of the game is not.
func (x *extractor[P]) step(h *hand[P], m *member[P]) (step Step[P], told bool) {
	if !m.stays() || m.has(over) {
		return step, false
	}
	step = Step[P]{Position: m.position, AttackerMoves: m.attacker(), Chosen: x.chooses(m.attacker())}
	if x.goal == Proved {
		step.Rank = x.ranked(m)
	}
	switch rests := m.rests.Load(); {
	case !step.Chosen:
	case rests != 0:
		step.To = x.set.list[rests-1].position
	default:
		step.To = h.turnsOf(m)[m.turn()]
	}
	return step, true
}
