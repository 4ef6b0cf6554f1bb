package hub

import (
	"errors"
	"os"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/tablebase/flat"
)

// isBad tells whether an error is about what came, not about reading it.
func isBad(err error) bool {
	return errors.Is(err, construction.ErrMade) || errors.As(err, new(*flat.FileError))
}

func (b *building) judge(h *Hub, _ *question, r *result) (wire.Reply, func() wire.Reply) {
	if (r.Built == nil) == (r.Piece == nil) {
		b.turnDown(r)
		return wire.Reply{Outcome: wire.Rejected, Reason: "it is no answer of a worker to a job of a construction"}, nil
	}
	if r.Built != nil {
		return b.judgeBuilt(r)
	}
	return h.onDisk(b.q, b.judgePiece(r))
}

// giveBack takes back the job of a result, whether or not it helped, and gives out others.
// The mutex is held.
func (b *building) giveBack(r *result) {
	b.hub.forget(r.Upload)
	if g := b.hub.last(b.q, r); g != nil {
		b.hub.again(g)
	}
	b.wake()
	b.hub.settle(b.q)
}

// turnDown has the job of a result that is none go out again. The mutex is held.
func (b *building) turnDown(r *result) {
	b.hub.forget(r.Upload)
	b.hub.turnDown(b.q, r)
}

// judgePiece takes up what a worker derived. The mutex is held.
func (b *building) judgePiece(r *result) wire.Reply {
	defer b.giveBack(r)
	r.Piece.First = bitboard.Shorten(r.Piece.First)
	for _, w := range b.works {
		if w.made == nil {
			continue
		}
		i := w.made.inspection
		what, reason := i.Judge(r.Worker, r.Job, r.Piece)
		if what == inspection.Unknown {
			continue
		}
		if what == inspection.Taken {
			if err := b.hub.ledger.Add(ledger.Entry{Piece: &ledger.Piece{Question: b.q.id, Job: r.Job, Worker: r.Worker, Answer: *r.Piece}}); err != nil {
				return b.q.unkept(err)
			}
			b.hub.noticeFinding(r)
		}
		b.hub.takePiece(b.q, i, r, what)
		return pieceReply(what, reason)
	}
	return wire.Reply{Outcome: wire.Copied} // its group is over
}

// judgeBuilt takes up a group that was built, once it is checked. The mutex is held.
func (b *building) judgeBuilt(r *result) (wire.Reply, func() wire.Reply) {
	w := b.byJob(r.Job)
	u := b.hub.uploads[r.Upload]
	switch {
	case !b.believes(r.Worker):
		b.giveBack(r)
		return wire.Reply{Outcome: wire.Rejected, Reason: "the hub found that this worker was wrong"}, nil
	case w == nil:
		b.giveBack(r)
		return wire.Reply{Outcome: wire.Copied}, nil
	case !wire.PlainName(r.Upload):
		b.turnDown(r)
		return wire.Reply{Outcome: wire.Rejected, Reason: "no file was sent"}, nil
	case u == nil:
		return wire.Reply{Outcome: wire.Failing, Reason: "the group was not sent to this hub: send it again"}, nil
	}
	u.checked = true
	r.Turns = nil // many may wait for a check
	at := b.q.underway
	at.checks.Add(1)
	return wire.Reply{}, func() wire.Reply {
		defer at.checks.Done()
		return b.judgeChecked(w, r)
	}
}

// judgeChecked checks the file of a group, and takes it up.
func (b *building) judgeChecked(w *unit, r *result) wire.Reply {
	h := b.hub
	what, err := b.accept(w, r)
	switch {
	case isBad(err):
		h.noticeOf(r.from, "a group of worker %s is rejected: %v", bitboard.Quote(r.Worker), err)
		what = wire.Reply{Outcome: wire.Rejected, Reason: err.Error()}
	case err != nil:
		h.noticeOf(r.from, "a group can't be kept: %v", err)
		what = b.q.unkept(err)
	default:
		b.q.short.note(itsAnswers, nil)
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if isBad(err) {
		b.turnDown(r)
	} else {
		b.giveBack(r)
	}
	return what
}

// accept checks the file of a group, keeps it, and takes it up. One at a time is kept, so that
// who removes a file removes nobody else's.
func (b *building) accept(w *unit, r *result) (wire.Reply, error) {
	path := b.hub.uploadPath(r.Upload)
	checked, err := b.check(w, *r.Built, path)
	if err != nil {
		return wire.Reply{}, err
	}
	if err := lasting.SyncFile(path); err != nil {
		return wire.Reply{}, err
	}
	b.hub.keeping.Lock()
	defer b.hub.keeping.Unlock()
	if !b.wants(w, r) {
		return wire.Reply{Outcome: wire.Copied}, nil
	}
	if err := os.Rename(path, b.path(r.Built.Digest)); err != nil {
		return wire.Reply{}, err
	}
	err = lasting.SyncFolder(b.folder)
	taken := false
	if err == nil {
		taken, err = b.takeBuilt(w, r, checked)
	}
	switch {
	case !taken:
		_ = os.Remove(b.path(r.Built.Digest)) // at the latest at the next start
		return wire.Reply{Outcome: wire.Copied}, err
	case err == nil:
		err = b.hub.syncLedger()
	}
	return wire.Reply{Outcome: wire.Accepted}, err
}

// check checks the file of a group. It is closed then: Windows renames no open one.
func (b *building) check(w *unit, made construction.Made, path string) (construction.Checked, error) {
	file, size, err := openSized(path)
	if err != nil {
		return construction.Checked{}, err
	}
	defer file.Close()
	return b.site.Check(b.context, w.place, made, file, size)
}

// wants tells whether a group of a worker can still be taken up.
func (b *building) wants(w *unit, r *result) bool {
	b.hub.mutex.Lock()
	defer b.hub.mutex.Unlock()
	return b.open(w, r)
}

// open is wants. The mutex is held.
func (b *building) open(w *unit, r *result) bool {
	return !w.stored && w.made == nil && b.believes(r.Worker) && b.q.pursuedBy(b)
}

// takeBuilt writes the line of a group whose file is kept, and takes it up, if it still can be.
func (b *building) takeBuilt(w *unit, r *result, checked construction.Checked) (taken bool, err error) {
	b.hub.mutex.Lock()
	defer b.hub.mutex.Unlock()
	if !b.open(w, r) {
		return false, nil
	}
	line := ledger.Built{Question: b.q.id, Job: r.Job, Worker: r.Worker, Made: *r.Built}
	if err := b.hub.ledger.Add(ledger.Entry{Built: &line}); err != nil {
		return false, err
	}
	b.takeMade(w, &made{Made: *r.Built, Checked: checked, worker: r.Worker})
	return true, nil
}

// giveUp has a piece derived here that nobody takes. A group goes out again, after the
// others: nobody but workers builds.
func (b *building) giveUp(_ *Hub, g *outJob, _ string) error {
	b.putBack(g.Job)
	for _, w := range b.works {
		switch {
		case g.Build != nil && w.task.Job == g.Build.Job:
			w.vain++
		case g.Piece != nil && w.made != nil:
			w.made.inspection.Spare(g.Piece.Job)
		}
	}
	b.wake()
	return nil
}
