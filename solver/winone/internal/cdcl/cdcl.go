// Package cdcl decides the satisfiability of propositional formulas in
// conjunctive normal form by conflict-driven clause learning, in steps, so that
// it can take turns with another search and be left at any time.
//
// It is the textbook algorithm: two watched literals, first unique implication
// points, activities that decay, Luby restarts, and a database of learned clauses
// that is halved by literal block distance and use (Eén and Sörensson, "An extensible
// SAT-solver", SAT 2003; Audemard and Simon, "Predicting learnt clauses quality in
// modern SAT solvers", IJCAI 2009; Oh, "Between SAT and UNSAT: the fundamental
// difference in CDCL SAT", SAT 2015).
//
// Four things suit it to questions about paths, where few variables are true. It decides
// by turns that variables are true and that they are false (turns.go). Variables that tell
// much about others can be decided before them ([Solver.First]). Groups of variables of
// which one at most is true need no clauses ([Solver.AtMostOne]). And a [Theory] may tell
// what follows from a whole that clauses see only in parts.
//
// Other solvers in Go can be stopped and copied. This one has a budget: Run stops
// after as many conflicts as it is told. Nothing in it depends on time or chance,
// so that the same calls give the same answers, models and numbers of conflicts on
// every machine, and so does a search that takes turns with it. Tests compare it
// with the plainest solver that there is, and with CaDiCaL or MiniSat where one of
// them is installed.
//
//	s := cdcl.New(2)
//	s.Add(1, 2)
//	s.Add(-1)
//	status, _ := s.Run(1000) // cdcl.Satisfiable, with s.True(2)
package cdcl

import "slices"

// Status is what is known of a formula.
type Status int8

const (
	Unknown Status = iota
	Satisfiable
	Unsatisfiable
	Full // unknown, and its clauses take more memory than allowed
)

// literal is twice the variable, and one more if negated.
type literal int32

func makeLiteral(l int) literal {
	if l < 0 {
		return literal(-2*l + 1)
	}
	return literal(2 * l)
}

func (l literal) not() literal  { return l ^ 1 }
func (l literal) variable() int { return int(l >> 1) }

// clause has the literals that are watched first. Where it is the reason of a
// literal, that one stands first, or is left out if a theory gave the reason.
type clause struct {
	literals []literal
	learned  bool
	dropped  bool
	distance int // the least number of levels that its literals came from
	used     int // the conflict that it had a part in last, or 0
}

// explained is a reason that a theory gave: clauses have no part in it, and it goes
// when the trail does.
type explained struct {
	at    int // length of the trail before
	bytes uint64
}

// bytes is about what a clause takes that is watched.
func (c *clause) bytes() uint64 { return clauseBytes + literalBytes*uint64(len(c.literals)) }

// watch is a clause to look at when a literal becomes false. If the blocker is
// true there is no need to.
type watch struct {
	clause  *clause
	blocker literal
}

// A Theory knows what follows from what has a value, beside the clauses. It is told
// of changes, so that it need not look at everything each time.
type Theory interface {
	// Falls tells that a variable has become false, Rises that one of which it was
	// told so no longer is. What a theory has excluded itself is told as well, in the
	// next round, unless it has been undone before.
	Falls(variable int)
	Rises(variable int)

	// Consequences calls Exclude for what follows. It is asked whenever nothing more
	// follows from the clauses, and again until it excludes nothing. It tells how
	// often it has looked at a variable, or the like.
	Consequences() (work int)
}

// Solver holds a formula. One goroutine may use it at a time.
type Solver struct {
	status  Status
	learned []*clause
	keep    int // learned clauses to keep before half of them go

	watches [][]watch // by literal
	values  []int8    // by literal: 1 true, -1 false, 0 open
	levels  []int32   // by variable, once it has a value
	reasons []*clause // by variable: nil for a decision
	trail   []literal // true literals in the order in which they became so
	limits  []int     // by level: length of the trail before its decision
	done    int       // length of the trail that has been propagated

	groups [][][]literal // by variable: literals false once it is true
	chosen []*clause     // by variable: why those are false

	theory    Theory      // or nil
	told      int         // length of the trail that the theory knows
	refuted   *clause     // that the theory found false, or nil
	lemmas    []*clause   // the theory's reasons that the conflict being analysed rests on
	explained []explained // the reasons on the trail that the theory gave
	crowded   bool        // these were too many for the memory since the last conflict

	activities []float64
	bump       float64
	order      heap

	seen    []bool  // by variable, while a conflict is analysed
	proved  []proof // by variable, while a clause is minimized
	touched []int   // the variables with a proof
	marks   []int   // by level: the last conflict that a literal of it was met in
	counted int     // distances
	met     int     // conflicts

	conflicts uint64 // since the last restart
	restarts  uint64

	record func(clause []int) // or nil

	bytes  uint64      // that clauses and variables take, about
	most   uint64      // bytes; 0 for no bound
	stop   func() bool // or nil
	passed int         // work since it was asked
	work   uint64      // all
}

// What variables and clauses take, in bytes: measured. Watches lie in lists that
// have room to grow.
const (
	variableBytes = 160
	groupBytes    = 120
	clauseBytes   = 144 // two watches included
	literalBytes  = 5
	reasonBytes   = 96 // that a theory gave
)

// stopEvery is how much work passes between two questions whether to stop.
const stopEvery = 1 << 17

const (
	decay       = 1 / 0.87
	rescale     = 1e100
	restartUnit = 16
	firstKeep   = 2000
	moreKeep    = 300
)

// New makes a formula without clauses over variables 1 to n.
func New(n int) *Solver {
	s := &Solver{
		keep:    firstKeep,
		watches: make([][]watch, 2*n+2), values: make([]int8, 2*n+2),
		groups: make([][][]literal, n+1), chosen: make([]*clause, n+1),
		levels: make([]int32, n+1), reasons: make([]*clause, n+1),
		activities: make([]float64, n+1), bump: 1, seen: make([]bool, n+1), proved: make([]proof, n+1), marks: make([]int, n+2),
	}
	s.bytes = variableBytes * uint64(n)
	s.order = newHeap(n, s.activities)
	return s
}

// Limit bounds what the solver holds, in bytes; 0 is no bound. It drops learned
// clauses earlier then, and Run tells Full where that does not help. Run asks
// stop, if there is one, now and then, and ends once it tells true.
func (s *Solver) Limit(bytes uint64, stop func() bool) {
	s.most, s.stop, s.crowded = bytes, stop, false
}

// Record shows each clause that is learned or kept of the theory's reasons, as variables
// and their negatives, before it is used: it follows from what the solver was told, from
// the theory, and from those before it, by propagation alone. (Goldberg and Novikov,
// "Verification of proofs of unsatisfiability for CNF formulas", DATE 2003.)
func (s *Solver) Record(learned func(clause []int)) { s.record = learned }

// AtMostOne says that no two of some variables are true. It takes a place of memory
// for each, and is told before the first Run.
func (s *Solver) AtMostOne(variables ...int) {
	group := make([]literal, len(variables))
	for i, v := range variables {
		group[i] = makeLiteral(v).not()
		s.groups[v] = append(s.groups[v], group)
		if s.chosen[v] == nil {
			s.chosen[v] = &clause{literals: []literal{group[i]}}
		}
	}
	s.bytes += groupBytes * uint64(len(variables))
	s.done = 0 // what is true already has not met the group
}

// choose makes the other variables of a true one's groups false.
func (s *Solver) choose(v int) *clause {
	for _, group := range s.groups[v] {
		for _, l := range group {
			switch {
			case s.values[l] == 0:
				s.assign(l, s.chosen[v])
			case s.values[l] < 0 && l.variable() != v:
				return &clause{literals: []literal{makeLiteral(v).not(), l}}
			}
		}
	}
	return nil
}

// Ask lets a theory tell what follows.
func (s *Solver) Ask(t Theory) { s.theory = t }

// False tells whether a variable is false in the model found or, for a theory,
// as far as is known.
func (s *Solver) False(variable int) bool { return s.values[2*variable] < 0 }

// Never tells whether a variable is false in every model.
func (s *Solver) Never(variable int) bool { return s.False(variable) && s.levels[variable] == 0 }

// Level is the number of decisions that what has a value rests on.
func (s *Solver) Level() int { return len(s.limits) }

// Exclude is for a theory: it makes variables false because others are, all of which
// are false.
func (s *Solver) Exclude(variables, because []int) {
	reason := &clause{literals: make([]literal, len(because), len(because)+1)}
	for i, v := range because {
		reason.literals[i] = makeLiteral(v)
	}
	s.spend(len(because))
	if len(s.limits) > 0 {
		held := explained{len(s.trail), reasonBytes + literalBytes*uint64(len(because))}
		s.explained = append(s.explained, held)
		s.bytes += held.bytes
	}
	for _, v := range variables {
		switch l := makeLiteral(v).not(); {
		case s.values[l] == 0:
			s.assign(l, reason)
		case s.values[l] < 0:
			s.refuted = &clause{literals: append(reason.literals, l)}
			return
		}
	}
}

// Work is how much the solver has done since it was made: looks at clauses that watch a
// literal, at the literals of the theory's reasons, and what the theory has told.
func (s *Solver) Work() uint64 { return s.work }

// spend counts work.
func (s *Solver) spend(work int) {
	s.passed += work
	s.work += uint64(work)
}

// Bytes is about what the solver holds.
func (s *Solver) Bytes() uint64 { return s.bytes }

// Add adds a clause: variables, or their negatives. After a model was found, the
// next Run looks for another.
func (s *Solver) Add(literals ...int) {
	if s.status == Unsatisfiable {
		return
	}
	s.status = Unknown
	s.backtrack(0)
	c := &clause{}
	for _, l := range literals {
		switch lit := makeLiteral(l); {
		case s.values[lit] > 0 || slices.Contains(c.literals, lit.not()):
			return
		case s.values[lit] == 0 && !slices.Contains(c.literals, lit):
			c.literals = append(c.literals, lit)
		}
	}
	switch len(c.literals) {
	case 0:
		s.status = Unsatisfiable
	case 1:
		s.assign(c.literals[0], nil)
		if s.propagate() != nil {
			s.status = Unsatisfiable
		}
	default:
		s.watch(c)
	}
}

func (s *Solver) watch(c *clause) {
	s.bytes += c.bytes()
	a, b := c.literals[0], c.literals[1]
	s.watches[a] = append(s.watches[a], watch{c, b})
	s.watches[b] = append(s.watches[b], watch{c, a})
}

// True tells whether a variable is true in the model found.
func (s *Solver) True(variable int) bool { return s.values[makeLiteral(variable)] > 0 }

// Run searches until the formula is decided or that many conflicts have been
// met, and tells how many have. Later calls go on from there. Limit says what else
// may end it.
func (s *Solver) Run(conflicts int) (Status, int) {
	for met := 0; s.status == Unknown; {
		if s.stopped() {
			return Unknown, met
		}
		if conflict := s.consequences(); conflict != nil {
			if s.backtrack(s.level(conflict)); len(s.limits) == 0 {
				s.status = Unsatisfiable
				return s.status, met
			}
			s.learn(conflict)
			if !s.fit() {
				return Full, met
			}
			s.crowded = false
			s.conflicts++
			if met++; met == conflicts {
				return Unknown, met
			}
			continue
		}
		if s.most > 0 && s.bytes > s.most {
			if s.crowded || !s.fit() {
				return Full, met
			}
			s.crowded = true
			continue
		}
		if s.conflicts >= restartUnit*Luby(s.restarts) {
			s.conflicts = 0
			s.restarts++
			s.backtrack(0)
			if len(s.learned) >= s.keep {
				s.keep += moreKeep
				s.reduce()
			}
		}
		if !s.decide() {
			s.status = Satisfiable
			return s.status, met
		}
	}
	return s.status, 0
}

// stopped asks whether to stop, once enough has been done since the last time.
func (s *Solver) stopped() bool {
	if s.stop == nil || s.passed < stopEvery {
		return false
	}
	s.passed = 0
	return s.stop()
}

// fit drops learned clauses where the solver holds more than it may, and tells
// whether it holds no more than that now.
func (s *Solver) fit() bool {
	if s.most == 0 || s.bytes <= s.most {
		return true
	}
	s.backtrack(0)
	s.reduce()
	return s.bytes <= s.most
}

// Luby is term i, from 0, of the sequence 1, 1, 2, 1, 1, 2, 4, ...
func Luby(i uint64) uint64 {
	size, power := uint64(1), uint64(1)
	for size < i+1 {
		size, power = 2*size+1, 2*power
	}
	for size-1 != i {
		size, power = (size-1)/2, power/2
		i %= size
	}
	return power
}

// assign makes a literal true, for a reason or, without one, at the present
// level.
func (s *Solver) assign(l literal, reason *clause) {
	s.values[l], s.values[l.not()] = 1, -1
	s.levels[l.variable()], s.reasons[l.variable()] = int32(len(s.limits)), reason
	s.trail = append(s.trail, l)
}

// consequences makes true what follows from clauses and theory, and gives a clause
// that is false if one is.
func (s *Solver) consequences() *clause {
	for {
		conflict := s.propagate()
		if conflict != nil || s.theory == nil {
			return conflict
		}
		known := len(s.trail)
		s.tell()
		s.spend(s.theory.Consequences())
		if s.refuted != nil {
			conflict, s.refuted = s.refuted, nil
			return conflict
		}
		if len(s.trail) == known {
			return nil
		}
	}
}

// tell tells the theory what has become false.
func (s *Solver) tell() {
	for ; s.told < len(s.trail); s.told++ {
		if l := s.trail[s.told]; l&1 != 0 {
			s.theory.Falls(l.variable())
		}
	}
}

// level is the highest that literals of a false clause come from: the present one,
// unless a theory found it.
func (s *Solver) level(c *clause) int {
	level := int32(0)
	for _, l := range c.literals {
		level = max(level, s.levels[l.variable()])
	}
	return int(level)
}

// propagate makes true what follows, and gives a clause that is false if one
// is.
func (s *Solver) propagate() *clause {
	for s.done < len(s.trail) {
		l := s.trail[s.done]
		lost := l.not()
		s.done++
		s.spend(1 + len(s.watches[lost]))
		if l&1 == 0 {
			if conflict := s.choose(l.variable()); conflict != nil {
				return conflict
			}
		}
		if conflict := s.visit(lost); conflict != nil {
			return conflict
		}
	}
	return nil
}

// visit looks at the clauses that watch a literal which has become false.
func (s *Solver) visit(lost literal) *clause {
	list := s.watches[lost]
	kept := list[:0]
	for i, w := range list {
		if s.values[w.blocker] > 0 {
			kept = append(kept, w)
			continue
		}
		c := w.clause
		if c.literals[0] == lost {
			c.literals[0], c.literals[1] = c.literals[1], c.literals[0]
		}
		first := c.literals[0]
		if s.values[first] > 0 {
			kept = append(kept, watch{c, first})
			continue
		}
		if s.move(c) {
			continue
		}
		kept = append(kept, watch{c, first})
		if s.values[first] < 0 {
			s.watches[lost] = append(kept, list[i+1:]...)
			return c
		}
		s.assign(first, c)
	}
	s.watches[lost] = kept
	return nil
}

// move lets a clause watch another literal instead of its second, if one is not
// false.
func (s *Solver) move(c *clause) bool {
	for k := 2; k < len(c.literals); k++ {
		if l := c.literals[k]; s.values[l] >= 0 {
			c.literals[1], c.literals[k] = l, c.literals[1]
			s.watches[l] = append(s.watches[l], watch{c, c.literals[0]})
			return true
		}
	}
	return false
}

// backtrack undoes the levels above one.
func (s *Solver) backtrack(level int) {
	if len(s.limits) <= level {
		return
	}
	keep := s.limits[level]
	for i, l := range s.trail[keep:] {
		s.values[l], s.values[l.not()] = 0, 0
		s.reasons[l.variable()] = nil
		s.order.push(l.variable())
		if l&1 != 0 && keep+i < s.told {
			s.theory.Rises(l.variable())
		}
	}
	s.trail, s.limits, s.done = s.trail[:keep], s.limits[:level], keep
	s.told = min(s.told, keep)
	for n := len(s.explained); n > 0 && s.explained[n-1].at >= keep; n-- {
		s.bytes -= s.explained[n-1].bytes
		s.explained = s.explained[:n-1]
	}
}

// learn derives the clause of the first unique implication point from one that
// is false, goes back to where it becomes a unit, and adds it.
func (s *Solver) learn(conflict *clause) {
	literals := s.analyse(conflict)
	back := 0
	for i := 1; i < len(literals); i++ {
		if level := int(s.levels[literals[i].variable()]); level > back {
			back = level
			literals[1], literals[i] = literals[i], literals[1]
		}
	}
	c := &clause{literals: slices.Clone(literals), learned: true, distance: s.distance(literals)}
	s.show(literals)
	s.backtrack(back)
	s.keepLemmas()
	if len(literals) == 1 {
		s.assign(literals[0], nil)
	} else {
		s.watch(c)
		s.learned = append(s.learned, c)
		s.assign(literals[0], c)
	}
	s.bump *= decay
}

// show records a clause.
func (s *Solver) show(literals []literal) {
	if s.record == nil {
		return
	}
	shown := make([]int, len(literals))
	for i, l := range literals {
		shown[i] = l.variable()
		if l&1 != 0 {
			shown[i] = -shown[i]
		}
	}
	s.record(shown)
}

// analyse resolves backwards along the trail until one literal of the present
// level is left, which comes first.
func (s *Solver) analyse(conflict *clause) []literal {
	literals := make([]literal, 1)
	open, at := 0, len(s.trail)
	s.met++
	for c := conflict; ; {
		s.use(c)
		for _, l := range c.literals {
			v := l.variable()
			if s.seen[v] || s.values[l] > 0 || s.levels[v] == 0 {
				continue
			}
			s.seen[v] = true
			s.raise(v)
			if int(s.levels[v]) == len(s.limits) {
				open++
			} else {
				literals = append(literals, l)
			}
		}
		for at--; !s.seen[s.trail[at].variable()]; at-- {
		}
		l := s.trail[at]
		if open--; open == 0 {
			literals[0] = l.not()
			s.seen[l.variable()] = false
			break
		}
		s.seen[l.variable()] = false
		if c = s.reasons[l.variable()]; s.ofTheory(c, l) {
			s.addLemma(c, l)
		}
	}
	return s.minimize(literals)
}

// use notes that a learned clause has a part in a conflict.
func (s *Solver) use(c *clause) {
	if !c.learned {
		return
	}
	c.used = s.met
	if c.distance > lasting {
		c.distance = min(c.distance, s.distance(c.literals))
	}
}

// ofTheory tells whether the reason of a literal is one that the theory gave: that leaves
// the literal out, as only a group's does otherwise.
func (s *Solver) ofTheory(reason *clause, l literal) bool {
	if len(reason.literals) == 0 || reason.literals[0] == l {
		return false
	}
	return s.chosen[reason.literals[0].variable()] != reason
}

// addLemma makes a clause of the reason that the theory gave for a literal. It watches the
// literal, and of the others the one that has become false last.
func (s *Solver) addLemma(reason *clause, l literal) {
	literals := append([]literal{l}, reason.literals...)
	last := 1
	for i, other := range literals {
		if i > 0 && s.levels[other.variable()] > s.levels[literals[last].variable()] {
			last = i
		}
	}
	literals[1], literals[last] = literals[last], literals[1]
	s.show(literals)
	s.lemmas = append(s.lemmas, &clause{literals: literals, learned: true, distance: s.distance(literals)})
}

// keepLemmas adds the theory's reasons that the last conflict rests on to the clauses
// learned. The theory only tells what is false, and these tell as well what is then true,
// and where it is not asked.
func (s *Solver) keepLemmas() {
	for _, c := range s.lemmas {
		s.watch(c)
		s.learned = append(s.learned, c)
	}
	s.lemmas = s.lemmas[:0]
}

// minimize leaves out the literals that follow from others of the clause (Sörensson
// and Biere, "Minimizing learned clauses", SAT 2009), and forgets which variables
// were seen.
func (s *Solver) minimize(literals []literal) []literal {
	kept := literals[:1]
	all := slices.Clone(literals[1:])
	s.touched = s.touched[:0]
	for _, l := range all {
		if !s.implied(l, 0) {
			kept = append(kept, l)
		}
	}
	for _, l := range all {
		s.seen[l.variable()] = false
	}
	for _, v := range s.touched {
		s.proved[v] = unknown
	}
	return kept
}

// proof is what is known of a variable that is not in a clause being minimized.
type proof int8

const (
	unknown proof = iota
	follows       // from variables of the clause
	stands        // alone
)

// deepest bounds how deep reasons of reasons are looked at.
const deepest = 1000

// implied tells whether all other literals of the reason of one are in the clause,
// false for good, or implied in turn.
func (s *Solver) implied(l literal, depth int) bool {
	reason := s.reasons[l.variable()]
	if reason == nil || depth == deepest {
		return false
	}
	for _, other := range reason.literals {
		v := other.variable()
		if v == l.variable() || s.seen[v] || s.levels[v] == 0 {
			continue
		}
		if s.proved[v] == unknown {
			s.touched = append(s.touched, v)
			s.proved[v] = follows
			if !s.implied(other, depth+1) {
				s.proved[v] = stands
			}
		}
		if s.proved[v] == stands {
			return false
		}
	}
	return true
}

// distance is the number of levels that literals come from.
func (s *Solver) distance(literals []literal) int {
	s.counted++
	n := 0
	for _, l := range literals {
		if mark := &s.marks[s.levels[l.variable()]]; *mark != s.counted {
			*mark = s.counted
			n++
		}
	}
	return n
}

// raise makes a variable more active.
func (s *Solver) raise(v int) {
	if s.activities[v] += s.bump; s.activities[v] > rescale {
		for i := range s.activities {
			s.activities[i] /= rescale
		}
		s.bump /= rescale
	}
	s.order.rise(v)
}

const (
	lasting = 2 // clauses of no greater distance are never dropped
	near    = 6 // and those of no greater one after the others
)

// reduce drops half of the learned clauses: of those that are not near the ones that have
// not been used for the longest time, then the others by their distance. It is called at
// level 0.
func (s *Solver) reduce() {
	slices.SortStableFunc(s.learned, func(a, b *clause) int {
		switch {
		case a.distance > near && b.distance > near:
			return b.used - a.used
		default:
			return a.distance - b.distance
		}
	})
	half := len(s.learned) / 2
	kept := s.learned[:half]
	for _, c := range s.learned[half:] {
		locked := s.reasons[c.literals[0].variable()] == c && s.values[c.literals[0]] > 0
		if c.distance <= lasting || locked {
			kept = append(kept, c)
		} else {
			c.dropped = true
			s.bytes -= c.bytes()
		}
	}
	clear(s.learned[len(kept):])
	s.learned = kept
	s.sweep()
}

// sweep takes the clauses that were dropped out of the lists of watches, which
// would hold them in memory, and the room that these no longer need.
func (s *Solver) sweep() {
	for l, list := range s.watches {
		list = slices.DeleteFunc(list, func(w watch) bool { return w.clause.dropped })
		if cap(list) > 2*len(list) {
			list = slices.Clone(list)
		}
		s.watches[l] = list
	}
}
