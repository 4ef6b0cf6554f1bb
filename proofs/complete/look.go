package complete

import (
	"fmt"
	"math"

	"paika/bitboard"
	"paika/proofs"
)

// found is what a look at a member found.
type found[P comparable] struct {
	record proofs.Record
	side   bitboard.Side // to move in what follows
	adds   []P           // positions that follow and are no members yet
	over   bool          // the game is over there: no record stands for it
	choice uint64        // that was made, of the claim's side
	putOff bool          // nobody looked yet
	err    error
}

// look is what a worker needs to look at members. The set stays as it is meanwhile.
type look[P comparable] struct {
	*completion[P]
	turns, replies []P
}

func (c *completion[P]) newLook() *look[P] { return &look[P]{completion: c} }

// member looks at a member, and tells what its record is and what follows.
func (l *look[P]) member(t task, f *found[P]) {
	p, side := l.set.At(t.member)
	*f = found[P]{side: side.Other(), adds: f.adds[:0]}
	l.turns, f.err = l.list(l.turns, p, side)
	switch {
	case f.err != nil:
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

// list is the turns of a position, in the room of some. It fails where a check would not
// list them.
func (l *look[P]) list(room []P, p P, side bitboard.Side) ([]P, error) {
	if l.crowded(p) {
		return room, l.contradiction(p, side, fmt.Sprintf("it has more than %d turns", proofs.MostTurns))
	}
	return l.game.Turns(room[:0], p), nil
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

// weigh tells what is known of a position. For wins a member needs its distance, too.
func (l *look[P]) weigh(p P, side bitboard.Side) worth {
	w := worth{member: l.set.Has(p, side)}
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

// reach tells whether a position that follows is to become a member. It fails where
// nothing is known of it, and where the game ends there against the claim.
func (l *look[P]) reach(p P, side bitboard.Side) (adds bool, err error) {
	switch {
	case l.set.Has(p, side):
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
	for _, to := range l.turns {
		adds, rank, err := l.admit(to, f.side)
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
func (l *look[P]) admit(p P, side bitboard.Side) (adds bool, rank uint32, err error) {
	if !l.claim.Wins {
		adds, err = l.reach(p, side)
		return adds, 0, err
	}
	w := l.weigh(p, side)
	return !w.over && !w.member, w.rank, l.refuse(p, side, w)
}

// choose picks the turn of the claim's side.
func (l *look[P]) choose(p P, f *found[P]) error {
	var best candidate
	for i, to := range l.turns {
		w := l.weigh(to, f.side)
		if !w.known || !w.holds || best.found && w.rank > best.rank {
			continue
		}
		c := candidate{found: true, turn: i, worth: w, free: w.over || w.member}
		if !c.free {
			most := math.MaxInt
			if best.found && best.rank == c.rank {
				if best.free {
					continue
				}
				most = best.new
			}
			c.new, c.pieces = l.continuations(to, f.side.Other(), most), l.game.Pieces(l.game.SliceOf(to))
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
	l.play(p, best.turn, best.worth, f)
	return nil
}

// repeat takes the turn that was chosen before.
func (l *look[P]) repeat(p P, choice uint64, f *found[P]) error {
	if choice == chosenNone || choice > uint64(len(l.turns)) {
		return ErrChoices
	}
	turn := int(choice - 1)
	w := l.weigh(l.turns[turn], f.side)
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
	worth  // of where it leads
	found  bool
	turn   int  // number
	free   bool // nothing follows that is not there
	new    int  // replies that lead to no member
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

// continuations counts the turns of a position that lead to no member, up to the first
// that is too many.
func (l *look[P]) continuations(p P, side bitboard.Side, most int) (n int) {
	if l.crowded(p) {
		return math.MaxInt
	}
	l.replies = l.game.Turns(l.replies[:0], p)
	for _, to := range l.replies {
		if l.set.Has(to, side) {
			continue
		}
		if n++; n > most {
			break
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
