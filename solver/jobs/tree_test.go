package jobs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// graph is a game on numbered positions: turns lead where its lists say, in circles
// too. Where there are none the game is over.
type graph struct {
	turns [][]int
	ends  []bitboard.Value
}

func (g *graph) Turns(dst []int, p int) []int { return append(dst, g.turns[p]...) }
func (g *graph) Ended(p int) bitboard.Value   { return g.ends[p] }

// randomGraph has positions most of which can be come back to.
func randomGraph(r *rand.Rand, positions int) *graph {
	g := &graph{turns: make([][]int, positions), ends: make([]bitboard.Value, positions)}
	for p := range positions {
		g.ends[p] = []bitboard.Value{bitboard.Win, bitboard.Draw, bitboard.Loss}[r.IntN(3)]
		if r.IntN(5) == 0 {
			continue
		}
		for range 1 + r.IntN(3) {
			g.turns[p] = append(g.turns[p], r.IntN(positions))
		}
	}
	return g
}

type node = jobs.Node[int]

// won is the set of nodes that the attacker wins, by rounds from the ends.
func (g *graph) won() map[node]bool {
	won := make(map[node]bool)
	for changed := true; changed; {
		changed = false
		for p := range g.turns {
			for _, attacker := range []bool{false, true} {
				n := node{p, attacker}
				if !won[n] && g.wins(n, won) {
					won[n], changed = true, true
				}
			}
		}
	}
	return won
}

func (g *graph) wins(n node, won map[node]bool) bool {
	if len(g.turns[n.Position]) == 0 {
		return n.AttackerMoves && g.ends[n.Position] == bitboard.Win || !n.AttackerMoves && g.ends[n.Position] == bitboard.Loss
	}
	into := func(to int) bool { return won[node{to, !n.AttackerMoves}] }
	if n.AttackerMoves {
		return slices.ContainsFunc(g.turns[n.Position], into)
	}
	return !slices.ContainsFunc(g.turns[n.Position], func(to int) bool { return !into(to) })
}

func verdict(won bool) proofnumber.Verdict {
	if won {
		return proofnumber.Proved
	}
	return proofnumber.Refuted
}

// A crew answers jobs in an order of its own: it decides some nodes, gives the others
// back with numbers that mean nothing, and loses a job now and then.
type crew struct {
	random  *rand.Rand
	game    *graph
	won     map[node]bool
	decides int // one node in so many, or none for 0
	workers int
}

func (c *crew) answer(n node) jobs.Answer {
	a := jobs.Answer{Nodes: uint64(1 + c.random.IntN(1000))}
	if c.decides > 0 && (n.Position+1)%c.decides == 0 { // the root, at 0, only where all are
		a.Verdict = verdict(c.won[n])
		return a
	}
	if c.random.IntN(3) > 0 {
		for range c.game.turns[n.Position] {
			a.Turns = append(a.Turns, jobs.Turn{Numbers: jobs.Numbers{Proof: c.random.Uint32N(1000), Disproof: c.random.Uint32()}})
		}
	}
	return a
}

// solve works on a tree until there is a verdict. It tells of each answer.
func (c *crew) solve(t *testing.T, tree *jobs.Tree[int], told func(node, jobs.Answer)) {
	t.Helper()
	var out []node
	for rounds := 0; tree.Verdict() == proofnumber.Undecided; rounds++ {
		if rounds > 200_000 {
			t.Fatal("the tree comes to no verdict")
		}
		if len(out) < c.workers {
			if job, found := tree.Next(c.workers); found {
				out = append(out, job.Node)
				continue
			}
		}
		if tree.Verdict() != proofnumber.Undecided {
			break // by what Next found out
		}
		if len(out) == 0 {
			t.Fatal("no job is out and none is to be had, without a verdict")
		}
		i := c.random.IntN(len(out))
		n := out[i]
		out = slices.Delete(out, i, i+1)
		if c.random.IntN(10) == 0 {
			tree.Return(n)
			continue
		}
		a := c.answer(n)
		tree.Answer(n, a)
		told(n, a)
	}
}

// checkSupport fails unless a structure shows the verdict at the root by itself.
func checkSupport(t *testing.T, c *crew, tree *jobs.Tree[int]) {
	t.Helper()
	goal := tree.Verdict()
	steps, parts := tree.Support()
	rank := make(map[node]uint32)
	for _, s := range steps {
		rank[s.Node] = s.Rank + 1
	}
	fits := func(above uint32, n node) bool {
		switch {
		case slices.Contains(parts, n):
			return verdict(c.won[n]) == goal
		case rank[n] != 0:
			return goal == proofnumber.Refuted || rank[n] < above
		}
		return len(c.game.turns[n.Position]) == 0 && verdict(c.won[n]) == goal
	}
	if !fits(^uint32(0), tree.Root()) {
		t.Fatalf("the root stands nowhere in %v, %v", steps, parts)
	}
	for _, s := range steps {
		turns := c.game.turns[s.Position]
		if s.Chosen != (s.AttackerMoves == (goal == proofnumber.Proved)) || len(turns) == 0 {
			t.Fatalf("step %v does not fit %v", s, goal)
		}
		if s.Chosen {
			if !slices.Contains(turns, s.To) {
				t.Fatalf("step %v has no such turn", s)
			}
			turns = []int{s.To}
		}
		for _, to := range turns {
			if !fits(rank[s.Node], node{to, !s.AttackerMoves}) {
				t.Fatalf("%v: step %v leads to %d, which shows nothing", goal, s, to)
			}
		}
	}
}

// TestAnyOrderOfAnswersComesToTheRightVerdict is on graphs full of circles: jobs come
// back in any order, decided or not, with misleading numbers, or never. What the
// verdict rests on stands by itself.
func TestAnyOrderOfAnswersComesToTheRightVerdict(t *testing.T) {
	count := make(map[proofnumber.Verdict]int)
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := randomGraph(r, 3+r.IntN(9))
		c := &crew{random: r, game: g, won: g.won(), decides: r.IntN(4), workers: 1 + r.IntN(5)}
		root := node{0, r.IntN(2) == 0}
		tree := jobs.New(root, jobs.Options[int]{Rules: g, Least: 1, Most: 1000})
		c.solve(t, tree, func(node, jobs.Answer) {})
		if got, want := tree.Verdict(), verdict(c.won[root]); got != want {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
		count[tree.Verdict()]++
		checkSupport(t, c, tree)
	}
	if len(count) != 2 {
		t.Errorf("verdicts %v: want both", count)
	}
}

// TestATreeGoesOnFromItsAnswers stops in the middle and tells a new tree what the
// first one was told, in another order: it comes to the same verdict, and asks for nothing
// that is decided again.
func TestATreeGoesOnFromItsAnswers(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		g := randomGraph(r, 8)
		c := &crew{random: r, game: g, won: g.won(), decides: 3, workers: 3}
		root := node{0, true}
		type line struct {
			node
			jobs.Answer
		}
		var ledger []line
		first := jobs.New(root, jobs.Options[int]{Rules: g, Least: 1, Most: 1000})
		c.solve(t, first, func(n node, a jobs.Answer) { ledger = append(ledger, line{n, a}) })
		cut := ledger[:r.IntN(len(ledger)+1)]
		r.Shuffle(len(cut), func(i, j int) { cut[i], cut[j] = cut[j], cut[i] })
		second := jobs.New(root, jobs.Options[int]{Rules: g, Least: 1, Most: 1000})
		for _, l := range cut {
			second.Answer(l.node, l.Answer)
			second.Answer(l.node, l.Answer) // twice is as good as once
		}
		c.solve(t, second, func(n node, _ jobs.Answer) {
			if slices.ContainsFunc(cut, func(l line) bool { return l.node == n && l.Verdict != proofnumber.Undecided }) {
				t.Fatalf("seed %d: %v is asked for again", seed, n)
			}
		})
		if first.Verdict() != second.Verdict() {
			t.Fatalf("seed %d: %v, then %v", seed, first.Verdict(), second.Verdict())
		}
		checkSupport(t, c, second)
	}
}

// TestTheSameAnswersGiveTheSameJobs: the tree draws no lots.
func TestTheSameAnswersGiveTheSameJobs(t *testing.T) {
	play := func() (log []string) {
		r := rand.New(rand.NewPCG(7, 3))
		g := randomGraph(r, 12)
		c := &crew{random: r, game: g, won: g.won(), decides: 3, workers: 4}
		tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: g, Least: 1, Most: 1000})
		c.solve(t, tree, func(n node, a jobs.Answer) { log = append(log, fmt.Sprint(n, a, tree.InFlight(), tree.Splits())) })
		return log
	}
	if first, second := play(), play(); !slices.Equal(first, second) {
		t.Errorf("%v\nand then\n%v", first, second)
	}
}

// TestJobsGrowWithTheWork: an eighth of all nodes so far, within bounds.
func TestJobsGrowWithTheWork(t *testing.T) {
	chain := &graph{turns: make([][]int, 100), ends: make([]bitboard.Value, 100)}
	for p := range 99 {
		chain.turns[p] = []int{p + 1}
	}
	tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: chain, Least: 100, Most: 1000})
	var sizes []uint64
	for _, spent := range []uint64{8 * 300, 8 * 600, 8 * 1000, 0} {
		job, _ := tree.Next(1)
		sizes = append(sizes, job.Nodes)
		tree.Answer(job.Node, jobs.Answer{Nodes: spent})
	}
	if want := []uint64{100, 300, 900, 1000}; !slices.Equal(sizes, want) {
		t.Errorf("jobs of %v nodes, want %v", sizes, want)
	}
}

// TestJobsBeginSmallAgain in a tree that is told what earlier runs have found, and grow with what follows.
// Where every team has spent the most before, a leaf is split all the same.
func TestJobsBeginSmallAgain(t *testing.T) {
	root, told := node{0, true}, []jobs.Turn{{Numbers: jobs.Numbers{Proof: 7, Disproof: 1}}, {Numbers: jobs.Numbers{Proof: 2, Disproof: 1}}}
	for before, next := range map[uint64]node{999: root, 1000: {2, false}} {
		tree := jobs.New(root, jobs.Options[int]{Rules: star(), Least: 10, Most: 1000})
		tree.Answer(root, jobs.Answer{Nodes: before, Turns: told})
		job, _ := tree.Next(1)
		if job.Node != next || job.Nodes != 10 || tree.Nodes() != before {
			t.Errorf("after %d nodes a job of %d at %v, want 10 at %v", before, job.Nodes, job.Node, next)
		}
		tree.Answer(node{1, false}, jobs.Answer{Nodes: 8 * 50})
		if job, _ = tree.Next(1); job.Nodes != 25 { // beside the one that is out
			t.Errorf("after %d nodes and 400 a job of %d", before, job.Nodes)
		}
	}
}

// TestManyJobsAreSmallOnes: those that are out divide the eighth among them, and all are of
// the leaf that tells most. One that comes back goes out as another one.
func TestManyJobsAreSmallOnes(t *testing.T) {
	wide := &graph{turns: [][]int{{1, 2, 3, 4}, {5}, {5}, {5}, {5}, nil}, ends: make([]bitboard.Value, 6)}
	tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: wide, Least: 1})
	job, _ := tree.Next(3)
	tree.Answer(job.Node, jobs.Answer{Nodes: 8 * 1200})
	var sizes []uint64
	for range 3 {
		job, _ = tree.Next(3)
		sizes = append(sizes, job.Nodes)
		if first := (node{1, false}); job.Node != first {
			t.Errorf("a job of %v, want %v", job.Node, first)
		}
	}
	tree.Return(job.Node)
	again, _ := tree.Next(3)
	if want := []uint64{1200, 600, 400}; !slices.Equal(sizes, want) || again != job || tree.InFlight() != 3 {
		t.Errorf("jobs of %v nodes, then of %d with %d out, want %v", sizes, again.Nodes, tree.InFlight(), want)
	}
}

// star is a position with two turns, each to one with two.
func star() *graph {
	return &graph{turns: [][]int{{1, 2}, {3, 4}, {3, 4}, nil, nil}, ends: make([]bitboard.Value, 5)}
}

// TestALeafGoesOutAgain if nobody has decided it, and is split once every team has spent the
// most nodes of a job there, or once it is too much for any.
func TestALeafGoesOutAgain(t *testing.T) {
	root, turns := node{0, true}, []jobs.Turn{{Numbers: jobs.Numbers{Proof: 7, Disproof: 1}}, {Numbers: jobs.Numbers{Proof: 2, Disproof: 1}}}
	for name, c := range map[string]struct {
		answer jobs.Answer
		teams  int
		next   node
	}{
		"a little":        {jobs.Answer{Nodes: 80, Turns: turns}, 1, root},
		"most nodes":      {jobs.Answer{Nodes: 100, Turns: turns}, 1, node{2, false}},
		"most for one":    {jobs.Answer{Nodes: 100, Turns: turns}, 2, root},
		"most for two":    {jobs.Answer{Nodes: 200, Turns: turns}, 2, node{2, false}},
		"too much":        {jobs.Answer{Nodes: 80, Turns: turns, Smaller: true}, 1, node{2, false}},
		"without numbers": {jobs.Answer{Nodes: 80}, 1, node{1, false}},
	} {
		tree := jobs.New(root, jobs.Options[int]{Rules: star(), Least: 8, Most: 100})
		if job, _ := tree.Next(c.teams); job.Node != root || job.Nodes != 8 || job.Before != 0 {
			t.Fatalf("%s: first %+v", name, job)
		}
		tree.Answer(root, c.answer)
		if c.answer.Turns != nil {
			tree.Answer(root, jobs.Answer{}) // of somebody who has nothing to say
		}
		before := uint64(0)
		if c.next == root {
			before = c.answer.Nodes / uint64(c.teams)
		}
		if job, found := tree.Next(c.teams); !found || job.Node != c.next || job.Nodes != max(8, c.answer.Nodes/8) || job.Before != before {
			t.Errorf("%s: then %+v, want %v, with %d nodes before", name, job, c.next, before)
		}
	}
}

// TestAJobTellsHowManyHaveItAlready: of its node, by then.
func TestAJobTellsHowManyHaveItAlready(t *testing.T) {
	tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: star(), Least: 8, Most: 100})
	var got []uint
	next := func() jobs.Job[int] {
		job, _ := tree.Next(3)
		got = append(got, job.Beside)
		return job
	}
	next()
	next()
	tree.Return(next().Node)
	next()
	tree.Answer(node{0, true}, jobs.Answer{Nodes: 300, Turns: []jobs.Turn{{Numbers: jobs.Numbers{Proof: 7, Disproof: 1}}, {Numbers: jobs.Numbers{Proof: 2, Disproof: 1}}}})
	next() // of another node
	if want := []uint{0, 1, 2, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestOpeningsOfARootThatWasNotSplit have the numbers that were told, and its verdict
// where all of them fail.
func TestOpeningsOfARootThatWasNotSplit(t *testing.T) {
	for _, attacker := range []bool{true, false} {
		for _, v := range []proofnumber.Verdict{proofnumber.Proved, proofnumber.Refuted} {
			tree := jobs.New(node{0, attacker}, jobs.Options[int]{Rules: star()})
			tree.Answer(tree.Root(), jobs.Answer{Turns: []jobs.Turn{{Numbers: jobs.Numbers{Proof: 7, Disproof: 3}}, {Numbers: jobs.Numbers{Proof: 2, Disproof: 1}}}})
			if o := tree.Openings(); len(o) != 2 || o[0].Numbers != (jobs.Numbers{Proof: 7, Disproof: 3}) || o[1].Verdict != proofnumber.Undecided {
				t.Errorf("told %+v", o)
			}
			tree.Answer(tree.Root(), jobs.Answer{Verdict: v})
			want := proofnumber.Undecided
			if attacker == (v == proofnumber.Refuted) {
				want = v
			}
			if o := tree.Openings(); o[0].Verdict != want || o[1].Verdict != want {
				t.Errorf("%v with the attacker to move %v: %+v, want %v", v, attacker, o, want)
			}
		}
	}
}

// TestAnIdentityIsAllThatAnAnswerDependsOn: the name of a job changes with every
// field.
func TestAnIdentityIsAllThatAnAnswerDependsOn(t *testing.T) {
	whole := jobs.Identity{Game: "g", Board: "3x3", Rules: "r", Claim: "white-wins", Position: "p", Tables: "t", Nodes: 1, Version: "v"}
	others := []jobs.Identity{whole, whole, whole, whole, whole, whole, whole, whole, whole}
	others[0].Game, others[1].Board, others[2].Rules, others[3].Claim = "h", "3x4", "s", "black-wins"
	others[4].Position, others[5].Tables, others[6].Nodes, others[7].Version = "q", "u", 2, "w"
	others[8].Game, others[8].Board = "g3", "x3"
	names := map[string]bool{whole.ID(): true}
	for _, other := range others {
		names[other.ID()] = true
	}
	if len(names) != 10 || len(whole.ID()) != 64 {
		t.Errorf("%d names of 10 jobs, of %d digits", len(names), len(whole.ID()))
	}
}
