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
	lane     lane          // to which it was handed
	delivery uint64        // how often the stream had handed the job out by then
	message  jetstream.Msg // by which the stream is told that it goes on, or has ended
	began    time.Time     // when it was handed out
	team     int           // lanes of the worker that searched together then
}

// lane is one of a worker's that waits for a job.
type lane struct {
	speaker
	reply string // where it waits
	until time.Time
}

// process is that of a lane: all lanes of one wait in its inbox.
func (l lane) process() string { return processOf(l.reply) }

// processOf is the inbox of a process that waits somewhere for a reply. Who waits elsewhere is a process of
// its own.
func processOf(reply string) string {
	if at := strings.LastIndexByte(reply, '.'); at >= 0 {
		return reply[:at]
	}
	return reply
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
	who := speaker{key: key}
	if wire.Proper(said.Worker) {
		who.name = said.Worker
	}
	h.waiting = append(h.waiting, lane{who, m.Reply, time.Now().Add(wire.LaneWaits - 2*fetchWaits)})
	h.fill()
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
	return h.foremost(anybody) >= 0
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
	if g == nil { // it was taken back, or the hub never heard that it was sent
		_ = m.Term() // or it comes again
		return
	}
	if !g.kept.IsZero() { // its lease is over
		g.kept = time.Time{}
		if h.inVain(g) {
			return
		}
	}
	switch at := h.foremost(g.takes); {
	case at >= 0:
		d.Delivery = meta.NumDelivered
		h.hand(g, d, h.waiting[at], m)
		h.waiting = slices.Delete(h.waiting, at, at+1)
	default:
		h.leaveLying(g, m)
	}
}

// hand hands a job to a lane. The mutex is held.
func (h *Hub) hand(g *outJob, d wire.Delivery, to lane, m jetstream.Msg) {
	g.kept = time.Now()
	g.lease, g.worker, g.nodes = lease{to, d.Delivery, m, g.kept, h.team(to.speaker)}, speaker{}, 0
	g.shows, g.part, g.sent = time.Time{}, "", time.Time{}
	if g.taken.IsZero() {
		g.taken = g.kept
	}
	if text, err := json.Marshal(d); err == nil {
		_ = h.own.PublishRequest(to.reply, h.unheardAt(d), text) // or its lease ends
	}
}

// leaveLying leaves a job to those who may take it, and do not wait. It is given up where nobody who
// is there may, and where those who may neither come nor have other jobs. The mutex is held.
func (h *Hub) leaveLying(g *outJob, m jetstream.Msg) {
	atWork := h.atWork()
	switch {
	case h.foremost(anybody) < 0: // who waited has gone
		_ = m.Nak()
		return
	case !h.there(g.may):
		h.giveUp(g, "is for none of the workers that are there")
		return
	case !h.there(g.takes): // all have left it to others
		clear(g.returns)
	case !h.there(func(who speaker) bool { return g.takes(who) && atWork[who] }):
		if h.inVain(g) {
			return
		}
	}
	_ = m.NakWithDelay(link.Pause)
}

// there tells whether there is such a worker. The mutex is held.
func (h *Hub) there(is func(speaker) bool) bool {
	for who := range h.workers {
		if is(who) {
			return true
		}
	}
	return false
}

// atWork is who has jobs. The mutex is held.
func (h *Hub) atWork() map[speaker]bool {
	have := make(map[speaker]bool)
	for _, g := range h.out {
		if !g.free(h.options.Lease) {
			have[g.lane.speaker] = true
		}
	}
	return have
}

// unheard begins the subjects at which NATS answers for a lane that has gone.
const unheard = ".unheard."

// unheardAt is that subject for a job.
func (h *Hub) unheardAt(d wire.Delivery) string {
	return wire.Inbox(h.own.Name()) + unheard + fmt.Sprintf("%d.%d", d.Message, d.Delivery)
}

// onUnheard gives a job back that was handed to a lane which has gone, and all others of its process
// with it.
func (h *Hub) onUnheard(m *nats.Msg) {
	var number, delivery uint64
	_, at, _ := strings.Cut(m.Subject, unheard)
	if _, err := fmt.Sscanf(at, "%d.%d", &number, &delivery); err != nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if g := h.out[number]; g != nil && g.delivery == delivery {
		h.waiting = slices.DeleteFunc(h.waiting, func(l lane) bool { return l.process() == g.lane.process() })
		h.untaken(g, 0)
	}
}

// giveBack has the stream hand a job out again after some time. The mutex is held.
func (h *Hub) giveBack(g *outJob, after time.Duration) {
	g.kept = time.Time{}
	_ = g.lease.message.NakWithDelay(after) // or its lease ends
	signal(h.deal)
}

// untaken is giveBack of a job that nobody has had. The mutex is held.
func (h *Hub) untaken(g *outJob, after time.Duration) {
	if g.vain == 0 {
		g.taken = time.Time{}
	}
	h.giveBack(g, after)
}

// inVain counts a job that was handed out in vain. Where that was too often it is given up, which
// inVain tells. A position is split then, by the doing of who had it last: where that had too many
// split, the job is left to others. The mutex is held.
func (h *Hub) inVain(g *outJob) (over bool) {
	if g.vain++; g.vain < mostDeliveries {
		return false
	}
	if who := g.lane.identity(); g.Task != nil && who != "" && !g.question.splits(who) {
		g.vain = 0
		g.leaveToOthers(g.lane.speaker, nil, false, h.options.Lease)
		return false
	}
	h.giveUp(g, fmt.Sprintf("was handed out %d times in vain", mostDeliveries))
	return true
}

// left is who has left a job to others.
type left struct {
	returns map[string]passing // by identity, until when it is passed by
	short   map[speaker]bool   // who has too little memory for it
}

// passing is how long a worker is passed by: until a time or, where it builds a group meanwhile, until it does
// so no more, if that is sooner.
type passing struct {
	until  time.Time
	builds *outJob // nil where it builds none
}

// leaveToOthers has a worker passed by for a lease, by whatever name it comes: else who has the fewest
// jobs would be given this one again and again. Who has too little memory is passed by for good. Who builds
// has time for nothing else: it is passed by no longer than that.
func (o *left) leaveToOthers(who speaker, builds *outJob, short bool, lease time.Duration) {
	if o.returns == nil {
		o.returns, o.short = make(map[string]passing), make(map[speaker]bool)
	}
	o.returns[who.identity()] = passing{time.Now().Add(lease), builds}
	if short {
		o.short[who] = true
	}
}

// may tells whether a worker may ever have a job: not who has too little memory, nor who made the
// tables that it is about, nor who is believed no more.
func (g *outJob) may(who speaker) bool {
	name := who.identity()
	return !g.short[who] && (g.Piece == nil || g.Piece.Not == "" || g.Piece.Not != name) && g.question.believes(name)
}

// takes tells whether a worker may have a job now.
func (g *outJob) takes(who speaker) bool {
	passed := g.returns[who.identity()]
	busy := passed.builds == nil || passed.builds.isWith(who)
	return g.may(who) && !(busy && time.Now().Before(passed.until))
}

// isWith tells whether a worker has a job, of whose lease nobody has seen the end.
func (g *outJob) isWith(who speaker) bool { return g.lane.speaker == who && !g.kept.IsZero() }

// builds is what else a worker builds than a job is about; nil if that is nothing. The mutex is held.
func (h *Hub) builds(who speaker, beside *outJob) *outJob {
	for _, g := range h.out {
		if g.Build != nil && g != beside && g.isWith(who) {
			return g
		}
	}
	return nil
}

// anybody takes any job.
func anybody(speaker) bool { return true }

// foremost is the place of the lane that is to have a job, of those whose worker takes it and whose
// key has the fewest, the one that has waited longest; -1 if none may have it. The mutex is held.
func (h *Hub) foremost(takes func(speaker) bool) int {
	now := time.Now()
	h.waiting = slices.DeleteFunc(h.waiting, func(l lane) bool { return now.After(l.until) })
	held, lanes := h.held(), h.lanes()
	for {
		best := -1
		for i, l := range h.waiting {
			if takes(l.speaker) && mayHave(l.key, held, lanes) && (best < 0 || held[l.key] < held[h.waiting[best].key]) {
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
		if !g.free(h.options.Lease) {
			many[g.lane.key]++
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
	if g == nil || g.kept.IsZero() { // it is given back, or its lease is over
		return
	}
	// Of what the stream does not hear, a lease ends too early.
	if !said.Back {
		g.kept = time.Now()
		_ = g.lease.message.InProgress()
		if said.Shows {
			h.showsFrom(g, speaker{key, said.Worker}, said.Upload)
		}
		return
	}
	h.forgetPart(g)
	who := speaker{key, said.Worker}
	if b, is := g.question.constructed(); is && said.Need > said.Have && b.runShort(g, who, shortage{said.Need, said.Have}) {
		return
	}
	if said.Other {
		g.leaveToOthers(g.lane.speaker, h.builds(g.lane.speaker, g), said.Short, h.options.Lease)
		h.untaken(g, link.Pause)
		return
	}
	if !h.inVain(g) {
		h.giveBack(g, 0)
	}
}

// comeAnew takes back what a worker had that comes anew: it counts among what its key has. The
// mutex is held.
func (h *Hub) comeAnew(who speaker) {
	for _, q := range h.open {
		if b, is := q.constructed(); is {
			b.anew(who)
		}
	}
	for _, g := range h.out {
		delete(g.short, who)
		if who.key != "" && g.worker == who {
			h.again(g)
		}
	}
	h.fill()
}

// idle tells whether a lane of another key, which may have a job, waits though none does. The mutex is
// held.
func (h *Hub) idle(g *outJob) bool {
	for _, other := range h.out {
		if other.taken.IsZero() {
			return false
		}
	}
	held, lanes := h.held(), h.lanes()
	return slices.ContainsFunc(h.waiting, func(l lane) bool { return l.key != g.lane.key && g.may(l.speaker) && mayHave(l.key, held, lanes) })
}
