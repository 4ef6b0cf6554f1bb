package complete

import (
	"paika/bitboard"
	"paika/proofs"
)

// found is what a look at a member found.
type found[P comparable] struct {
	record proofs.Record
	side   bitboard.Side // to move in what follows
	adds   []P           // positions that follow and are no members yet
	over   bool          // the game is over there: no record stands for it
	err    error
}

// look is what a worker needs to look at members. The set stays as it is meanwhile.
type look[P comparable] struct {
	*completion[P]
	turns, replies []P
}

func (c *completion[P]) newLook() *look[P] { return &look[P]{completion: c} }

// member looks at a member, and tells what its record is and what follows.
func (l *look[P]) member(number uint64, f *found[P]) {
	p, side := l.set.at(number)
	*f = found[P]{side: side.Other(), adds: f.adds[:0]}
	l.turns = l.game.Turns(l.turns[:0], p)
	switch {
	case len(l.turns) == 0:
		f.over, f.err = true, l.ended(p, side)
	case side == l.claim.Side:
		f.err = l.choose(p, f)
	default:
		f.err = l.answer(p, f)
	}
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

// weigh tells what is known of a position. For wins a member needs its distance, too.
func (l *look[P]) weigh(p P, side bitboard.Side) worth {
	w := worth{member: l.set.has(p, side)}
	if w.member && !l.claim.Wins {
		w.known, w.holds = true, true
		return w
	}
	outcome, known := l.hints.Hint(p)
	if !known {
		if !l.over(p) {
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

// over tells whether the game is over.
func (l *look[P]) over(p P) bool {
	if game, ok := proofs.Game[P](l.game).(bitboard.CounterTo[P]); ok {
		return game.CountTo(p, 1) == 0
	}
	l.replies = l.game.Turns(l.replies[:0], p)
	return len(l.replies) == 0
}

// reach tells whether a position that follows is to become a member. It fails where
// the claim does not hold there, and where nothing is known of it.
func (l *look[P]) reach(p P, side bitboard.Side) (adds bool, err error) {
	if l.set.has(p, side) {
		return false, nil
	}
	w := l.weigh(p, side)
	return w.known && w.holds && !w.over, l.refuse(p, side, w)
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
	highest := uint32(0)
	for _, to := range l.turns {
		w := l.weigh(to, f.side)
		if err := l.refuse(to, f.side, w); err != nil {
			return err
		}
		highest = max(highest, w.rank)
		if !w.over && !w.member {
			f.adds = append(f.adds, to)
		}
	}
	f.record = proofs.Record{Position: l.game.Format(p, f.side.Other()), Turn: proofs.AllTurns, Rank: highest + 1}
	return nil
}

// choose picks the turn of the claim's side.
func (l *look[P]) choose(p P, f *found[P]) error {
	var best candidate
	for i, to := range l.turns {
		w := l.weigh(to, f.side)
		if !w.known || !w.holds || best.found && w.rank > best.rank {
			continue
		}
		c := candidate{found: true, turn: i, rank: w.rank, free: w.over || w.member}
		if !c.free {
			if best.found && best.free && best.rank == c.rank {
				continue
			}
			c.new, c.pieces = l.continuations(to, f.side.Other()), l.game.Pieces(l.game.SliceOf(to))
		}
		if c.before(best) {
			best = c
		}
		if best.free && !l.claim.Wins {
			break
		}
	}
	if !best.found {
		return l.stuck(p, f)
	}
	to := l.turns[best.turn]
	if !best.free {
		f.adds = append(f.adds, to)
	}
	f.record = proofs.Record{Position: l.game.Format(p, f.side.Other()), Rank: best.rank + 1}
	for _, t := range l.game.Notated(p, f.side.Other()) {
		if t.To == to {
			f.record.Turn = t.Notation
			break
		}
	}
	return nil
}

// A candidate is a turn that keeps the claim.
type candidate struct {
	found  bool
	turn   int    // number
	rank   uint32 // of where it leads
	free   bool   // nothing follows that is not there
	new    int    // replies that lead to no member
	pieces int
}

// before tells whether a turn is the better one.
func (c candidate) before(other candidate) bool {
	switch {
	case !other.found || c.rank != other.rank:
		return !other.found || c.rank < other.rank
	case c.free != other.free:
		return c.free
	case c.new != other.new:
		return c.new < other.new
	}
	return c.pieces < other.pieces
}

// continuations counts the turns of a position that lead to no member.
func (l *look[P]) continuations(p P, side bitboard.Side) (n int) {
	l.replies = l.game.Turns(l.replies[:0], p)
	for _, to := range l.replies {
		if !l.set.has(to, side) {
			n++
		}
	}
	return n
}

// stuck says why no turn keeps the claim.
func (l *look[P]) stuck(p P, f *found[P]) error {
	for _, to := range l.turns {
		if w := l.weigh(to, f.side); !w.known {
			return l.refuse(to, f.side, w)
		}
	}
	return l.contradiction(p, f.side.Other(), "no turn keeps the claim, by the tables")
}
