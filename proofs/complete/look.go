package complete

import (
	"fmt"
	"math"

	"paika/bitboard"
	"paika/proofs"
	"paika/proofs/internal/nodes"
)

// found is what a look at a member found.
type found[P comparable] struct {
	record proofs.Record
	side   bitboard.Side // to move in what follows
	adds   []P           // positions that follow and are no members yet
	over   bool          // the game is over there: no record stands for it
	choice uint64        // that was made, of the claim's side
	putOff bool          // nobody looked yet
	turns  int           // that it has, with those of the members before that are looked at together
	err    error
}

// look is what a worker needs to look at members. The set stays as it is meanwhile.
type look[P comparable] struct {
	*completion[P]
	all   []P    // where turns of some members lead
	known []bool // which of these are members

	turns   []P         // of the member at hand: a part of all
	there   []bool      // which of them lead to members
	ways    []candidate // turns of which one is to be chosen
	replies []P         // to some of the ways
}

func (c *completion[P]) newLook() *look[P] { return &look[P]{completion: c} }

// members looks at the first of some members, all of one side, and tells at how many, at least one: their
// turns are about as many as are best looked for together.
func (l *look[P]) members(tasks []task, founds []found[P]) (n int) {
	l.all = l.all[:0]
	for n < len(tasks) && len(l.all) < nodes.Together {
		f := &founds[n]
		p, side := l.set.At(tasks[n].member)
		*f = found[P]{side: side.Other(), adds: f.adds[:0]}
		l.all, f.err = l.list(l.all, p, side)
		f.turns = len(l.all)
		n++
	}
	l.find(founds[0].side)
	from := 0
	for i := range n {
		f := &founds[i]
		l.turns, l.there = l.all[from:f.turns], l.known[from:f.turns]
		if from = f.turns; f.err == nil {
			l.member(tasks[i], f)
		}
	}
	return n
}

// find finds which of all that follow are members.
func (l *look[P]) find(side bitboard.Side) {
	l.known = l.known[:0]
	l.set.FindAll(len(l.all), func(i int) (P, bitboard.Side) { return l.all[i], side },
		func(_ int, _ uint64, found bool) { l.known = append(l.known, found) })
}

// member looks at a member, and tells what its record is and what follows.
func (l *look[P]) member(t task, f *found[P]) {
	p, side := l.set.At(t.member)
	switch {
	case len(l.turns) == 0:
		f.over, f.err = true, l.ended(p, side)
	case side != l.claim.Side:
		f.err = l.answer(p, f)
	case t.made:
		f.err = l.repeat(p, t.choice, f)
	default:
		f.err = l.choose(p, f)
	}
	if f.over && t.choice != chosenNone {
		f.err = ErrChoices
	}
}

// list appends the turns of a position to some. It fails where a check would not
// list them.
func (l *look[P]) list(turns []P, p P, side bitboard.Side) ([]P, error) {
	if l.crowded(p) {
		return turns, l.contradiction(p, side, fmt.Sprintf("it has more than %d turns", proofs.MostTurns))
	}
	return l.game.Turns(turns, p), nil
}

// crowded tells whether a position has more turns than a check lists.
func (l *look[P]) crowded(p P) bool {
	game, ok := proofs.Game[P](l.game).(bitboard.CounterTo[P])
	return ok && game.CountTo(p, proofs.MostTurns+1) > proofs.MostTurns
}

// ended fails where the game is over at a position, and not as the claim has it.
func (l *look[P]) ended(p P, side bitboard.Side) error {
	if v := l.game.Ended(p); !l.claim.Holds(side, v) {
		return l.contradiction(p, side, "the game is over there: a "+v.String())
	}
	return nil
}

func (l *look[P]) contradiction(p P, side bitboard.Side, reason string) error {
	return &ContradictionError{l.game.Format(p, side), reason}
}

// A worth is what is known of a position to which a turn leads.
type worth struct {
	known  bool
	holds  bool // the claim
	over   bool // the game
	rank   uint32
	member bool
}

// weigh tells what is known of a position, which may be a member. For wins a member needs its
// distance, too.
func (l *look[P]) weigh(p P, side bitboard.Side, member bool) worth {
	w := worth{member: member}
	if w.member && !l.claim.Wins {
		w.known, w.holds = true, true
		return w
	}
	outcome, known := l.hints.Hint(p)
	if !known {
		if !bitboard.Over(l.game, p) {
			return w
		}
		w.over, outcome = true, bitboard.Outcome{Value: l.game.Ended(p)}
	}
	w.known, w.holds = true, l.claim.Holds(side, outcome.Value)
	if l.claim.Wins {
		w.known = outcome.Distance != bitboard.UnknownDistance || !w.holds
		w.rank = uint32(max(0, outcome.Distance))
	}
	return w
}

// reach tells whether a position that follows, and may be a member, is to become one. It fails
// where nothing is known of it, and where the game ends there against the claim.
func (l *look[P]) reach(p P, side bitboard.Side, member bool) (adds bool, err error) {
	switch {
	case member:
		return false, nil
	case l.hints.Has(l.game.SliceOf(p)):
		return true, nil
	case bitboard.Over(l.game, p):
		return false, l.ended(p, side)
	}
	return false, &UnknownError{l.game.Format(p, side)}
}

// refuse is the error about a position where the claim is not known to hold; else nil.
func (l *look[P]) refuse(p P, side bitboard.Side, w worth) error {
	switch {
	case !w.known:
		if _, valued := l.hints.Hint(p); valued {
			return ErrNoDistance
		}
		return &UnknownError{l.game.Format(p, side)}
	case w.holds:
		return nil
	case w.over:
		return l.ended(p, side)
	}
	return l.contradiction(p, side, "the claim does not hold there, by the tables")
}

// answer follows all turns of the other side.
func (l *look[P]) answer(p P, f *found[P]) error {
	f.record = proofs.Record{Position: l.game.Format(p, f.side.Other()), Turn: proofs.AllTurns}
	for i, to := range l.turns {
		adds, rank, err := l.admit(to, f.side, l.there[i])
		if err != nil {
			return err
		}
		if adds {
			f.adds = append(f.adds, to)
		}
		f.record.Rank = max(f.record.Rank, rank+1)
	}
	return nil
}

// admit is reach, with the rank of the position where the claim is a win.
func (l *look[P]) admit(p P, side bitboard.Side, member bool) (adds bool, rank uint32, err error) {
	if !l.claim.Wins {
		adds, err = l.reach(p, side, member)
		return adds, 0, err
	}
	w := l.weigh(p, side, member)
	return !w.over && !w.member, w.rank, l.refuse(p, side, w)
}

// choose picks the turn of the claim's side.
func (l *look[P]) choose(p P, f *found[P]) error {
	l.rate(f.side)
	if len(l.ways) == 0 {
		return l.stuck(p, f)
	}
	best := l.ways[0]
	if len(l.ways) > 1 {
		best = l.fewest(f.side.Other())
	}
	l.play(p, best.turn, best.worth, f)
	return nil
}

// rate lists the ways: of all turns that keep the claim those of the lowest rank, or of these the first
// that is free, alone.
func (l *look[P]) rate(side bitboard.Side) {
	l.ways = l.ways[:0]
	for i, to := range l.turns {
		c := candidate{turn: i, worth: l.weigh(to, side, l.there[i])}
		if !c.known || !c.holds {
			continue
		}
		if len(l.ways) > 0 {
			switch first := l.ways[0]; {
			case c.rank > first.rank, c.rank == first.rank && first.free():
				continue
			case c.rank < first.rank, c.free():
				l.ways = l.ways[:0]
			}
		}
		l.ways = append(l.ways, c)
		if c.free() && !l.claim.Wins {
			break
		}
	}
}

// fewest picks the way after which the fewest members are new, if there are several: none is free then.
func (l *look[P]) fewest(side bitboard.Side) (best candidate) {
	for from := 0; from < len(l.ways); {
		more := l.continuations(l.ways[from:], side)
		for i := from; i < from+more; i++ {
			if c := l.ways[i]; i == 0 || c.before(best) {
				best = c
			}
		}
		from += more
	}
	return best
}

// repeat takes the turn that was chosen before.
func (l *look[P]) repeat(p P, choice uint64, f *found[P]) error {
	if choice == chosenNone || choice > uint64(len(l.turns)) {
		return ErrChoices
	}
	turn := int(choice - 1)
	w := l.weigh(l.turns[turn], f.side, l.there[turn])
	if !w.known || !w.holds {
		return ErrChoices
	}
	l.play(p, turn, w, f)
	return nil
}

// play makes the record of a turn that is chosen.
func (l *look[P]) play(p P, turn int, w worth, f *found[P]) {
	to := l.turns[turn]
	if !w.over && !w.member {
		f.adds = append(f.adds, to)
	}
	f.choice = uint64(turn) + 1
	f.record = proofs.Record{Position: l.game.Format(p, f.side.Other()), Rank: w.rank + 1}
	f.record.Turn, _ = bitboard.TurnName(l.game, p, f.side.Other(), to)
}

// A candidate is a turn that keeps the claim.
type candidate struct {
	worth      // of where it leads
	turn   int // number
	new    int // replies that lead to no member
	pieces int
	end    int // of its replies
}

// free tells whether nothing follows that is not there.
func (c candidate) free() bool { return c.over || c.member }

// before tells whether a turn is the better one, where neither is free and the ranks are the same.
func (c candidate) before(other candidate) bool {
	if c.new != other.new {
		return c.new < other.new
	}
	return c.pieces < other.pieces
}

// continuations counts the replies to some turns that lead to no member. It tells to how many of
// the turns: to so many that their replies are worth looking for together.
func (l *look[P]) continuations(ways []candidate, side bitboard.Side) (n int) {
	l.replies = l.replies[:0]
	for n < len(ways) && len(l.replies) < nodes.Together {
		c, to := &ways[n], l.turns[ways[n].turn]
		c.pieces = l.game.Pieces(l.game.SliceOf(to))
		if l.crowded(to) {
			c.new = math.MaxInt
		} else {
			l.replies = l.game.Turns(l.replies, to)
		}
		c.end = len(l.replies)
		n++
	}
	at := 0
	l.set.FindAll(len(l.replies), func(i int) (P, bitboard.Side) { return l.replies[i], side },
		func(i int, _ uint64, found bool) {
			for i >= ways[at].end {
				at++
			}
			if !found {
				ways[at].new++
			}
		})
	return n
}

// stuck says why no turn keeps the claim.
func (l *look[P]) stuck(p P, f *found[P]) error {
	for i, to := range l.turns {
		if w := l.weigh(to, f.side, l.there[i]); !w.known {
			return l.refuse(to, f.side, w)
		}
	}
	return l.contradiction(p, f.side.Other(), "no turn keeps the claim, by the tables")
}
