package hub

import (
	"context"
	"os"

	"paika/cmd/paika/hub/share"
	"paika/solver/proofnumber"
)

// earlyCheck is the check of a part while it is put together and sent. It counts where it finds the part valid. Else
// the part is checked, once it is there, as if nobody had looked at it before.
type earlyCheck struct {
	of     *underway // of whose proof the part is
	job    *outJob
	upload *upload // that is checked, by its name
	name   string
	file   *growing
	cancel context.CancelFunc
	over   chan struct{} // closed once it is

	// What it has found, once it is over.
	verdict proofnumber.Verdict
	part    share.Part
	err     error
}

// comes notes that a piece of a file is written. The mutex is held.
func (h *Hub) comes(u *upload, name string) {
	if u.early == nil {
		h.checkEarly(u, name)
	}
	switch e := u.early; {
	case e == nil:
	case h.isPart(e.job, u.from, name):
		e.file.grow(u.size)
	default:
		e.cancel()
	}
}

// isPart tells whether a file is the part of a job that is put together by who sends it. The mutex is held.
func (h *Hub) isPart(g *outJob, from holder, name string) bool {
	return g.part == name && g.shower.key == from && g.question.underway != nil && h.isShown(g)
}

// checkEarly begins to check a file of which something has come, if it is the part of a job that is put together. A hub
// does so with one at a time: it takes memory as long as the file comes. The mutex is held.
func (h *Hub) checkEarly(u *upload, name string) {
	if h.early != nil {
		return
	}
	g := h.putsTogether(u.from, name)
	if g == nil || !h.enter() {
		return
	}
	p, proves := g.question.pursuit.(*proving)
	path := h.uploadPath(name)
	file, err := os.Open(path)
	if !proves || err != nil {
		h.group.Done()
		return
	}
	ctx, cancel := context.WithCancel(h.context)
	e := &earlyCheck{of: g.question.underway, job: g, upload: u, name: name, file: newGrowing(file), cancel: cancel, over: make(chan struct{})}
	u.early, h.early = e, e
	e.of.checks.Add(1)
	go func() {
		defer h.group.Done()
		defer e.of.checks.Done()
		defer context.AfterFunc(ctx, e.file.stop)()
		e.verdict, e.part, e.err = p.proof.CheckGrowing(ctx, g.Task.Position, e.file)
		_ = file.Close() // before the file is renamed: Windows renames no open one
		cancel()
		h.mutex.Lock()
		defer h.mutex.Unlock()
		if h.uploads[name] == nil { // it was forgotten: Windows removes no open one
			_ = os.Remove(path)
		}
		h.early = nil
		close(e.over)
	}()
}

// putsTogether is the job of which a file is the part that is being put together; nil if there is none. The mutex
// is held.
func (h *Hub) putsTogether(key holder, name string) *outJob {
	for _, g := range h.out {
		if h.isPart(g, key, name) {
			return g
		}
	}
	return nil
}

// leaveEarly ends the early check, unless its file is whole: then it is soon over. The mutex is held.
func (h *Hub) leaveEarly() {
	if h.early != nil && !h.early.upload.checked {
		h.early.cancel()
	}
}

// found is the part that an early check has found valid, if it is the one of a result. It waits until the check is
// over: its file has to be whole. Where no check was begun, nothing is found.
func (e *earlyCheck) found(ctx context.Context, at *checking, r *result) (part share.Part, valid bool) {
	if e == nil {
		return part, false
	}
	select {
	case <-e.over:
	case <-ctx.Done():
		return part, false
	}
	valid = e.err == nil && e.of == at.underway && e.job.Task.Position == r.Position && e.verdict == r.Verdict
	return e.part, valid
}
