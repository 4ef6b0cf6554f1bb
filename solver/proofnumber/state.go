package proofnumber

import "paika/bitboard"

// A state is what is known of a node, seen from its side to move: phi is the
// work that seems left to show that this side reaches its goal (the attacker to
// win, the defender not to lose), delta to show that it does not. Where the node
// is solved, one of them is 0 and the other infinity.
type state struct {
	phi, delta uint32
	rank       uint32 // proved: the most turns to an end or a table
	fact       bool   // solved, however the node was reached
}

func (s state) solved() bool { return s.phi == 0 || s.delta == 0 }

// proved is the state of a node that the attacker wins.
func proved(attacker bool, rank uint32) state {
	if attacker {
		return state{0, infinity, rank, true}
	}
	return state{infinity, 0, rank, true}
}

// refuted is the state of a node that the defender does not lose: a fact, or
// else for all that is known.
func refuted(attacker, fact bool) state {
	if attacker {
		return state{infinity, 0, 0, fact}
	}
	return state{0, infinity, 0, fact}
}

// valued is the state of a node whose value tables or rules give.
func valued(attacker bool, v bitboard.Value) state {
	if attacker && v == bitboard.Win || !attacker && v == bitboard.Loss {
		return proved(attacker, 0)
	}
	return refuted(attacker, true)
}

// verdict is what a solved state says.
func (s state) verdict(attacker bool) Verdict {
	switch {
	case !s.solved():
		return Undecided
	case attacker == (s.phi == 0):
		return Proved
	}
	return Refuted
}

// record is the data of a table's entry. A number of 0 says that the node is
// solved; the other number is then one more than the rank of a proof, settled for
// a refutation that is a fact, or infinity for one that is believed.
type record struct {
	phi, delta uint32
	effort     uint32 // nodes
}

func (r record) pack() uint64 {
	return uint64(r.phi) | uint64(r.delta)<<numberBits | uint64(r.effort)<<(2*numberBits)
}

func unpack(data uint64) record {
	return record{uint32(data & infinity), uint32(data >> numberBits & infinity), uint32(data >> (2 * numberBits))}
}

func (r record) solved() bool { return r.phi == 0 || r.delta == 0 }

// fact tells whether the record is that of a node that is solved however it was
// reached.
func (r record) fact() bool { return r.solved() && r.phi+r.delta != infinity }

// sound tells whether a search can have written the record: one number of a
// solved node is 0, none of another is or is infinite.
func (r record) sound() bool {
	if r.solved() {
		return r.phi != r.delta
	}
	return r.phi < infinity && r.delta < infinity
}

// state is what a record says of a node.
func (r record) state(attacker bool) state {
	switch {
	case !r.solved():
		return state{phi: r.phi, delta: r.delta}
	case r.phi+r.delta < settled:
		return proved(attacker, r.phi+r.delta-1)
	}
	return refuted(attacker, r.fact())
}

// record is what the table keeps of a state.
func (s state) record(attacker bool) record {
	switch v := s.verdict(attacker); {
	case v == Proved && attacker:
		return record{phi: 0, delta: min(s.rank+1, settled-1)}
	case v == Proved:
		return record{phi: min(s.rank+1, settled-1), delta: 0}
	case v == Refuted && s.fact && attacker:
		return record{phi: settled, delta: 0}
	case v == Refuted && s.fact:
		return record{phi: 0, delta: settled}
	}
	return record{phi: s.phi, delta: s.delta}
}

// A choice is what a node's turns make of it, and the turn to look at next.
type choice struct {
	state
	best   int
	second uint32 // the smallest delta but one
	others uint32 // what the turns but the best add to delta
}

// choose takes a node's turns together. The side to move succeeds if one of
// them defeats the other side, and fails if all of them fail.
//
// A sum over all of them would count twice what two have in common; on these
// graphs it runs away. The largest number, and one for each other turn, stands
// for it (T. Ueda, T. Hashimoto, J. Hashimoto, H. Iida, "Weak proof-number
// search", Computers and Games 2008).
//
// Among turns with the smallest number, choose takes the first. sums asks for the
// sum nevertheless.
func choose(states []state, attacker, sums bool) choice {
	c := choice{state: state{phi: infinity}, second: infinity}
	live, sum := uint32(0), uint64(0)
	for i := range states {
		s := &states[i]
		if s.phi == 0 {
			continue
		}
		live++
		sum += uint64(s.phi)
		c.delta = max(c.delta, s.phi)
		if s.delta < c.phi {
			c.second, c.phi, c.best = c.phi, s.delta, i
		} else {
			c.second = min(c.second, s.delta)
		}
	}
	switch {
	case live == 0:
		c.state = failure(states, attacker)
	case c.phi == 0:
		c.state = success(states, attacker)
	case sums:
		c.delta = uint32(min(sum, most))
		c.others = uint32(min(sum-uint64(states[c.best].phi), most))
	default:
		c.delta = min(c.delta+live-1, most)
		c.others = live - 1
	}
	return c
}

// success is the state of a node one of whose turns defeats the other side. Of
// several wins it takes the shortest, and a refutation is a fact if one of its
// turns makes it so.
func success(states []state, attacker bool) state {
	rank, fact := uint32(infinity), false
	for i := range states {
		if s := &states[i]; s.delta == 0 {
			rank, fact = min(rank, s.rank), fact || s.fact
		}
	}
	if attacker {
		return proved(attacker, rank+1)
	}
	return refuted(attacker, fact)
}

// failure is the state of a node all of whose turns fail. A refutation is a fact
// if those of all turns are.
func failure(states []state, attacker bool) state {
	rank, fact := uint32(0), true
	for i := range states {
		rank, fact = max(rank, states[i].rank), fact && states[i].fact
	}
	if attacker {
		return refuted(attacker, fact)
	}
	return proved(attacker, rank+1)
}
