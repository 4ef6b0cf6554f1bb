package proofnumber

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Nodes of a tree have numbers of 32 bits, also those of the turns of the last one.
func TestATreeHasNoMoreNodesThanNumbers(t *testing.T) {
	o := Options[int]{TreeNodes: math.MaxInt, Estimate: func(int, bool) (phi, delta uint32) { return 1, 1 }}.complete(nil)
	if o.TreeNodes > math.MaxUint32-mostTurns {
		t.Errorf("%d nodes, whose turns have no number", o.TreeNodes)
	}
}

// What the table keeps of a state is what is read from it, and nothing else is taken for
// what a search has written.
func TestStatesAreReadAsTheyAreKept(t *testing.T) {
	for _, attacker := range []bool{false, true} {
		for _, s := range []state{
			proved(attacker, 0), proved(attacker, 1), proved(attacker, 1000), refuted(attacker, true), refuted(attacker, false),
			{phi: 1, delta: 1}, {phi: most, delta: 1}, {phi: 7, delta: most},
		} {
			kept := unpack(s.record(attacker).pack())
			if got := kept.state(attacker); got != s || !kept.sound() || kept.fact() != s.fact || kept.solved() != s.solved() || (kept.phi == 0) != (s.phi == 0) || (kept.delta == 0) != (s.delta == 0) {
				t.Errorf("attacker %v: %+v is kept as %+v and read as %+v", attacker, s, kept, got)
			}
		}
	}
	for _, r := range []record{{0, 0, 1}, {infinity, 1, 1}, {1, infinity, 1}, {infinity, infinity, 1}} {
		if r.sound() {
			t.Errorf("a search may have written %+v", r)
		}
	}
}

// byDefinition is the verdict of a node whose turns lead to these, its rank if it is proved,
// and whether it is a fact.
func byDefinition(turns []state, attacker bool) (v Verdict, rank uint32, fact bool) {
	count := make(map[Verdict]int)
	least, highest, factual, allFacts := uint32(infinity), uint32(0), false, true
	for _, s := range turns {
		of := s.verdict(!attacker)
		count[of]++
		switch of {
		case Proved:
			least, highest = min(least, s.rank), max(highest, s.rank)
		case Refuted:
			factual, allFacts = factual || s.fact, allFacts && s.fact
		}
	}
	switch {
	case attacker && count[Proved] > 0:
		return Proved, least + 1, true
	case attacker && count[Refuted] == len(turns):
		return Refuted, 0, allFacts
	case !attacker && count[Refuted] > 0:
		return Refuted, 0, factual
	case !attacker && count[Proved] == len(turns):
		return Proved, highest + 1, true
	}
	return Undecided, 0, false
}

// A node is what its turns make of it: a proof rests on proofs of lower rank, and a refutation
// is a fact where it needs no belief.
func TestNodesAreWhatTheirTurnsMakeOfThem(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for range 20_000 {
		attacker := random.IntN(2) == 0
		kinds := 2 + random.IntN(2) // so that many nodes are decided
		turns := make([]state, 1+random.IntN(4))
		for i := range turns {
			switch random.IntN(kinds) {
			case 0:
				turns[i] = proved(!attacker, random.Uint32N(4))
			case 1:
				turns[i] = refuted(!attacker, random.IntN(2) == 0)
			default:
				turns[i] = state{phi: 1 + random.Uint32N(5), delta: 1 + random.Uint32N(5)}
			}
		}
		sums := random.IntN(2) == 0
		v, rank, fact := byDefinition(turns, attacker)
		got := choose(turns, attacker, sums)
		if got.verdict(attacker) != v || got.fact != fact || v == Proved && got.rank != rank {
			t.Fatalf("attacker %v, turns %+v: %+v, want %v, rank %d, fact %v", attacker, turns, got, v, rank, fact)
		}
		if v != Undecided {
			continue
		}
		phi, highest, sum, live := uint32(infinity), uint32(0), uint32(0), uint32(0)
		for _, s := range turns {
			if s.phi == 0 { // the turn fails
				continue
			}
			live++
			sum += s.phi
			phi, highest = min(phi, s.delta), max(highest, s.phi)
		}
		delta, others := highest+live-1, live-1
		if sums {
			delta, others = sum, sum-turns[got.best].phi
		}
		if got.others != others {
			t.Fatalf("sums %v, turns %+v: the others add %d, want %d", sums, turns, got.others, others)
		}
		if got.phi != phi || got.delta != delta || turns[got.best].delta != phi || turns[got.best].phi == 0 {
			t.Fatalf("attacker %v, sums %v, turns %+v: %+v, want %d and %d", attacker, sums, turns, got, phi, delta)
		}
	}
}
