package proofnumber

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"paika/bitboard"
)

// Verdict is the answer to the question whether the attacker wins.
type Verdict uint8

const (
	Undecided Verdict = iota
	Proved            // the attacker wins
	Refuted           // the defender does not lose
)

var verdictNames = [...]string{"undecided", "proved", "refuted"}

func (v Verdict) String() string { return verdictNames[v] }

// MarshalText writes the verdict as String does, in JSON too.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (v *Verdict) UnmarshalText(text []byte) error {
	known := slices.Index(verdictNames[:], string(text))
	if known < 0 {
		return fmt.Errorf("unknown verdict %s: want %s", bitboard.Quote(string(text)), strings.Join(verdictNames[:], ", "))
	}
	*v = Verdict(known)
	return nil
}

// Estimate guesses how much work it is to show that the side to move reaches
// its goal (phi) and that it does not (delta), in the number of leaves to be
// solved: 1 and 1 where nothing is known, 0 and 0 where the game is over.
// attacker tells whether the attacker moves. Calls may be concurrent.
type Estimate[P any] func(p P, attacker bool) (phi, delta uint32)

// Mobility is the estimate that one turn is enough to succeed, and that as many
// turns as there are have to fail.
func Mobility[P any](count func(p P) int) Estimate[P] {
	return func(p P, _ bool) (phi, delta uint32) {
		n := count(p)
		return uint32(min(n, 1)), uint32(min(n, most))
	}
}

// Method is a way to search.
type Method uint8

const (
	DFPN Method = iota // depth first, by one worker or more
	PN2                // best first, with a second tree at every leaf; one worker
	PN                 // best first; one worker
)

var methodNames = [...]string{"dfpn", "pn2", "pn"}

func (m Method) String() string {
	if int(m) >= len(methodNames) {
		return fmt.Sprintf("method %d", uint8(m))
	}
	return methodNames[m]
}

// ParseMethod reads what String writes.
func ParseMethod(s string) (Method, error) {
	if i := slices.Index(methodNames[:], s); i >= 0 {
		return Method(i), nil
	}
	return 0, fmt.Errorf("unknown method %s: want dfpn, pn2 or pn", bitboard.Quote(s))
}

// Options of a search.
type Options[P comparable] struct {
	// Method is DFPN by default.
	Method Method

	// TreeNodes bounds the nodes that PN and PN2 hold in memory; a search that
	// needs more ends undecided. 2^24 by default, and 2^31-1 at most.
	TreeNodes int

	// Tables end the search where they know the value. None by default.
	Tables Values[P]

	// Hints are tables that the answer Sought must not rest on. Where they say that a
	// position has the other verdict the search ends; where they say that it has this one
	// the search goes on, and knows that it does not look in vain. An answer of the other
	// verdict rests on them as on Tables. None by default.
	Hints  Values[P]
	Sought Verdict // Proved or Refuted; where there are hints

	// Estimate starts the numbers of new nodes. By default it is the game's own
	// for a bitboard.Estimator, Mobility for a bitboard.Counter, else 1 and 1.
	Estimate Estimate[P]

	// Workers is the number of goroutines; one by default.
	Workers int

	// Nodes is the most nodes that are visited for a question. A search that needs
	// more ends undecided; with several workers it may leave up to 64 nodes of each
	// of them unused. Extract has what the same question has left to it by the
	// Solve before. No limit by default.
	Nodes uint64

	// Sets bounds, in bytes, the sets of positions by which refutations are
	// settled and proofs put together. A set that does not fit is ErrSetTooSmall.
	// 1 GiB by default; what is not needed is not touched.
	Sets uint64

	// Turns bounds the turns that a worker has listed along one line of play, in a game that
	// is a bitboard.Prolific. A position with more than there is room for is barred: see
	// Barred positions. By default they fit into an eighth of Sets, and are 2^20 at most.
	Turns int

	// Lemmas are positions that are known to be solved. No step of a proof or
	// refutation is about them. None by default. What is known of a position need
	// not be known of its images: a search with lemmas takes them for different
	// positions.
	Lemmas []Lemma[P]

	// Sums and Tight each switch off a refinement that makes the search fast, to
	// measure how much it gains. With Sums, the number of a node all of whose
	// turns must fail is the sum of theirs, not the largest and one for each
	// other. With Tight, the bounds of a child are exactly what its rivals and its
	// parent ask for, without the margin of a quarter.
	Sums, Tight bool

	// Seed puts the turns of every node in an order of its own, if it is not 0: of
	// those that promise the same, the search looks at the first. How far searches
	// lie apart that differ in nothing else tells how much of a figure is luck.
	Seed uint64

	// Exchange has the workers take part in what other searches of the question find out
	// over tables of their own. It must be one of this search's table. None by default.
	Exchange *Exchange

	// Discerning says that the estimate tells turns well apart. Workers over one table then follow the
	// same turn where the side to move seems to reach its goal, if they are eight at most. And they make
	// detours: they turn from what those of the Exchange do even where that takes them a long way to what
	// seems worse. It saves nodes where it is true, and costs some where the estimate counts turns. To one
	// worker without an Exchange it makes no difference.
	Discerning bool

	// Shown says that each answer of Solve is shown by Extract, so that Solve may answer by
	// what a table claims, or what was heard by an Exchange. Without it, Solve makes sure by
	// itself, which takes as long as Extract does.
	Shown bool
}

// Lemma is a position that was solved elsewhere.
type Lemma[P comparable] struct {
	Position      P
	AttackerMoves bool
	Verdict       Verdict
}

const (
	defaultSets      = 1 << 30
	defaultTreeNodes = 1 << 24

	// mostTreeNodes leaves room for the turns of one more position: nodes are numbered by 32 bits.
	mostTreeNodes = math.MaxInt32
)

// Search solves positions of one game. Its methods are safe for concurrent
// use, but searches that run at the same time know nothing of each other beyond
// the table.
type Search[P comparable] struct {
	rules    bitboard.Rules[P]
	table    *Table
	hasher   hasher[P]
	symmetry bitboard.Symmetric[P] // nil where images are told apart
	prolific bitboard.Prolific[P]  // nil where no position has too many turns
	isOver   func(P) bool          // nil where that takes a list of turns
	options  Options[P]            // with what they are by default
	searched atomic.Uint64
	resumed  atomic.Uint64
	anew     atomic.Pointer[error] // why the search started anew; nil if it did not
	settling atomic.Uint64
	last     atomic.Pointer[question[P]]
	work     work
}

// question is one that was asked, and what it took.
type question[P comparable] struct {
	position      P
	attackerMoves bool
	nodes         uint64
}

// New makes a search over a table. It fails where positions hold anything but
// integers, since their keys are to mean the same in the next run, and where the method is none.
func New[P comparable](rules bitboard.Rules[P], table *Table, o Options[P]) (*Search[P], error) {
	h, err := newHasher[P]()
	if err != nil {
		return nil, err
	}
	if int(o.Method) >= len(methodNames) {
		return nil, fmt.Errorf("unknown method %d", o.Method)
	}
	s := &Search[P]{rules: rules, table: table, hasher: h, symmetry: symmetryOf(rules, o.Lemmas), options: o.complete(rules)}
	s.prolific, _ = rules.(bitboard.Prolific[P])
	s.isOver = overBy(rules)
	return s, nil
}

// complete has what is not given as it is by default.
func (o Options[P]) complete(rules bitboard.Rules[P]) Options[P] {
	o.Workers = max(1, o.Workers)
	o.Sets = cmp.Or(o.Sets, defaultSets)
	o.TreeNodes = min(cmp.Or(o.TreeNodes, defaultTreeNodes), mostTreeNodes)
	o.Turns = cmp.Or(o.Turns, turnsWithin[P](o.Sets/turnsShare, o.Workers))
	if o.Estimate == nil {
		o.Estimate = defaultEstimate(rules)
	}
	return o
}

func defaultEstimate[P comparable](rules bitboard.Rules[P]) Estimate[P] {
	switch game := rules.(type) {
	case bitboard.Estimator[P]:
		return game.Estimate
	case bitboard.CounterTo[P]:
		return Mobility(func(p P) int { return game.CountTo(p, mostTurns) })
	case bitboard.Counter[P]:
		return Mobility(game.Count)
	}
	return func(P, bool) (phi, delta uint32) { return 1, 1 }
}

// overBy tells whether the game is over in a position, if it can be told without a list of turns, and else
// is nil.
func overBy[P comparable](rules bitboard.Rules[P]) func(P) bool {
	switch game := rules.(type) {
	case bitboard.CounterTo[P]:
		return func(p P) bool { return game.CountTo(p, 1) == 0 }
	case bitboard.Counter[P]:
		return func(p P) bool { return game.Count(p) == 0 }
	}
	return nil
}

// Result is what a search came to.
type Result struct {
	Verdict Verdict
	Nodes   uint64 // positions whose turns were generated, again at every visit
}

// Solve tells whether the attacker wins, from a position in which it has the
// move or not. What the table knows is used, and what is found is left there:
// a search that was stopped goes on where it was, if it is asked again.
//
// Where the table was loaded from a file, its facts are claims. Then the answer
// rests on a proof or refutation that was put together anew, from the rules and
// the tables, and takes the memory and time of that. A table that turns out to be
// wrong is emptied, and the search begins anew; see Resumed. Nobody else may use
// such a table meanwhile.
//
// The verdict is Undecided when the limit of nodes is reached or the context
// ends; in the second case the error is the context's. It is Undecided as well where all hangs on
// positions that have too many turns; then the error is a *bitboard.TooManyTurnsError with
// one of them.
func (s *Search[P]) Solve(ctx context.Context, p P, attackerMoves bool) (Result, error) {
	result, err := s.solve(ctx, &run{budget: newBudget(s.options.Nodes)}, p, attackerMoves, nil)
	s.last.Store(&question[P]{p, attackerMoves, result.Nodes})
	return result, err
}

// A Step is a position of a proof or refutation: with the turn chosen, where it
// is the turn of the side whose claim it is, and otherwise standing for all its
// turns.
type Step[P comparable] struct {
	Position      P
	AttackerMoves bool
	Chosen        bool
	To            P      // the position that the turn chosen leads to
	Rank          uint32 // in a proof: lower than that of every step that leads here
}

// Extract solves a position and calls emit with the steps of the proof or the
// refutation, in no order. Each step's turns lead to other steps, to positions
// that the tables have or that are lemmas, or to the end of the game. Where Solve
// was asked before, only what the table has lost is searched again. An error from
// emit ends it.
func (s *Search[P]) Extract(ctx context.Context, p P, attackerMoves bool, emit func(Step[P]) error) (Result, error) {
	r := &run{budget: newBudget(s.options.Nodes)}
	if asked := s.last.Load(); asked != nil && asked.position == p && asked.attackerMoves == attackerMoves {
		r.budget.take(asked.nodes)
	}
	return s.solve(ctx, r, p, attackerMoves, emit)
}

// solve answers a question, from nothing if the table was loaded and is wrong.
func (s *Search[P]) solve(ctx context.Context, r *run, p P, attackerMoves bool, emit func(Step[P]) error) (Result, error) {
	r.total, r.attacker = &s.searched, attackerMoves
	r.ended.Store(ctx.Err() != nil)
	stop := context.AfterFunc(ctx, func() { r.ended.Store(true) })
	defer stop()
	s.table.dropHopeless()
	s.enterLemmas()
	v, err := s.answer(r, p, attackerMoves, emit)
	for s.table.claims.Load() && (errors.Is(err, ErrContradiction) || errors.Is(err, ErrTableTooSmall)) {
		s.startAnew(err) // the second time, nothing is heard any more, and the table claims nothing
		s.blame(ctx, err)
		v, err = s.answer(r, p, attackerMoves, emit)
	}
	if err == nil && v == Undecided {
		err = ctx.Err()
	}
	return Result{Verdict: v, Nodes: r.nodes.Load()}, err
}

// answer decides a position, and extracts why if emit is given, or if the table's
// facts are claims.
func (s *Search[P]) answer(r *run, p P, attackerMoves bool, emit func(Step[P]) error) (Verdict, error) {
	v, err := s.decide(r, p, attackerMoves)
	if err != nil || v == Undecided || emit == nil && (s.options.Shown || !s.table.claims.Load()) {
		return v, err
	}
	if done, err := s.extract(r, v, p, attackerMoves, emit); !done {
		return Undecided, err
	}
	return v, nil
}

// enterLemmas makes facts of the lemmas.
func (s *Search[P]) enterLemmas() {
	for i := range s.options.Lemmas {
		l := &s.options.Lemmas[i]
		st := refuted(l.AttackerMoves, true)
		if l.Verdict == Proved {
			st = proved(l.AttackerMoves, 0)
		}
		r := st.record(l.AttackerMoves)
		r.effort = mostEffort
		s.table.store(s.key(&l.Position, l.AttackerMoves), r)
	}
}

// lemma tells whether one says that of a node.
func (s *Search[P]) lemma(p P, attacker bool, v Verdict) bool {
	return slices.Contains(s.options.Lemmas, Lemma[P]{p, attacker, v})
}

// decide searches a position until there is a fact about it. What is only
// believed is settled, and searched again with what that has brought to light.
func (s *Search[P]) decide(r *run, p P, attacker bool) (Verdict, error) {
	st := s.search(r, p, attacker)
	if !st.solved() || st.fact {
		return st.verdict(attacker), s.tooMany(r, st)
	}
	crew, err := newCrew(s, r)
	if err != nil {
		return Undecided, err
	}
	defer crew.disband()
	settler := &settler[P]{crew: crew}
	for idle, all := 0, 0; st.solved() && !st.fact; st = s.search(r, p, attacker) {
		stays, progress, err := settler.settle(p, attacker)
		switch {
		case err != nil || r.stopped():
			return Undecided, err
		case stays:
			return Refuted, nil
		case progress:
			idle = 0
		}
		idle++
		if all++; idle > patience || all > patience*patience {
			return Undecided, ErrTableTooSmall
		}
	}
	return st.verdict(attacker), s.tooMany(r, st)
}

// extract puts the proof or refutation of a position together, and emits it if
// anyone wants it. It tells false where the run ends first.
func (s *Search[P]) extract(r *run, v Verdict, p P, attacker bool, emit func(Step[P]) error) (done bool, err error) {
	crew, err := newCrew(s, r)
	if err != nil {
		return false, err
	}
	defer crew.disband()
	x := &extractor[P]{crew: crew, goal: v}
	if done, err = x.extract(p, attacker); !done || emit == nil {
		return done, err
	}
	return x.emit(emit)
}

// search asks the method for what it believes.
func (s *Search[P]) search(r *run, p P, attackerMoves bool) state {
	if s.options.Method == DFPN {
		return s.searchDepthFirst(r, p, attackerMoves)
	}
	w := newWorker(s, r)
	t := newTree(w, p, attackerMoves, state{phi: 1, delta: 1})
	got := t.grow(s.options.TreeNodes, s.options.Method == PN2)
	w.giveBack()
	w.poll()
	return got
}

// searchDepthFirst has the workers search until one of them believes to know.
// They come back for the table to grow; it leads them to where they were.
func (s *Search[P]) searchDepthFirst(r *run, p P, attackerMoves bool) state {
	if s.options.Workers > 1 || s.options.Exchange != nil {
		if r.counters == nil {
			r.counters = new(counters)
		}
		r.busy = r.counters
	}
	st := s.together(r, p, attackerMoves)
	for !st.solved() && r.crowded.Load() && !r.ended.Load() {
		s.table.grow(s.options.Workers)
		r.crowded.Store(false)
		st = s.together(r, p, attackerMoves)
	}
	r.crowded.Store(false)
	r.busy = nil
	return st
}

// together has the workers search from the root.
func (s *Search[P]) together(r *run, p P, attackerMoves bool) state {
	states := make([]state, s.options.Workers)
	var group sync.WaitGroup
	for i := range states {
		group.Go(func() {
			w := newWorker(s, r)
			w.counts = true
			w.lane = s.options.Exchange.join()
			defer s.options.Exchange.leave(w.lane)
			if states[i] = w.root(p, attackerMoves); states[i].solved() {
				r.solved.Store(true)
			}
		})
	}
	group.Wait()
	r.solved.Store(false)
	best := states[0]
	for _, st := range states {
		if st.fact || st.solved() && !best.solved() || r.hopeless(st) && !best.solved() {
			best = st
		}
	}
	return best
}

// Nodes is the number of nodes that the search has visited so far, over all
// calls and those before that it resumed. It may be asked while they go on.
func (s *Search[P]) Nodes() uint64 { return s.searched.Load() }

// Settling is the number of positions in the set that settles the verdict, or in that of what
// is put together: 0 while the search has none. It may be asked while the search goes on.
func (s *Search[P]) Settling() uint64 { return s.settling.Load() }

// A run is what the workers of one question share beside the table.
type run struct {
	budget   *budget
	total    *atomic.Uint64 // nodes of all runs of the search
	nodes    atomic.Uint64
	ended    atomic.Bool // by the budget or the context
	solved   atomic.Bool // by one of the workers
	crowded  atomic.Bool // the table is to grow
	busy     *counters   // nil where there is one worker, and no exchange
	counters *counters   // all at 0 between two searches
	awaited  awaited     // facts that an extraction needs, if it searches

	attacker bool                       // has the move at the root
	barred   atomic.Pointer[barredNode] // the first that was met; nil for none
}

// store enters in the table what was found out about a key. It tells whether the key
// is new there.
func (s *Search[P]) store(r *run, key uint64, found record) (added bool) {
	r.awaited.enter(key, found)
	old, now := s.table.store(key, found)
	s.options.Exchange.tell(key, old, now)
	return old == record{}
}

// count adds nodes.
func (r *run) count(nodes uint64) {
	r.total.Add(nodes)
	r.nodes.Add(nodes)
}

func (r *run) stopped() bool { return r.ended.Load() || r.solved.Load() || r.crowded.Load() }

// counters tell on which nodes workers are. Nodes may share one, which does no
// harm but to set a turn back without need.
type counters [1 << 14]atomic.Int32

// at is the counter of a node.
func (c *counters) at(key uint64) *atomic.Int32 { return &c[key%uint64(len(c))] }
