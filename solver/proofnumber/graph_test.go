package proofnumber_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/solver/naive"
	"paika/solver/proofnumber"
)

// graph is a game drawn by chance: nodes with edges anywhere, so that play goes
// in circles of all lengths.
type graph struct {
	edges [][]node
	ends  []bitboard.Value // of the nodes without edges
}

// node is a node's number, with a byte of padding that keys must not see.
type node struct {
	Number uint16
	Zero   uint8
}

func newGraph(rng *rand.Rand, nodes, degree int) *graph {
	g := &graph{edges: make([][]node, nodes), ends: make([]bitboard.Value, nodes)}
	for i := range g.edges {
		g.ends[i] = bitboard.Value(rng.IntN(3))
		if rng.IntN(6) == 0 {
			continue
		}
		for range 1 + rng.IntN(degree) {
			g.edges[i] = append(g.edges[i], node{Number: uint16(rng.IntN(nodes))})
		}
	}
	return g
}

// solvedGraph is a graph of some size, with the outcomes of the positions that come from the
// first one, and these in their order.
func solvedGraph(t *testing.T, rng *rand.Rand) (g *graph, outcomes map[node]bitboard.Outcome, positions []node) {
	t.Helper()
	g = newGraph(rng, 4+rng.IntN(120), 1+rng.IntN(5))
	outcomes, err := naive.Solve(t.Context(), g, node{})
	if err != nil {
		t.Fatal(err)
	}
	positions = slices.SortedFunc(maps.Keys(outcomes), func(a, b node) int { return int(a.Number) - int(b.Number) })
	return g, outcomes, positions
}

func (g *graph) Turns(dst []node, p node) []node { return append(dst, g.edges[p.Number]...) }
func (g *graph) Ended(p node) bitboard.Value     { return g.ends[p.Number] }

// holds checks a proof or refutation step by step: every turn that a step needs
// leads to a step, a lemma or an end that is as claimed, and ranks fall in a
// proof.
func holds[P comparable](t *testing.T, rules bitboard.Rules[P], root P, attackerMoves bool, verdict proofnumber.Verdict, steps []proofnumber.Step[P], lemmas ...proofnumber.Lemma[P]) {
	t.Helper()
	type key struct {
		position P
		attacker bool
	}
	set := make(map[key]proofnumber.Step[P])
	for _, s := range steps {
		set[key{s.Position, s.AttackerMoves}] = s
	}
	good := func(p P, attacker bool, below uint32) bool {
		if len(rules.Turns(nil, p)) == 0 {
			v := rules.Ended(p)
			win := attacker && v == bitboard.Win || !attacker && v == bitboard.Loss
			return win == (verdict == proofnumber.Proved)
		}
		if slices.Contains(lemmas, proofnumber.Lemma[P]{Position: p, AttackerMoves: attacker, Verdict: verdict}) {
			return true
		}
		s, ok := set[key{p, attacker}]
		return ok && (verdict == proofnumber.Refuted || s.Rank < below)
	}
	if !good(root, attackerMoves, math.MaxUint32) {
		t.Errorf("the root is no step")
	}
	for _, s := range steps {
		turns := rules.Turns(nil, s.Position)
		if s.Chosen != (s.AttackerMoves == (verdict == proofnumber.Proved)) {
			t.Errorf("%v: chosen is %v", s.Position, s.Chosen)
		}
		legal := false
		for _, to := range turns {
			legal = legal || to == s.To
			if (!s.Chosen || to == s.To) && !good(to, !s.AttackerMoves, s.Rank) {
				t.Errorf("%v: %v does not follow", s.Position, to)
			}
		}
		if s.Chosen && !legal {
			t.Errorf("%v: the turn chosen is illegal", s.Position)
		}
	}
}

// TestCyclicGames searches games full of circles by every method, with a table
// that keeps everything and with one that loses most of it, with room for every
// set and for few, and compares every verdict with the obvious solver's.
func TestCyclicGames(t *testing.T) {
	graphs := uint64(25)
	if testing.Short() {
		graphs = 10
	}
	for seed := range graphs {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := newGraph(rng, 4+rng.IntN(120), 1+rng.IntN(5))
		for _, o := range []proofnumber.Options[node]{
			{}, {Workers: 2}, {Workers: 8}, {Method: proofnumber.PN}, {Method: proofnumber.PN2},
			{Sums: true, Tight: true}, {Method: proofnumber.PN, Sums: true}, {Workers: 2, Sums: true}, {Seed: 1}, {Workers: 8, Seed: 2},
		} {
			for _, memory := range []struct{ table, sets uint64 }{{1 << 11, 1 << 18}, {1 << 16, 1 << 18}, {1 << 16, 1 << 10}} {
				o.Sets = memory.sets
				name := fmt.Sprintf("graph=%d/%v/workers=%d/sums=%v/seed=%d/table=%d/sets=%d", seed, o.Method, o.Workers, o.Sums, o.Seed, memory.table, memory.sets)
				t.Run(name, func(t *testing.T) { testGame(t, g, node{}, memory.table, o) })
			}
		}
	}
}

// testGame asks both questions of every position that play can reach. Some of them
// in a row use what the answers before have left in the table, so that what is no
// fact there comes to light.
func testGame[P comparable](t *testing.T, rules bitboard.Rules[P], root P, bytes uint64, o proofnumber.Options[P]) {
	t.Helper()
	want, err := naive.Solve(t.Context(), rules, root)
	if err != nil {
		t.Fatal(err)
	}
	table := newTable(t, bytes)
	const share = 16
	asked := 0
	for p, outcome := range want {
		for _, attacker := range []bool{true, false} {
			if asked++; asked%share == 0 {
				table = newTable(t, bytes)
			}
			s, err := proofnumber.New(rules, table, o)
			if err != nil {
				t.Fatal(err)
			}
			wanted := proofnumber.Refuted
			if attacker && outcome.Value == bitboard.Win || !attacker && outcome.Value == bitboard.Loss {
				wanted = proofnumber.Proved
			}
			var steps []proofnumber.Step[P]
			r, err := s.Extract(t.Context(), p, attacker, func(s proofnumber.Step[P]) error {
				steps = append(steps, s)
				return nil
			})
			if bytes < 1<<16 && errors.Is(err, proofnumber.ErrTableTooSmall) || errors.Is(err, proofnumber.ErrSetTooSmall) && o.Sets < 1<<18 {
				continue // too little memory may come to nothing, but never to a wrong verdict
			}
			if err != nil || r.Verdict != wanted {
				t.Fatalf("%v, attacker to move %v: %v, %v, want %v", p, attacker, r.Verdict, err, wanted)
			}
			holds(t, rules, p, attacker, r.Verdict, steps)
		}
	}
}

// TestLemmas gives a search the answers for some positions, and wants steps that
// are about others alone, and lead to them.
func TestLemmas(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		g := newGraph(rng, 60, 4)
		want, err := naive.Solve(t.Context(), g, node{})
		if err != nil {
			t.Fatal(err)
		}
		wins := func(p node, attacker bool) proofnumber.Verdict {
			if v := want[p].Value; attacker && v == bitboard.Win || !attacker && v == bitboard.Loss {
				return proofnumber.Proved
			}
			return proofnumber.Refuted
		}
		verdict := wins(node{}, true)
		o := proofnumber.Options[node]{Sets: 1 << 18}
		for p := range want {
			if attacker := rng.IntN(2) == 0; p != (node{}) && rng.IntN(3) == 0 && wins(p, attacker) == verdict && len(g.edges[p.Number]) > 0 {
				o.Lemmas = append(o.Lemmas, proofnumber.Lemma[node]{Position: p, AttackerMoves: attacker, Verdict: verdict})
			}
		}
		s, err := proofnumber.New(g, newTable(t, 1<<16), o)
		if err != nil {
			t.Fatal(err)
		}
		var steps []proofnumber.Step[node]
		r, err := s.Extract(t.Context(), node{}, true, func(s proofnumber.Step[node]) error {
			steps = append(steps, s)
			return nil
		})
		if err != nil || r.Verdict != verdict {
			t.Fatalf("seed %d: %v, %v, want %v", seed, r, err, verdict)
		}
		for _, l := range o.Lemmas {
			for _, s := range steps {
				if s.Position == l.Position && s.AttackerMoves == l.AttackerMoves {
					t.Errorf("seed %d: a step is about the lemma %v", seed, l)
				}
			}
		}
		holds(t, g, node{}, true, verdict, steps, o.Lemmas...)
	}
}

// hints are values of some nodes.
type hints map[node]bitboard.Value

func (h hints) Probe(positions []node, values []bitboard.Value) {
	for i, p := range positions {
		values[i] = proofnumber.Unknown
		if v, known := h[p]; known {
			values[i] = v
		}
	}
}

// Hints save work, and an answer that is sought rests on none of them: its steps go on
// to the ends of the game. The other answer is as true as the hints are.
func TestHintsGuide(t *testing.T) {
	unguided, guided := uint64(0), uint64(0)
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 5))
		g := newGraph(rng, 4+rng.IntN(120), 1+rng.IntN(5))
		want, err := naive.Solve(t.Context(), g, node{})
		if err != nil {
			t.Fatal(err)
		}
		known := make(hints)
		for number := range g.edges {
			p := node{Number: uint16(number)}
			if outcome, reached := want[p]; reached && rng.IntN(4) != 0 {
				known[p] = outcome.Value
			}
		}
		for number := range g.edges {
			p := node{Number: uint16(number)}
			outcome, reached := want[p]
			if !reached {
				continue
			}
			attacker := rng.IntN(2) == 0
			verdict := proofnumber.Refuted
			if attacker && outcome.Value == bitboard.Win || !attacker && outcome.Value == bitboard.Loss {
				verdict = proofnumber.Proved
			}
			ask := func(o proofnumber.Options[node]) uint64 {
				o.Sets = 1 << 18
				s, err := proofnumber.New(g, newTable(t, 1<<16), o)
				if err != nil {
					t.Fatal(err)
				}
				var steps []proofnumber.Step[node]
				r, err := s.Extract(t.Context(), p, attacker, func(s proofnumber.Step[node]) error {
					steps = append(steps, s)
					return nil
				})
				if err != nil || r.Verdict != verdict {
					t.Fatalf("seed %d, %v, %d workers, sought %v, hints %v: %v, %v, want %v", seed, p, o.Workers, o.Sought, o.Hints != nil, r.Verdict, err, verdict)
				}
				if o.Hints == nil || o.Sought == verdict {
					holds(t, g, p, attacker, verdict, steps)
				}
				return s.Nodes()
			}
			unguided += ask(proofnumber.Options[node]{})
			others := maps.Clone(known)
			delete(others, p) // where the root is known, nothing can rest on it
			guided += ask(proofnumber.Options[node]{Hints: others, Sought: verdict})
			ask(proofnumber.Options[node]{Hints: others, Sought: proofnumber.Proved + proofnumber.Refuted - verdict, Workers: 2})
		}
	}
	if guided >= unguided {
		t.Errorf("%d nodes with hints, %d without", guided, unguided)
	}
}

// TestEstimatesDecideNothing, however small or large they are.
func TestEstimatesDecideNothing(t *testing.T) {
	for seed := range uint64(5) {
		g := newGraph(rand.New(rand.NewPCG(seed, 3)), 60, 4)
		estimate := func(p node, _ bool) (phi, delta uint32) {
			if len(g.edges[p.Number]) == 0 {
				return 0, 0
			}
			guesses := [...]uint32{0, 1, 1<<20 - 2, 1<<20 - 1, 1 << 20, 1 << 31, math.MaxUint32}
			phi, delta = guesses[int(p.Number)%len(guesses)], guesses[int(p.Number)/len(guesses)%len(guesses)]
			if phi == 0 && delta == 0 {
				delta = 1 // or it would say that the game is over
			}
			return phi, delta
		}
		for _, method := range []proofnumber.Method{proofnumber.DFPN, proofnumber.PN, proofnumber.PN2} {
			t.Run(fmt.Sprintf("graph=%d/%v", seed, method), func(t *testing.T) {
				testGame(t, g, node{}, 1<<16, proofnumber.Options[node]{Method: method, Sets: 1 << 18, Estimate: estimate})
			})
		}
	}
}
