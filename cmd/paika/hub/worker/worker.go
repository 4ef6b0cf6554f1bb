package worker

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
)

// Options say what a worker brings.
type Options struct {
	link.Access
	Name    string // by which the hub tells of it, beside that of its key
	Version string // of the program: it must be the hub's
	Lanes   int    // goroutines at work, and jobs at a time; those of proofs take a team each

	// Table is the bytes of the transposition table, which all jobs of a game, board and
	// rules share and which outlives them, Sets those that each job may take beside it.
	Table, Sets uint64

	// Keep, if not nil, has the tables of searches saved; see share.Keeping.
	Keep *share.Keeping

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
	Options
	link    *link.Link
	known   string          // the name under which the hub believes it
	context context.Context // ends with all its work
	nodes   atomic.Uint64   // of all jobs, those at hand too
	busy    atomic.Int32

	mutex   sync.Mutex
	running map[string]*running // by message
	coming  *coming             // a site that is opened before there is a job for it; nil for none

	memory    memory
	teams     chan struct{} // has something for each team that searches
	admission admission
}

// Work takes jobs from a hub until the context ends, whose error it gives. Jobs that it
// has then go back. It waits for a hub that is away, or not there yet. Errors: link.ErrAway where a hub
// does not let it in, link.ErrRefused,
// and what keeps it from the jobs of the hub, such as share.ErrOther for other tables than
// the hub's.
func Work(ctx context.Context, o Options) error {
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &worker{Options: o, context: ctx, running: make(map[string]*running), teams: make(chan struct{}, wire.Teams(o.Lanes))}
	var err error
	if w.link, err = o.Await(ctx, "worker "+o.Name); err != nil {
		return err
	}
	defer w.link.Close()
	w.link.SetClosedHandler(func(*nats.Conn) { cancel(w.link.Ended()) }) // the hub no longer lets it in
	defer w.leaveMemory()
	defer cancel(nil) // nothing more comes into memory
	if _, err := w.link.Subscribe(wire.SubjectComing, w.onComing); err != nil {
		return w.whyEnded(err)
	}
	said, err := w.link.Greet(ctx, w.hello(w.Lanes))
	if err != nil {
		return w.whyEnded(err)
	}
	w.known = said.Known
	if said.Cut != "" {
		o.Notice(said.Cut)
	}
	if _, err := w.link.Subscribe(wire.SubjectCancel, w.onCancel); err != nil {
		return w.whyEnded(err)
	}
	defer progress.Every(ctx, wire.Alive, func(ctx context.Context) {
		if err := w.attend(ctx); errors.Is(err, link.ErrRefused) {
			cancel(err)
		}
	})()
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
	return context.Cause(ctx)
}

// whyEnded is what is behind an error: a hub that lets the worker in no more ends its context and its connection.
func (w *worker) whyEnded(err error) error {
	if errors.Is(err, nats.ErrConnectionClosed) {
		return w.link.Ended()
	}
	return cmp.Or(context.Cause(w.context), err)
}

// leaveMemory frees what is in memory, once what is still opened for jobs to come is opened or given up.
func (w *worker) leaveMemory() {
	w.makeWay(wire.Delivery{})
	w.memory.clear()
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
		if start := w.link.Start(); start != 0 && job.Start != start {
			said.Earlier = append(said.Earlier, wire.Earlier{Question: job.question, Job: job.Job, Start: job.Start, Message: job.Message})
		}
	}
	return said
}

// attend tells the hub that the worker is there. Where the hub has started anew, searches that it
// gave out before end: what they come to would not count, and what they have found is in the table,
// for the next ones. Other jobs of that time go on as long as the hub wants them. The error is that of
// link.Link.Attend: the hub that has started anew may have another version.
func (w *worker) attend(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, wire.Alive)
	defer cancel()
	said, err := w.link.Attend(ctx, w.hello(w.Lanes))
	if err != nil { // it is said again, unless the worker is refused
		return err
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, job := range w.running {
		if job.Start != said.Start && job.search && !job.decided.Load() {
			job.cancel()
		}
	}
	for _, name := range said.Unwanted {
		if job := w.running[name]; job != nil {
			job.cancel()
		}
	}
	return nil
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
		if w.admission.building() {
			_ = progress.Wait(ctx, link.Pause)
			continue
		}
		d, err := w.link.Next(ctx, w.Name)
		if err == nil && d != nil {
			err = w.do(ctx, *d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
