package jobs

import "paika/solver/proofnumber"

// Opening is what the tree knows of one turn from the root.
type Opening[P any] struct {
	To      P
	Verdict proofnumber.Verdict // a refutation can rest on a repetition of the root
	Numbers                     // of a turn that is undecided; zero where nobody has told any
	Nodes   uint64              // that were visited behind the turn
	Untold  bool                // Nodes are not all: some answers about the root did not tell theirs turn by turn
}

// Openings tells how far the question has come, turn by turn, in the order of the
// rules. Before the root is split they have the numbers that a worker has told. Where all
// turns fail, a verdict at the root is that of each. There are none where the root has too many
// turns to be split.
func (t *Tree[P]) Openings() []Opening[P] {
	root := t.root
	if t.crowded(root.Position) {
		return nil
	}
	split := make(map[P]*vertex[P], len(t.openings))
	for _, v := range t.openings {
		split[v.Position] = v
	}
	fails := root.verdict != proofnumber.Undecided && root.AttackerMoves == (root.verdict == proofnumber.Refuted)
	turns := t.options.Rules.Turns(nil, root.Position)
	told := t.told(root.Node, len(turns))
	all := make([]Opening[P], 0, len(turns))
	for i, to := range turns {
		o := Opening[P]{To: to, Verdict: t.decided(Node[P]{to, !root.AttackerMoves}), Nodes: t.behind(to), Untold: t.untold}
		switch v := split[to]; {
		case fails:
			o.Verdict = root.verdict
		case v != nil && o.Verdict == proofnumber.Undecided:
			o.Verdict, o.Numbers = v.verdict, v.numbers.told(v.AttackerMoves)
		case told != nil:
			o.Numbers = told[i]
		}
		if o.Verdict != proofnumber.Undecided {
			o.Numbers = Numbers{}
		}
		all = append(all, o)
	}
	return all
}

// Show says that a turn from the root, to that position, succeeds, as a certificate of the verdict
// has it: of a job about the root, its verdict alone is known before.
func (t *Tree[P]) Show(to P) {
	if t.root.verdict != proofnumber.Undecided {
		t.learn(Node[P]{to, !t.root.AttackerMoves}, t.root.verdict)
	}
}

// count adds the nodes of an answer to those behind a turn from the root: of one about the root itself, to
// those that it tells of. Nodes from elsewhere are behind none.
func (t *Tree[P]) count(n Node[P], k *answered[P], a Answer) {
	k.nodes += a.Nodes
	if a.Elsewhere {
		k.others += a.Nodes
	} else {
		t.spent += a.Nodes
	}
	switch {
	case n == t.root.Node && !a.Elsewhere:
		t.countTurns(a)
	case k.placed && !a.Elsewhere:
		t.below[k.opening] += a.Nodes
	case len(t.open[n]) > 0:
		t.place(k, t.open[n][0])
	}
}

// countTurns adds what an answer about the root tells of its turns. None behind all of them is what
// somebody says who does not count them.
func (t *Tree[P]) countTurns(a Answer) {
	var turns []P
	if root := t.root.Position; len(a.Turns) > 0 && !t.crowded(root) {
		turns = t.options.Rules.Turns(nil, root)
	}
	told := make(map[P]uint64, len(turns)) // several turns may lead to one position
	if len(a.Turns) == len(turns) {
		for i, to := range turns {
			told[to] = min(a.Turns[i].Nodes, a.Nodes)
		}
	}
	counted := false
	for to, nodes := range told {
		t.below[to] += nodes
		counted = counted || nodes > 0
	}
	t.untold = t.untold || a.Nodes > 0 && !counted
}

// place counts the nodes of all answers about a node to those behind the turn from the root that a line of
// play to it begins with: the line that comes there first, if there are several.
func (t *Tree[P]) place(k *answered[P], v *vertex[P]) {
	if k.placed || v.parent == nil || v.Node == t.root.Node {
		return
	}
	for v.parent.parent != nil {
		v = v.parent
	}
	k.placed, k.opening = true, v.Position
	t.below[v.Position] += k.nodes - k.others
}

// behind is how many nodes were visited behind a turn from the root, as far as they are told.
func (t *Tree[P]) behind(to P) uint64 {
	nodes := t.below[to]
	if k := t.known[Node[P]{to, !t.root.AttackerMoves}]; k != nil && !k.placed { // no line of play has come there yet
		nodes += k.nodes - k.others
	}
	return nodes
}
