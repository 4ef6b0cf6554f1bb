package mobility

import (
	"slices"

	"paika/bitboard/konane"
)

const (
	// finishBelow is what the smaller of a new position's guessed numbers is less
	// than where a finisher tries to solve it: they are about the square root of
	// the work, which is some 60 nodes there.
	finishBelow = 200

	// finishNodes is how many nodes it may take for that.
	finishNodes = 100

	memoBits = 14
)

// A finisher solves small endgames on the spot: depth first, the turns that
// leave the opponent the fewest jumps and the player the most before the others.
// A node takes it a tenth of the time that one of the search above needs, and no
// room in the transposition table. It is one worker's.
type finisher struct {
	guide *guide
	left  int // nodes until it gives up
	turns [maxTurns]candidates
	memo  []memo
}

// candidates are the positions after the turns that have to be looked into, and
// the jumps of who is then to move, less those of the opponent.
type candidates struct {
	after []konane.Position[konane.Word]
	jumps []weight
}

// memo is a position that was solved not long ago: its stones if the side to
// move loses, and their complements, which no position has, if it wins.
type memo struct{ own, opp uint64 }

func newFinisher(g *guide) finisher {
	return finisher{guide: g, memo: make([]memo, 1<<memoBits)}
}

// finish solves a position, unless that takes more nodes than that. It counts
// them.
func (f *finisher) finish(n node, most int) (v numbers, solved bool, nodes uint64) {
	f.left = most
	wins, solved := f.solve(n.own, n.opp, 0)
	nodes = uint64(most - f.left)
	switch {
	case !solved:
		return numbers{}, false, nodes
	case wins:
		return won, true, nodes
	}
	return lost, true, nodes
}

// solve tells whether the side to move wins, so many turns after the position
// that is to be finished.
func (f *finisher) solve(own, opp uint64, depth int) (wins, solved bool) {
	if f.left == 0 {
		return false, false
	}
	f.left--
	if f.list(own, opp, &f.turns[depth]) {
		return f.keep(own, opp, true), true
	}
	c := &f.turns[depth]
	for len(c.after) > 0 {
		q := c.take()
		switch replyWins, solved := f.solve(uint64(q.Own), uint64(q.Opp), depth+1); {
		case !solved:
			return false, false
		case !replyWins:
			return f.keep(own, opp, true), true
		}
	}
	return f.keep(own, opp, false), true
}

// list gives the turns of a position that may win. One of them may be seen to
// win at once: the opponent cannot move, or the memo knows that it loses.
func (f *finisher) list(own, opp uint64, c *candidates) (wins bool) {
	g := f.guide
	c.after = g.jumps.Turns(c.after[:0], konane.Position[konane.Word]{Own: konane.Word(own), Opp: konane.Word(opp)})
	c.jumps = slices.Grow(c.jumps[:0], len(c.after))
	kept := c.after[:0]
	for _, q := range c.after {
		theirs, ours := uint64(q.Own), uint64(q.Opp)
		empty := g.jumps.Empty(ours, theirs)
		replies := g.ahead(theirs, ours, empty)
		if replies.any() == 0 {
			return true
		}
		switch wins, known := f.recall(theirs, ours); {
		case known && !wins:
			return true
		case !known:
			next := g.ahead(ours, theirs, empty)
			kept = append(kept, q)
			c.jumps = append(c.jumps, g.size(&replies)-g.size(&next))
		}
	}
	c.after = kept
	return false
}

// take removes the candidate with the fewest jumps, the first of several.
func (c *candidates) take() konane.Position[konane.Word] {
	best := 0
	for i, n := range c.jumps {
		if n < c.jumps[best] {
			best = i
		}
	}
	q, last := c.after[best], len(c.after)-1
	c.after[best], c.jumps[best] = c.after[last], c.jumps[last]
	c.after, c.jumps = c.after[:last], c.jumps[:last]
	return q
}

func (f *finisher) recall(own, opp uint64) (wins, known bool) {
	switch m := *f.slot(own, opp); m {
	case memo{own, opp}:
		return false, true
	case memo{^own, ^opp}:
		return true, true
	}
	return false, false
}

func (f *finisher) keep(own, opp uint64, wins bool) bool {
	m := memo{own, opp}
	if wins {
		m = memo{^own, ^opp}
	}
	*f.slot(own, opp) = m
	return wins
}

func (f *finisher) slot(own, opp uint64) *memo {
	h := own*0x9e3779b97f4a7c15 ^ opp*0xbf58476d1ce4e5b9
	h ^= h >> 32
	return &f.memo[h*0x94d049bb133111eb>>(64-memoBits)]
}
