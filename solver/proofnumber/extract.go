package proofnumber

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"paika/bitboard"
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
		if !x.gather(x.lookAll) {
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

// A look is a member with its turns.
type look[P comparable] struct {
	member  *member[P]
	node    frame[P]
	holding []int // the turns that hold, where one is chosen: one alone where that is a leaf
}

// fewListed is how many turns of several members are listed at a time, but for those of the last one.
const fewListed = 1 << 9

// lookAll looks at those of some members that nobody has looked at. It tells false where there is no
// room.
//
// The table and the set are much larger than the caches of a processor, which would wait for each place
// in turn: what several members need is loaded at once.
func (x *extractor[P]) lookAll(h *hand[P], some []member[P]) bool {
	for len(some) > 0 {
		looks := h.lookAt(&some, func(m *member[P]) bool { return !m.has(lookedAt | setAside | vacant) })
		x.consult(h, looks)
		for i := range looks {
			if !x.look(h, &looks[i]) {
				return false
			}
		}
		h.shedLooks(looks)
	}
	return true
}

// lookAt lists the turns of the first of some members that are wanted, and takes those off: as many as have
// few turns together.
func (h *hand[P]) lookAt(some *[]member[P], wanted func(*member[P]) bool) (looks []look[P]) {
	if h.looks == nil {
		h.looks = make([]look[P], blockMembers)
	}
	n := 0
	for listed := 0; len(*some) > 0 && n < len(h.looks) && listed < fewListed; *some = (*some)[1:] {
		if m := &(*some)[0]; wanted(m) {
			h.list(h.looks[n].at(h, m))
			listed += len(h.looks[n].node.turns)
			n++
		}
	}
	return h.looks[:n]
}

// shedLooks gives the memory of long lists back.
func (h *hand[P]) shedLooks(looks []look[P]) {
	for i := range looks {
		if len(looks[i].node.turns) > fewTurns {
			looks[i] = look[P]{}
		}
	}
}

// at makes it a look at a member, whose turns are to be listed.
func (l *look[P]) at(h *hand[P], m *member[P]) *frame[P] {
	l.member = m
	h.place(&l.node, m.position, m.attacker())
	return &l.node
}

// consult finds out what is known of the turns of members. What the table says of them is looked up where
// one of them is chosen. Where all are needed, each is looked at as a member.
func (x *extractor[P]) consult(h *hand[P], looks []look[P]) {
	h.keys = h.keys[:0]
	for i := range looks {
		f := &looks[i].node
		if x.chooses(f.attacker) {
			h.ask(f)
			h.keys = append(append(h.keys, f.key), f.keys...)
		} else {
			f.keys, f.values = f.keys[:0], resize(f.values, len(f.turns))
			h.probe(f)
		}
	}
	h.loads = x.table.touch(h.keys)
	h.keys = h.keys[:0]
	for i := range looks {
		l := &looks[i]
		f := &l.node
		if !x.chooses(f.attacker) {
			h.keys = x.appendKeys(h.keys, f)
			continue
		}
		x.answer(h, f)
		x.run.awaited.recall(f.keys, f.states, !f.attacker)
		x.hold(l)
		for _, j := range l.holding {
			h.keys = append(h.keys, x.set.hasher.key(&f.turns[j], !f.attacker))
		}
	}
	x.loadMembers(h)
}

// answer finds what is known of the turns of a node, once a hand has asked for their keys. An estimate of
// the others helps nobody: all that counts of them is whether the game is over there.
func (x *extractor[P]) answer(h *hand[P], f *frame[P]) {
	if x.isOver == nil {
		h.answer(f)
		return
	}
	for i, v := range f.values {
		f.states[i] = x.known(f, i, v)
		if i%manyTurns == manyTurns-1 && x.run.stopped() {
			fill(f.states[i+1:], state{phi: 1, delta: 1})
			return
		}
	}
}

// known is what is known of a turn to a position of that value: by the table, if it has none.
func (x *extractor[P]) known(f *frame[P], turn int, v bitboard.Value) state {
	if v == Unknown {
		if r, found := x.table.find(f.keys[turn]); found {
			return r.state(!f.attacker)
		}
		if !x.isOver(f.turns[turn]) {
			return state{phi: 1, delta: 1}
		}
		v = x.rules.Ended(f.turns[turn])
	}
	return valued(!f.attacker, v)
}

// appendKeys appends the keys that all turns of a node have in the set.
func (x *extractor[P]) appendKeys(keys []uint64, f *frame[P]) []uint64 {
	for i := range f.turns {
		keys = append(keys, x.set.hasher.key(&f.turns[i], !f.attacker))
	}
	return keys
}

// loadMembers loads the members that are likely to be those of a hand's keys.
func (x *extractor[P]) loadMembers(h *hand[P]) {
	h.likely = resize(h.likely, len(h.keys))
	h.loads = x.set.load(h.keys, h.likely)
}

// hold finds the turns of a member that hold, or one that leads to a leaf.
func (x *extractor[P]) hold(l *look[P]) {
	f := &l.node
	l.holding = l.holding[:0]
	for i := range f.states {
		if !x.holds(f, i) {
			continue
		}
		if x.leaf(f, i) {
			l.holding = append(l.holding[:0], i)
			return
		}
		l.holding = append(l.holding, i)
	}
}

// look brings in what a member needs. One that lacks a fact which takes more than a hand alone
// spends is put aside. It tells false where there is no room.
func (x *extractor[P]) look(h *hand[P], l *look[P]) bool {
	lacks, ok := x.bring(l)
	if lacks && x.supplyAlone(h, l) {
		lacks, ok = x.bring(l)
	}
	switch m := l.member; {
	case lacks:
		m.set(setAside)
		x.mutex.Lock()
		defer x.mutex.Unlock()
		x.short = append(x.short, m)
	case ok:
		m.set(lookedAt)
	}
	return ok
}

// bring brings in what a member needs: the best turn of the side whose claim it is, all of the other's. It
// tells whether the member lacks what it rests on: a fact about a turn, or of the other side an answer to
// one. A barred node, and an end of the game that is not what the goal wants, lack what no search will
// find.
func (x *extractor[P]) bring(l *look[P]) (lacks, ok bool) {
	f := &l.node
	switch {
	case f.barred:
		return true, true
	case len(f.turns) == 0:
		l.member.set(over)
		return valued(f.attacker, x.rules.Ended(f.position)).verdict(f.attacker) != x.goal, true
	case x.chooses(f.attacker):
		return x.bringBest(l)
	}
	return x.bringAll(f)
}

// bringAll brings in all turns of a node. Where tables say of one what the goal does not want, the node
// is none of the structure.
func (x *extractor[P]) bringAll(f *frame[P]) (lacks, ok bool) {
	for _, v := range f.values {
		if v != Unknown && valued(!f.attacker, v).verdict(!f.attacker) != x.goal {
			return true, true
		}
	}
	for i := range f.turns {
		if x.leaf(f, i) {
			continue
		}
		if _, ok := x.set.add(&f.turns[i], !f.attacker); !ok {
			return false, false
		}
	}
	return false, true
}

// bringBest brings in the best turn of a member, and notes where it leads.
func (x *extractor[P]) bringBest(l *look[P]) (lacks, ok bool) {
	if len(l.holding) == 0 {
		return true, true
	}
	f, best := &l.node, x.best(l)
	number, inside := uint32(0), false
	if x.leaf(f, best) {
		number, inside = x.set.find(&f.turns[best], !f.attacker) // the root may be one
	} else if number, inside = x.set.add(&f.turns[best], !f.attacker); !inside {
		return false, false
	}
	l.member.choose(best)
	if inside {
		l.member.rests.Store(number + 1)
	}
	return false, true
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

// best is the turn that holds with the least to follow.
func (x *extractor[P]) best(l *look[P]) int {
	if len(l.holding) == 1 {
		return l.holding[0]
	}
	f, own := &l.node, uint32(0) // where the table has lost it, none is lower
	if r, found := x.table.find(f.key); found {
		own = r.state(f.attacker).rank
	}
	best, least := -1, ^uint64(0)
	for _, i := range l.holding {
		if cost := x.follow(f, i, own); cost < least {
			best, least = i, cost
		}
	}
	return best
}

// follow tells how much there is to follow a turn to no leaf: next to nothing to a member, which in
// a proof has to be of lower rank than the node's own, else the rank and what took the search the
// work. Members come first since a position and its image are proved by turns that mirror each
// other, and have fewer positions below them in common than if each were searched.
func (x *extractor[P]) follow(f *frame[P], turn int, own uint32) uint64 {
	rank := f.states[turn].rank
	if _, member := x.set.find(&f.turns[turn], !f.attacker); member && (x.goal == Refuted || rank < own) {
		return 1
	}
	r, _ := x.table.find(f.keys[turn])
	return uint64(rank+1)<<32 + uint64(r.effort)
}

// smallNodes bounds the search for a fact by one hand alone.
const smallNodes = 1 << 12

// supplyAlone has the hand that looks at a member find the fact that it lacks, where that takes
// little and makes no belief. The rest is for all together, for which workers are made anew each
// time. A lone hand gains by it where members lack much: where others have told some of what was
// found.
func (x *extractor[P]) supplyAlone(h *hand[P], l *look[P]) bool {
	f := &l.node
	if len(x.hands) == 1 && x.options.Exchange == nil || len(f.turns) == 0 || x.run.stopped() {
		return false
	}
	st := h.within(smallNodes, f.position, f.attacker)
	if !st.fact || st.verdict(f.attacker) != x.goal || !x.chooses(f.attacker) {
		return false
	}
	copy(f.states, h.frame(0).states)
	x.hold(l)
	return len(l.holding) > 0
}

// supply finds the fact that a member lacks, and looks at it again. The search may find it, and lose
// it again. So it is kept beside the table.
func (x *extractor[P]) supply(m *member[P]) error {
	h := x.hands[0]
	defer func() { x.run.awaited = nil }()
	for tries := 0; ; tries++ {
		one := []look[P]{{}}
		h.list(one[0].at(h, m))
		x.consult(h, one)
		lacks, ok := x.bring(&one[0])
		switch {
		case !ok && !x.set.grow():
			return ErrSetTooSmall
		case !ok:
			continue
		case !lacks:
			m.set(lookedAt)
			return nil
		case tries >= patience:
			return ErrTableTooSmall
		}
		if x.run.awaited == nil {
			x.run.awaited = await(one[0].node.keys)
		}
		if err := x.find(m); err != nil || x.run.stopped() {
			return err
		}
	}
}

// find searches for what a member lacks.
func (x *extractor[P]) find(m *member[P]) error {
	v, err := x.decide(x.run, m.position, m.attacker())
	if err == nil && v != x.goal && v != Undecided {
		err = x.contradicted(m)
	}
	return err
}

// contradicted is the error where a member is not what the goal wants. The table said so of it, or
// said nothing of it. Then it said so of a member that needs all its turns, and so this one.
func (x *extractor[P]) contradicted(m *member[P]) error {
	c := &contradiction[P]{m.position, m.attacker(), x.goal}
	if r, found := x.table.find(x.key(&c.position, c.attacker)); found && r.fact() && r.state(c.attacker).verdict(c.attacker) == x.goal {
		return c
	}
	var first atomic.Pointer[member[P]]
	x.each(0, x.set.len(), func(h *hand[P], above *member[P]) {
		if above.attacker() == c.attacker || x.chooses(above.attacker()) || first.Load() != nil {
			return
		}
		if slices.Contains(h.turnsOf(above), c.position) {
			first.CompareAndSwap(nil, above)
		}
	})
	if above := first.Load(); above != nil {
		c.position, c.attacker = above.position, above.attacker()
	}
	return c
}

// rank gives every member of a proof its rank, one more than the highest that it
// depends on. Where entries were lost and proved again, members can depend on
// each other in a circle. What the table has on those is then dropped, to be
// searched again, and rank tells false.
func (x *extractor[P]) rank() bool {
	for changed := true; changed; {
		x.raised.Store(0)
		x.back(x.raiseAll)
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

// raiseAll gives those of some members their rank that need all their turns, if all that they need have
// one.
func (x *extractor[P]) raiseAll(h *hand[P], some []member[P]) {
	for len(some) > 0 {
		looks := h.lookAt(&some, func(m *member[P]) bool { return m.stays() && !x.chooses(m.attacker()) && x.ranked(m) == 0 })
		h.keys = h.keys[:0]
		for i := range looks {
			h.keys = x.appendKeys(h.keys, &looks[i].node)
		}
		x.loadMembers(h)
		h.loads += x.loadRests(h.likely)
		for i := range looks {
			x.raise(&looks[i])
		}
		h.shedLooks(looks)
	}
}

// loadRests loads what members rest on.
func (x *extractor[P]) loadRests(members []uint32) (sum uint64) {
	for _, n := range members {
		if n == nobody {
			continue
		}
		if rests := x.set.list[n].rests.Load(); rests != 0 {
			sum += uint64(x.set.list[rests-1].rests.Load())
		}
	}
	return sum
}

// raise gives a member its rank, if all that it needs have one.
func (x *extractor[P]) raise(l *look[P]) {
	f, rank := &l.node, uint32(1)
	for i := range f.turns {
		if n, found := x.set.find(&f.turns[i], !f.attacker); found {
			below := x.ranked(&x.set.list[n])
			if below == 0 {
				return
			}
			rank = max(rank, below+1)
		}
	}
	l.member.rests.Store(rank)
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
