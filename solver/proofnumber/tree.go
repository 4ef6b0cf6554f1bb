package proofnumber

// A tree is what PN and PN2 search: best first, every node in memory. It knows
// its own lines of play and nothing of transpositions, but for those that the
// table has solved.
type tree[P comparable] struct {
	*worker[P]
	nodes  []treeNode[P]
	states []state // of the nodes
	leaf   frame[P]

	// A tree of the second level stands for a leaf of the first.
	first *tree[P]
	at    uint32
}

// treeNode is a node of a tree. The root is its own parent.
type treeNode[P comparable] struct {
	position P    // folded
	attacker bool // has the move
	parent   uint32
	children uint32 // number of the first; the others follow it
	count    uint32 // children, 0 before it is expanded
}

// leastSecond is how many nodes a tree of the second level may have in any case.
const leastSecond = 1 << 8

func newTree[P comparable](w *worker[P], p P, attacker bool, start state) *tree[P] {
	return &tree[P]{
		worker: w,
		nodes:  []treeNode[P]{{position: w.fold(p), attacker: attacker}},
		states: []state{start},
	}
}

// grow expands the leaf that matters most until the root is solved, the tree
// has that many nodes, or the run ends (L. V. Allis, "Searching for solutions in
// games and artificial intelligence", 1994, chapter 2). It leaves the root's
// state.
//
// With two levels, a leaf is expanded by growing a tree of its own, as big as
// the first has become, and keeping its root's children (D. M. Breuker, "Memory
// versus search in games", 1998, chapter 4).
func (t *tree[P]) grow(limit int, twoLevels bool) state {
	for !t.states[0].solved() && !t.run.hopeless(t.states[0]) && len(t.nodes) < limit && !t.run.stopped() && t.afford() {
		leaf := t.mostProving()
		if twoLevels {
			t.expandByTree(leaf, max(leastSecond, min(len(t.nodes), limit-len(t.nodes))))
		} else {
			t.expandLeaf(leaf)
		}
		t.update(leaf)
		if t.worker.nodes-t.polled >= pollEvery {
			t.poll()
			if t.table.crowded() { // no one else is at work
				t.table.grow(1)
			}
		}
	}
	return t.states[0]
}

// mostProving is the leaf that the numbers lead to.
func (t *tree[P]) mostProving() uint32 {
	var at uint32
	for t.nodes[at].count > 0 {
		n := &t.nodes[at]
		at = n.children + uint32(choose(t.childStates(n), n.attacker, t.options.Sums).best)
	}
	return at
}

func (t *tree[P]) childStates(n *treeNode[P]) []state {
	return t.states[n.children : n.children+n.count]
}

// expandLeaf adds a leaf's children, or the value of one without turns.
func (t *tree[P]) expandLeaf(leaf uint32) {
	t.worker.nodes++
	f := &t.leaf
	f.position, f.attacker = t.nodes[leaf].position, t.nodes[leaf].attacker
	t.expand(f)
	if len(f.turns) == 0 {
		t.states[leaf] = t.end(f)
		return
	}
	for i, v := range f.values {
		if v != Unknown {
			continue
		}
		f.turns[i] = t.fold(f.turns[i])
		if t.repeats(leaf, f.turns[i], !f.attacker) {
			f.states[i] = refuted(!f.attacker, false)
		}
	}
	t.adopt(leaf, f.turns, f.states)
}

// adopt gives a leaf its children.
func (t *tree[P]) adopt(leaf uint32, positions []P, states []state) {
	n := &t.nodes[leaf]
	n.children, n.count = uint32(len(t.nodes)), uint32(len(positions))
	attacker := !n.attacker
	for _, p := range positions {
		t.nodes = append(t.nodes, treeNode[P]{position: p, attacker: attacker, parent: leaf})
	}
	t.states = append(t.states, states...)
}

// expandByTree expands a leaf by the second level.
func (t *tree[P]) expandByTree(leaf uint32, limit int) {
	second := newTree(t.worker, t.nodes[leaf].position, t.nodes[leaf].attacker, t.states[leaf])
	second.first, second.at = t, leaf
	t.states[leaf] = second.grow(limit, false)
	if root := &second.nodes[0]; root.count > 0 {
		var positions []P
		for _, n := range second.nodes[root.children : root.children+root.count] {
			positions = append(positions, n.position)
		}
		t.adopt(leaf, positions, second.childStates(root))
	}
}

// repeats tells whether a folded position stands on the way from the root to a node,
// the levels taken together.
func (t *tree[P]) repeats(at uint32, p P, attacker bool) bool {
	for {
		n := &t.nodes[at]
		if n.position == p && n.attacker == attacker {
			return true
		}
		if at == 0 {
			return t.first != nil && t.first.repeats(t.at, p, attacker)
		}
		at = n.parent
	}
}

// update takes what a node has become up to the root, and enters what is solved
// in the table.
func (t *tree[P]) update(at uint32) {
	for {
		n := &t.nodes[at]
		if n.count > 0 {
			t.states[at] = choose(t.childStates(n), n.attacker, t.options.Sums).state
		}
		if s := t.states[at]; s.solved() {
			r := s.record(n.attacker)
			r.effort = 1
			if t.store(t.run, t.key(&n.position, n.attacker), r) {
				t.added++
			}
		}
		if at == 0 {
			return
		}
		at = n.parent
	}
}
