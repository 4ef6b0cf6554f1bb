package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"paika/bitboard"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
	"paika/tablebase/verify"
)

// verifying is the pursuit of a verification.
type verifying struct {
	hub          *Hub
	q            *question
	game         inspection.Game
	verification inspection.Verification // nil where the tables can't be opened
	inspection   *inspection.Inspection
	lent         string                        // the fingerprint of all tables
	lists        map[proofs.Table]verify.Table // those that are lent
	report       *inspection.Report            // once it is known

	ownWork // derives here what workers do not agree on
}

// prepareVerification reads all tables, once there is memory for them, and takes up what the ledger knows
// of pieces of them.
func (h *Hub) prepareVerification(q *question) error {
	if h.options.Tables == nil {
		return wire.ErrKind
	}
	game, err := h.options.Tables(q.Setting)
	if err != nil {
		return err
	}
	switch fits, err := h.admitVerification(q, game); {
	case err != nil:
		return err
	case !fits:
		h.awaitRoom(q)
		return nil
	}
	at, err := h.openTables(q, game)
	if err == nil && at.stands() {
		at.close()
		h.restore(q)
		return nil
	}
	if err == nil {
		h.mutex.Lock()
		h.forgo(q)
		h.mutex.Unlock()
		err = at.retell()
	}
	if err = cmp.Or(err, h.context.Err()); err == nil {
		err = h.noteDown(q)
	}
	if err != nil {
		at.close()
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q.underway, q.slices, q.stage = &underway{pursuit: at}, len(at.lists), wire.Searching
	at.begin(h, q, func() error {
		return at.chores(h, q, at.chore)
	})
	h.fill()
	return nil
}

// admitVerification counts what a verification takes, if that fits. Tables too damaged to be opened take
// nothing.
func (h *Hub) admitVerification(q *question, game inspection.Game) (fits bool, err error) {
	bytes, err := game.Memory()
	if err != nil && !errors.Is(err, tablebase.ErrDamaged) {
		return false, err
	}
	return h.admitWhole(q, bytes)
}

// openTables opens the tables of a game and reads them. Tables too damaged to be opened
// are a finding.
func (h *Hub) openTables(q *question, game inspection.Game) (at *verifying, err error) {
	at = &verifying{hub: h, q: q, game: game, lists: make(map[proofs.Table]verify.Table), ownWork: newOwnWork(h.context)}
	at.verification, err = at.game.Begin(h.context, nil)
	terms := inspection.Terms{Setting: q.Setting, Version: h.options.Version, Indices: h.options.Indices, Audited: h.options.Audited}
	switch {
	case errors.Is(err, tablebase.ErrDamaged):
		at.verification, at.report = nil, &inspection.Report{Unopened: err.Error()}
		at.inspection = inspection.Inspect(nil, terms)
		return at, nil
	case err != nil:
		at.verification = nil
		return at, err
	}
	terms.Counts = at.verification.Indices
	at.inspection = inspection.Inspect(at.verification.Groups(), terms)
	at.lent = at.inspection.Tables()
	for _, g := range at.verification.Groups() {
		for _, t := range g.Tables {
			at.lists[wire.LentTable(t)] = t
		}
	}
	return at, nil
}

// stands tells whether the last answer is about the tables that were read now, and did not arrive.
func (at *verifying) stands() bool {
	last, unopened := at.q.answer.Report, ""
	if at.report != nil {
		unopened = at.report.Unopened
	}
	return last != nil && last.Shared.Tables == at.lent && last.Unopened == unopened
}

// retell takes up what the ledger knows since the last answer.
func (at *verifying) retell() error {
	var lines []*ledger.Piece
	err := at.hub.ledger.Of(at.q.is, func(e ledger.Entry) {
		switch {
		case e.Piece != nil:
			lines = append(lines, e.Piece)
		case e.Answer != nil:
			lines = nil
		}
	})
	for _, p := range lines {
		at.inspection.Recall(p.Worker, p.Job, p.Answer)
	}
	at.inspection.Resume()
	return err
}

func (at *verifying) next(speaker) (wire.Job, bool) {
	task, found := at.inspection.Next()
	return wire.Job{Piece: &task, Tables: at.lent}, found
}

func (at *verifying) putBack(j wire.Job)     { at.inspection.Return(j.Piece.Job) }
func (at *verifying) wanted(j wire.Job) bool { return at.inspection.Wanted(j.Piece.Job) }
func (at *verifying) awaits(job string) bool { return at.inspection.Wanted(job) }
func (at *verifying) known() bool            { return at.inspection.Known() }
func (at *verifying) stuck() error           { return nil }

func (at *verifying) believes(worker string) bool { return at.inspection.Believes(worker) }

func (at *verifying) openings() []share.Opening { return nil }

func (at *verifying) standing() wire.Standing {
	p := at.inspection.Progress()
	return wire.Standing{Pieces: &p}
}

// judge takes up the answer of a worker. The reply goes out once its line is on disk.
func (at *verifying) judge(h *Hub, _ *question, r *result) (wire.Reply, func() wire.Reply) {
	return h.onDisk(at.q, at.take(r))
}

// take takes up an answer, and gives out other jobs. The mutex is held.
func (at *verifying) take(r *result) wire.Reply {
	h := at.hub
	h.forget(r.Upload)
	if r.Piece == nil {
		h.turnDown(at.q, r)
		return wire.Reply{Outcome: wire.Rejected, Reason: "it is no answer of a worker to a piece"}
	}
	r.Piece.First = bitboard.Shorten(r.Piece.First)
	what, reason := at.inspection.Judge(r.Worker, r.Job, r.Piece)
	if what == inspection.Taken {
		line := ledger.Piece{Question: at.q.id, Job: r.Job, Worker: r.Worker, Answer: *r.Piece}
		if h.options.OneProcess {
			line.Worker = ""
		}
		if err := h.ledger.Add(ledger.Entry{Piece: &line}); err != nil {
			return at.q.unkept(err)
		}
		h.noticeFinding(r)
	}
	h.takePiece(at.q, at.inspection, r, what)
	if what == inspection.Taken && h.options.OneProcess {
		at.inspection.Decide(r.Job, *r.Piece)
	}
	at.giveBack(r)
	return pieceReply(what, reason)
}

// giveBack takes back the job of a result, whether or not it helped, and gives out others.
// The mutex is held.
func (at *verifying) giveBack(r *result) {
	if g := at.hub.last(at.q, r); g != nil {
		at.hub.again(g)
	}
	at.wake()
	at.hub.settle(at.q)
}

// giveUp has the piece derived here.
func (at *verifying) giveUp(h *Hub, g *outJob, why string) error {
	h.noticeOf(g.lane.key, "the job of %v %s, and the hub does it itself", g.Piece, why)
	at.inspection.Spare(g.Piece.Job)
	at.wake()
	return nil
}

// chore is a piece to be derived here, nil if there is none. It is over when the question is
// no longer at work.
func (at *verifying) chore() (over bool, do func() error) {
	at.hub.mutex.Lock()
	defer at.hub.mutex.Unlock()
	if !at.q.pursuedBy(at) {
		return true, nil
	}
	for _, task := range at.inspection.Ours(1) {
		do = func() error { return at.derive(task) }
	}
	return false, do
}

// derive derives a piece here, and takes it up.
func (at *verifying) derive(task inspection.Task) error {
	if err := at.bring(task.Group, at.verification.Load, at.game); err != nil {
		return err
	}
	h := at.hub
	answer, err := task.Do(at.context, at.pieces, h.options.Workers, func(uint64) {})
	if err != nil {
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if err := h.ledger.Add(ledger.Entry{Piece: &ledger.Piece{Question: at.q.id, Job: task.Job, Answer: answer}}); err != nil {
		return err
	}
	if worker := at.inspection.Decide(task.Job, answer); worker != "" {
		h.believeNoMore(at.q, worker, fmt.Sprintf("was wrong about %v", task))
	}
	h.settle(at.q)
	return nil
}

func (at *verifying) conclude(ctx context.Context, _ string, _ func(string) string) (ledger.Answer, error) {
	at.wake()
	at.end()
	if at.report == nil {
		report, err := at.inspection.Settle(ctx, at.verification)
		if err != nil {
			return ledger.Answer{}, err
		}
		at.report = report
	}
	verdict := proofnumber.Refuted
	if at.report.OK() {
		verdict = proofnumber.Proved
	}
	return ledger.Answer{Verdict: verdict, Report: at.report}, nil
}

func (at *verifying) fingerprint() string { return at.lent }

// bytes is what deriving a group here takes, and the table of a file.
func (at *verifying) bytes() uint64 { return at.q.upper }

func (at *verifying) needed() []proofs.Table { return lentTables(at.inspection.Needed()) }

// lentTables is how tables are asked for.
func lentTables(of []verify.Table) (tables []proofs.Table) {
	for _, t := range of {
		tables = append(tables, wire.LentTable(t))
	}
	return tables
}

// file is a name that no table of a proof has, whose file is another.
func (at *verifying) file(t proofs.Table) string { return valuesFile(t) }

// valuesFile is the name of the file of a table's values as they are stored.
func valuesFile(t proofs.Table) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "values of %s in %s as they are stored: %s", t.Slice, t.Metric, t.Checksum))
	return hex.EncodeToString(sum[:])
}

func (at *verifying) export(ctx context.Context, t proofs.Table, out io.Writer) error {
	table, there := at.lists[t]
	if !there {
		return unlisted(t)
	}
	return at.verification.Write(ctx, table, out)
}

func (at *verifying) load(ctx context.Context, t proofs.Table, into *bitboard.Table) error {
	table, there := at.lists[t]
	if !there {
		return unlisted(t)
	}
	return at.verification.Load(ctx, table, into)
}

func (at *verifying) close() {
	at.cancel()
	at.end()
	if at.verification != nil {
		_ = at.verification.Close() // it was read from alone
	}
}

// takeAway notes that the answer to a verification or a construction has arrived. The
// mutex is held.
func (h *Hub) takeAway(q *question) (wire.State, error) {
	if q == nil || q.Kind == wire.Proof || q.stage != wire.Done {
		return wire.State{}, errNoAnswer
	}
	if q.taken {
		return h.state(q), nil
	}
	if err := h.ledger.Add(ledger.Entry{Taken: &ledger.Taken{Question: q.id}}); err != nil {
		return wire.State{}, err
	}
	q.taken = true
	return h.state(q), nil
}

var errNoAnswer = errors.New("there is no answer to be taken")
