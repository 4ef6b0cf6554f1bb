package hub

import (
	"encoding/json"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/hub/wire"
)

// mostResults bounds the results that are judged at a time.
const mostResults = 1024

// onResult takes a result, beside others: a check takes its time. Where too many wait it
// gives no answer, and is asked again.
func (h *Hub) onResult(key holder, m *nats.Msg) {
	var r wire.Result
	if err := json.Unmarshal(m.Data, &r); err != nil {
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
		if what := h.judge(who, &r); what.Outcome != wire.Pending {
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
func (h *Hub) judge(who speaker, r *wire.Result) wire.Reply {
	sound := r.Sound()
	r.Worker = who.identity()
	h.mutex.Lock()
	if u := h.uploads[r.Upload]; u != nil && u.from != who.key { // it is another's
		r.Upload = ""
	}
	q, g := h.questions[r.Question], h.out[r.Message]
	last := h.last(q, g, r)
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
		h.notice("worker %v does not take a job: %s", who, bitboard.Shorten(reason))
		if last {
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

// last tells whether a result is by the last lease of a job of the question that is out.
// It can come before the word that this lease has begun, which goes by another subject.
func (h *Hub) last(q *asked, g *given, r *wire.Result) bool {
	return g != nil && g.question == q && g.Name() == r.Job && r.Start == h.starts && r.Delivery >= max(1, g.delivery)
}
