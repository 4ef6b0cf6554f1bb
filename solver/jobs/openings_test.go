package jobs_test

import (
	"slices"
	"testing"

	"paika/bitboard"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// turnsOf are what a worker tells of a star's root.
func turnsOf(first, second uint64) []jobs.Turn {
	hard := jobs.Numbers{Proof: 7, Disproof: 3}
	return []jobs.Turn{{Numbers: hard, Nodes: first}, {Numbers: hard, Nodes: second}}
}

// nodesBelow are the nodes of openings, and whether they are told.
func nodesBelow(openings []jobs.Opening[int]) (nodes []uint64, told bool) {
	told = true
	for _, o := range openings {
		nodes = append(nodes, o.Nodes)
		told = told && !o.Untold
	}
	return nodes, told
}

// TestNodesAreToldByTurns of the root: those that workers tell of jobs about the root itself, and
// all of jobs about what follows, once, however many lines lead there and in whatever order they
// come. What no worker tells is not said to be none.
func TestNodesAreToldByTurns(t *testing.T) {
	root, left, right, below := node{0, true}, node{1, false}, node{2, false}, node{3, true}
	g := &graph{turns: [][]int{{1, 2}, {3, 4}, {3, 4}, {5}, {5}, nil}, ends: make([]bitboard.Value, 6)}
	steps := map[string]struct {
		at   node
		does jobs.Answer
	}{
		"root":    {root, jobs.Answer{Nodes: 100, Turns: turnsOf(60, 30)}},
		"again":   {root, jobs.Answer{Nodes: 50, Turns: turnsOf(5, 40), Smaller: true}},
		"untold":  {root, jobs.Answer{Nodes: 10, Smaller: true}},
		"boasts":  {root, jobs.Answer{Nodes: 8, Turns: turnsOf(1<<63, 0)}},
		"left":    {left, jobs.Answer{Nodes: 7, Smaller: true}},
		"right":   {right, jobs.Answer{Nodes: 9, Smaller: true}},
		"below":   {below, jobs.Answer{Nodes: 1000}},
		"decided": {root, jobs.Answer{Nodes: 20, Turns: turnsOf(15, 2), Verdict: proofnumber.Proved}},
	}
	for _, c := range []struct {
		steps  []string
		nodes  []uint64
		untold bool
	}{
		{nil, []uint64{0, 0}, false},
		{[]string{"root"}, []uint64{60, 30}, false},
		{[]string{"root", "again"}, []uint64{65, 70}, false},
		{[]string{"root", "again", "left", "right"}, []uint64{72, 79}, false},
		{[]string{"root", "again", "left", "right", "below"}, []uint64{1072, 79}, false},
		{[]string{"below", "right", "left", "again", "root"}, []uint64{1072, 79}, false},
		{[]string{"root", "again", "left", "right", "below", "decided"}, []uint64{1087, 81}, false},
		{[]string{"decided"}, []uint64{15, 2}, false},
		{[]string{"boasts"}, []uint64{8, 0}, false},
		{[]string{"untold"}, []uint64{0, 0}, true},
		{[]string{"root", "untold", "left"}, []uint64{67, 30}, true},
	} {
		tree := jobs.New(root, jobs.Options[int]{Rules: g, Least: 1})
		for _, step := range c.steps {
			tree.Answer(steps[step].at, steps[step].does)
			tree.Next(1)
		}
		tree.Next(1)
		if nodes, told := nodesBelow(tree.Openings()); !slices.Equal(nodes, c.nodes) || told == c.untold {
			t.Errorf("%v: %d nodes, all told: %v; want %d, %v", c.steps, nodes, told, c.nodes, !c.untold)
		}
	}
}

// TestNodesFromElsewhereAreNobodys: they are not among those of the tree, nor behind a turn, in whatever order
// they come. What they were visited for counts.
func TestNodesFromElsewhereAreNobodys(t *testing.T) {
	root, left, below := node{0, true}, node{1, false}, node{3, true}
	g := &graph{turns: [][]int{{1, 2}, {3, 4}, {3, 4}, {5}, {5}, nil, nil}, ends: make([]bitboard.Value, 7)}
	type step struct {
		at   node
		does jobs.Answer
	}
	own := []step{
		{root, jobs.Answer{Nodes: 100, Turns: turnsOf(60, 30), Smaller: true}},
		{left, jobs.Answer{Nodes: 7, Smaller: true}},
		{below, jobs.Answer{Nodes: 1, Turns: turnsOf(0, 0)[:1]}},
	}
	others := []step{
		{root, jobs.Answer{Nodes: 1000, Elsewhere: true, Turns: turnsOf(600, 400)}},
		{root, jobs.Answer{Nodes: 1000, Elsewhere: true, Smaller: true}},
		{left, jobs.Answer{Nodes: 2000, Elsewhere: true, Smaller: true}},
		{below, jobs.Answer{Nodes: 4000, Elsewhere: true, Turns: turnsOf(0, 0)[:1]}},
		{node{2, false}, jobs.Answer{Nodes: 8000, Elsewhere: true}},
		{node{6, true}, jobs.Answer{Nodes: 1 << 40, Elsewhere: true}}, // beside the tree
	}
	for name, steps := range map[string][]step{
		"own first": append(slices.Clone(own), others...), "own last": append(slices.Clone(others), own...),
	} {
		tree := jobs.New(root, jobs.Options[int]{Rules: g, Least: 1})
		var job jobs.Job[int]
		for _, s := range steps {
			tree.Answer(s.at, s.does)
			job, _ = tree.Next(1)
			tree.Return(job.Node)
		}
		nodes, told := nodesBelow(tree.Openings())
		if tree.Nodes() != 108 || !slices.Equal(nodes, []uint64{68, 30}) || !told {
			t.Errorf("%s: %d nodes, %d behind the turns, all told: %v", name, tree.Nodes(), nodes, told)
		}
		if tree.Splits() < 3 || job.Nodes > 108/8 {
			t.Errorf("%s: %d splits, and a job of %d nodes", name, tree.Splits(), job.Nodes)
		}
	}
}

// TestNodesOfTheRootAreBehindNoTurn that a line of play comes back to it by.
func TestNodesOfTheRootAreBehindNoTurn(t *testing.T) {
	g := &graph{turns: [][]int{{1, 2}, {0, 2}, {3}, {4}, {5}, {2}}, ends: make([]bitboard.Value, 6)}
	tree := jobs.New(node{0, true}, jobs.Options[int]{Rules: g, Least: 1})
	tree.Answer(node{0, true}, jobs.Answer{Nodes: 100, Turns: turnsOf(40, 50), Smaller: true})
	tree.Answer(node{1, false}, jobs.Answer{Nodes: 7, Smaller: true})
	tree.Answer(node{2, false}, jobs.Answer{Nodes: 8, Turns: turnsOf(0, 0)[:1]})
	tree.Next(1)
	if nodes, told := nodesBelow(tree.Openings()); !slices.Equal(nodes, []uint64{47, 58}) || !told {
		t.Errorf("%d nodes, all told: %v", nodes, told)
	}
}

// TestWhatIsKnownOfTurnsStaysOnceTheRootIsDecided: verdicts and numbers, and of the turn that shows
// it the verdict. What nobody has told is not made up.
func TestWhatIsKnownOfTurnsStaysOnceTheRootIsDecided(t *testing.T) {
	root := node{0, true}
	hard, unknown := jobs.Numbers{Proof: 7, Disproof: 3}, jobs.Numbers{}
	for name, c := range map[string]struct {
		before []jobs.Answer
		split  bool
		want   jobs.Numbers // of the second turn
	}{
		"told before":         {[]jobs.Answer{{Nodes: 9, Turns: turnsOf(4, 5)}}, false, hard},
		"split":               {[]jobs.Answer{{Nodes: 9, Turns: turnsOf(4, 5), Smaller: true}}, true, hard},
		"told by nobody":      {nil, false, unknown},
		"told without a turn": {[]jobs.Answer{{Nodes: 9}}, false, unknown},
	} {
		tree := jobs.New(root, jobs.Options[int]{Rules: star(), Least: 1})
		for _, a := range c.before {
			tree.Answer(root, a)
		}
		if c.split {
			tree.Next(1)
		}
		tree.Answer(root, jobs.Answer{Verdict: proofnumber.Proved})
		tree.Show(1)
		o := tree.Openings()
		if o[0].Verdict != proofnumber.Proved || o[0].Numbers != unknown {
			t.Errorf("%s: of the turn that shows it %+v", name, o[0])
		}
		if o[1].Verdict != proofnumber.Undecided || o[1].Numbers != c.want {
			t.Errorf("%s: of the other turn %+v, want %v", name, o[1], c.want)
		}
	}
}
