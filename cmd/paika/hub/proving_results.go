package hub

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/solver/proofnumber"
)

// laneRate is what is believed of the nodes of a lane in a second: twice what the fastest game has come
// to.
const laneRate = 1 << 23

// mostNodes is what is believed of the nodes of a search: what its task takes at most, and no more than the
// team that has it can have visited since.
func (g *outJob) mostNodes() uint64 {
	if g.began.IsZero() {
		return 0
	}
	return min(g.Task.MostNodes(), uint64(time.Since(g.began).Seconds()*laneRate)*uint64(max(1, g.team)))
}

// judgeProof judges the result of a search: a part once it is checked. The mutex is held.
func (h *Hub) judgeProof(q *question, proof share.Proof, r *result) (wire.Reply, func() wire.Reply) {
	switch {
	case r.Verdict == proofnumber.Undecided:
		h.forget(r.Upload)
		return h.onDisk(q, h.judgeUndecided(q, proof, r))
	case !proof.Wanted(r.Position):
		h.forget(r.Upload)
		return h.unwanted(q, proof, r), nil
	case wire.PlainName(r.Upload) && h.uploads[r.Upload] == nil:
		return wire.Reply{Outcome: wire.Failing, Reason: "the part was not sent to this hub: send it again"}, nil
	}
	size, early := int64(0), (*earlyCheck)(nil)
	if u := h.uploads[r.Upload]; u != nil {
		u.checked, size, early = true, u.size, u.early
	}
	if early != nil {
		early.file.end()
	}
	g := h.last(q, r)
	if g != nil {
		g.sent = time.Now()
		if r.Position == q.Position {
			g.turns = proof.Hints(r.Position, r.Turns)
		}
	}
	r.Turns, r.Piece, r.Built = nil, nil, nil // many may wait for a check
	at := &checking{q.underway, proof}
	at.checks.Add(1)
	return wire.Reply{}, func() wire.Reply {
		defer at.checks.Done()
		defer h.checked(g)
		return h.judgePart(q, at, r, size, early)
	}
}

// checked notes that the part of a job, or of none, is checked.
func (h *Hub) checked(g *outJob) {
	if g == nil {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	g.sent = time.Time{}
}

// checking is the proof of which a part is checked, in the search that it belongs to.
type checking struct {
	*underway
	proof share.Proof
}

// unwanted answers a part about a position to which no line of play comes that matters:
// it is decided, or nobody asked. Such parts would fill the disk and help nobody.
func (h *Hub) unwanted(q *question, proof share.Proof, r *result) wire.Reply {
	if !proof.Readable(r.Position) {
		h.turnDown(q, r)
		return wire.Reply{Outcome: wire.Rejected, Reason: "its position is none"}
	}
	if g := h.last(q, r); g != nil { // the worker has no other answer
		h.again(g)
		h.fill()
	}
	return wire.Reply{Outcome: wire.Copied}
}

// judgeUndecided takes up what a job tells that decided nothing, if it is by its last lease: once it is
// split by a word that is believed, or as many nodes are believed of it as it was to take.
func (h *Hub) judgeUndecided(q *question, proof share.Proof, r *result) wire.Reply {
	g := h.last(q, r)
	if g == nil {
		return wire.Reply{Outcome: wire.Stale}
	}
	task := g.Task
	most := g.mostNodes()
	nodes := min(r.Nodes, most)
	turns := proof.Hints(task.Position, r.Turns)
	smaller, blank := r.Smaller, len(turns) == 0
	divides := blank // it is split whatever nodes it took
	if smaller || blank && proof.Turns(task.Position, wire.MostTurns+1) <= wire.MostTurns {
		divides = q.splits(r.Worker)
		if !divides && blank {
			h.turnDown(q, r)
			return wire.Reply{Outcome: wire.Rejected, Reason: fmt.Sprintf("it has had %d positions split, and sent no part since", mostSplits)}
		}
		if smaller && !divides { // its nodes were to have done, so that these come to an end
			smaller, nodes = false, min(max(nodes, task.Nodes), most)
		}
	}
	if !divides && g.spent+nodes < g.fewest() {
		h.tooFew(g, nodes)
		return wire.Reply{Outcome: wire.Rejected, Reason: fmt.Sprintf("it came to nothing by %d nodes, of %d: the job goes out again", nodes, task.Nodes)}
	}
	nodes += g.spent
	err := h.take(q, proof, share.Result{Job: task.Job, Claim: task.Claim, Position: task.Position, Nodes: nodes, Turns: turns, Smaller: smaller}, r.Worker, wire.MessageName(r.Start, r.Message))
	if err != nil {
		return q.unkept(err)
	}
	h.withdraw(g, false)
	h.settle(q)
	return wire.Reply{Outcome: wire.Accepted}
}

// fewest is how many nodes a search takes of those that its task has, if it decides nothing: half of them
// would be few, but each lane of the team may leave a block of them unused (proofnumber.Options.Nodes).
func (g *outJob) fewest() uint64 {
	half, unused := g.Task.Nodes-g.Task.Nodes/2, proofnumber.BlockNodes*uint64(max(1, g.team))
	return half - min(half, unused)
}

// tooFew has a job go out again that came to nothing by so few nodes: it was handed out in vain. Answers
// cost nothing, and each would be a line of the ledger. The nodes count with those of the next answer, so
// that these come to an end. The mutex is held.
func (h *Hub) tooFew(g *outJob, nodes uint64) {
	if g.kept.IsZero() { // it is said twice, or the lease is over
		return
	}
	g.spent += nodes
	if !h.inVain(g) {
		h.giveBack(g, 0)
	}
}

// mostSplits is how many positions a worker has split by its word that they are too much, or without
// numbers of their turns, before it sends a part. A word costs nothing, and each such position makes
// the upper tree larger. Beyond that, it is split by the nodes that it took, as any other.
const mostSplits = 64

// splits counts a position that a worker wants split by its word, and tells whether it is. The mutex
// is held.
func (s *underway) splits(worker string) bool {
	if s.split == nil {
		s.split = make(map[string]int)
	}
	if s.split[worker] >= mostSplits || len(s.split) >= mostWorkers && s.split[worker] == 0 {
		return false
	}
	s.split[worker]++
	return true
}

// take writes a result into the ledger, with the name of the message by which its job went out,
// then into the tree. The mutex is held.
func (h *Hub) take(q *question, proof share.Proof, r share.Result, worker, message string) error {
	line := ledger.Result{Question: q.id, Tables: q.fingerprint(), Worker: bitboard.Shorten(worker), Message: message, Result: r}
	if err := h.ledger.Add(ledger.Entry{Result: &line}); err != nil {
		return err
	}
	h.nodes += r.Nodes
	h.addPart(r)
	return proof.Take(r)
}

// judgePart checks a part, unless it was found valid while it came, and takes it up if it is valid and new. The
// reply goes out once part and line are on disk.
func (h *Hub) judgePart(q *question, at *checking, r *result, size int64, early *earlyCheck) wire.Reply {
	defer func() {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		h.forget(r.Upload)
	}()
	leave, taken := h.takeTurn(at.underway, r.Position, size)
	if !taken {
		return wire.Reply{Outcome: wire.Failing, Reason: "the hub ends"}
	}
	defer leave()
	part, valid := early.found(h.context, at, r)
	h.mutex.Lock()
	what := q.wantsPart(at, r)
	h.mutex.Unlock()
	if what != wire.Accepted {
		return wire.Reply{Outcome: what}
	}
	part, err := h.check(at.proof, r, part, valid)
	if errors.Is(err, share.ErrPart) || errors.Is(err, share.ErrResult) {
		return h.reject(q, r, err)
	}
	if err == nil {
		what, err = h.accept(q, at, r, part)
	}
	if err == nil && what == wire.Accepted {
		err = h.syncLedger()
	}
	if err = cmp.Or(h.context.Err(), err); err != nil {
		h.noticeOf(r.from, "a part can't be kept: %v", err)
		return q.unkept(err)
	}
	q.short.note(itsAnswers, nil)
	return wire.Reply{Outcome: what}
}

// reject answers a part that does not show what it should. Its job goes out again.
func (h *Hub) reject(q *question, r *result, why error) wire.Reply {
	h.noticeOf(r.from, "a part of worker %s is rejected: %v", bitboard.Quote(r.Worker), why)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.turnDown(q, r)
	return wire.Reply{Outcome: wire.Rejected, Reason: why.Error()}
}

// accept keeps a valid part, then takes it up, if it is still wanted. Of one that is not,
// no file stays: one at a time is kept, so that no other line can name it.
func (h *Hub) accept(q *question, at *checking, r *result, part share.Part) (wire.Outcome, error) {
	h.keeping.Lock()
	defer h.keeping.Unlock()
	h.mutex.Lock()
	what := q.wantsPart(at, r)
	h.mutex.Unlock()
	if what != wire.Accepted {
		return what, nil
	}
	isNew, err := h.keep(r.Upload, part)
	if err == nil {
		what, err = h.takePart(q, at, r, part)
	}
	if isNew && (err != nil || what != wire.Accepted) {
		_ = os.Remove(h.partPath(part.Digest))
	}
	return what, err
}

// wantsPart is what becomes of a valid part at the moment. The mutex is held.
func (q *question) wantsPart(at *checking, r *result) wire.Outcome {
	switch {
	case q.underway == at.underway && q.stage == wire.Searching && at.proof.Wanted(r.Position):
		return wire.Accepted
	case q.stage == wire.Preparing || q.stage == wire.Searching && q.underway != at.underway: // it was taken up anew
		return wire.Failing
	case q.stage == wire.Waiting:
		return wire.Later
	}
	return wire.Copied
}

// takePart takes up a part whose file is kept.
func (h *Hub) takePart(q *question, at *checking, r *result, part share.Part) (wire.Outcome, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if what := q.wantsPart(at, r); what != wire.Accepted {
		return what, nil
	}
	found := share.Result{Claim: at.proof.Attack(), Position: r.Position, Verdict: r.Verdict, Part: part}
	if g := h.out[r.Message]; g != nil && g.question == q && g.Name() == r.Job && g.Task.Position == r.Position {
		found.Job, found.Nodes, found.Turns = g.Task.Job, min(r.Nodes, g.mostNodes()), g.turns
	}
	if err := h.take(q, at.proof, found, r.Worker, wire.MessageName(r.Start, r.Message)); err != nil {
		return wire.Failing, err
	}
	delete(at.split, r.Worker)
	h.paidBy(q, r)
	for _, g := range h.out {
		if g.question != q || g.Task.Position != r.Position {
			continue
		}
		h.shownBy(g)
		if g.message == r.Message && r.Start == h.starts { // its worker has done with it
			h.withdraw(g, false)
		}
	}
	h.settle(q) // takes back the others
	return wire.Accepted, nil
}

// check checks the file of a part, unless an early check has found it valid. More may stand in the file than was
// checked, of a piece that could not be written.
func (h *Hub) check(proof share.Proof, r *result, early share.Part, valid bool) (share.Part, error) {
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
	part := early
	if !valid || part.Bytes != info.Size() {
		if part, err = proof.Check(h.context, r.Position, r.Verdict, file, info.Size()); err != nil {
			return part, err
		}
	}
	return part, lasting.SyncFile(h.uploadPath(r.Upload))
}
