package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
	"paika/solver/proofnumber"
)

// running is a job at hand.
type running struct {
	wire.Started
	question string
	search   bool
	cancel   context.CancelFunc
	moved    atomic.Uint64 // counts up as the work goes on
	nodes    atomic.Uint64 // of its search
	decided  atomic.Bool   // its search has come to a verdict
	part     *sending      // that is sent while it is put together; nil where none is
}

// do does a job, until the hub has its result. Errors keep the worker from any other job as
// well.
func (w *worker) do(ctx context.Context, d wire.Delivery) error {
	started := wire.Started{Worker: w.Name, Job: d.Name(), Start: d.Start, Message: d.Message, Delivery: d.Delivery}
	leave, takes := w.enter(d)
	if !takes {
		w.decline(ctx, started)
		return nil
	}
	defer leave()
	w.busy.Add(1)
	defer w.busy.Add(-1)
	w.makeWay(d)
	job, cancel := context.WithCancel(ctx)
	defer cancel()
	at := &running{Started: started, question: d.Question, search: d.Task != nil, cancel: cancel}
	defer w.run(at)()
	r := wire.Result{Started: started, Version: w.Version, Question: d.Question}
	w.link.Tell(wire.SubjectStarted, started)
	defer w.hold(job, at)()
	file := filepath.Join(w.Dir, "part-"+wire.NewName())
	defer os.Remove(file)
	broken := w.perform(job, d, &r, file, at)
	leave() // others may begin while the result is sent

	if errors.Is(broken, wire.ErrNotOffered) { // the hub no longer wants the job
		return nil
	}
	if w.declines(ctx, started, broken) {
		return nil
	}
	if broken != nil {
		r.Refused = broken.Error()
	}
	what, err := w.send(job, &r, file, at)
	switch {
	case ctx.Err() != nil:
		w.link.Tell(wire.SubjectKept, wire.Kept{Started: started, Back: true})
		return nil
	case job.Err() != nil: // the hub no longer wants the job
		return nil
	case err != nil: // nor does it take the result
		w.giveBack(ctx, wire.Kept{Started: started})
		return nil
	}
	if r.Built != nil && what.Outcome != wire.Later {
		w.answered(*d.Build)
	}
	switch {
	case broken != nil:
		return broken
	case what.Outcome == wire.Rejected:
		w.Notice("the hub rejects a result: " + what.Reason)
	}
	return nil
}

// run lists a job as one that the hub may cancel, until it is done.
func (w *worker) run(job *running) (done func()) {
	name := wire.MessageName(job.Start, job.Message)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.running[name] = job
	return func() {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		delete(w.running, name)
	}
}

// perform does what a job asks for, and fills in the result. An error says why the worker
// can't do it, nor others like it.
func (w *worker) perform(ctx context.Context, d wire.Delivery, r *wire.Result, file string, job *running) error {
	switch {
	case d.Build != nil:
		return w.build(ctx, d, r, file, &job.moved)
	case d.Piece != nil:
		return w.derive(ctx, d, r, &job.moved)
	}
	return w.search(ctx, *d.Task, r, file, job)
}

// holdEvery is the time between two looks at whether a job goes on.
const holdEvery = time.Second

// hold keeps the lease of a job while it goes on.
func (w *worker) hold(ctx context.Context, job *running) (stop func()) {
	seen := job.moved.Load()
	return progress.Every(ctx, holdEvery, func(context.Context) {
		if now := job.moved.Load(); now != seen {
			seen = now
			w.link.Tell(wire.SubjectKept, wire.Kept{Started: job.Started}) // again after the next look
		}
	})
}

// keepOn counts up as if work went on.
func keepOn(ctx context.Context, moved *atomic.Uint64) (stop func()) {
	return progress.Every(ctx, holdEvery, func(context.Context) { moved.Add(1) })
}

// waits says that a file is not sent yet.
func (w *worker) waits(why string) { w.Notice("the hub has no room for a file, which waits: " + why) }

// send sends the file of a result that has one, then the result, until the hub has
// taken both. While the hub checks, the worker keeps its lease.
func (w *worker) send(ctx context.Context, r *wire.Result, file string, job *running) (what wire.Reply, err error) {
	defer keepOn(ctx, &job.moved)()
	for told := false; ; {
		if r.Verdict != proofnumber.Undecided || r.Built != nil {
			if err := w.sendFile(ctx, r, file, job); err != nil {
				if ctx.Err() == nil { // all else would be silent
					w.Notice(fmt.Sprintf("a file is not sent: %v", err))
				}
				return what, err
			}
		}
		what = wire.Reply{}
		if err := w.link.Ask(ctx, wire.SubjectResult, r, &what); err != nil {
			return what, err
		}
		if what.Outcome != wire.Failing {
			return what, nil
		}
		if what.Waits != "" && !told {
			told = true
			w.Notice("the hub has no room for an answer, which waits: " + what.Waits)
		}
		if err := progress.Wait(ctx, link.Pause); err != nil {
			return what, err
		}
	}
}

// sendFile sends the file of a result, or the rest of a part that is sent by now.
func (w *worker) sendFile(ctx context.Context, r *wire.Result, file string, job *running) error {
	if part := job.part; part != nil {
		job.part = nil // if it is to be sent again, then from its beginning
		return part.end()
	}
	r.Upload = wire.NewName()
	return w.link.Upload(ctx, r.Upload, file, nil, w.waits)
}
