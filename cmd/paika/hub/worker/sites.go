package worker

import (
	"context"
	"fmt"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
	"paika/proofs"
)

// openSite is a site with a searcher, and how many lanes use it.
type openSite struct {
	key      string // in the list of sites, unless it could not be opened
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
	k, err := w.acquire(ctx, t)
	if err == nil {
		defer w.release(k)
		err = w.takeTeam(ctx)
	}
	stop()
	if err != nil {
		return err
	}
	defer func() { <-w.teams }()
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

// takeTeam waits until another team may search.
func (w *worker) takeTeam(ctx context.Context) error {
	select {
	case w.teams <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// siteKey names the site of a task.
func siteKey(t share.Task) string { return fmt.Sprint(t.Setting(), t.Tables) }

// acquire opens the site of a task, if no lane uses it. Sites that nobody uses are closed
// first.
func (w *worker) acquire(ctx context.Context, t share.Task) (*openSite, error) {
	for {
		k, first := w.siteOf(t, false)
		if first {
			// Others may wait for it, even if this job is no longer wanted.
			w.prepare(k, func() (share.Site, error) { return w.open(w.context, t) })
		}
		err := w.await(ctx, k)
		if err == nil {
			return k, nil
		}
		if !k.early || ctx.Err() != nil {
			return nil, err
		}
	}
}

// acquireEarly is the same before there is a task, with tables of which the hub has told.
func (w *worker) acquireEarly(ctx context.Context, t share.Task, named []proofs.Table) (*openSite, error) {
	k, first := w.siteOf(t, true)
	if first {
		w.prepare(k, func() (share.Site, error) { return w.openThere(ctx, t, named) })
	}
	return k, w.await(ctx, k)
}

// siteOf is that of a task, which the caller uses from now on. First: it is to be opened.
func (w *worker) siteOf(t share.Task, early bool) (k *openSite, first bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	key := siteKey(t)
	if k = w.sites[key]; k == nil {
		first = true
		w.closeIdle()
		w.group.clear()
		k = &openSite{key: key, ready: make(chan struct{}), topic: wire.Topic(key), early: early}
		w.sites[key] = k
	}
	k.users++
	return k, first
}

// await waits until a site is open. Who gets an error no longer uses it.
func (w *worker) await(ctx context.Context, k *openSite) error {
	select {
	case <-k.ready:
	case <-ctx.Done():
		w.release(k)
		return ctx.Err()
	}
	if k.err != nil {
		w.release(k)
	}
	return k.err
}

// prepare opens a site. One that fails is for those alone who wait for it: the next job has
// another.
func (w *worker) prepare(k *openSite, open func() (share.Site, error)) {
	defer close(k.ready)
	if k.err = k.open(w, open); k.err != nil {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		delete(w.sites, k.key)
	}
}

// open opens the site, with a searcher that hears those of other workers.
func (k *openSite) open(w *worker, open func() (share.Site, error)) (err error) {
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

// closeIdle closes the sites that nobody uses. The mutex is held.
func (w *worker) closeIdle() {
	for key, k := range w.sites {
		if k.users == 0 {
			k.close()
			delete(w.sites, key)
		}
	}
}

// release says that a lane no longer uses a site.
func (w *worker) release(k *openSite) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if k.users--; k.users == 0 && k.err != nil {
		k.close()
	}
}

// close frees what a site has.
func (k *openSite) close() {
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
