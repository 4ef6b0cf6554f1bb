package proofnumber

import (
	"errors"
	"sync"
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
	goal  Verdict
	mutex sync.Mutex   // of short
	short []*member[P] // members that lack a fact
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
		x.supplySmall()
		for _, m := range x.short {
			if m.has(lookedAt) {
				continue
			}
			if err := x.supply(m); err != nil || x.run.stopped() {
				return err
			}
		}
		x.short = x.short[:0]
	}
}

// look brings in what a member needs. One that lacks a fact is put aside. It
// tells false where there is no room.
func (x *extractor[P]) look(h *hand[P], m *member[P]) bool {
	missing, ok := x.needs(h, m)
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

// needs brings in what a member needs: the best turn of the side whose claim it
// is, all of the other's. missing is a turn on which there is no fact, for the
// first side any; -1 if there is none. An end of the game that is not what the
// goal wants lacks what no search will find.
func (x *extractor[P]) needs(h *hand[P], m *member[P]) (missing int, ok bool) {
	f := &h.node
	h.place(f, m.position, m.attacker())
	h.expand(f)
	x.run.awaited.recall(f.keys, f.states, !f.attacker)
	if len(f.turns) == 0 {
		if valued(f.attacker, x.rules.Ended(f.position)).verdict(f.attacker) != x.goal {
			return 0, true
		}
		return -1, true
	}
	from, to := 0, len(f.turns)
	if f.attacker == (x.goal == Proved) {
		best := x.best(f)
		if best < 0 {
			return 0, true
		}
		m.choose(best)
		from, to = best, best+1
	}
	for i := from; i < to; i++ {
		if !x.holds(f, i) {
			return i, true
		}
	}
	for i := from; i < to; i++ {
		if !x.leaf(f, i) && !x.set.add(&f.turns[i], !f.attacker) {
			return -1, false
		}
	}
	return -1, true
}

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

// supplySmall finds the facts that members lack, where that takes little and makes no belief:
// the hands do so side by side, each for members of its own. The rest is for all together, for
// which workers are made anew each time. A lone hand gains by it where members lack much: where
// others have told some of what was found.
func (x *extractor[P]) supplySmall() {
	if len(x.hands) == 1 && x.exchange == nil {
		return
	}
	x.blocks(0, uint32(len(x.short)), 1, func(h *hand[P], i, _ uint32) { x.supplyAlone(h, x.short[i]) })
}

// supplyAlone has one hand find what a member lacks, and gives up where that takes much.
func (x *extractor[P]) supplyAlone(h *hand[P], m *member[P]) {
	for range patience {
		missing, ok := x.needs(h, m)
		switch {
		case !ok || x.run.stopped():
			return
		case missing < 0:
			m.set(lookedAt)
			return
		}
		p, attacker := x.lacks(h, m, missing)
		if st := h.within(smallNodes, p, attacker); !st.fact {
			return
		}
	}
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
		before := x.ranked()
		x.back(x.raise)
		changed = x.ranked() > before
	}
	if x.run.stopped() { // what has no rank yet may be as good as the rest
		return true
	}
	circle := false
	for i := range x.set.len() {
		if m := &x.set.list[i]; m.stays() && m.rank.Load() == 0 {
			circle = true
			x.table.forget(x.key(&m.position, m.attacker()))
		}
	}
	return !circle
}

// ranked counts the members that have a rank.
func (x *extractor[P]) ranked() (n int) {
	for i := range x.set.len() {
		if x.set.list[i].rank.Load() != 0 {
			n++
		}
	}
	return n
}

// raise gives a member its rank, if all that it needs have one.
func (x *extractor[P]) raise(h *hand[P], m *member[P]) {
	if !m.stays() || m.rank.Load() != 0 {
		return
	}
	needed := h.turnsOf(m)
	if m.attacker() && len(needed) > 0 {
		needed = needed[m.turn():][:1]
	}
	rank := uint32(1)
	for i := range needed {
		if n, found := x.set.find(&needed[i], !m.attacker()); found {
			below := x.set.list[n].rank.Load()
			if below == 0 {
				return
			}
			rank = max(rank, below+1)
		}
	}
	m.rank.Store(rank)
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
	if !m.stays() {
		return step, false
	}
	turns := h.turnsOf(m)
	if len(turns) == 0 {
		return step, false
	}
	step = Step[P]{Position: m.position, AttackerMoves: m.attacker(), Rank: m.rank.Load()}
	if step.Chosen = m.attacker() == (x.goal == Proved); step.Chosen {
		step.To = turns[m.turn()]
	}
	return step, true
}
