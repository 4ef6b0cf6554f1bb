package jobs_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// split has a tree split every leaf that it gives out, until there is a verdict.
func split(t *testing.T, tree *jobs.Tree[int]) {
	t.Helper()
	for rounds := 0; tree.Verdict() == proofnumber.Undecided; rounds++ {
		job, found := tree.Next(1)
		if !found && tree.Verdict() == proofnumber.Undecided || rounds > 100_000 {
			t.Fatal("the tree comes to no verdict")
		}
		if found {
			tree.Answer(job.Node, jobs.Answer{Smaller: true})
		}
	}
}

// TestARefutationByARepetitionIsNoFact: who comes back to a position from which the attacker has
// another turn, that wins, is refuted on that line alone.
func TestARefutationByARepetitionIsNoFact(t *testing.T) {
	// The defender at 0 goes to 1 or 3. At 1 the attacker wins by way of 5; first the tree looks
	// at 2, from which play comes back to 1 by way of 3 and 4. So these are refuted there, and
	// won from elsewhere. Another turn from 4, that loses at once, does not change that. Nor does
	// one from 3 to 9, which comes back to 3 alone: of the attacker's turns all have to fail.
	for _, c := range []struct{ three, four []int }{
		{[]int{4}, []int{1}}, {[]int{4}, []int{1, 8}}, {[]int{4}, []int{8, 1}}, {[]int{4, 9}, []int{1}}, {[]int{9, 4}, []int{1}},
	} {
		g := &graph{turns: [][]int{{1, 3}, {2, 5}, {3}, c.three, c.four, {6}, {7}, nil, nil, {3}}, ends: make([]bitboard.Value, 10)}
		g.ends[7], g.ends[8] = bitboard.Loss, bitboard.Win
		tree := jobs.New(node{0, false}, jobs.Options[int]{Rules: g, Least: 1})
		split(t, tree)
		if tree.Verdict() != proofnumber.Proved {
			t.Fatalf("%v: %v, want proved", c, tree.Verdict())
		}
		checkSupport(t, &crew{game: g, won: g.won()}, tree)
	}
}

// wanderer is a graph of two-way passages with few ends, where most lines of play come back.
func wanderer(r *rand.Rand) *graph {
	positions := 6 + r.IntN(8)
	g := &graph{turns: make([][]int, positions), ends: make([]bitboard.Value, positions)}
	for p := range positions - 2 {
		g.turns[p] = []int{r.IntN(positions - 2)}
		if r.IntN(2) == 0 {
			g.turns[p] = append(g.turns[p], r.IntN(positions))
		}
	}
	g.ends[positions-1], g.ends[positions-2] = bitboard.Loss, bitboard.Win
	return g
}

// TestTreesThatSplitEverythingComeToTheRightVerdict, by repetitions, ends and tables alone.
func TestTreesThatSplitEverythingComeToTheRightVerdict(t *testing.T) {
	count := make(map[proofnumber.Verdict]int)
	for seed := range uint64(6000) {
		r := rand.New(rand.NewPCG(seed, 4))
		g := wanderer(r)
		won := g.won()
		root := node{0, r.IntN(2) == 0}
		tree := jobs.New(root, jobs.Options[int]{Rules: g, Least: 1})
		split(t, tree)
		if got, want := tree.Verdict(), verdict(won[root]); got != want {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
		count[tree.Verdict()]++
		checkSupport(t, &crew{game: g, won: won}, tree)
	}
	if len(count) != 2 {
		t.Errorf("verdicts %v: want both", count)
	}
}

// tables know the values of some nodes of a graph, as their sides to move have them.
type tables struct {
	won   map[node]bool
	knows func(p int) bool
}

func (k tables) Probe(positions []int, values []bitboard.Value) {
	for i, p := range positions {
		switch {
		case !k.knows(p):
			values[i] = proofnumber.Unknown
		case k.won[node{p, true}]:
			values[i] = bitboard.Win
		case k.won[node{p, false}]:
			values[i] = bitboard.Loss
		default:
			values[i] = bitboard.Draw
		}
	}
}

// TestTreesEndAtTables: what these know nobody is asked for, and no verdict rests on what
// anybody says of it.
func TestTreesEndAtTables(t *testing.T) {
	ended := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		g := wanderer(r)
		// For the attacker a draw is as good as a loss, for tables it is not.
		k := tables{g.won(), func(p int) bool { return p%3 == 1 }}
		root := node{0, r.IntN(2) == 0}
		tree := jobs.New(root, jobs.Options[int]{Rules: g, Values: k, Least: 1})
		for p := range g.turns {
			if k.knows(p) && r.IntN(2) == 0 {
				n := node{p, r.IntN(2) == 0}
				tree.Answer(n, jobs.Answer{Verdict: verdict(k.won[n])})
			}
		}
		for tree.Verdict() == proofnumber.Undecided {
			if job, found := tree.Next(1); found {
				if k.knows(job.Position) {
					t.Fatalf("seed %d: a job of %v, which the tables know", seed, job.Node)
				}
				tree.Answer(job.Node, jobs.Answer{Smaller: true})
			}
		}
		if got, want := tree.Verdict(), verdict(k.won[root]); got != want {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
		steps, parts := tree.Support()
		if len(parts) > 0 {
			t.Fatalf("seed %d: it rests on %v, and nobody has decided anything", seed, parts)
		}
		for _, s := range steps {
			if k.knows(s.Position) {
				t.Fatalf("seed %d: step %v is known to tables", seed, s)
			}
			ended++
		}
	}
	if ended == 0 {
		t.Error("no verdict has a step")
	}
}

// TestTheFirstDecisionCounts, in what a verdict rests on too.
func TestTheFirstDecisionCounts(t *testing.T) {
	for _, first := range []proofnumber.Verdict{proofnumber.Proved, proofnumber.Refuted} {
		tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: star()})
		tree.Answer(tree.Root(), jobs.Answer{Verdict: first})
		tree.Answer(tree.Root(), jobs.Answer{Verdict: proofnumber.Proved + proofnumber.Refuted - first})
		steps, parts := tree.Support()
		if tree.Verdict() != first || len(steps) > 0 || !slices.Equal(parts, []node{tree.Root()}) {
			t.Errorf("%v, which rests on %v, %v, want %v, by the root alone", tree.Verdict(), steps, parts, first)
		}
	}
}

// TestWhatIsDecidedIsWantedNoMore, nor what no line of play that matters comes to. A job that is
// not out can't come back.
func TestWhatIsDecidedIsWantedNoMore(t *testing.T) {
	tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: star()})
	wanted := func(want ...node) {
		t.Helper()
		for p := range 5 {
			for _, attacker := range []bool{true, false} {
				if n := (node{p, attacker}); tree.Wanted(n) != slices.Contains(want, n) {
					t.Errorf("%v is wanted: %v", n, tree.Wanted(n))
				}
			}
		}
	}
	root, left, right := node{0, true}, node{1, false}, node{2, false}
	wanted(root)
	if job, _ := tree.Next(1); job.Nodes != 200_000 {
		t.Errorf("a job of %d nodes, want 200,000 by default", job.Nodes)
	}
	tree.Answer(root, jobs.Answer{Smaller: true})
	tree.Return(root)
	if tree.InFlight() != 0 {
		t.Errorf("%d jobs are out", tree.InFlight())
	}
	if job, _ := tree.Next(1); job.Node != left {
		t.Errorf("a job of %v, want %v", job.Node, left)
	}
	wanted(root, left, right)
	if tree.Size() != 3 || tree.InFlight() != 1 {
		t.Errorf("%d vertices, %d jobs out, want 3 and 1", tree.Size(), tree.InFlight())
	}
	hard := jobs.Turn{Numbers: jobs.Numbers{Proof: 900, Disproof: 900}}
	tree.Answer(left, jobs.Answer{Turns: []jobs.Turn{hard, hard}})
	if job, _ := tree.Next(1); job.Node != right {
		t.Errorf("a job of %v, want %v: the other one is hard", job.Node, right)
	}
	tree.Answer(left, jobs.Answer{Verdict: proofnumber.Refuted})
	wanted(root, right)
	tree.Answer(right, jobs.Answer{Verdict: proofnumber.Proved})
	wanted()
	if job, found := tree.Next(1); found || tree.Verdict() != proofnumber.Proved || tree.InFlight() != 0 {
		t.Errorf("%v, and a job %v: %v, %d are out", tree.Verdict(), found, job, tree.InFlight())
	}
}

// TestOpeningsTellWhatTheTreeKnows of the turns of a root that was split.
func TestOpeningsTellWhatTheTreeKnows(t *testing.T) {
	g := &graph{turns: [][]int{{1, 2, 5, 1}, {3, 4}, {3, 4}, nil, nil, nil}, ends: make([]bitboard.Value, 6)}
	g.ends[3], g.ends[4], g.ends[5] = bitboard.Draw, bitboard.Draw, bitboard.Draw
	for _, attacker := range []bool{true, false} {
		tree := jobs.New(node{0, attacker}, jobs.Options[int]{Rules: g, Least: 1})
		tree.Next(1)
		tree.Answer(tree.Root(), jobs.Answer{Smaller: true})
		if job, found := tree.Next(1); found != attacker {
			t.Fatalf("attacker to move %v: a job %v, %v", attacker, job, found) // the draw at 5 is the defender's
		}
		if attacker {
			tree.Answer(node{1, false}, jobs.Answer{Nodes: 70, Turns: []jobs.Turn{{Numbers: jobs.Numbers{Proof: 7, Disproof: 3}}, {Numbers: jobs.Numbers{Proof: 2, Disproof: 5}}}})
			tree.Answer(node{2, false}, jobs.Answer{Nodes: 9, Verdict: proofnumber.Refuted})
		}
		var got []jobs.Opening[int]
		for _, o := range tree.Openings() {
			o.Numbers.Proof, o.Numbers.Disproof = min(o.Numbers.Proof, 99), min(o.Numbers.Disproof, 99)
			got = append(got, o)
		}
		open := jobs.Opening[int]{To: 1, Numbers: jobs.Numbers{Proof: 8, Disproof: 3}, Nodes: 70}
		want := []jobs.Opening[int]{open, {To: 2, Verdict: proofnumber.Refuted, Nodes: 9}, {To: 5, Verdict: proofnumber.Refuted}, open}
		if !attacker {
			one := jobs.Numbers{Proof: 1, Disproof: 1}
			want = []jobs.Opening[int]{{To: 1, Numbers: one}, {To: 2, Numbers: one}, {To: 5, Verdict: proofnumber.Refuted}, {To: 1, Numbers: one}}
		}
		if !slices.Equal(got, want) {
			t.Errorf("attacker to move %v: %+v, want %+v", attacker, got, want)
		}
	}
}
