package hub

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
)

// mostResults bounds the results that are judged at a time.
const mostResults = 1024

// result is what a worker answers to a job, and of whom it comes.
type result struct {
	wire.Result
	from holder
}

// onResult takes a result, beside others: a check takes its time. Where too many wait it
// gives no answer, and is asked again.
func (h *Hub) onResult(key holder, m *nats.Msg) {
	r := result{from: key}
	if err := json.Unmarshal(m.Data, &r.Result); err != nil {
		h.count(wire.Rejected, speaker{})
		answer(m, wire.Reply{Outcome: wire.Rejected, Reason: "no result"})
		return
	}
	if !h.beginJudging(key) {
		return
	}
	who := speaker{key, r.Worker}
	h.spawn(func() {
		defer h.endJudging(key)
		if what := h.judge(&r); what.Outcome != wire.Pending {
			h.count(what.Outcome, who)
			answer(m, what)
		}
	})
}

// count adds an outcome to the counts.
func (h *Hub) count(what wire.Outcome, who speaker) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	switch what {
	case wire.Accepted:
		h.counts.Accepted++
	case wire.Copied:
		h.counts.Copied++
	case wire.Stale:
		h.counts.Stale++
	case wire.Refused:
		h.counts.Refused++
	case wire.Unknown:
		h.counts.Unknown++
	case wire.Rejected:
		h.counts.Rejected++
		if w := h.workers[who]; w != nil {
			w.rejected++
		}
	}
}

// judge does with a result of a worker what is to be done. From here on it bears the name under
// which the worker is believed.
func (h *Hub) judge(r *result) wire.Reply {
	sound, who := r.Sound(), speaker{r.from, r.Worker}
	r.Worker = who.identity()
	h.mutex.Lock()
	reply, later := h.judgeAtOnce(r, who, sound)
	h.mutex.Unlock()
	if later != nil {
		reply = later()
		h.remember(r, reply)
	}
	return reply
}

// rejection is that a file was rejected, which is no longer there.
type rejection struct {
	upload string
	from   holder
	wire.Reply
}

// remember notes that a file was rejected. Its check may take longer than who sent it waits for an
// answer, and who asks again is told the same: sent again, the file would be checked again.
func (h *Hub) remember(r *result, reply wire.Reply) {
	if reply.Outcome != wire.Rejected || r.Upload == "" {
		return
	}
	reply.Reason = beginning(reply.Reason)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.rejected = append(h.rejected[max(0, len(h.rejected)-mostUploads+1):], rejection{r.Upload, r.from, reply})
}

// before is what became of a result's file, if it was rejected before. The mutex is held.
func (h *Hub) before(r *result) (reply wire.Reply, is bool) {
	at := slices.IndexFunc(h.rejected, func(of rejection) bool { return of.upload == r.Upload && of.from == r.from })
	if at < 0 {
		return reply, false
	}
	return h.rejected[at].Reply, true
}

// judgeAtOnce is judge, but for what takes time: that comes later. The mutex is held.
func (h *Hub) judgeAtOnce(r *result, who speaker, sound bool) (reply wire.Reply, later func() wire.Reply) {
	if u := h.uploads[r.Upload]; u != nil && u.from != r.from { // it is another's
		r.Upload = ""
	}
	if reply, is := h.before(r); is {
		h.forget(r.Upload)
		return reply, nil
	}
	q := h.questions[r.Question]
	switch {
	case h.inHand(r.Upload): // its check goes on, of this result or of one that counts first
		return wire.Reply{Outcome: wire.Pending}, nil
	case !sound:
		h.forget(r.Upload)
		return wire.Reply{Outcome: wire.Rejected, Reason: "it says more than a result does"}, nil
	case q == nil:
		h.forget(r.Upload)
		return wire.Reply{Outcome: wire.Unknown, Reason: "there is no such question"}, nil
	case r.Version != h.options.Version, r.Refused != "":
		h.forget(r.Upload)
		reason := bitboard.Shorten(r.Refused)
		if r.Version != h.options.Version {
			reason = "it has version " + bitboard.Shorten(r.Version)
		}
		h.noticeOf(r.from, "worker %v does not take a job: %s", who, reason)
		if g := h.heldBy(q, r); g != nil && !h.inVain(g) {
			h.leaveToOthers(g)
		}
		return wire.Reply{Outcome: wire.Refused}, nil
	case q.stage == wire.Preparing: // it may be wanted, as soon as the ledger is gone through
		return wire.Reply{Outcome: wire.Pending}, nil
	case q.stage == wire.Waiting: // nobody knows how long: the lane is for others meanwhile
		h.forget(r.Upload)
		return wire.Reply{Outcome: wire.Later}, nil
	case q.stage != wire.Searching:
		h.forget(r.Upload)
		return wire.Reply{Outcome: wire.Copied}, nil
	}
	return q.judge(h, q, r)
}

// syncLedger has on disk what was written into the ledger. Once that has failed nothing lasts any more, whoever is told
// what: the hub ends, and says why.
func (h *Hub) syncLedger() error {
	err := h.ledger.Sync()
	if err != nil {
		h.cancel(fmt.Errorf("what the hub learns does not last, so that it ends: %w", err))
	}
	return err
}

// onDisk replies that something is accepted once its line in the ledger is on disk.
func (h *Hub) onDisk(q *question, reply wire.Reply) (wire.Reply, func() wire.Reply) {
	if reply.Outcome != wire.Accepted {
		return reply, nil
	}
	return reply, func() wire.Reply {
		if err := h.syncLedger(); err != nil {
			return q.unkept(err)
		}
		q.short.note(itsAnswers, nil)
		return reply
	}
}

// takePiece takes up the answer to a piece, of which inspection said what becomes of it. One that is no
// answer counts in vain, if it is of who has the piece. The nodes of one that is taken are its indices. The
// mutex is held.
func (h *Hub) takePiece(q *question, of *inspection.Inspection, r *result, what inspection.Outcome) {
	of.Take(r.Worker, r.Job, *r.Piece)
	switch {
	case what == inspection.Taken:
		h.nodes += of.Indices(r.Job)
	case what == inspection.Invalid && h.last(q, r) != nil:
		of.Vain(r.Job)
	}
}

// noticeFinding tells of a worker that finds something wrong in a table, which is made to be shown by now.
func (h *Hub) noticeFinding(r *result) {
	if r.Piece.Found > 0 {
		h.noticeOf(r.from, "worker %s finds something, and the hub looks for itself: \"%s\"", bitboard.Quote(r.Worker), r.Piece.First)
	}
}

// pieceReply replies to the answer to a piece.
func pieceReply(what inspection.Outcome, reason string) wire.Reply {
	switch what {
	case inspection.Taken:
		return wire.Reply{Outcome: wire.Accepted}
	case inspection.Known:
		return wire.Reply{Outcome: wire.Copied}
	case inspection.Unknown:
		return wire.Reply{Outcome: wire.Unknown, Reason: reason}
	}
	return wire.Reply{Outcome: wire.Rejected, Reason: reason}
}

// believeNoMore tells of a worker that was wrong about a question, counts it among those, and takes
// back the jobs of the question that it has: what it answers does not count. The mutex is held.
func (h *Hub) believeNoMore(q *question, worker, why string) {
	h.noticeOf(q.from, "worker %s %s: it is believed no more", bitboard.Quote(worker), why)
	h.blame(worker)
	for _, g := range h.out {
		if g.question == q && g.lane.identity() == worker {
			h.withdraw(g, true)
			q.putBack(g.Job)
		}
	}
}

// inHand tells whether a file is being checked, or a piece of it written: it would become
// another under its check. The mutex is held.
func (h *Hub) inHand(name string) bool {
	u := h.uploads[name]
	return u != nil && (u.checked || u.writing)
}

// turnDown has the job go out again of a result that is none, to others before its worker: that would have
// it again at once, without end. The mutex is held.
func (h *Hub) turnDown(q *question, r *result) {
	if g := h.heldBy(q, r); g != nil {
		h.leaveToOthers(g)
	}
}

// leaveToOthers has the stream hand a job out again that its worker does not do. The mutex is held.
func (h *Hub) leaveToOthers(g *outJob) {
	g.leaveToOthers(g.lane.speaker, nil, false, h.options.Lease)
	h.giveBack(g, link.Pause)
}

// heldBy is last, if the lease goes on: nil where it is over, or the job is given back. The mutex is held.
func (h *Hub) heldBy(q *question, r *result) *outJob {
	if g := h.last(q, r); g != nil && !g.kept.IsZero() {
		return g
	}
	return nil
}

// last is the job of the question that a result is about, if that is by its last lease; else nil.
// The mutex is held.
func (h *Hub) last(q *question, r *result) *outJob {
	if g := h.leased(r.from, r.Started); g != nil && g.question == q {
		return g
	}
	return nil
}
