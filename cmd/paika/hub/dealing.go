package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
)

// lease is the right to a job for some time. The zero lease is nobody's.
type lease struct {
	holder   holder        // whose key has it
	delivery uint64        // how often the job was handed out by then
	message  jetstream.Msg // by which the stream is told that it goes on, or has ended
}

// lane is one of a worker's that waits for a job.
type lane struct {
	key   holder
	reply string // where it waits
	until time.Time
}

// mostWaiting bounds the lanes that wait. One that is turned away asks again.
const mostWaiting = mostOut

// fetchWaits is how long a hub waits for the stream to have a job, before it looks again who
// waits for one.
const fetchWaits = time.Second

// onNext notes that a lane waits for a job. The answer is the job. A lane that takes this for another
// start of the hub is told at once: it gives up what it was waiting for there.
func (h *Hub) onNext(key holder, m *nats.Msg) {
	var said wire.Next
	if json.Unmarshal(m.Data, &said) == nil && said.Start != 0 && said.Start != h.starts && m.Reply != "" {
		answer(m, wire.Delivery{Start: h.starts})
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if m.Reply == "" || len(h.waiting) >= mostWaiting || key.within(h.waitingOf(key)+1, mostLanes, "lanes that wait") != nil {
		return
	}
	h.waiting = append(h.waiting, lane{key, m.Reply, time.Now().Add(wire.LaneWaits - 2*fetchWaits)})
	signal(h.deal)
}

// waitingOf counts the lanes of a key that wait. The mutex is held.
func (h *Hub) waitingOf(key holder) (many int64) {
	for _, l := range h.waiting {
		if l.key == key {
			many++
		}
	}
	return many
}

// dealer hands jobs of the stream to lanes that wait, as long as one may have a job.
func (h *Hub) dealer() {
	for {
		select {
		case <-h.context.Done():
			return
		case <-h.deal:
		}
		for h.awaited() && h.context.Err() == nil {
			if m, err := h.fetch(); err == nil {
				h.dealOut(m)
			}
		}
	}
}

// fetch takes a job from the stream. Errors: there is none for some time.
func (h *Hub) fetch() (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(h.context, fetchWaits)
	defer cancel()
	m, err := h.consumer.Next(jetstream.FetchContext(ctx))
	if err != nil {
		<-ctx.Done() // the next look is no sooner
	}
	return m, err
}

// awaited tells whether a lane waits that may have a job.
func (h *Hub) awaited() bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.foremost() >= 0
}

// dealOut hands a job to the lane that is to have it.
func (h *Hub) dealOut(m jetstream.Msg) {
	var d wire.Delivery
	meta, err := m.Metadata()
	if err != nil || json.Unmarshal(m.Data(), &d) != nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	g := h.out[d.Message]
	if g == nil { // it was taken back, and its message goes
		return
	}
	at := h.foremost()
	if at < 0 { // who waited has gone
		_ = m.Nak()
		return
	}
	to := h.waiting[at]
	h.waiting = slices.Delete(h.waiting, at, at+1)
	d.Delivery = meta.NumDelivered
	g.lease, g.worker, g.nodes, g.shows = lease{to.key, d.Delivery, m}, speaker{}, 0, time.Time{}
	g.kept = time.Now()
	if g.taken.IsZero() {
		g.taken = g.kept
	}
	if text, err := json.Marshal(d); err == nil {
		_ = h.own.PublishRequest(to.reply, h.unheardAt(d), text) // or its lease ends
	}
}

// unheard begins the subjects at which NATS answers for a lane that has gone.
const unheard = ".unheard."

// unheardAt is that subject for a job.
func (h *Hub) unheardAt(d wire.Delivery) string {
	return wire.Inbox(h.own.Name()) + unheard + fmt.Sprintf("%d.%d", d.Message, d.Delivery)
}

// onUnheard gives a job back that was handed to a lane which has gone.
func (h *Hub) onUnheard(m *nats.Msg) {
	var number, delivery uint64
	_, at, _ := strings.Cut(m.Subject, unheard)
	if _, err := fmt.Sscanf(at, "%d.%d", &number, &delivery); err != nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if g := h.out[number]; g != nil && g.delivery == delivery {
		h.giveBack(g, 0)
	}
}

// giveBack has the stream hand a job out again after some time. The mutex is held.
func (h *Hub) giveBack(g *given, after time.Duration) {
	g.kept = time.Time{}
	_ = g.lease.message.NakWithDelay(after) // or its lease ends
	signal(h.deal)
}

// foremost is the place of the lane that is to have the next job, of those whose key has the
// fewest, the one that has waited longest; -1 if none may have one. The mutex is held.
func (h *Hub) foremost() int {
	now := time.Now()
	h.waiting = slices.DeleteFunc(h.waiting, func(l lane) bool { return now.After(l.until) })
	held, lanes := h.held(), h.lanes()
	for {
		best := -1
		for i, l := range h.waiting {
			if mayHave(l.key, held, lanes) && (best < 0 || held[l.key] < held[h.waiting[best].key]) {
				best = i
			}
		}
		if best < 0 || h.listens(h.waiting[best].reply) {
			return best
		}
		h.waiting = slices.Delete(h.waiting, best, best+1)
	}
}

// mayHave tells whether a key may have one more job. The secret of this machine has no share.
func mayHave(key holder, held, lanes map[holder]int) bool { return key == "" || held[key] < lanes[key] }

// held is how many jobs each key has. One whose lease is over it has no more. The mutex is held.
func (h *Hub) held() map[holder]int {
	many := make(map[holder]int)
	for _, g := range h.out {
		if time.Since(g.kept) < h.options.Lease {
			many[g.holder]++
		}
	}
	return many
}

// lanes is how many each key has. The mutex is held.
func (h *Hub) lanes() map[holder]int {
	many := make(map[holder]int)
	for who, w := range h.workers {
		many[who.key] += w.Lanes
	}
	return many
}

// onKept tells the stream of a job that its lease goes on, or that it is given back, and the other
// teams of one that it is shown.
func (h *Hub) onKept(key holder, m *nats.Msg) {
	var said wire.Kept
	if json.Unmarshal(m.Data, &said) != nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	g := h.leased(key, said.Started)
	if g == nil {
		return
	}
	// Of what the stream does not hear, a lease ends too early.
	if !said.Back {
		g.kept = time.Now()
		_ = g.lease.message.InProgress()
		if said.Shows {
			h.showsFrom(g, speaker{key, said.Worker})
		}
		return
	}
	if b, is := g.question.constructed(); is && said.Need > said.Have && b.runShort(g, speaker{key, said.Worker}, shortage{said.Need, said.Have}) {
		return
	}
	after := time.Duration(0)
	if said.Other {
		after = link.Pause
	}
	h.giveBack(g, after)
}

// comeAnew takes back what a worker had that comes anew: it counts among what its key has. The
// mutex is held.
func (h *Hub) comeAnew(who speaker) {
	for _, q := range h.questions {
		if b, is := q.constructed(); is {
			b.anew(who)
		}
	}
	for _, g := range h.out {
		if who.key != "" && g.worker == who {
			h.again(g)
		}
	}
	h.fill()
}

// idle tells whether a lane of another key waits though no job does. The mutex is held.
func (h *Hub) idle(but holder) bool {
	for _, g := range h.out {
		if g.taken.IsZero() {
			return false
		}
	}
	held, lanes := h.held(), h.lanes()
	return slices.ContainsFunc(h.waiting, func(l lane) bool { return l.key != but && mayHave(l.key, held, lanes) })
}
