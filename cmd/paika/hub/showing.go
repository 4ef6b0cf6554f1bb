package hub

import (
	"time"

	"paika/cmd/paika/hub/wire"
)

// showing is how the teams of a question know that one of them puts its part together. As long as
// it does, no other is given a job of the question: they would put together the same.
type showing struct {
	by    *outJob         // whose worker said so last
	owing map[string]bool // by identity, who said so and has sent no part since
}

// showsFrom has a job shown by who has it: its search has decided the position, and the part is
// being put together. Teams with no more lanes stop, unless they show it, too. Who has said so
// before, and has sent no part since, is not heard. part is the name by which the part comes meanwhile, empty
// where none was told. The mutex is held.
func (h *Hub) showsFrom(g *outJob, who speaker, part string) {
	s := g.question.underway
	if g.Task == nil || s == nil || !g.shows.IsZero() || s.owing[who.identity()] {
		return
	}
	if s.owing == nil {
		s.owing = make(map[string]bool)
	}
	g.shows, g.shower, g.part = time.Now(), who, ""
	if wire.PlainName(part) {
		g.part = part
	}
	s.by, s.owing[who.identity()] = g, true
	for _, other := range h.out {
		if other.question == g.question && other.Task.Position == g.Task.Position && other.shows.IsZero() && h.team(other.worker) <= h.team(who) {
			h.withdraw(other, true)
			g.question.putBack(other.Job)
		}
	}
}

// team is how many lanes of a worker search together. The mutex is held.
func (h *Hub) team(who speaker) int {
	w := h.workers[who]
	if w == nil || w.Lanes == 0 {
		return 0
	}
	return wire.Team(w.Lanes)
}

// shown tells whether somebody puts a part of a question together. Who takes a lease longer for it
// than the whole question took before, or lets its lease end, is waited for no more. The time that the
// hub takes to check the part is the hub's. The mutex is held.
func (h *Hub) shown(q *question) bool {
	return q.underway != nil && q.by != nil && h.isShown(q.by)
}

// isShown tells whether a job is out, and who says that it puts the part together is waited for. The mutex is held.
func (h *Hub) isShown(g *outJob) bool { return h.out[g.message] == g && h.goesOn(g) }

// goesOn tells whether who shows a job is waited for. The mutex is held.
func (h *Hub) goesOn(g *outJob) bool {
	most := h.options.Lease + g.shows.Sub(g.question.began)
	took := time.Since(g.shows)
	if !g.sent.IsZero() {
		took = g.sent.Sub(g.shows)
	}
	return !g.shows.IsZero() && time.Since(g.kept) < h.options.Lease && took < most
}

// paidBy notes that a worker has sent a part: it owes none any more, for what it came to nothing with
// before, if it did not let the others wait too long for this one. The mutex is held.
func (h *Hub) paidBy(q *question, r *result) {
	if g := h.last(q, r); g == nil || g.shows.IsZero() || h.goesOn(g) {
		delete(q.owing, r.Worker)
	}
}

// shownBy notes that a position has its part: who shows it owes none, if it did not let the others
// wait too long. The mutex is held.
func (h *Hub) shownBy(g *outJob) {
	if s := g.question.underway; s != nil && h.goesOn(g) {
		delete(s.owing, g.shower.identity())
	}
}
