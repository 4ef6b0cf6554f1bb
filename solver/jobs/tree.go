package jobs

import (
	"math"
	"slices"

	"paika/bitboard"
	"paika/solver/proofnumber"
)

// Node is a position with the side to move, as the question sees it.
type Node[P comparable] struct {
	Position      P
	AttackerMoves bool
}

// Options of a tree.
type Options[P comparable] struct {
	Rules bitboard.Rules[P]

	// Values end the tree where they know a position; nil for none. They must be
	// those that the workers have.
	Values proofnumber.Values[P]

	// Estimate starts the numbers of a leaf of which no worker has told any; 1 and 1
	// by default.
	Estimate proofnumber.Estimate[P]

	// Turns bounds the turns of a position that is split, in a game that is a
	// bitboard.Prolific. MostTurns by default.
	Turns int

	// Least and Most bound the nodes that a job may visit. 200,000 and 50 million by
	// default. A leaf is split once every team has spent Most of them there.
	Least, Most uint64
}

// MostTurns is how many turns a position may have that is split: each becomes a vertex, of some
// hundred bytes.
const MostTurns = 1 << 16

const (
	defaultLeast = 200_000
	defaultMost  = 50_000_000

	// share is the part of all nodes since the first job that the jobs which are out may
	// visit together.
	share = 8
)

// Job is a search to be done: of a node, within a number of nodes.
type Job[P comparable] struct {
	Node[P]
	Nodes  uint64
	Before uint64 // nodes that each team has visited there, on average, in jobs that have been answered
	Beside uint   // how many do a job of the node already: not all are to search in one order
}

// Numbers are the work that seems left to prove and to disprove that the attacker
// wins.
type Numbers struct {
	Proof    uint32 `json:"proof"`
	Disproof uint32 `json:"disproof"`
}

// Turn is what a search has found behind a turn of the position that it was about.
type Turn struct {
	Numbers
	Nodes uint64 `json:"nodes,omitempty"` // that it visited there
}

// Answer is what a job came to.
type Answer struct {
	Verdict proofnumber.Verdict // where it is decided, the caller has checked it
	Nodes   uint64              // that were visited

	// Elsewhere says that they were visited for another question: they are none of the tree's own.
	Elsewhere bool

	// Turns are what the search found behind each turn of the position, in the order
	// of the rules. Without them, or where there is another number of them, they begin
	// with estimates.
	Turns []Turn

	// Smaller says that the position is too much for a job, whatever its nodes.
	Smaller bool
}

// Tree is the upper part of a question. It is for one goroutine.
type Tree[P comparable] struct {
	options Options[P]
	root    *vertex[P]
	known   map[Node[P]]*answered[P]
	facts   map[Node[P]]proofnumber.Verdict // by answers, and derived
	open    map[Node[P]][]*vertex[P]        // the vertices of a node that are not solved
	out     map[Node[P]]uint                // how many do a job of a node
	flying  int                             // jobs that are out
	spent   uint64                          // nodes of all answers but those from elsewhere
	before  uint64                          // of that, what was told before the first job was given out: by earlier runs
	begun   bool                            // a job was given out, or asked for
	splits  int
	kept    int                            // numbers of turns, of all that is known
	size    int                            // vertices that are not solved, and solved ones beside them
	barred  *bitboard.TooManyTurnsError[P] // the first leaf that has too many turns to be split; nil for none
	turns   []P                            // room for the rules to list turns

	openings []*vertex[P] // what the root was split into
	below    map[P]uint64 // nodes behind each turn from the root, by the position that it leads to
	untold   bool         // some answers about the root have not told theirs turn by turn
}

// answered is what answers have told of a node.
type answered[P comparable] struct {
	verdict proofnumber.Verdict
	turns   []Numbers // those that were told last, as long as they can matter
	nodes   uint64
	others  uint64 // of these, those from elsewhere
	smaller bool   // it is split
	placed  bool   // its nodes are among those behind a turn from the root
	opening P      // where that turn leads
}

// A vertex is a line of play from the root, and the node at its end.
type vertex[P comparable] struct {
	Node[P]
	parent   *vertex[P]
	children []*vertex[P] // nil where it is a leaf
	depth    int32
	rests    int32 // refuted: the depth of the highest vertex whose repetition it rests on; none below all
	numbers
	first   numbers // of the leaf, before anyone was on it
	verdict proofnumber.Verdict
	gone    bool // something above it is solved: it is in no list any more
	barred  bool // it would have to be split, and has too many turns
}

// nowhere is what a fact rests on.
const nowhere = math.MaxInt32

// New makes the tree of a question that nothing is known of.
func New[P comparable](root Node[P], o Options[P]) *Tree[P] {
	if o.Estimate == nil {
		o.Estimate = func(P, bool) (phi, delta uint32) { return 1, 1 }
	}
	if o.Least == 0 {
		o.Least = defaultLeast
	}
	if o.Most == 0 {
		o.Most = max(defaultMost, o.Least)
	}
	if o.Turns == 0 {
		o.Turns = MostTurns
	}
	t := &Tree[P]{
		options: o, known: make(map[Node[P]]*answered[P]), facts: make(map[Node[P]]proofnumber.Verdict),
		open: make(map[Node[P]][]*vertex[P]), out: make(map[Node[P]]uint), below: make(map[P]uint64),
	}
	t.root = t.vertex(root, nil, bounded(o.Estimate(root.Position, root.AttackerMoves)))
	return t
}

// Root is the node that the question is about.
func (t *Tree[P]) Root() Node[P] { return t.root.Node }

// Verdict is the answer to the question, as far as it is known.
func (t *Tree[P]) Verdict() proofnumber.Verdict { return t.root.verdict }

// Nodes are those that all answers have taken but those from elsewhere.
func (t *Tree[P]) Nodes() uint64 { return t.spent }

// Splits is how many positions were split.
func (t *Tree[P]) Splits() int { return t.splits }

// Size is how many vertices the tree has.
func (t *Tree[P]) Size() int { return t.size }

// Told is how many nodes answers are known of, whether the tree has come to them or not, and how many numbers
// of turns are kept of these.
func (t *Tree[P]) Told() (nodes, turns int) { return len(t.known), t.kept }

// InFlight is how many jobs are out.
func (t *Tree[P]) InFlight() int { return t.flying }

// Stuck says why no more jobs are given out of a question that is not decided; nil as long as
// there may be some. It is a *bitboard.TooManyTurnsError then, with one of the positions on which
// all hangs. Answers to jobs that are out may change that.
func (t *Tree[P]) Stuck() error {
	if t.barred != nil && t.root.verdict == proofnumber.Undecided && t.root.hopeless() {
		return t.barred
	}
	return nil
}

// Wanted tells whether the answer about a node can still matter: some line of play
// that is not decided comes to it.
func (t *Tree[P]) Wanted(n Node[P]) bool { return len(t.open[n]) > 0 }

// Next gives out the job of the leaf that tells most about the root, or none if the
// question is decided, or stuck. It may find out the verdict. A leaf that is out already goes out once
// more: those who are at it work together. Teams is how many do jobs of the question at a
// time.
func (t *Tree[P]) Next(teams int) (job Job[P], found bool) {
	if !t.begun {
		t.begun, t.before = true, t.spent
	}
	for t.root.verdict == proofnumber.Undecided && !t.root.hopeless() {
		leaf := t.descend()
		k := t.known[leaf.Node]
		if t.divides(k, teams) {
			if t.crowded(leaf.Position) {
				t.bar(leaf)
			} else {
				t.expand(leaf)
			}
			continue
		}
		job = Job[P]{leaf.Node, t.budget(), k.each(teams), t.out[leaf.Node]}
		t.out[leaf.Node]++
		t.flying++
		return job, true
	}
	return job, false
}

// divides tells whether a leaf is split, by what is known of it.
func (t *Tree[P]) divides(k *answered[P], teams int) bool {
	return k != nil && (k.smaller || len(k.turns) == 0 || k.each(teams) >= t.options.Most)
}

// each is what each of so many teams has visited of a node, on average.
func (k *answered[P]) each(teams int) uint64 {
	if k == nil {
		return 0
	}
	return k.nodes / uint64(max(teams, 1))
}

// crowded tells whether a position has too many turns to be split.
func (t *Tree[P]) crowded(p P) bool {
	return bitboard.MoreTurnsThan(t.options.Rules, p, t.options.Turns)
}

// bar has a leaf be tried last that can't be split.
func (t *Tree[P]) bar(v *vertex[P]) {
	if t.barred == nil {
		t.barred = &bitboard.TooManyTurnsError[P]{Position: v.Position, Other: v.AttackerMoves != t.root.AttackerMoves, Most: t.options.Turns}
	}
	v.barred = true
	t.renew(v)
}

// budget is how many nodes the next job may visit, which is not out yet. It goes by those of this run.
func (t *Tree[P]) budget() uint64 {
	each := (t.spent - t.before) / share / uint64(t.flying+1)
	return min(max(each, t.options.Least), t.options.Most)
}

// descend goes from the root to the leaf that tells most: each side takes the turn
// that seems to need least work to succeed.
func (t *Tree[P]) descend() *vertex[P] {
	v := t.root
	for v.children != nil {
		var best *vertex[P]
		for _, c := range v.children {
			if c.verdict == proofnumber.Undecided && (best == nil || c.delta < best.delta) {
				best = c
			}
		}
		v = best
	}
	return v
}

// Return takes a job back of which nothing was learnt. It can be given out again.
func (t *Tree[P]) Return(n Node[P]) {
	if t.out[n] == 0 {
		return
	}
	t.flying--
	if t.out[n]--; t.out[n] == 0 {
		delete(t.out, n)
	}
}

// Answer takes up what is known of a node. Only the first decision counts. Of answers to
// an undecided node the last ones that have numbers count, until it is split: what comes after
// that changes nothing but the count of nodes.
func (t *Tree[P]) Answer(n Node[P], a Answer) {
	t.Return(n)
	k := t.known[n]
	if k == nil {
		k = new(answered[P])
		t.known[n] = k
	}
	t.count(n, k, a)
	if len(a.Turns) > 0 && t.hinted(n, k) {
		t.keep(k, a.Turns)
	}
	if a.Verdict != proofnumber.Undecided && k.verdict == proofnumber.Undecided {
		k.verdict = a.Verdict
		if !t.hinted(n, k) {
			t.keep(k, nil)
		}
		t.learn(n, a.Verdict)
		return
	}
	k.smaller = k.smaller || a.Smaller
	for _, v := range t.open[n] {
		t.renew(v)
	}
}

// hinted tells whether numbers of a node's turns can matter: it is undecided, or its openings are told.
func (t *Tree[P]) hinted(n Node[P], k *answered[P]) bool {
	return k.verdict == proofnumber.Undecided || n == t.root.Node
}

// keep keeps the numbers of turns that were told last.
func (t *Tree[P]) keep(k *answered[P], turns []Turn) {
	t.kept += len(turns) - len(k.turns)
	k.turns = nil
	if len(turns) == 0 {
		return
	}
	k.turns = make([]Numbers, len(turns)) // nodes have been counted
	for i, told := range turns {
		k.turns[i] = told.Numbers
	}
}

// vertex makes a leaf with the numbers that it begins with, unless it is solved by
// what is known of it.
func (t *Tree[P]) vertex(n Node[P], parent *vertex[P], first numbers) *vertex[P] {
	v := &vertex[P]{Node: n, parent: parent, first: first}
	if parent != nil {
		v.depth = parent.depth + 1
	}
	t.size++
	if k := t.known[n]; k != nil {
		t.place(k, v)
	}
	if verdict := t.decided(n); verdict != proofnumber.Undecided {
		v.solve(verdict, nowhere)
		return v
	}
	for up := parent; up != nil; up = up.parent {
		if up.Node == n {
			v.solve(proofnumber.Refuted, up.depth)
			return v
		}
	}
	t.open[n] = append(t.open[n], v)
	t.number(v)
	return v
}

// decided is what is known of a node for certain: by a fact, by the tables, by the
// end of the game.
func (t *Tree[P]) decided(n Node[P]) proofnumber.Verdict {
	if verdict, found := t.facts[n]; found {
		return verdict
	}
	return t.ended(n)
}

// ended is what the tables or the end of the game say of a node.
func (t *Tree[P]) ended(n Node[P]) proofnumber.Verdict {
	if t.options.Values != nil {
		var value [1]bitboard.Value
		t.options.Values.Probe([]P{n.Position}, value[:])
		if value[0] != proofnumber.Unknown {
			return valued(n.AttackerMoves, value[0])
		}
	}
	if bitboard.Over(t.options.Rules, n.Position) {
		return valued(n.AttackerMoves, t.options.Rules.Ended(n.Position))
	}
	return proofnumber.Undecided
}

// valued is what a value makes of the question.
func valued(attacker bool, v bitboard.Value) proofnumber.Verdict {
	if attacker && v == bitboard.Win || !attacker && v == bitboard.Loss {
		return proofnumber.Proved
	}
	return proofnumber.Refuted
}

// solve makes a vertex a solved one.
func (v *vertex[P]) solve(verdict proofnumber.Verdict, rests int32) {
	v.verdict, v.rests, v.children = verdict, rests, nil
	v.numbers = solved(v.AttackerMoves == (verdict == proofnumber.Proved))
}

// number gives a leaf its numbers: those that it began with, or what an answer about
// its turns makes of them.
func (t *Tree[P]) number(v *vertex[P]) {
	v.numbers = v.first
	if v.barred {
		v.numbers = hopeless
		return
	}
	if k := t.known[v.Node]; k != nil && len(k.turns) > 0 {
		v.numbers = together(func(yield func(numbers) bool) {
			for _, told := range k.turns {
				if !yield(hint(told, !v.AttackerMoves)) {
					return
				}
			}
		})
	}
}

// renew numbers a leaf again, and all above it.
func (t *Tree[P]) renew(v *vertex[P]) {
	if v.children == nil {
		t.number(v)
		t.raise(v.parent)
	}
}

// expand makes a leaf an inner vertex, with a leaf behind every turn.
func (t *Tree[P]) expand(v *vertex[P]) {
	t.splits++
	turns := t.options.Rules.Turns(nil, v.Position)
	told := t.told(v.Node, len(turns))
	v.children = make([]*vertex[P], 0, len(turns))
	seen := make(map[P]bool, len(turns))
	for i, to := range turns {
		if seen[to] {
			continue
		}
		seen[to] = true
		n := Node[P]{to, !v.AttackerMoves}
		first := bounded(t.options.Estimate(to, n.AttackerMoves))
		if told != nil {
			first = hint(told[i], n.AttackerMoves)
		}
		v.children = append(v.children, t.vertex(n, v, first))
	}
	if v == t.root {
		t.openings = v.children
	}
	t.raise(v)
}

// told is what was told of the turns of a node, if that is of so many; else nil.
func (t *Tree[P]) told(n Node[P], turns int) []Numbers {
	if k := t.known[n]; k != nil && len(k.turns) == turns {
		return k.turns
	}
	return nil
}

// after lists the nodes that a node's turns lead to.
func (t *Tree[P]) after(n Node[P]) []Node[P] {
	t.turns = t.options.Rules.Turns(t.turns[:0], n.Position)
	nodes := make([]Node[P], 0, len(t.turns))
	for _, to := range t.turns {
		nodes = append(nodes, Node[P]{to, !n.AttackerMoves})
	}
	return nodes
}

// raise takes an inner vertex together from its turns, and so on up to the root. A
// vertex that is solved by facts makes its node a fact.
func (t *Tree[P]) raise(v *vertex[P]) {
	for ; v != nil; v = v.parent {
		if v.verdict != proofnumber.Undecided || v.gone {
			return
		}
		v.collect()
		if v.phi != 0 && v.delta != 0 {
			continue
		}
		verdict := proofnumber.Refuted
		if v.AttackerMoves == (v.phi == 0) {
			verdict = proofnumber.Proved
		}
		rests := v.support(verdict)
		if verdict == proofnumber.Proved || rests >= v.depth {
			t.learn(v.Node, verdict) // which solves v, and goes on from its parent
			return
		}
		t.drop(v)
		v.solve(verdict, rests)
	}
}

// collect takes the numbers of a vertex's turns together.
func (v *vertex[P]) collect() {
	v.numbers = together(func(yield func(numbers) bool) {
		for _, c := range v.children {
			if !yield(c.numbers) {
				return
			}
		}
	})
}

// support is the highest vertex on whose repetition a refutation rests: that of the
// defender's best turn, or of all the attacker's.
func (v *vertex[P]) support(verdict proofnumber.Verdict) int32 {
	if verdict == proofnumber.Proved {
		return nowhere
	}
	rests := int32(-1)
	if v.AttackerMoves {
		rests = nowhere
	}
	for _, c := range v.children {
		switch {
		case c.verdict != proofnumber.Refuted:
		case v.AttackerMoves:
			rests = min(rests, c.rests)
		default:
			rests = max(rests, c.rests)
		}
	}
	return rests
}

// learn makes a verdict a fact, at every vertex of the node.
func (t *Tree[P]) learn(n Node[P], verdict proofnumber.Verdict) {
	if _, found := t.facts[n]; found {
		return
	}
	t.facts[n] = verdict
	for len(t.open[n]) > 0 {
		v := t.open[n][0]
		t.drop(v)
		v.solve(verdict, nowhere)
		t.raise(v.parent)
	}
}

// drop takes a vertex and all below it out of the lists: it is solved, and nobody
// need look below it.
func (t *Tree[P]) drop(v *vertex[P]) {
	if v.verdict != proofnumber.Undecided || v.gone {
		return
	}
	v.gone = true
	list := t.open[v.Node]
	if at := slices.Index(list, v); len(list) > 1 {
		t.open[v.Node] = slices.Delete(list, at, at+1)
	} else {
		delete(t.open, v.Node)
	}
	t.size -= len(v.children)
	for _, c := range v.children {
		t.drop(c)
	}
}
