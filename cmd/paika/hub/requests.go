package hub

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/solver/proofnumber"
)

// answer replies to a request. Who does not wait any more asks again.
func answer(m *nats.Msg, value any) {
	if text, err := json.Marshal(value); err == nil {
		_ = m.Respond(text)
	}
}

// onHello refuses a worker of another version, by name.
func (h *Hub) onHello(m *nats.Msg) {
	var said wire.Hello
	if err := json.Unmarshal(m.Data, &said); err != nil || !said.Proper() {
		answer(m, wire.Refusal{Error: "no greeting of a worker"})
		return
	}
	if said.Version != h.options.Version {
		h.notice("worker %s is refused: it has version %s, the hub %s", bitboard.Quote(said.Worker), bitboard.Shorten(said.Version), h.options.Version)
		answer(m, wire.Refusal{Error: fmt.Sprintf("the hub has version %s, this worker %s: want the same", h.options.Version, bitboard.Shorten(said.Version))})
		return
	}
	h.seen(said)
	answer(m, wire.Refusal{})
}

func (h *Hub) onAlive(m *nats.Msg) {
	var said wire.Hello
	if err := json.Unmarshal(m.Data, &said); err == nil && said.Proper() && said.Version == h.options.Version {
		h.seen(said)
	}
}

// mostLanes bounds what one worker says of itself, mostWorkers how many are listed.
const (
	mostLanes   = 4096
	mostWorkers = 1024
)

// seen notes that a worker is there; with no lanes it says that it goes.
func (h *Hub) seen(said wire.Hello) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	w := h.workers[said.Worker]
	if said.Lanes <= 0 {
		delete(h.workers, said.Worker)
		return
	}
	now := time.Now()
	if w == nil {
		if len(h.workers) >= mostWorkers {
			return
		}
		w = &present{Hello: said, seen: now}
		h.workers[said.Worker] = w
	}
	if passed := now.Sub(w.seen).Seconds(); passed > 0 && said.Nodes >= w.Nodes {
		w.rate = float64(said.Nodes-w.Nodes) / passed
	}
	said.Lanes = min(said.Lanes, mostLanes)
	h.noteSearches(said)
	said.Searches = nil
	w.Hello, w.seen = said, now
	h.fill()
}

// noteSearches notes how far searches are, of those who have them. The mutex is held.
func (h *Hub) noteSearches(said wire.Hello) {
	for _, s := range said.Searches {
		if g := h.out[s.Message]; g != nil && g.Task != nil && s.Start == h.starts && g.worker == said.Worker {
			g.nodes = min(s.Nodes, mostNodes(g.Task))
		}
	}
}

// mostNodes is what is believed of the nodes of a task: what a search takes at most, and
// as much again for a part that came to nothing.
func mostNodes(t *share.Task) uint64 { return 4 * t.Nodes }

// atHand is the nodes of a question's searches that go on. The mutex is held.
func (h *Hub) atHand(q *asked) (nodes uint64) {
	for _, g := range h.out {
		if g.question == q {
			nodes += g.nodes
		}
	}
	return nodes
}

// onStarted notes the last lease of a job.
func (h *Hub) onStarted(m *nats.Msg) {
	var said wire.Started
	if err := json.Unmarshal(m.Data, &said); err != nil || said.Start != h.starts {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if g := h.out[said.Message]; g != nil && g.Name() == said.Job && said.Delivery <= mostDeliveries {
		g.delivery, g.worker, g.nodes = max(g.delivery, said.Delivery), said.Worker, 0
	}
}

// onGivenUp splits a job that was handed out again and again in vain.
func (h *Hub) onGivenUp(m *nats.Msg) {
	var advice struct {
		Sequence uint64 `json:"stream_seq"`
	}
	if err := json.Unmarshal(m.Data, &advice); err != nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if g := h.out[advice.Sequence]; g != nil {
		h.giveUp(g, fmt.Sprintf("was handed out %d times in vain", mostDeliveries))
		return
	}
	_ = h.stream.DeleteMsg(h.context, advice.Sequence) // of a job that is no longer wanted
}

// giveUp has something else done about a job of which nothing comes. The mutex is held.
func (h *Hub) giveUp(g *given, why string) {
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

// An upload is a file that a worker is sending.
type upload struct {
	size    int64
	seen    time.Time
	checked bool // its check goes on
	refused bool // it is too large
}

// mostUploads bounds the files that are sent at a time, mostIncoming their size together
// in largest parts.
const (
	mostUploads  = 1024
	mostIncoming = 4
)

// errUpload says that a file will not be taken, however often it is sent.
var errUpload = errors.New("no file that the hub takes")

// errCrowded says that it may be taken later.
var errCrowded = errors.New("files of too many bytes, or too many files, are sent at a time")

// onUpload takes a piece of a file, if it is the next one, and tells how much there is.
// Where there is no room now it gives no answer, and is asked again.
func (h *Hub) onUpload(m *nats.Msg) {
	size, err := h.addPiece(m.Header.Get(wire.HeaderUpload), m.Header.Get(wire.HeaderOffset), m.Data)
	if err != nil && !errors.Is(err, errUpload) {
		h.notice("a part can't be taken now: %v", err)
		return
	}
	out := nats.NewMsg(m.Reply)
	out.Header.Set(wire.HeaderSize, strconv.FormatInt(size, 10))
	if err != nil {
		out.Header.Set(wire.HeaderError, err.Error())
	}
	_ = m.RespondMsg(out)
}

// addPiece adds a piece to its file. It is called for one piece at a time.
func (h *Hub) addPiece(name, offset string, piece []byte) (int64, error) {
	at, err := strconv.ParseInt(offset, 10, 64)
	if err != nil || !wire.PlainName(name) {
		return 0, fmt.Errorf("%w: a piece has no name or place", errUpload)
	}
	u, size, err := h.expect(name, at, int64(len(piece)))
	if u == nil || err != nil {
		return size, err
	}
	err = writePiece(h.uploadPath(name), at, piece)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	switch {
	case h.uploads[name] != u: // it was forgotten meanwhile
		_ = os.Remove(h.uploadPath(name))
		return 0, err
	case err != nil:
		u.size -= int64(len(piece))
		h.incoming -= int64(len(piece))
	}
	return u.size, err
}

// expect makes room for a piece, if it is the next one of its file. It gives nil for
// others, and tells how much there is.
func (h *Hub) expect(name string, at, length int64) (u *upload, size int64, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	u = h.uploads[name]
	switch {
	case u == nil && len(h.uploads) >= mostUploads:
		return nil, 0, errCrowded
	case u == nil:
		u = new(upload)
		h.uploads[name] = u
	}
	u.seen = time.Now()
	switch {
	case at != u.size, u.checked: // what is checked has to stay as it is
		return nil, u.size, nil
	case u.refused || u.size+length > h.mostUpload():
		h.forget(name)
		h.uploads[name] = &upload{seen: time.Now(), refused: true}
		return nil, 0, fmt.Errorf("%w: a part of more than %d bytes", errUpload, h.mostUpload())
	case h.incoming+length > mostIncoming*h.mostUpload():
		return nil, u.size, errCrowded
	}
	u.size += length
	h.incoming += length
	return u, u.size, nil
}

// mostUpload bounds a file that is sent: as a part, or as the largest group of slices that
// is out. The mutex is held.
func (h *Hub) mostUpload() int64 {
	most := h.options.MostPart
	for _, q := range h.questions {
		if q.search == nil {
			continue
		}
		if b, is := q.pursuit.(*building); is {
			most = max(most, b.most())
		}
	}
	return most
}

// writePiece writes a piece of a file to its place.
func writePiece(path string, at int64, piece []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(piece, at)
	return errors.Join(err, file.Close())
}

// forget drops a file that was sent. The mutex is held.
func (h *Hub) forget(name string) {
	if u := h.uploads[name]; u != nil {
		h.incoming -= u.size
		delete(h.uploads, name)
		_ = os.Remove(h.uploadPath(name)) // at the latest at the next start
	}
}

// mostResults bounds the results that are judged at a time.
const mostResults = 1024

// onResult takes a result, beside others: a check takes its time. Where too many wait it
// gives no answer, and is asked again.
func (h *Hub) onResult(m *nats.Msg) {
	var r wire.Result
	if err := json.Unmarshal(m.Data, &r); err != nil {
		h.count(wire.Rejected, "")
		answer(m, wire.Reply{Outcome: wire.Rejected, Reason: "no result"})
		return
	}
	select {
	case h.judged <- struct{}{}:
	default:
		return
	}
	h.spawn(func() {
		defer func() { <-h.judged }()
		if what := h.judge(&r); what.Outcome != wire.Pending {
			h.count(what.Outcome, r.Worker)
			answer(m, what)
		}
	})
}

// count adds an outcome to the counts.
func (h *Hub) count(what wire.Outcome, worker string) {
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
		if w := h.workers[worker]; w != nil {
			w.rejected++
		}
	}
}

// judge does with a result what is to be done.
func (h *Hub) judge(r *wire.Result) wire.Reply {
	h.mutex.Lock()
	q, g := h.questions[r.Question], h.out[r.Message]
	last := h.last(q, g, r)
	switch {
	case h.underCheck(r.Upload): // of this result, or of one that counts first
		defer h.mutex.Unlock()
		return wire.Reply{Outcome: wire.Pending}
	case len(r.Position) > wire.MostText:
		defer h.mutex.Unlock()
		h.forget(r.Upload)
		return wire.Reply{Outcome: wire.Rejected, Reason: "its position is none"}
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
		h.notice("worker %s does not take a job: %s", bitboard.Quote(r.Worker), bitboard.Shorten(reason))
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

// judgeProof judges the result of a search. The mutex is held, and is let go.
func (h *Hub) judgeProof(q *asked, proof share.Proof, r *wire.Result) wire.Reply {
	g := h.out[r.Message]
	switch last := h.last(q, g, r); {
	case r.Verdict == proofnumber.Undecided:
		defer h.mutex.Unlock()
		h.forget(r.Upload)
		return h.judgeUndecided(q, proof, g, r, last)
	case !proof.Wanted(r.Position):
		defer h.mutex.Unlock()
		h.forget(r.Upload)
		return h.unwanted(q, proof, g, r)
	case wire.PlainName(r.Upload) && h.uploads[r.Upload] == nil:
		defer h.mutex.Unlock()
		return wire.Reply{Outcome: wire.Failing, Reason: "the part was not sent to this hub: send it again"}
	}
	if u := h.uploads[r.Upload]; u != nil {
		u.checked = true
	}
	at := &checking{q.search, proof}
	at.checks.Add(1)
	defer at.checks.Done()
	h.mutex.Unlock()
	return h.judgePart(q, at, r)
}

// checking is the proof of which a part is checked, in the search that it belongs to.
type checking struct {
	*search
	proof share.Proof
}

// underCheck tells whether a file is being checked. The mutex is held.
func (h *Hub) underCheck(name string) bool {
	u := h.uploads[name]
	return u != nil && u.checked
}

// last tells whether a result is by the last lease of a job of the question that is out.
// It can come before the word that this lease has begun, which goes by another subject.
func (h *Hub) last(q *asked, g *given, r *wire.Result) bool {
	return g != nil && g.question == q && g.Name() == r.Job && r.Start == h.starts && r.Delivery >= max(1, g.delivery)
}

// unwanted answers a part about a position to which no line of play comes that matters:
// it is decided, or nobody asked. Such parts would fill the disk and help nobody.
func (h *Hub) unwanted(q *asked, proof share.Proof, g *given, r *wire.Result) wire.Reply {
	if h.last(q, g, r) { // the worker has no other answer
		h.again(g)
		h.fill()
	}
	if !proof.Readable(r.Position) {
		return wire.Reply{Outcome: wire.Rejected, Reason: "its position is none"}
	}
	return wire.Reply{Outcome: wire.Copied}
}

// judgeUndecided splits the job, if the answer is by its last lease.
func (h *Hub) judgeUndecided(q *asked, proof share.Proof, g *given, r *wire.Result, last bool) wire.Reply {
	if !last {
		return wire.Reply{Outcome: wire.Stale}
	}
	task := g.Task
	nodes := min(r.Nodes, mostNodes(task))
	turns := proof.Hints(task.Position, r.Turns)
	err := h.take(q, proof, share.Result{Job: task.Job, Claim: task.Claim, Position: task.Position, Nodes: nodes, Turns: turns, Smaller: r.Smaller}, r.Worker)
	if err != nil {
		return wire.Reply{Outcome: wire.Failing, Reason: err.Error()}
	}
	h.withdraw(g, false)
	h.settle(q)
	return wire.Reply{Outcome: wire.Accepted}
}

// take writes a result into the ledger, then into the tree. The mutex is held.
func (h *Hub) take(q *asked, proof share.Proof, r share.Result, worker string) error {
	line := ledger.Result{Question: q.id, Tables: q.fingerprint(), Worker: bitboard.Shorten(worker), Result: r}
	if err := h.ledger.Add(ledger.Entry{Result: &line}); err != nil {
		return err
	}
	h.nodes += r.Nodes
	h.addPart(r)
	return proof.Take(r)
}

// judgePart checks a part, and takes it up if it is valid and new. The reply goes out
// once part and line are on disk.
func (h *Hub) judgePart(q *asked, at *checking, r *wire.Result) wire.Reply {
	defer func() {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		h.forget(r.Upload)
	}()
	select {
	case h.checks <- struct{}{}:
		defer func() { <-h.checks }()
	case <-h.context.Done():
		return wire.Reply{Outcome: wire.Failing, Reason: "the hub ends"}
	}
	part, err := h.check(at.proof, r)
	if errors.Is(err, share.ErrPart) || errors.Is(err, share.ErrResult) {
		return h.reject(q, r, err)
	}
	var what wire.Reply
	if err == nil {
		what, err = h.accept(q, at, r, part)
	}
	if err == nil && what.Outcome == wire.Accepted {
		err = h.ledger.Sync()
	}
	if err = cmp.Or(h.context.Err(), err); err != nil {
		h.notice("a part can't be kept: %v", err)
		return wire.Reply{Outcome: wire.Failing, Reason: err.Error()}
	}
	return what
}

// reject answers a part that does not show what it should. Its job goes out again.
func (h *Hub) reject(q *asked, r *wire.Result, why error) wire.Reply {
	h.notice("a part of worker %s is rejected: %v", bitboard.Quote(r.Worker), why)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if g := h.out[r.Message]; h.last(q, g, r) {
		h.again(g)
		h.fill()
	}
	return wire.Reply{Outcome: wire.Rejected, Reason: why.Error()}
}

// accept keeps a valid part, then takes it up, if it is still wanted. Of one that is not,
// no file stays: one at a time is kept, so that no other line can name it.
func (h *Hub) accept(q *asked, at *checking, r *wire.Result, part share.Part) (wire.Reply, error) {
	h.keeping.Lock()
	defer h.keeping.Unlock()
	h.mutex.Lock()
	what := q.wantsPart(at, r)
	h.mutex.Unlock()
	if what != wire.Accepted {
		return wire.Reply{Outcome: what}, nil
	}
	isNew, err := h.keep(r.Upload, part)
	if err == nil {
		what, err = h.takePart(q, at, r, part)
	}
	if isNew && (err != nil || what != wire.Accepted) {
		_ = os.Remove(h.partPath(part.Digest))
	}
	return wire.Reply{Outcome: what}, err
}

// wantsPart is what becomes of a valid part at the moment. The mutex is held.
func (q *asked) wantsPart(at *checking, r *wire.Result) wire.Outcome {
	switch {
	case q.search == at.search && q.stage == wire.Searching && at.proof.Wanted(r.Position):
		return wire.Accepted
	case q.stage == wire.Preparing || q.stage == wire.Searching && q.search != at.search: // it was taken up anew
		return wire.Failing
	}
	return wire.Copied
}

// takePart takes up a part whose file is kept.
func (h *Hub) takePart(q *asked, at *checking, r *wire.Result, part share.Part) (wire.Outcome, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if what := q.wantsPart(at, r); what != wire.Accepted {
		return what, nil
	}
	found := share.Result{Claim: at.proof.Attack(), Position: r.Position, Verdict: r.Verdict, Part: part}
	if g := h.out[r.Message]; g != nil && g.question == q && g.Name() == r.Job && g.Task.Position == r.Position {
		found.Job, found.Nodes = g.Task.Job, min(r.Nodes, mostNodes(g.Task))
	}
	if err := h.take(q, at.proof, found, r.Worker); err != nil {
		return wire.Failing, err
	}
	for _, g := range h.out {
		if g.question == q && g.Task.Position == r.Position {
			h.withdraw(g, g.message != r.Message || r.Start != h.starts)
		}
	}
	h.settle(q)
	return wire.Accepted, nil
}

// check checks the file of a part.
func (h *Hub) check(proof share.Proof, r *wire.Result) (share.Part, error) {
	if !wire.PlainName(r.Upload) {
		return share.Part{}, fmt.Errorf("%w: no file was sent", share.ErrPart)
	}
	file, err := os.Open(h.uploadPath(r.Upload))
	if errors.Is(err, os.ErrNotExist) {
		return share.Part{}, fmt.Errorf("%w: no file was sent", share.ErrPart)
	}
	if err != nil {
		return share.Part{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return share.Part{}, err
	}
	part, err := proof.Check(h.context, r.Position, r.Verdict, file, info.Size())
	if err != nil {
		return part, err
	}
	return part, lasting.SyncFile(h.uploadPath(r.Upload))
}

// onAsk takes a question up, if it is new, and tells how far it has come.
func (h *Hub) onAsk(m *nats.Msg) {
	var q wire.Ask
	if err := json.Unmarshal(m.Data, &q); err != nil {
		answer(m, wire.Refusal{Error: "no question"})
		return
	}
	state, err := h.ask(q)
	if err != nil {
		answer(m, wire.Refusal{Error: err.Error()})
		return
	}
	answer(m, state)
}

// mostUnanswered bounds the questions without an answer.
const mostUnanswered = 64

var (
	errTooLong  = errors.New("the question is too long")
	errSameName = errors.New("another question has the same name")
	errTooMany  = fmt.Errorf("the hub has %d questions without an answer: want it to answer those first", mostUnanswered)
)

func (h *Hub) ask(of wire.Ask) (wire.State, error) {
	if of.TooLong() {
		return wire.State{}, errTooLong
	}
	if !of.Sound() {
		return wire.State{}, wire.ErrKind
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q := h.questions[of.ID()]
	switch {
	case of.Taken:
		return h.takeAway(q)
	case q != nil && q.Question != of.Question:
		return wire.State{}, errSameName
	case q == nil:
		if !h.room() {
			return wire.State{}, errTooMany
		}
		q = &asked{Question: of.Question, id: of.ID()}
		h.note(q)
		h.begin(q)
	case q.waits, q.stage == wire.Failed && of.Again:
		h.begin(q)
	case q.Kind != wire.Proof && q.stage == wire.Done && of.Again: // the tables may be others by now
		q.noted, q.taken = false, false
		h.begin(q)
	}
	return h.state(q), nil
}

// room tells whether the hub takes another question. It forgets one that failed and is
// in no ledger, if it must.
func (h *Hub) room() bool {
	if h.unanswered() < mostUnanswered {
		return true
	}
	failed := slices.IndexFunc(h.order, func(id string) bool {
		q := h.questions[id]
		return q.stage == wire.Failed && !q.noted
	})
	if failed < 0 {
		return false
	}
	delete(h.questions, h.order[failed])
	h.order = slices.Delete(h.order, failed, failed+1)
	return true
}

// Unanswered is how many questions have no answer.
func (h *Hub) Unanswered() int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.unanswered()
}

// unanswered is the same. The mutex is held.
func (h *Hub) unanswered() (many int) {
	for _, q := range h.questions {
		if q.stage != wire.Done {
			many++
		}
	}
	return many
}

// state tells how far a question has come. The mutex is held.
func (h *Hub) state(q *asked) wire.State {
	s := wire.State{ID: q.id, Question: q.Question, Stage: q.stage, Error: q.err, Cramped: q.stage == wire.Failed && q.cramped, Slices: q.slices, Standing: q.last}
	switch q.stage {
	case wire.Searching:
		s.Standing, s.AtHand = q.standing(), h.atHand(q)
	case wire.Done:
		s.Result, s.Seconds, s.Proof, s.Nodes = q.answer.Verdict, q.answer.Seconds, q.answer.Proof, q.answer.Nodes
		s.Report, s.Built = q.answer.Report, q.answer.Built
		return s
	}
	s.Seconds = time.Since(q.began).Seconds()
	return s
}

// lastQuestions lists the last questions, as many as a status has room for. The mutex is
// held.
func (h *Hub) lastQuestions() []wire.State {
	list := []wire.State{}
	bytes := 0
	for _, id := range slices.Backward(h.order[max(0, len(h.order)-mostShown):]) {
		state := h.state(h.questions[id])
		state.Openings = nil
		if r := state.Report; r != nil {
			short := *r
			short.Findings = nil
			state.Report = &short
		}
		if b := state.Built; b != nil {
			short := *b
			short.Slices = nil
			state.Built = &short
		}
		state.Error = bitboard.Shorten(state.Error)
		text, err := json.Marshal(state)
		if bytes += len(text); err != nil || bytes > mostListed {
			break
		}
		list = append(list, state)
	}
	slices.Reverse(list)
	return list
}

// onFetch sends a piece of the certificate of a question.
func (h *Hub) onFetch(m *nats.Msg) {
	piece, err := h.piece(m.Data)
	out := nats.NewMsg(m.Reply)
	out.Data = piece
	if err != nil {
		out.Header.Set(wire.HeaderError, err.Error())
	}
	_ = m.RespondMsg(out)
}

func (h *Hub) piece(request []byte) ([]byte, error) {
	var f wire.Fetch
	if err := json.Unmarshal(request, &f); err != nil {
		return nil, err
	}
	h.mutex.Lock()
	q := h.questions[f.Question]
	done := q != nil && q.stage == wire.Done
	h.mutex.Unlock()
	if !done {
		return nil, errors.New("there is no certificate")
	}
	file, err := os.Open(h.proofPath(f.Question))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	piece := make([]byte, wire.PieceBytes)
	n, err := file.ReadAt(piece, f.Offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return piece[:n], err
}

func (h *Hub) onStatus(m *nats.Msg) { answer(m, h.Status()) }

// mostShown bounds the questions, the last ones, that a status lists, and mostListed the
// bytes of what these say: with all workers they fit a message.
const (
	mostShown  = 256
	mostListed = 512 << 10
)

// Status tells what the hub is doing.
func (h *Hub) Status() wire.Status {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	s := wire.Status{Version: h.options.Version, Questions: []wire.State{}, Jobs: h.counts, Workers: []wire.WorkerStatus{}, Nodes: h.nodes, Memory: h.used(), Room: h.options.Room, Seconds: time.Since(h.began).Seconds()}
	s.Jobs.Out = len(h.out)
	s.Questions = h.lastQuestions()
	for _, w := range h.workers {
		s.Workers = append(s.Workers, wire.WorkerStatus{Name: w.Worker, Lanes: w.Lanes, Busy: w.Busy, Nodes: w.Nodes, Rate: w.rate, Rejected: w.rejected})
		s.Rate += w.rate
	}
	slices.SortFunc(s.Workers, func(a, b wire.WorkerStatus) int { return cmp.Compare(a.Name, b.Name) })
	return s
}
