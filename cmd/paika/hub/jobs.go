package hub

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/wire"
	"paika/solver/jobs"
)

// mostDeliveries is how often a job is handed out in vain before it is split. What a worker leaves to
// others, and what is handed to a lane that has gone, nobody has had: it does not count.
const mostDeliveries = 5

// outJob is a job that is out.
type outJob struct {
	wire.Job
	question *question
	message  uint64    // its number, by which workers speak of it
	sequence uint64    // that of the stream, once it is there
	taken    time.Time // when it was first handed out to somebody who had it
	vain     int       // how often it was handed out in vain
	spent    uint64    // nodes that are believed of those who had it in vain
	left               // to others
	lease              // the last
	kept     time.Time // when that was last said to go on; zero where it was given back
	worker   speaker   // who says that it has it
	nodes    uint64    // of its search, as that worker says
	shows    time.Time // when that said that it puts the part together; zero before
	shower   speaker   // who said so
	part     string    // the name under which it sends the part, if it told
	sent     time.Time // when the part came that is being checked; zero where none is

	turns []jobs.Turn // of the question's position: what a search has found that decided it, by the part that is checked
}

// mostOut bounds the jobs that are out, whatever workers say of themselves.
const mostOut = 1 << 14

// mostMessages bounds those of the stream.
const mostMessages = 2 * mostOut

// fill gives out jobs until every lane of the workers has one and a few wait, of proofs
// until every team has one, in turn of the questions. The mutex is held.
func (h *Hub) fill() {
	lanes, searches := 0, enough(h.teams())
	for _, w := range h.workers {
		lanes += w.Lanes
	}
	for _, g := range h.out {
		if g.Task != nil {
			searches--
		}
	}
	give := func(who speaker) *outJob {
		if len(h.out) >= mostOut || h.context.Err() != nil {
			return nil
		}
		q, j := h.next(who, searches > 0)
		if q == nil {
			return nil
		}
		if j.Task != nil {
			searches--
		}
		return h.publish(q, j)
	}
	full := func() bool { return len(h.out) >= lanes+lanes/8+1 }
	for lanes > 0 && !full() {
		if give(speaker{}) == nil {
			break
		}
	}
	if lanes > 0 && full() {
		h.giveBeyond(give)
	}
	for _, q := range h.open {
		if q.stage != wire.Searching {
			continue
		}
		if q.known() {
			h.finish(q)
		} else if err := q.stuck(); err != nil && q.out == 0 {
			h.failed(q, err)
		}
	}
}

// giveBeyond gives one job more for each lane that waits, where none of those that are out is for it. Who
// has built a group may not derive it, and would wait until others have, though there is another to be
// built. The mutex is held.
func (h *Hub) giveBeyond(give func(speaker) *outJob) {
	idle := h.idleLanes()
	if len(idle) == 0 {
		return
	}
	serve := func(at int, g *outJob) {
		if who := idle[at]; g == nil || g.Build != nil { // a build takes all lanes
			idle = slices.DeleteFunc(idle, func(other speaker) bool { return other == who })
		} else {
			idle = slices.Delete(idle, at, at+1)
		}
	}
	for _, g := range h.untakenJobs() {
		if at := slices.IndexFunc(idle, g.takes); at >= 0 {
			serve(at, g)
		}
	}
	for len(idle) > 0 {
		serve(0, give(idle[0]))
	}
}

// idleLanes is whose lanes wait, once for each in the order in which they came, and no more than its worker
// has. A worker that builds has none. The mutex is held.
func (h *Hub) idleLanes() (lanes []speaker) {
	many := make(map[speaker]int)
	for who, w := range h.workers {
		many[who] = w.Lanes
	}
	for _, g := range h.out {
		if g.Build != nil && !g.free(h.options.Lease) {
			delete(many, g.lane.speaker)
		}
	}
	for _, l := range h.waiting {
		if many[l.speaker] > 0 && time.Now().Before(l.until) {
			many[l.speaker]--
			lanes = append(lanes, l.speaker)
		}
	}
	return lanes
}

// untakenJobs are those that are out and nobody has, in the order in which they went out. The mutex is
// held.
func (h *Hub) untakenJobs() (all []*outJob) {
	for _, g := range h.out {
		if g.free(h.options.Lease) {
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b *outJob) int { return cmp.Compare(a.message, b.message) })
	return all
}

// free tells whether nobody has a job, or whoever had it is gone.
func (g *outJob) free(lease time.Duration) bool { return time.Since(g.kept) >= lease }

// teams is how many jobs of proofs the workers do at a time. The mutex is held.
func (h *Hub) teams() (many int) {
	for _, w := range h.workers {
		many += wire.Teams(w.Lanes)
	}
	return many
}

// enough is how many jobs of proofs are out for so many teams: a few wait, but for a lone
// one, to which the next that is told from its answer is worth more.
func enough(teams int) int {
	if teams <= 1 {
		return teams
	}
	return teams + teams/8 + 1
}

// next is a job that a worker may have, or any for the zero speaker, of the question that has the fewest
// out, and of those had none for the longest time: of proofs, if there may be one more, and nobody puts a
// part together.
func (h *Hub) next(who speaker, search bool) (best *question, j wire.Job) {
	var waiting []*question
	for _, q := range h.open {
		if q.stage == wire.Searching && !q.known() && q.believes(who.identity()) && (q.Kind != wire.Proof || search && !h.shown(q)) {
			waiting = append(waiting, q)
		}
	}
	for len(waiting) > 0 {
		at := 0
		for i, q := range waiting {
			if best := waiting[at]; cmp.Or(cmp.Compare(q.out, best.out), cmp.Compare(q.lastJob, best.lastJob)) < 0 {
				at = i
			}
		}
		if j, found := waiting[at].next(who); found {
			return waiting[at], j
		}
		waiting = append(waiting[:at], waiting[at+1:]...)
	}
	return nil, j
}

// publish has a job sent soon to whoever comes for it. The mutex is held.
func (h *Hub) publish(q *question, j wire.Job) *outJob {
	h.numbered++
	g := &outJob{Job: j, question: q, message: h.numbered}
	h.out[g.message] = g
	q.lastJob = g.message
	q.out++
	h.unsent = append(h.unsent, g)
	signal(h.send)
	return g
}

// publisher sends jobs. It does not hold the mutex meanwhile: the stream may take its time.
func (h *Hub) publisher() {
	for {
		select {
		case <-h.context.Done():
			return
		case <-h.send:
		}
		for g := h.nextUnsent(); g != nil; g = h.nextUnsent() {
			sequence, err := h.sendJob(g)
			h.sent(g, sequence, err)
		}
	}
}

// nextUnsent is a job that is out and not sent yet, nil if there is none.
func (h *Hub) nextUnsent() *outJob {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for len(h.unsent) > 0 {
		g := h.unsent[0]
		h.unsent = h.unsent[1:]
		if h.out[g.message] == g {
			return g
		}
	}
	return nil
}

func (h *Hub) sendJob(g *outJob) (sequence uint64, err error) {
	text, err := json.Marshal(wire.Delivery{Question: g.question.id, Start: h.starts, Message: g.message, Job: g.Job})
	if err != nil {
		return 0, err
	}
	ack, err := h.js.Publish(h.context, wire.SubjectJobs, text)
	if err != nil {
		return 0, err
	}
	if ack.Sequence <= h.lastPlace() {
		return 0, cmp.Or(h.remakeStream(h.context), errAnew)
	}
	return ack.Sequence, nil
}

// sent notes where a job is in the stream. One that was taken back meanwhile is removed from
// there, and one that can't be sent goes out later.
func (h *Hub) sent(g *outJob, sequence uint64, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	out := h.out[g.message] == g
	switch {
	case err != nil && out:
		h.again(g)
		if !errors.Is(err, errAnew) { // which is over by now
			g.question.unsent = &setback{beginning(err.Error()), time.Now()}
		}
		h.noticeOf(g.question.from, "a job could not be given out: %v", err)
	case err == nil && !out:
		h.remove(message{sequence, g.message, true})
	case err == nil:
		g.question.unsent = nil
		g.sequence, h.placed[sequence] = sequence, g
		h.highest = max(h.highest, sequence)
	}
}

// withdraw takes a job back. Where a worker is at it, it is told to stop. The message of one
// that is being sent goes once it was sent.
func (h *Hub) withdraw(g *outJob, stop bool) {
	if stop {
		h.forgetPart(g)
	}
	delete(h.out, g.message)
	g.kept = time.Time{} // nobody has it
	g.question.out--
	signal(h.deal)
	if g.sequence != 0 {
		delete(h.placed, g.sequence)
		h.remove(message{g.sequence, g.message, stop})
	}
}

// bySequence is the job of a message of the stream, nil if none is out. The mutex is held.
func (h *Hub) bySequence(sequence uint64) *outJob {
	return h.placed[sequence]
}

// message is one of the stream that is to go, with its number for workers, 0 where it is no
// job. Stop: who has it is told to stop.
type message struct {
	sequence, number uint64
	stop             bool
}

// remove has a message removed soon. The mutex is held.
func (h *Hub) remove(m message) {
	h.withdrawn = append(h.withdrawn, m)
	signal(h.sweep)
}

// signal wakes who waits for something to do, or will.
func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// sweeper removes messages of jobs that were taken back. It does not hold the mutex meanwhile:
// the stream may take its time.
func (h *Hub) sweeper() {
	for {
		select {
		case <-h.context.Done():
			return
		case <-h.sweep:
		}
		h.mutex.Lock()
		gone := h.withdrawn
		h.withdrawn = nil
		h.mutex.Unlock()
		for _, m := range gone {
			// The message may be gone already, and the worker too: neither matters.
			_ = h.stream.DeleteMsg(h.context, m.sequence)
			if m.stop {
				_ = h.own.Publish(wire.SubjectCancel, []byte(wire.MessageName(h.starts, m.number)))
			}
		}
	}
}

// withdrawAll takes back what is out of a question.
func (h *Hub) withdrawAll(q *question) {
	for _, g := range h.out {
		if g.question == q {
			h.withdraw(g, true)
		}
	}
}

// again takes a job back and lets it be given out anew.
func (h *Hub) again(g *outJob) {
	h.withdraw(g, false)
	if g.question.stage == wire.Searching {
		g.question.putBack(g.Job)
	}
}

// settle withdraws jobs that no longer matter, and gives out others. The mutex is held.
func (h *Hub) settle(q *question) {
	for _, g := range h.out {
		if g.question == q && !q.wanted(g.Job) {
			h.withdraw(g, true)
			q.putBack(g.Job)
		}
	}
	h.mayTidy()
	h.fill()
}

// onStarted notes the last lease of a job.
func (h *Hub) onStarted(key holder, m *nats.Msg) {
	var said wire.Started
	if err := json.Unmarshal(m.Data, &said); err != nil || said.Start != h.starts || !wire.Proper(said.Worker) {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if g := h.leased(key, said); g != nil {
		g.worker, g.nodes = speaker{key, said.Worker}, 0
	}
}

// leased is the job of which the holder of a key speaks, if it has the last lease of it; else nil.
// The mutex is held.
func (h *Hub) leased(key holder, said wire.Started) *outJob {
	g := h.out[said.Message]
	if g == nil || said.Start != h.starts || said.Job != g.Name() || key != g.lane.key || said.Delivery != g.delivery || g.delivery == 0 {
		return nil
	}
	return g
}

// giveUp has something else done about a job of which nothing comes. The mutex is held.
func (h *Hub) giveUp(g *outJob, why string) {
	if g.question.stage != wire.Searching {
		return
	}
	h.counts.GivenUp++
	if err := g.question.giveUp(h, g, why); err != nil {
		h.again(g)
		return
	}
	h.withdraw(g, true)
	h.settle(g.question)
}
