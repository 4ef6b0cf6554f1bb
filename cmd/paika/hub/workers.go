package hub

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/hub/wire"
)

// present is a worker that is there.
type present struct {
	wire.Hello // the last, without its searches and earlier jobs
	seen       time.Time
	rate       float64
	rejected   uint64
}

// onHello refuses a worker of another version, by name.
func (h *Hub) onHello(key holder, m *nats.Msg) {
	var said wire.Hello
	if err := json.Unmarshal(m.Data, &said); err != nil || !said.Proper() {
		answer(m, wire.Refusal{Error: "no greeting of a worker"})
		return
	}
	who := speaker{key, said.Worker}
	if no := h.ofAnotherVersion(who, said.Version); no.Error != "" {
		answer(m, no)
		return
	}
	if err := h.seen(key, said); err != nil {
		answer(m, wire.Refusal{Error: err.Error()})
		return
	}
	h.mutex.Lock()
	h.comeAnew(who)
	cut := h.cut(who, said.Lanes)
	h.mutex.Unlock()
	answer(m, wire.Welcome{Known: who.identity(), Cut: cut, Start: h.starts})
}

// ofAnotherVersion refuses a worker of another version than the hub's, and no other.
func (h *Hub) ofAnotherVersion(who speaker, version string) wire.Refusal {
	if version == h.options.Version {
		return wire.Refusal{}
	}
	version = bitboard.Shorten(version)
	h.noticeOf(who.key, "worker %v is refused: it has version %s, the hub %s", who, version, h.options.Version)
	return wire.Refusal{Error: fmt.Sprintf("the hub has version %s, this worker %s: want the same", h.options.Version, version)}
}

// onAlive notes that a worker is there, and tells it which jobs of earlier starts of the hub nobody
// wants any more. One that came to a hub of its own version, before that was started anew, is refused.
func (h *Hub) onAlive(key holder, m *nats.Msg) {
	var said wire.Hello
	if err := json.Unmarshal(m.Data, &said); err != nil || !said.Proper() {
		return
	}
	if no := h.ofAnotherVersion(speaker{key, said.Worker}, said.Version); no.Error != "" {
		if m.Reply != "" {
			answer(m, wire.Noted{Refusal: no, Start: h.starts})
		}
		return
	}
	_ = h.seen(key, said) // it was told when it came
	if m.Reply != "" {
		answer(m, wire.Noted{Start: h.starts, Unwanted: h.unwantedOf(said.Earlier)})
	}
}

// unwantedOf lists those jobs of earlier starts whose results can't matter.
func (h *Hub) unwantedOf(earlier []wire.Earlier) (names []string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, e := range earlier[:min(len(earlier), mostLanes)] {
		if e.Start != h.starts && !h.awaits(e) {
			names = append(names, wire.MessageName(e.Start, e.Message))
		}
	}
	return names
}

// awaits tells whether the result of a job of an earlier start can matter. It may, as long as its
// question is on its way to be worked at. The mutex is held.
func (h *Hub) awaits(e wire.Earlier) bool {
	switch q := h.questions[e.Question]; {
	case q == nil:
		return false
	case q.stage == wire.Searching:
		return q.awaits(e.Job)
	default:
		return q.stage == wire.Preparing || q.stage == wire.Waiting
	}
}

// mostLanes bounds what one worker says of itself, and all of one key together; mostWorkers how many
// are listed.
const (
	mostLanes   = 4096
	mostWorkers = 1024
)

var errWorkers = fmt.Errorf("the hub has %d workers: it takes no more", mostWorkers)

// seen notes that a worker is there; with no lanes it says that it goes. Errors say that there are
// too many.
func (h *Hub) seen(key holder, said wire.Hello) error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	who := speaker{key, said.Worker}
	w := h.workers[who]
	if said.Lanes <= 0 {
		h.gone(who)
		return nil
	}
	now := time.Now()
	if w == nil {
		if err := h.roomForWorker(who); err != nil {
			return err
		}
		w = &present{Hello: said, seen: now}
		h.workers[who] = w
	}
	if passed := now.Sub(w.seen).Seconds(); passed > 0 && said.Nodes >= w.Nodes {
		w.rate = float64(said.Nodes-w.Nodes) / passed
	}
	said.Lanes = max(0, min(said.Lanes, h.lanesLeft(who)))
	said.Busy = min(max(said.Busy, 0), said.Lanes)
	h.noteSearches(who, said.Searches)
	said.Searches, said.Earlier = nil, nil // they may be long
	w.Hello, w.seen = said, now
	h.fill()
	signal(h.deal)
	return nil
}

// gone notes that a worker goes. It has ended the jobs that it had: those that were handed to a lane which
// waited no more go to others, and no other lane of it has any. The mutex is held.
func (h *Hub) gone(who speaker) {
	delete(h.workers, who)
	h.waiting = slices.DeleteFunc(h.waiting, func(l lane) bool { return l.speaker == who })
	for _, g := range h.out {
		if g.lane.speaker == who && g.worker == (speaker{}) && !g.kept.IsZero() {
			h.untaken(g, 0)
		}
	}
}

// noteSearches notes how far searches are, of those who have them. The mutex is held.
func (h *Hub) noteSearches(who speaker, searches []wire.Search) {
	for _, s := range searches {
		if g := h.out[s.Message]; g != nil && g.Task != nil && s.Start == h.starts && g.worker == who {
			g.nodes = min(s.Nodes, g.mostNodes())
		}
	}
}

// atHand is the nodes of a question's searches that go on. The mutex is held.
func (h *Hub) atHand(q *question) (nodes uint64) {
	for _, g := range h.out {
		if g.question == q {
			nodes += g.nodes
		}
	}
	return nodes
}
