package hub

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// tick is the time between two looks at who is there, and silence that after which a
// worker no longer counts among them.
const (
	tick    = time.Second
	silence = 20 * time.Second
)

// watch looks now and then at who is there, and whether the folder is, and once a lease at whether all
// jobs are.
func (h *Hub) watch() {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	audited := time.Now()
	for {
		select {
		case <-h.context.Done():
			h.noticeLeft(time.Now().Add(toldFor))
			return
		case <-ticker.C:
		}
		h.noticeLeft(time.Now())
		h.mutex.Lock()
		lines := h.ledger
		for name, w := range h.workers {
			if time.Since(w.seen) > silence {
				delete(h.workers, name)
			}
		}
		h.mutex.Unlock()
		if err := lines.InPlace(); err != nil {
			h.cancel(err)
			continue
		}
		if time.Since(audited) > h.options.Lease {
			audited = time.Now()
			h.Audit()
		}
		h.mutex.Lock()
		h.shed()
		h.admit()
		h.fill()
		h.mutex.Unlock()
		signal(h.deal) // a lease may be over
	}
}

// mostHeld is how many leases a job may be out, whatever is heard of it. A worker can
// say for ever that it goes on. A group that is built is one job, however large it is, and
// may be out for mostBuilt.
const (
	mostHeld  = 60
	mostBuilt = 60 * mostHeld
)

// mostAlone is how many leases a share has its job alone, and as many times longer a build, where
// a lane of another key has nothing to do. All teams have the same job of a proof anyway.
const mostAlone = 5

// most is how long a job may be out.
func (h *Hub) most(g *outJob) time.Duration {
	if g.Build != nil {
		return mostBuilt * h.options.Lease
	}
	return mostHeld * h.options.Lease
}

// Audit looks for jobs whose messages are gone without a result, which go out again, and
// for those that somebody holds too long, which are split. Before that, shares and builds go to
// another key as well, of which a lane has nothing to do. It forgets files that nobody
// sends on. It happens by itself, once a lease.
func (h *Hub) Audit() {
	gone := h.inspect()
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, sequence := range gone {
		if g := h.bySequence(sequence); g != nil {
			h.counts.Lost++
			h.again(g)
		}
	}
	for _, g := range h.out {
		switch {
		case g.taken.IsZero():
		case time.Since(g.taken) > h.most(g):
			h.giveUp(g, fmt.Sprintf("has been out for more than %v", h.most(g)))
		case g.Task == nil && time.Since(g.taken) > h.most(g)/mostHeld*mostAlone && h.idle(g):
			h.counts.Lost++
			h.again(g) // who has it may still be the first to answer
		}
	}
	if e := h.early; e != nil && !h.isPart(e.job, e.upload.from, e.name) {
		h.leaveEarly()
	}
	for name, u := range h.uploads {
		if !u.checked && time.Since(u.seen) > 10*h.options.Lease {
			h.forget(name)
		}
	}
	h.fill()
}

// inspect asks the stream, which takes its time, which jobs have lost their messages. A stream
// that a server elsewhere has lost is made anew.
func (h *Hub) inspect() (gone []uint64) {
	if h.server == nil { // the one inside has it as long as it runs
		_ = h.keepStream(h.context) // or at the next look
	}
	h.mutex.Lock()
	var out []uint64
	for _, g := range h.out {
		if g.sequence != 0 {
			out = append(out, g.sequence)
		}
	}
	h.mutex.Unlock()
	for _, sequence := range out {
		if _, err := h.stream.GetMsg(h.context, sequence); errors.Is(err, jetstream.ErrMsgNotFound) {
			gone = append(gone, sequence)
		}
	}
	return gone
}
