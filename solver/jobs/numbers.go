package jobs

import "iter"

// numbers are a node's as its side to move sees them: phi is the work that seems left
// to reach its goal, delta that to fail. Where the node is solved, one is 0 and the
// other infinity.
type numbers struct{ phi, delta uint32 }

const (
	infinity = 1 << 30
	most     = infinity - 1
	guessed  = most / 2 // of what is estimated or told, at the most
)

// hopeless are the numbers of a leaf of which nobody is asked: it has too many turns. A vertex has
// them where nothing else is left to be tried for either side.
var hopeless = numbers{most, most}

func (n numbers) hopeless() bool { return n == hopeless }

// solved are the numbers of a node whose side to move has reached its goal, or can't.
func solved(reached bool) numbers {
	if reached {
		return numbers{0, infinity}
	}
	return numbers{infinity, 0}
}

// bounded are numbers of a node that is not solved, whatever they are made from.
func bounded(phi, delta uint32) numbers {
	return numbers{min(max(phi, 1), guessed), min(max(delta, 1), guessed)}
}

// hint is what a worker tells of a node.
func hint(n Numbers, attacker bool) numbers {
	if attacker {
		return bounded(n.Proof, n.Disproof)
	}
	return bounded(n.Disproof, n.Proof)
}

// told is the reverse of hint.
func (n numbers) told(attacker bool) Numbers {
	if attacker {
		return Numbers{n.phi, n.delta}
	}
	return Numbers{n.delta, n.phi}
}

// together makes a node's numbers of those of its turns. One is enough to reach the
// goal; to fail all must, for which the largest stands and one for each other (see
// package proofnumber).
func together(turns iter.Seq[numbers]) numbers {
	all := numbers{phi: infinity}
	live := uint32(0)
	for n := range turns {
		all.phi = min(all.phi, n.delta)
		if n.phi != 0 {
			live++
			all.delta = max(all.delta, n.phi)
		}
	}
	switch {
	case live == 0:
		return solved(false)
	case all.phi == 0:
		return solved(true)
	}
	all.delta = min(all.delta+live-1, most)
	return all
}
