package hub

import (
	"encoding/json"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/hub/wire"
)

// mostResults bounds the results that are judged at a time.
const mostResults = 1024

// heard is a result, and of whom it comes.
type heard struct {
	wire.Result
	from holder
}

// onResult takes a result, beside others: a check takes its time. Where too many wait it
// gives no answer, and is asked again.
func (h *Hub) onResult(key holder, m *nats.Msg) {
	r := heard{from: key}
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
func (h *Hub) judge(r *heard) wire.Reply {
	sound, who := r.Sound(), speaker{r.from, r.Worker}
	r.Worker = who.identity()
	h.mutex.Lock()
	if u := h.uploads[r.Upload]; u != nil && u.from != r.from { // it is another's
		r.Upload = ""
	}
	q := h.questions[r.Question]
	switch {
	case h.inHand(r.Upload): // its check goes on, of this result or of one that counts first
		defer h.mutex.Unlock()
		return wire.Reply{Outcome: wire.Pending}
	case !sound:
		defer h.mutex.Unlock()
		h.forget(r.Upload)
		return wire.Reply{Outcome: wire.Rejected, Reason: "it says more than a result does"}
	case q == nil:
		defer h.mutex.Unlock()
		h.forget(r.Upload)
		return wire.Reply{Outcome: wire.Unknown, Reason: "there is no such question"}
	case r.Version != h.options.Version, r.Refused != "":
		defer h.mutex.Unlock()
		h.forget(r.Upload)
		reason := r.Refused
		if r.Version != h.options.Version {
			reason = "it has version " + bitboard.Shorten(r.Version)
		}
		h.noticeOf(r.from, "worker %v does not take a job: %s", who, bitboard.Shorten(reason))
		if g := h.last(q, r); g != nil {
			h.again(g)
			h.fill()
		}
		return wire.Reply{Outcome: wire.Refused}
	case q.stage == wire.Preparing: // it may be wanted, as soon as the ledger is gone through
		defer h.mutex.Unlock()
		return wire.Reply{Outcome: wire.Pending}
	case q.stage != wire.Searching:
		defer h.mutex.Unlock()
		h.forget(r.Upload)
		return wire.Reply{Outcome: wire.Copied}
	}
	return q.judge(h, q, r)
}

// inHand tells whether a file is being checked, or a piece of it written: it would become
// another under its check. The mutex is held.
func (h *Hub) inHand(name string) bool {
	u := h.uploads[name]
	return u != nil && (u.checked || u.writing)
}

// last is the job of the question that a result is about, if that is by its last lease; else nil.
// The mutex is held.
func (h *Hub) last(q *asked, r *heard) *given {
	if g := h.leased(r.from, r.Started); g != nil && g.question == q {
		return g
	}
	return nil
}
