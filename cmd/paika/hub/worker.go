package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// WorkerOptions say what a worker brings.
type WorkerOptions struct {
	link.Access
	Name    string // by which the hub tells of it
	Version string // of the program: it must be the hub's
	Lanes   int    // goroutines at work, and jobs at a time; those of proofs take a team each

	// Table is the bytes of the transposition table, which all jobs of a game, board and
	// rules share and which outlives them, Sets those that each job may take beside it.
	Table, Sets uint64

	// Dir is a folder for parts until they are sent.
	Dir string

	// Open opens sites, Tables games whose tables are verified, and Builds those whose
	// tables are built.
	Open   share.Opener
	Tables inspection.Opener
	Builds construction.Opener

	// Notice, if not nil, is told in a sentence what the user should know of.
	Notice func(text string)
}

// worker is one at work.
type worker struct {
	WorkerOptions
	link    *link.Link
	context context.Context // ends with all its work
	nodes   atomic.Uint64   // of all jobs, those at hand too
	busy    atomic.Int32

	mutex   sync.Mutex
	running map[string]*running // by message
	desks   map[string]*desk

	bench bench
	seats chan struct{} // a place for each team at a time
	floor floor
}

// running is a job at hand.
type running struct {
	wire.Started
	cancel context.CancelFunc
	moved  atomic.Uint64 // counts up as the work goes on
	nodes  atomic.Uint64 // of its search
}

// A desk is a site with a searcher, and how many lanes are at it.
type desk struct {
	ready    chan struct{}
	site     share.Site
	searcher share.Searcher
	err      error
	users    int
}

// Work takes jobs from a hub until the context ends, whose error it gives. Jobs that it
// has then go back. It waits for a hub that is away. Errors: ErrRefused, and what keeps
// it from the jobs of the hub, such as share.ErrOther for other tables than the hub's.
func Work(ctx context.Context, o WorkerOptions) error {
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &worker{WorkerOptions: o, context: ctx, running: make(map[string]*running), desks: make(map[string]*desk), seats: make(chan struct{}, wire.Teams(o.Lanes))}
	var err error
	if w.link, err = o.Connect("worker " + o.Name); err != nil {
		return err
	}
	defer w.link.Close()
	w.link.SetClosedHandler(func(*nats.Conn) { cancel(w.link.Ended()) }) // the hub no longer lets it in
	if err := w.link.Greet(ctx, w.hello(w.Lanes)); err != nil {
		return err
	}
	if _, err := w.link.Subscribe(wire.SubjectCancel, w.onCancel); err != nil {
		return err
	}
	defer progress.Every(ctx, wire.Alive, func(context.Context) { w.link.Tell(wire.SubjectAlive, w.hello(w.Lanes)) })()
	var lanes sync.WaitGroup
	for range w.Lanes {
		lanes.Go(func() {
			if err := w.lane(ctx); err != nil {
				cancel(err)
			}
		})
	}
	lanes.Wait()
	w.leaveHub()
	for _, d := range w.desks {
		d.close()
	}
	return context.Cause(ctx)
}

// farewell is how long a worker that goes tries to say so.
const farewell = time.Second

// leaveHub says that the worker goes, to a hub that is there. The hub would find out.
func (w *worker) leaveHub() {
	if !w.link.IsConnected() {
		return
	}
	w.link.Tell(wire.SubjectAlive, w.hello(0))
	_ = w.link.FlushTimeout(farewell)
}

func (w *worker) hello(lanes int) wire.Hello {
	said := wire.Hello{Worker: w.Name, Version: w.Version, Lanes: lanes, Busy: min(int(w.busy.Load()), w.Lanes), Nodes: w.nodes.Load()}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, job := range w.running {
		if nodes := job.nodes.Load(); nodes > 0 {
			said.Searches = append(said.Searches, wire.Search{Start: job.Start, Message: job.Message, Nodes: nodes})
		}
	}
	return said
}

// onCancel stops a job that is no longer wanted.
func (w *worker) onCancel(m *nats.Msg) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if job := w.running[string(m.Data)]; job != nil {
		job.cancel()
	}
}

// lane does one job after the other.
func (w *worker) lane(ctx context.Context) error {
	for ctx.Err() == nil {
		if w.floor.taken() {
			_ = progress.Wait(ctx, link.Pause)
			continue
		}
		m := w.link.Next(ctx)
		if m == nil {
			continue
		}
		if err := w.do(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// do does a job, from its message to the acknowledgement. Errors keep the worker from
// any other job as well.
func (w *worker) do(ctx context.Context, m jetstream.Msg) error {
	var d wire.Delivery
	meta, err := m.Metadata()
	if err != nil || json.Unmarshal(m.Data(), &d) != nil || d.Name() == "" {
		return nil // of another program: the hub sees to it
	}
	leave, takes := w.enter(d)
	if !takes {
		w.decline(ctx, m)
		return nil
	}
	defer leave()
	w.busy.Add(1)
	defer w.busy.Add(-1)
	job, cancel := context.WithCancel(ctx)
	defer cancel()
	at := &running{Started: wire.Started{Worker: w.Name, Job: d.Name(), Start: d.Start, Message: meta.Sequence.Stream, Delivery: meta.NumDelivered}, cancel: cancel}
	defer w.run(at)()
	r := wire.Result{Started: at.Started, Version: w.Version, Question: d.Question}
	w.link.Tell(wire.SubjectStarted, r.Started)
	defer w.hold(job, m, &at.moved)()
	file := filepath.Join(w.Dir, "part-"+wire.NewName())
	defer os.Remove(file)
	broken := w.perform(job, d, &r, file, at)
	leave() // others may begin while the result is sent

	if errors.Is(broken, wire.ErrNotOffered) { // the hub no longer wants the job
		return nil
	}
	if w.declines(broken) {
		w.decline(ctx, m)
		return nil
	}
	if broken != nil {
		r.Refused = broken.Error()
	}
	what, err := w.send(job, &r, file, &at.moved)
	switch {
	case ctx.Err() != nil:
		_ = m.Nak() // to be had by others at once
		return nil
	case err != nil: // the hub no longer wants the job
		return nil
	case broken != nil:
		return broken
	case what.Outcome == wire.Accepted || what.Outcome == wire.Copied:
		_ = m.DoubleAck(job) // the hub has taken the message away already
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

// mostTurns bounds the turns whose numbers a result has: with all of them it fits a message.
// A position with more is split without.
const mostTurns = 1 << 14

// search searches a task, in a team. The next task has its place while the hub checks what
// this one has found.
func (w *worker) search(ctx context.Context, t share.Task, r *wire.Result, file string, job *running) error {
	r.Position = t.Position
	stop := keepOn(ctx, &job.moved) // tables may take long to load
	k, err := w.sit(ctx, t)
	if err == nil {
		defer w.leave(k)
		err = w.takeSeat(ctx)
	}
	stop()
	if err != nil {
		return err
	}
	defer func() { <-w.seats }()
	others := int32(wire.Team(w.Lanes) - 1)
	w.busy.Add(others)
	defer w.busy.Add(-others)
	found, err := k.searcher.Search(ctx, t, w.Version, wire.Team(w.Lanes), file, func(nodes uint64) {
		job.moved.Add(1)
		job.nodes.Add(nodes)
		w.nodes.Add(nodes)
	})
	if err != nil {
		return err
	}
	if len(found.Turns) > mostTurns {
		found.Turns = nil
	}
	r.Verdict, r.Nodes, r.Turns, r.Smaller = found.Verdict, found.Nodes, found.Turns, found.Smaller
	return nil
}

// takeSeat waits for a place for a team.
func (w *worker) takeSeat(ctx context.Context) error {
	select {
	case w.seats <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// holdEvery is the time between two looks at whether a job goes on.
const holdEvery = time.Second

// hold keeps the lease of a job while it goes on.
func (w *worker) hold(ctx context.Context, m jetstream.Msg, moved *atomic.Uint64) (stop func()) {
	seen := moved.Load()
	return progress.Every(ctx, holdEvery, func(context.Context) {
		if now := moved.Load(); now != seen {
			seen = now
			_ = m.InProgress() // again after the next look
		}
	})
}

// keepOn counts up as if work went on.
func keepOn(ctx context.Context, moved *atomic.Uint64) (stop func()) {
	return progress.Every(ctx, holdEvery, func(context.Context) { moved.Add(1) })
}

// sit opens the site of a task, if no lane is at it. Sites that nobody is at are closed
// first.
func (w *worker) sit(ctx context.Context, t share.Task) (*desk, error) {
	setting := proofs.Setting{Game: t.Game, Board: t.Board, Rules: t.Rules}
	key := fmt.Sprint(setting, t.Tables)
	w.mutex.Lock()
	k := w.desks[key]
	first := k == nil
	if first {
		w.clearDesks()
		w.bench.clear()
		k = &desk{ready: make(chan struct{})}
		w.desks[key] = k
	}
	k.users++
	w.mutex.Unlock()
	if first {
		// Others may wait for it, even if this job is no longer wanted.
		if k.site, k.err = w.open(w.context, setting, t); k.err == nil {
			k.searcher, k.err = k.site.Searcher(w.Table, w.Sets)
		}
		close(k.ready)
	}
	select {
	case <-k.ready:
	case <-ctx.Done():
		w.leave(k)
		return nil, ctx.Err()
	}
	if k.err != nil {
		w.mutex.Lock()
		if w.desks[key] == k {
			delete(w.desks, key)
		}
		w.mutex.Unlock()
		w.leave(k)
		return nil, k.err
	}
	return k, nil
}

// clearDesks closes the sites that nobody is at. The mutex is held.
func (w *worker) clearDesks() {
	for other, d := range w.desks {
		if d.users == 0 {
			d.close()
			delete(w.desks, other)
		}
	}
}

// leave says that a lane is no longer at a desk.
func (w *worker) leave(k *desk) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if k.users--; k.users == 0 && k.err != nil {
		k.close()
	}
}

// close frees what a desk has.
func (k *desk) close() {
	if k.searcher != nil {
		k.searcher.Close()
	}
	if k.site != nil {
		k.site.Close()
	}
	k.searcher, k.site = nil, nil
}

// send sends the file of a result that has one, then the result, until the hub has
// taken both. While the hub checks, the worker keeps its lease.
func (w *worker) send(ctx context.Context, r *wire.Result, file string, moved *atomic.Uint64) (what wire.Reply, err error) {
	defer keepOn(ctx, moved)()
	for {
		if r.Verdict != proofnumber.Undecided || r.Built != nil {
			r.Upload = wire.NewName()
			if err := w.link.Upload(ctx, r.Upload, file); err != nil {
				if errors.Is(err, link.ErrNotTaken) {
					w.Notice(err.Error())
				}
				return what, err
			}
		}
		if err := w.link.Ask(ctx, wire.SubjectResult, r, &what); err != nil {
			return what, err
		}
		if what.Outcome != wire.Failing {
			return what, nil
		}
		if err := progress.Wait(ctx, link.Pause); err != nil {
			return what, err
		}
	}
}
