package worker

import (
	"context"
	"fmt"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// openSite is a site with a searcher that hears those of other workers.
type openSite struct {
	site     share.Site
	searcher share.Searcher
	topic    string
	deafen   func() // ends that it hears others
}

// search searches a task, in a team. The next task has its place while the hub checks what
// this one has found.
func (w *worker) search(ctx context.Context, t share.Task, r *wire.Result, file string, job *running) error {
	r.Position = t.Position
	stop := keepOn(ctx, &job.moved) // tables may take long to load
	k, err := w.acquire(ctx, t)
	if err == nil {
		defer w.memory.release()
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
			if job.part = w.sendAhead(ctx, file); job.part != nil {
				r.Upload = job.part.name
			}
			w.link.Tell(wire.SubjectKept, wire.Kept{Started: job.Started, Shows: true, Upload: r.Upload})
		},
	})
	if job.part != nil && (err != nil || found.Verdict == proofnumber.Undecided) {
		job.part.abandon()
		job.part = nil
	}
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

// acquire gives the site of a task, once it is open. Who gets it releases it.
func (w *worker) acquire(ctx context.Context, t share.Task) (*openSite, error) {
	// Others may wait for it, even if this job is no longer wanted.
	return w.useSite(ctx, t, func() (share.Site, error) { return w.open(w.context, t) })
}

// acquireEarly is the same before there is a task, with tables of which the hub has told.
func (w *worker) acquireEarly(ctx context.Context, t share.Task, named []proofs.Table) (*openSite, error) {
	return w.useSite(ctx, t, func() (share.Site, error) { return w.openThere(ctx, t, named) })
}

// useSite gives the site of a task, which open opens if it is not there.
func (w *worker) useSite(ctx context.Context, t share.Task, open func() (share.Site, error)) (*openSite, error) {
	key := siteKey(t)
	there, err := w.memory.use(ctx, key, func() (resident, error) { return w.listening(wire.Topic(key), open) })
	if err != nil {
		return nil, err
	}
	return there.(*openSite), nil
}

// listening opens a site with its searcher, about whose topic workers tell each other.
func (w *worker) listening(topic string, open func() (share.Site, error)) (_ *openSite, err error) {
	k := &openSite{topic: topic}
	defer func() {
		if err != nil {
			k.free()
		}
	}()
	if k.site, err = open(); err != nil {
		return nil, err
	}
	s, err := k.site.Searcher(share.SearcherOptions{Tasks: wire.Teams(w.Lanes), Table: w.Table, Sets: w.Sets, Keep: w.Keep})
	if err != nil {
		return nil, err
	}
	k.searcher = s
	k.deafen, err = w.link.Listen(topic, func(said []byte) { _ = s.Hear(said) }) // what makes no sense is lost
	return k, err
}

// spent: a site is of use to any number of jobs.
func (k *openSite) spent() bool { return false }

// free frees what a site has, as far as it was opened.
func (k *openSite) free() {
	if k.deafen != nil {
		k.deafen()
	}
	if k.searcher != nil {
		k.searcher.Close()
	}
	if k.site != nil {
		k.site.Close()
	}
}
