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
		s.restart()
		if !s.decide() {
			s.status = Satisfiable
			return s.status, met
		}
	}
	return s.status, 0
}
