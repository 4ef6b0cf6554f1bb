package mobility

import (
	"slices"
	"sync"
	"sync/atomic"
)

// What a checkpoint says is a claim: the file can be of anyone's making. A search
// that goes on from one acts on its claims, and all that it stores from then on
// may rest on them, so that it is marked as a claim too. Numbers that are not
// decided do no harm: they say where to look. Once the root is decided, the
// confirmation derives its value again, position by position: of a won one it
// takes one turn, to a position that is confirmed to be lost, of a lost one all
// turns, to positions that are confirmed to be won. It ends at games that are
// over, tables and finishers. By induction on the length of play, which always
// comes to an end, what is confirmed is true whatever the file says. The table
// tells where to look, and takes note of what is confirmed.
//
// Where the table lacks an entry, the position is searched again, claims and all,
// and confirmed then. Where something is not as claimed, nothing can be told of
// anything that came after the file was read: all is dropped, and the search
// begins anew. A file that a search has written always holds. A table that is too
// small may lose what was found again before it is confirmed: then all is dropped as
// well, and the file is kept, for a search with more memory.

// A finding is what a confirmation comes to.
type finding uint8

const (
	confirmed   finding = iota
	untrue              // a claim is
	unconfirmed         // the table loses again and again what a claim rests on
	interrupted         // the search has ended
)

// confirmEvery is how many positions are confirmed between two times that the
// table may grow, and patience how often in a row a search may end for what
// another worker has found and the table has lost.
const (
	confirmEvery = 1 << 8
	patience     = 100
)

// confirm has the workers derive the root's value again. They go through turns in
// different orders, and leave out what another one has confirmed.
func (s *search) confirm(root node, v numbers) finding {
	var group sync.WaitGroup
	var found atomic.Uint32
	var done sync.Once
	found.Store(uint32(interrupted))
	s.goOn()
	for number := range max(1, s.options.Workers) {
		group.Go(func() {
			c := &confirmer{worker: s.newWorker(), number: number}
			c.table.enter()
			defer c.table.leave()
			result := c.confirm(root, v)
			c.settleUp()
			if result == interrupted && !s.ended.Load() {
				return // since another one was faster
			}
			done.Do(func() {
				found.Store(uint32(result))
				s.stop.Store(true)
			})
		})
	}
	group.Wait()
	return finding(found.Load())
}

// confirmer is a worker that derives values again.
type confirmer struct {
	*worker
	number  int
	visited uint64
	lists   [maxTurns][]child
}

// settleUp counts the nodes that were searched again.
func (c *confirmer) settleUp() {
	c.search.visited.Add(c.nodes - c.looked)
	c.looked = c.nodes
	c.giveBack()
}

// confirm derives the value of a position, of which v is claimed.
func (c *confirmer) confirm(n node, v numbers) finding {
	if c.visited++; c.visited%confirmEvery == 0 {
		c.table.pause(c.added)
		c.added = 0
	}
	if c.stop.Load() {
		return interrupted
	}
	if known, decided := c.derive(n); decided {
		return c.compare(n, known, v)
	}
	list := c.list(n)
	c.depth++
	defer func() { c.depth-- }()
	for i := range list {
		if list[i].known && list[i].disproof == 0 {
			return c.compare(n, won, v)
		}
	}
	var result finding
	if v == won {
		result = c.confirmTurn(n, list)
	} else {
		result = c.confirmTurns(list)
	}
	if result == confirmed {
		c.note(n, v)
	}
	return result
}

// compare notes a value that needs no claim, if it is the one that was claimed.
func (c *confirmer) compare(n node, known, claim numbers) finding {
	if known != claim {
		return untrue
	}
	c.note(n, known)
	return confirmed
}

// derive tells the value of a position by the rules or a finisher.
func (c *confirmer) derive(n node) (v numbers, decided bool) {
	guess := c.guess(n)
	if guess.disproof == 0 {
		return lost, true
	}
	if min(guess.proof, guess.disproof) < c.finish {
		v, decided, _ = c.finisher.finish(n, finishNodes)
	}
	return v, decided
}

// list gives the positions after the turns of n, one deeper. Those of which the
// tables know the value are known.
func (c *confirmer) list(n node) []child {
	turns := c.turnsOf(n)
	c.probe()
	// Another search at this depth would write over the worker's own list.
	list := append(c.lists[c.depth][:0], turns...)
	for i := range list {
		list[i].numbers, list[i].known = c.probedNumbers(i)
	}
	c.lists[c.depth] = list
	return list
}

// confirmTurn confirms that one turn leads to a lost position.
func (c *confirmer) confirmTurn(n node, list []child) finding {
	for range c.patient {
		best, least := -1, uint64(0)
		for i := range list {
			data := c.table.look(list[i].node)
			if data == 0 || unpack(data) != lost {
				continue
			}
			if data&claimed == 0 {
				return confirmed
			}
			if work := data >> workBit; best < 0 || work < least {
				best, least = i, work
			}
		}
		if best >= 0 {
			return c.confirm(list[best].node, lost)
		}
		if c.losesAtOnce(list) {
			return confirmed
		}
		c.depth--
		v := c.again(n)
		searched := c.children[c.depth]
		c.depth++
		switch {
		case !v.decided():
			return interrupted
		case v != won:
			return untrue
		}
		// The table may have lost at once what the search ended with.
		if i := slices.IndexFunc(searched, func(s child) bool { return s.numbers == lost }); i >= 0 {
			return c.confirm(searched[i].node, lost)
		}
	}
	return unconfirmed
}

// losesAtOnce tells whether the value of a position in the list can be derived,
// which the table need not have then, and it is lost.
func (c *confirmer) losesAtOnce(list []child) bool {
	for i := range list {
		if v, decided := c.derive(list[i].node); decided && v == lost {
			return true
		}
	}
	return false
}

// confirmTurns confirms that all turns lead to won positions, beginning at another
// one for every worker.
func (c *confirmer) confirmTurns(list []child) finding {
	for k := range list {
		i := k
		if c.number%2 == 1 {
			i = len(list) - 1 - k
		}
		i = (i + c.number/2) % len(list)
		if list[i].known {
			continue
		}
		if result := c.confirmWon(list[i].node); result != confirmed {
			return result
		}
	}
	return confirmed
}

func (c *confirmer) confirmWon(n node) finding {
	data := c.table.look(n)
	if data != 0 && unpack(data) == won && data&claimed == 0 {
		return confirmed
	}
	if data == 0 || !unpack(data).decided() {
		v, decided := c.derive(n)
		if !decided {
			v = c.again(n)
		}
		if !v.decided() {
			return interrupted
		}
		if v != won {
			return untrue
		}
	}
	return c.confirm(n, won)
}

// again searches a position of which the table has lost what it rests on.
func (c *confirmer) again(n node) numbers {
	c.abandon, c.base = maxTurns, c.depth
	return c.prove(&child{node: n, numbers: undecided, known: true}, numbers{infinite, infinite})
}

// note marks a position as confirmed.
func (c *confirmer) note(n node, v numbers) {
	data := c.table.look(n)
	if data == 0 {
		data = n.side << sideBit
	}
	c.added += c.table.put(n, data&^(packedMask|packedMask<<numberBits|claimed)|pack(v))
}
