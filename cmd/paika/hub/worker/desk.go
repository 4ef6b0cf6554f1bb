package worker

import (
	"context"
	"fmt"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
	"paika/proofs"
)

// desk is a site with a searcher, and how many lanes are at it.
type desk struct {
	key      string // in the list of desks, unless it could not be furnished
	ready    chan struct{}
	site     share.Site
	searcher share.Searcher
	topic    string
	deafen   func() // ends that it hears others; nil if it does not
	err      error
	users    int
	early    bool // it is opened before there is a job
}

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
	defer progress.Every(ctx, wire.SpeakEvery, func(context.Context) { w.link.Spread(k.topic, k.searcher.Say(nil)) })()
	others := int32(wire.Team(w.Lanes) - 1)
	w.busy.Add(others)
	defer w.busy.Add(-others)
	found, err := k.searcher.Search(ctx, t, w.Version, wire.Team(w.Lanes), file, share.Watch{
		Moved: func(nodes uint64) {
			job.moved.Add(1)
			job.nodes.Add(nodes)
			w.nodes.Add(nodes)
		},
		Decided: func() {
			job.decided.Store(true)
			w.link.Tell(wire.SubjectKept, wire.Kept{Started: job.Started, Shows: true})
		},
	})
	if err != nil {
		return err
	}
	if len(found.Turns) > wire.MostTurns {
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

// deskKey names the site of a task.
func deskKey(t share.Task) string { return fmt.Sprint(t.Setting(), t.Tables) }

// sit opens the site of a task, if no lane is at it. Sites that nobody is at are closed
// first.
func (w *worker) sit(ctx context.Context, t share.Task) (*desk, error) {
	for {
		k, first := w.desk(t, false)
		if first {
			// Others may wait for it, even if this job is no longer wanted.
			w.furnish(k, func() (share.Site, error) { return w.open(w.context, t) })
		}
		err := w.sitDownAt(ctx, k)
		if err == nil {
			return k, nil
		}
		if !k.early || ctx.Err() != nil {
			return nil, err
		}
	}
}

// sitEarly is the same before there is a task, with tables of which the hub has told.
func (w *worker) sitEarly(ctx context.Context, t share.Task, named []proofs.Table) (*desk, error) {
	k, first := w.desk(t, true)
	if first {
		w.furnish(k, func() (share.Site, error) { return w.openThere(ctx, t, named) })
	}
	return k, w.sitDownAt(ctx, k)
}

// desk is that of a task, which the caller is at from now on. First: it is to be furnished.
func (w *worker) desk(t share.Task, early bool) (k *desk, first bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	key := deskKey(t)
	if k = w.desks[key]; k == nil {
		first = true
		w.clearDesks()
		w.bench.clear()
		k = &desk{key: key, ready: make(chan struct{}), topic: wire.Topic(key), early: early}
		w.desks[key] = k
	}
	k.users++
	return k, first
}

// sitDownAt waits until a desk is furnished. Who gets an error is no longer at it.
func (w *worker) sitDownAt(ctx context.Context, k *desk) error {
	select {
	case <-k.ready:
	case <-ctx.Done():
		w.leave(k)
		return ctx.Err()
	}
	if k.err != nil {
		w.leave(k)
	}
	return k.err
}

// furnish opens the site of a desk. One that fails is for those alone who are at it: the next job
// has another.
func (w *worker) furnish(k *desk, open func() (share.Site, error)) {
	defer close(k.ready)
	if k.err = w.equip(k, open); k.err != nil {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		delete(w.desks, k.key)
	}
}

// equip opens a site, with a searcher that hears those of other workers.
func (w *worker) equip(k *desk, open func() (share.Site, error)) (err error) {
	if k.site, err = open(); err != nil {
		return err
	}
	s, err := k.site.Searcher(share.SearcherOptions{Tasks: wire.Teams(w.Lanes), Table: w.Table, Sets: w.Sets})
	if k.searcher = s; err != nil {
		return err
	}
	k.deafen, err = w.link.Listen(k.topic, func(said []byte) { _ = s.Hear(said) }) // what makes no sense is lost
	return err
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
	if k.deafen != nil {
		k.deafen()
	}
	if k.searcher != nil {
		k.searcher.Close()
	}
	if k.site != nil {
		k.site.Close()
	}
	k.searcher, k.site, k.deafen = nil, nil, nil
}
