package inspection

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
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

	// Doubled is how many shares go out for one that goes to a second worker: 100 by
	// default.
	Doubled int

	// Secret picks those that do. It is the same whenever the inspection goes on.
	Secret string

	// Not is who made the tables, whose answers count for nothing; empty where nobody did.
	Not string

	// Counts gives the number of indices of a slice.
	Counts func(slice string) uint64
}

const (
	defaultIndices = 1 << 23
	defaultDoubled = 100
)

// Inspection is the pieces of a verification, and what is known of them. It is for one
// goroutine at a time.
type Inspection struct {
	groups []*group
	pieces []*piece // in the order in which they go out
	named  map[string]*piece
	wrong  map[string]bool // workers that are believed no more
	open   int             // before it no piece is to go out
}

// group is one with its pieces.
type group struct {
	verify.Group
	pieces  []*piece
	suspect bool // it is derived here
}

// piece is a task, and what is known of it.
type piece struct {
	Task
	group   *group
	doubled bool // a second worker is to answer
	out     int  // given out
	vain    int  // answers that did not help
	own     bool // to be derived here
	answers []answered
	byHub   bool // it was derived here, and answer is what that came to
	answer  Answer
}

// answered is the answer of a worker. Those of a piece say the same, or the piece is to
// be derived here.
type answered struct {
	worker string
	Answer
}

// mostVain is how many answers may come to nothing before a piece is derived here.
const mostVain = 3

// Inspect cuts groups into pieces.
func Inspect(groups []verify.Group, t Terms) *Inspection {
	if t.Indices == 0 {
		t.Indices = defaultIndices
	}
	if t.Doubled == 0 {
		t.Doubled = defaultDoubled
	}
	i := &Inspection{named: make(map[string]*piece), wrong: make(map[string]bool)}
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
	i.double(t)
	return i
}

// double picks the pieces that go to a second worker: of those that the secret orders by
// chance, the first and every one below a bound.
func (i *Inspection) double(t Terms) {
	var first *piece
	least := uint64(math.MaxUint64)
	for _, p := range i.pieces {
		sum := sha256.Sum256([]byte(t.Secret + p.Job))
		chance := binary.LittleEndian.Uint64(sum[:])
		p.doubled = chance <= math.MaxUint64/uint64(t.Doubled)
		if chance <= least {
			first, least = p, chance
		}
	}
	if first != nil {
		first.doubled = true
	}
}

// cut lists the tasks of a group.
func (t Terms) cut(of verify.Group) (tasks []Task) {
	task := Task{Setting: t.Setting, Version: t.Version, Group: of, Not: t.Not}
	for _, slice := range of.Slices {
		for end, lo := t.Counts(slice), uint64(0); lo < end; lo += t.Indices {
			task.Slice, task.Low, task.High = slice, lo, min(end, lo+t.Indices)
			tasks = append(tasks, task.named())
		}
	}
	if of.NeedsGround() {
		task.Slice, task.Low, task.High = "", 0, 0
		tasks = append(tasks, task.named())
	}
	return tasks
}

// wants is how many answers are still to come.
func (p *piece) wants() int {
	switch {
	case p.group.suspect || p.byHub || p.own:
		return 0
	case p.doubled:
		return 2 - len(p.answers)
	}
	return 1 - len(p.answers)
}

// settled tells whether the piece has its answer.
func (p *piece) settled() bool { return p.group.suspect || p.byHub || !p.own && p.wants() <= 0 }

// Next gives a task out.
func (i *Inspection) Next() (Task, bool) {
	for i.open < len(i.pieces) && i.pieces[i.open].settled() {
		i.open++
	}
	for _, p := range i.pieces[i.open:] {
		if p.wants() > p.out {
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
	if p := i.named[job]; p != nil && p.wants() > 0 {
		p.own = true
	}
}

// Wanted tells whether an answer to a task can still matter.
func (i *Inspection) Wanted(job string) bool {
	p := i.named[job]
	return p != nil && p.wants() > 0
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

// Take takes up the answer of a worker. Alone says that no other worker is there, who
// could confirm it.
func (i *Inspection) Take(worker, job string, a Answer, alone bool) (Outcome, string) {
	p := i.named[job]
	what, reason := i.Judge(worker, job, &a)
	if what != Taken {
		p.fail()
		return what, reason
	}
	p.answers = append(p.answers, answered{worker, a})
	p.answer = p.answers[0].Answer
	p.own = a.Found > 0 || !p.answer.same(&a) || alone && p.wants() > 0
	if p.own {
		i.open = 0
	}
	return Taken, ""
}

// Judge tells what Take would make of an answer, and why.
func (i *Inspection) Judge(worker, job string, a *Answer) (Outcome, string) {
	p := i.named[job]
	switch {
	case p == nil:
		return Unknown, "there is no such task"
	case i.wrong[worker]:
		return Refuted, "the hub derived a share, and found that this worker was wrong about it"
	case !p.fits(a):
		return Invalid, "it is no answer of such a task"
	case p.Not != "" && worker == p.Not:
		return Invalid, "the tables are this worker's own"
	case p.group.suspect || p.byHub || p.own || len(p.answers) > 1:
		return Known, ""
	case slices.ContainsFunc(p.answers, func(b answered) bool { return b.worker == worker }):
		return Known, ""
	}
	return Taken, ""
}

// fail counts an answer that did not help.
func (p *piece) fail() {
	if p == nil || p.wants() <= 0 {
		return
	}
	if p.vain++; p.vain >= mostVain {
		p.own = true
	}
}

// fits tells whether an answer can be one of the task.
func (p *piece) fits(a *Answer) bool {
	if p.Slice != "" {
		return len(a.Quiet) == 0
	}
	return a.Sums == verify.Sums{} && len(a.Quiet) == len(p.group.Slices)
}

// Own is a piece that is to be derived here.
func (i *Inspection) Own() (Task, bool) {
	if ours := i.Ours(1); len(ours) > 0 {
		return ours[0], true
	}
	return Task{}, false
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
		p.own, p.answers = !p.byHub, nil
	}
}

// Suspect tells whether something is wrong with a group, as was found here.
func (i *Inspection) Suspect() bool {
	return slices.ContainsFunc(i.groups, func(g *group) bool { return g.suspect })
}

// Sums are those of each slice of a group, once all is known.
func (i *Inspection) Sums(group int) []verify.Sums { return i.groups[group].sums() }

// Disbelieve has nothing count that only a worker has answered.
func (i *Inspection) Disbelieve(worker string) {
	i.wrong[worker] = true
	i.reopen()
}

// Decide takes up what a piece came to that was derived here. It tells which workers were
// wrong about it. Nothing that only they have answered counts any more.
func (i *Inspection) Decide(job string, a Answer) (wrong []string) {
	p := i.named[job]
	if p == nil || p.byHub {
		return nil
	}
	for _, b := range p.answers {
		if !b.same(&a) && !i.wrong[b.worker] {
			wrong = append(wrong, b.worker)
			i.wrong[b.worker] = true
		}
	}
	p.byHub, p.answer = true, a
	p.group.suspect = p.group.suspect || a.Found > 0
	if len(wrong) > 0 {
		i.reopen()
	}
	return wrong
}

// reopen forgets the answers of workers that are believed no more.
func (i *Inspection) reopen() {
	i.open = 0
	for _, p := range i.pieces {
		if p.byHub {
			continue
		}
		p.answers = slices.DeleteFunc(p.answers, func(b answered) bool { return i.wrong[b.worker] })
		if len(p.answers) > 0 {
			p.answer = p.answers[0].Answer
		}
	}
}

// Known tells whether every piece has its answer.
func (i *Inspection) Known() bool {
	return !slices.ContainsFunc(i.pieces, func(p *piece) bool { return !p.settled() })
}
