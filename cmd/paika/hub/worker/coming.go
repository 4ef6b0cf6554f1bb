package worker

import (
	"context"
	"encoding/json"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/solver/jobs"
)

// coming is a site that is opened before there is a job for it: while the hub loads the same
// tables.
type coming struct {
	key    string // of the site
	cancel context.CancelFunc
	over   chan struct{} // closed when it is opened, or is not
}

// onComing opens the site of jobs that will come, where the worker has nothing to do. Whatever goes
// wrong, the job tells.
func (w *worker) onComing(m *nats.Msg) {
	var said wire.Coming
	if json.Unmarshal(m.Data, &said) != nil {
		return
	}
	s := said.Setting
	t := share.Task{Identity: jobs.Identity{Game: s.Game, Board: s.Board, Rules: s.Rules, Claim: said.Claim, Tables: share.Fingerprint(said.Tables)}}
	ctx, c := w.expect(siteKey(t))
	if c == nil {
		return
	}
	go func() {
		defer close(c.over)
		defer w.expectNothing()
		defer c.cancel()
		if _, err := w.acquireEarly(ctx, t, said.Tables); err == nil {
			w.memory.release()
		}
	}()
}

// expect begins to wait for jobs on a site; nil if the worker has something else to do.
func (w *worker) expect(key string) (context.Context, *coming) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.coming != nil || w.busy.Load() > 0 || w.context.Err() != nil || w.memory.has(key) {
		return nil, nil
	}
	ctx, cancel := context.WithCancel(w.context)
	w.coming = &coming{key, cancel, make(chan struct{})}
	return ctx, w.coming
}

func (w *worker) expectNothing() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.coming = nil
}

// makeWay ends the opening of a site for other jobs than one is that has come: the memory is for
// those of one site. The worker is busy by then.
func (w *worker) makeWay(d wire.Delivery) {
	w.mutex.Lock()
	c := w.coming
	w.mutex.Unlock()
	if c == nil || d.Task != nil && siteKey(*d.Task) == c.key {
		return
	}
	c.cancel()
	<-c.over
}
