package inspection

import (
	"crypto/rand"
	"math/big"
	"slices"

	"paika/proofs"
	"paika/tablebase/verify"
)

// Terms say how tables are cut into pieces.
type Terms struct {
	Setting proofs.Setting
	Version string // of the program: workers of another one are refused

	// Indices, a multiple of 64, are those of a share: 1<<23 by default.
	Indices uint64

	// Audited is how many shares workers derive for one that is derived here, too: 100 by
	// default. Of each group it is one at least.
	Audited int

	// Not is who made the tables, whose answers count for nothing; empty where nobody did.
	Not string

	// Counts gives the number of indices of a slice.
	Counts func(slice string) uint64
}

const (
	defaultIndices = 1 << 23
	defaultAudited = 100
)

// Inspection is the pieces of a verification, and what is known of them. It is for one
// goroutine at a time.
type Inspection struct {
	groups  []*group
	pieces  []*piece // in the order in which they go out
	named   map[string]*piece
	wrong   map[string]bool // workers that are believed no more
	open    int             // before it no piece is to go out
	audited int
}

// group is one with its pieces.
type group struct {
	verify.Group
	pieces  []*piece
	suspect bool // it is derived here
	audited bool // of what workers have answered a piece was picked that is derived here
}

// piece is a task, and what is known of it.
type piece struct {
	Task
	group  *group
	out    int    // given out
	vain   int    // answers that did not help, of who had it
	own    bool   // to be derived here
	worker string // who has answered; empty: nobody
	byHub  bool   // it was derived here, and answer is what that came to
	answer Answer

	recalled bool // the answer is from before the inspection was stopped
}

// mostVain is how many answers of who had it may come to nothing before a piece is derived here.
const mostVain = 3

// Inspect cuts groups into pieces.
func Inspect(groups []verify.Group, t Terms) *Inspection {
	if t.Indices == 0 {
		t.Indices = defaultIndices
	}
	if t.Audited == 0 {
		t.Audited = defaultAudited
	}
	i := &Inspection{named: make(map[string]*piece), wrong: make(map[string]bool), audited: t.Audited}
	for _, of := range groups {
		g := &group{Group: of}
		i.groups = append(i.groups, g)
		for _, task := range t.cut(of) {
			p := &piece{Task: task, group: g}
			g.pieces = append(g.pieces, p)
			i.named[p.Job] = p
		}
		i.pieces = append(i.pieces, g.pieces...)
	}
	return i
}

// cut lists the tasks of a group.
func (t Terms) cut(of verify.Group) (tasks []Task) {
	task := Task{Setting: t.Setting, Version: t.Version, Group: of, Not: t.Not}
	for _, slice := range of.Slices {
		end, step := t.Counts(slice), t.Indices
		if of.Whole {
			step = max(1, end)
		}
		for lo := uint64(0); lo < end; lo += step {
			task.Slice, task.Low, task.High = slice, lo, min(end, lo+step)
			tasks = append(tasks, task.named())
		}
	}
	if of.NeedsGround() {
		task.Slice, task.Low, task.High = "", 0, 0
		tasks = append(tasks, task.named())
	}
	return tasks
}

// wanted tells whether an answer is still to come from a worker.
func (p *piece) wanted() bool { return !p.group.suspect && !p.byHub && !p.own && p.worker == "" }

// settled tells whether the piece has its answer.
func (p *piece) settled() bool { return p.group.suspect || p.byHub || !p.own && p.worker != "" }

// below picks a number by chance that nobody can foresee.
func below(n int) int {
	picked, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic("inspection: random numbers do not fail: " + err.Error())
	}
	return int(picked.Int64())
}

// audit picks one of the pieces of a group that workers have answered, once there is none
// to be answered, to be derived here. Those that are derived here anyway do not stand for
// it: a worker can have a hand in which they are.
func (g *group) audit() {
	var theirs []*piece
	for _, p := range g.pieces {
		switch {
		case p.wanted():
			return
		case !p.own && !p.byHub:
			theirs = append(theirs, p)
		}
	}
	if !g.audited && !g.suspect && len(theirs) > 0 {
		g.audited = true
		theirs[below(len(theirs))].own = true
	}
}

// Next gives a task out.
func (i *Inspection) Next() (Task, bool) {
	for i.open < len(i.pieces) && i.pieces[i.open].settled() {
		i.open++
	}
	for _, p := range i.pieces[i.open:] {
		if p.wanted() && p.out == 0 {
			p.out++
			return p.Task, true
		}
	}
	return Task{}, false
}

// Return takes a task back that was given out, whether or not an answer came.
func (i *Inspection) Return(job string) {
	if p := i.named[job]; p != nil {
		p.out--
	}
}

// Spare has a piece derived here, of which nothing comes.
func (i *Inspection) Spare(job string) {
	if p := i.named[job]; p != nil && p.wanted() {
		p.own = true
		p.group.audit()
	}
}

// Vain counts an answer to a task that did not help, of a worker to whom it was given. Those of others
// do not count, or anybody could have all derived here: a name follows from the tables.
func (i *Inspection) Vain(job string) {
	p := i.named[job]
	if p == nil || !p.wanted() {
		return
	}
	if p.vain++; p.vain >= mostVain {
		i.Spare(job)
	}
}

// Wanted tells whether an answer to a task can still matter.
func (i *Inspection) Wanted(job string) bool {
	p := i.named[job]
	return p != nil && p.wanted()
}

// Indices is how many a task has: none where it takes the group as a whole.
func (i *Inspection) Indices(job string) uint64 {
	if p := i.named[job]; p != nil {
		return p.High - p.Low
	}
	return 0
}

// Outcome is what becomes of an answer.
type Outcome int

const (
	Taken   Outcome = iota
	Known           // it was known, or is no longer wanted
	Invalid         // it is no answer of such a task
	Refuted         // its worker is believed no more
	Unknown         // there is no such task
)

// Take takes up the answer of a worker, and picks by chance what is derived here, too.
func (i *Inspection) Take(worker, job string, a Answer) (Outcome, string) {
	what, reason := i.take(worker, job, a)
	if p := i.named[job]; p != nil {
		p.own = p.own || what == Taken && below(i.audited) == 0
		p.group.audit()
	}
	return what, reason
}

func (i *Inspection) take(worker, job string, a Answer) (Outcome, string) {
	p := i.named[job]
	what, reason := i.Judge(worker, job, &a)
	if what != Taken {
		return what, reason
	}
	p.worker, p.answer, p.recalled = worker, a, false
	p.own = a.Found > 0
	return Taken, ""
}

// Recall takes up what was known before the inspection was stopped: the answer of a
// worker or, without a name, what a piece came to that was derived here. Nobody vouches for who
// says so, and a report tells how many of these there are.
func (i *Inspection) Recall(worker, job string, a Answer) {
	if worker == "" {
		i.decide(job, a)
	} else {
		i.take(worker, job, a)
	}
	if p := i.named[job]; p != nil {
		p.recalled = p.byHub || p.worker != ""
	}
}

// Resume picks what is still to be derived here, once all is recalled: of the answers by chance, and of
// each group one at least. What was picked before and derived counts for that.
func (i *Inspection) Resume() {
	for _, p := range i.pieces {
		p.own = p.own || p.worker != "" && !p.byHub && below(i.audited) == 0
	}
	for _, g := range i.groups {
		g.audited = slices.ContainsFunc(g.pieces, i.confirmed)
		g.audit()
	}
}

// confirmed tells whether a piece was derived here that a worker had said was well, who was right.
func (i *Inspection) confirmed(p *piece) bool {
	return p.byHub && p.worker != "" && p.answer.Found == 0 && i.Believes(p.worker)
}

// Judge tells what Take would make of an answer, and why.
func (i *Inspection) Judge(worker, job string, a *Answer) (Outcome, string) {
	p := i.named[job]
	switch {
	case p == nil:
		return Unknown, "there is no such task"
	case !i.Believes(worker):
		return Refuted, "the hub derived a share, and found that this worker was wrong about it"
	case !p.fits(a):
		return Invalid, "it is no answer of such a task"
	case p.Not != "" && worker == p.Not:
		return Invalid, "the tables are this worker's own"
	case !p.wanted():
		return Known, ""
	}
	return Taken, ""
}

// fits tells whether an answer can be one of the task.
func (p *piece) fits(a *Answer) bool {
	if p.Slice != "" {
		return len(a.Quiet) == 0
	}
	return a.Sums == verify.Sums{} && len(a.Quiet) == len(p.group.Slices)
}

// Ours lists pieces that are to be derived here, so many at most.
func (i *Inspection) Ours(most int) (tasks []Task) {
	for _, p := range i.pieces {
		if len(tasks) < most && p.own && !p.byHub && !p.group.suspect {
			tasks = append(tasks, p.Task)
		}
	}
	return tasks
}

// Doubt has every piece derived here that was not.
func (i *Inspection) Doubt() {
	for _, p := range i.pieces {
		p.own = !p.byHub
	}
}

// Suspect tells whether something is wrong with a group, as was found here.
func (i *Inspection) Suspect() bool {
	return slices.ContainsFunc(i.groups, func(g *group) bool { return g.suspect })
}

// Sums are those of each slice of a group, once all is known.
func (i *Inspection) Sums(group int) []verify.Sums { return i.groups[group].sums() }

// Disbelieve has nothing count that a worker has answered.
func (i *Inspection) Disbelieve(worker string) {
	i.wrong[worker] = true
	i.open = 0
	for _, p := range i.pieces {
		if p.worker != worker {
			continue
		}
		p.group.audited = false // if that was the piece which was picked
		if !p.byHub {
			p.worker, p.recalled = "", false
		}
	}
}

// Audit picks what is to be derived here of groups in which nothing that was counts any more, as after
// Disbelieve.
func (i *Inspection) Audit() {
	for _, g := range i.groups {
		g.audit()
	}
}

// Believes tells whether what a worker answers may count.
func (i *Inspection) Believes(worker string) bool { return !i.wrong[worker] }

// Refutes tells who was wrong about a piece, if this is what it came to here: nobody where it is empty.
func (i *Inspection) Refutes(job string, a Answer) (wrong string) {
	p := i.named[job]
	if p == nil || p.byHub || p.answer.same(&a) {
		return ""
	}
	return p.worker
}

// Decide takes up what a piece came to that was derived here. It tells which worker was
// wrong about it, if one was. Nothing that it has answered counts any more.
func (i *Inspection) Decide(job string, a Answer) (wrong string) {
	wrong = i.decide(job, a)
	switch p := i.named[job]; {
	case wrong != "": // it may have had a part in any group, also in what is picked there
		i.Audit()
	case p != nil:
		p.group.audit()
	}
	return wrong
}

func (i *Inspection) decide(job string, a Answer) (wrong string) {
	p := i.named[job]
	if p == nil || p.byHub {
		return ""
	}
	wrong = i.Refutes(job, a)
	p.byHub, p.answer, p.recalled = true, a, false
	p.group.suspect = p.group.suspect || a.Found > 0
	if wrong != "" {
		i.Disbelieve(wrong)
	}
	return wrong
}

// Needed lists the tables of the groups of which answers are still to come from workers, in no order. It may
// list one more than once.
func (i *Inspection) Needed() (tables []verify.Table) {
	for _, g := range i.groups {
		if slices.ContainsFunc(g.pieces, (*piece).wanted) {
			tables = append(tables, g.Tables...)
		}
	}
	return tables
}

// Known tells whether every piece has its answer.
func (i *Inspection) Known() bool {
	return !slices.ContainsFunc(i.pieces, func(p *piece) bool { return !p.settled() })
}
