package hub

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"paika/bitboard"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/wire"
	"paika/internal/parallel"
	"paika/tablebase/verify"
)

// helper says who may derive what a worker built.
type helper int

const (
	nobody helper = iota // the hub does it itself
	later                // somebody who builds at present
	now
)

// helpers tells who may derive a group again. The hub's mutex is held.
func (b *building) helpers(m *made) (who helper) {
	busy := make(map[speaker]bool)
	for _, g := range b.hub.out {
		if g.Build != nil {
			busy[g.worker] = true
		}
	}
	for at := range b.hub.workers {
		switch name := at.identity(); {
		case name == m.worker || !b.believes(name):
		case busy[at]:
			who = max(who, later)
		default:
			who = now
		}
	}
	return who
}

// chore is what is to be done here next, nil if nothing is. It is over when the question is
// no longer at work.
func (b *building) chore() (over bool, do func() error) {
	h := b.hub
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if !b.q.pursuedBy(b) {
		return true, nil
	}
	for _, w := range b.works {
		if w.made != nil && w.made.inspection.Known() {
			return false, func() error { return b.conclusion(w) }
		}
	}
	for _, w := range b.works {
		if w.made == nil {
			continue
		}
		i := w.made.inspection
		if b.helpers(w.made) == nobody {
			for range h.options.Workers {
				task, found := i.Next()
				if !found {
					break
				}
				i.Return(task.Job)
				i.Spare(task.Job)
			}
		}
		if tasks := sideBySide(i.Ours(max(1, h.options.Workers))); len(tasks) > 0 {
			return false, func() error { return b.derive(w, tasks) }
		}
	}
	return false, nil
}

// sideBySide is which of the tasks of a group are derived at a time. What takes the group as a whole
// comes alone: where it finds something, it spends the tables of the others.
func sideBySide(tasks []inspection.Task) []inspection.Task {
	if at := slices.IndexFunc(tasks, func(t inspection.Task) bool { return t.Slice == "" }); at >= 0 {
		return tasks[:max(1, at)]
	}
	return tasks
}

// derive derives pieces of a group here, side by side, and takes them up.
func (b *building) derive(w *unit, tasks []inspection.Task) error {
	err := b.bring(tasks[0].Group, b.here, b.game)
	if errors.Is(err, wire.ErrNotOffered) { // its builder was found to be wrong meanwhile
		return nil
	}
	if err != nil {
		return err
	}
	answers := make([]inspection.Answer, len(tasks))
	err = parallel.Each(b.context, len(tasks), uint64(len(tasks)), func(ctx context.Context, _ int, i uint64) (err error) {
		answers[i], err = tasks[i].Do(ctx, b.pieces, b.hub.options.Workers, func(uint64) {})
		return err
	})
	if err != nil {
		return err
	}
	b.hub.mutex.Lock()
	defer b.hub.mutex.Unlock()
	for i, task := range tasks {
		if err := b.decide(w, task, answers[i]); err != nil {
			return err
		}
	}
	b.hub.settle(b.q)
	return nil
}

// decide takes up a piece that was derived here. The mutex is held.
func (b *building) decide(w *unit, task inspection.Task, answer inspection.Answer) error {
	if w.made == nil || w.made.worker != task.Not { // it was dropped
		return nil
	}
	line := ledger.Piece{Question: b.q.id, Job: task.Job, Answer: answer, Refutes: w.made.inspection.Refutes(task.Job, answer)}
	if err := b.hub.ledger.Add(ledger.Entry{Piece: &line}); err != nil {
		return err
	}
	w.made.inspection.Decide(task.Job, answer)
	if line.Refutes != "" {
		b.expose(line.Refutes, fmt.Sprintf("was wrong about %v", task))
	}
	return nil
}

// expose believes a worker no more, of which the ledger says so. The mutex is held.
func (b *building) expose(worker, why string) {
	b.disbelieve(worker)
	b.hub.believeNoMore(b.q, worker, why)
}

// conclusion stores a group of which all is known, or gives it out again.
func (b *building) conclusion(w *unit) error {
	right, err := b.verdict(w)
	if err != nil || !right {
		return err
	}
	m := w.made // nobody else drops what is known, or takes up another
	err = b.store(w, m)
	b.hub.mutex.Lock()
	defer b.hub.mutex.Unlock()
	switch {
	case isBad(err): // it was whole when it came
		b.hub.noticeOf(b.q.from, "%v: the file of %v is damaged, and is built again: %v", b.q.Question, w.task, err)
		b.drop(w)
	case err != nil:
		return err
	default:
		b.drop(w)
		w.past = m.inspection
		b.look(w)
		w.ours = true
		b.ready()
	}
	b.hub.settle(b.q)
	return nil
}

// store stores the file of a group. It is closed then: Windows removes no open one.
func (b *building) store(w *unit, m *made) error {
	file, err := os.Open(b.path(m.Digest))
	if err != nil {
		return err
	}
	defer file.Close()
	return b.site.Import(b.context, w.place, m.Made, file)
}

// verdict tells whether a group of which all is known is right.
func (b *building) verdict(w *unit) (right bool, err error) {
	b.hub.mutex.Lock()
	defer b.hub.mutex.Unlock()
	m := w.made
	if m == nil || !m.inspection.Known() {
		return false, nil
	}
	if !m.inspection.Suspect() {
		switch {
		case m.Agree(m.inspection.Sums(0)):
			return true, nil
		case !m.doubted:
			m.doubted = true
			m.inspection.Doubt()
			return false, nil
		}
	}
	if err := b.hub.ledger.Add(ledger.Entry{Wrong: &ledger.Wrong{Question: b.q.id, Worker: m.worker}}); err != nil {
		return false, err
	}
	b.expose(m.worker, fmt.Sprintf("built %s wrong", strings.Join(w.Slices, " ")))
	b.hub.settle(b.q)
	return false, nil
}

// here loads tables that are lent.
func (b *building) here(ctx context.Context, t verify.Table, into *bitboard.Table) error {
	return b.load(ctx, wire.LentTable(t), into)
}
