package hub

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"paika/bitboard"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// proving is the pursuit of a proof.
type proving struct {
	site  share.Site
	proof share.Proof
	teams func() int // that workers search with
	leave func()     // says that the site is no longer used here
}

func (p *proving) next(speaker) (wire.Job, bool) {
	task, found := p.proof.Next(p.teams())
	return wire.Job{Task: &task}, found
}

func (p *proving) putBack(j wire.Job)      { p.proof.Return(*j.Task) }
func (p *proving) wanted(j wire.Job) bool  { return p.proof.Wanted(j.Task.Position) }
func (p *proving) awaits(string) bool      { return true } // it has a part, or would have ended
func (p *proving) known() bool             { return p.proof.Verdict() != proofnumber.Undecided }
func (p *proving) stuck() error            { return p.proof.Stuck() }
func (p *proving) believes(string) bool    { return true } // its parts are checked
func (p *proving) standing() wire.Standing { return wire.Standing{Progress: p.proof.Progress()} }

func (p *proving) openings() []share.Opening { return p.proof.Openings() }

func (p *proving) judge(h *Hub, q *question, r *result) (wire.Reply, func() wire.Reply) {
	return h.judgeProof(q, p.proof, r)
}

// giveUp splits the job.
func (p *proving) giveUp(h *Hub, g *outJob, why string) error {
	h.noticeOf(g.lane.key, "the job at %s %s and is split", g.Task.Position, why)
	return h.take(g.question, p.proof, share.Result{Job: g.Task.Job, Claim: g.Task.Claim, Position: g.Task.Position, Smaller: true}, "nobody", "")
}

func (p *proving) conclude(ctx context.Context, file string, part func(digest string) string) (ledger.Answer, error) {
	written, err := p.proof.Write(ctx, file, part)
	if err != nil {
		return ledger.Answer{}, err
	}
	return ledger.Answer{Verdict: p.proof.Verdict(), Nodes: p.proof.Progress().Nodes, Proof: written}, nil
}

func (p *proving) fingerprint() string        { return p.site.Tables() }
func (p *proving) needed() []proofs.Table     { return p.site.Named() }
func (p *proving) file(t proofs.Table) string { return t.Checksum }
func (p *proving) bytes() uint64              { return p.proof.Bytes() }
func (p *proving) close()                     { p.leave() }

func (p *proving) export(ctx context.Context, t proofs.Table, out io.Writer) error {
	return p.site.Export(ctx, t, out)
}

// load has none: workers of this process have the hub's site.
func (p *proving) load(_ context.Context, t proofs.Table, _ *bitboard.Table) error {
	return unlisted(t)
}

// prepareProof loads the tables of a question, and tells its tree what the ledger knows.
// Where there is no memory it waits. Of one that has an answer which stands, that is all.
func (h *Hub) prepareProof(q *question) error {
	if over, err := h.review(q); over || err != nil {
		return err
	}
	s, err := h.occupy(q)
	if errors.Is(err, errRoom) {
		return nil
	}
	if err != nil {
		return err
	}
	proof, err := h.openProof(q, s.site)
	if err != nil {
		h.vacate(q.Setting, s)
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if !q.reckoned {
		q.resumed, q.reckoned = proof.Progress().Nodes, true
	}
	q.underway, q.slices, q.stage = &underway{pursuit: &proving{s.site, proof, h.teams, func() { h.vacate(q.Setting, s) }}}, s.site.Slices(), wire.Searching
	h.fill()
	return nil
}

// review looks at the answer that a question has, if it has one, and tells whether it is over by that.
// Where the tables can't be measured, nothing is known against the answer. The error is that there is no
// room for one more question to be worked at.
func (h *Hub) review(q *question) (over bool, err error) {
	if !q.certified() {
		return false, nil
	}
	stands, err := h.stands(q)
	if err != nil {
		h.noticeOf(h.asker(q), "%v: its answer is given without a look at the tables that it rests on: %v", q.Question, err)
	}
	if stands || err != nil {
		h.restore(q)
		return true, nil
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if err := h.roomForQuestion(q.from); err != nil {
		return false, err
	}
	h.noticeOf(q.from, "%v: the certificate of its answer is not whole, or rests on other tables than there are: it is searched for again", q.Question)
	h.forgo(q)
	return false, nil
}

// stands tells whether the certificate of a question's answer is whole, and the tables that it rests on are
// there. It names them itself: tables that came later are not among them.
func (h *Hub) stands(q *question) (bool, error) {
	path := h.proofPath(q.id)
	if !h.whole(path, q.answer.Proof) {
		return false, nil
	}
	of, err := header(path)
	if err != nil || len(of.Tables) == 0 || h.options.Measure == nil {
		return err == nil, nil
	}
	err = h.measure(q)
	return !slices.ContainsFunc(of.Tables, func(t proofs.Table) bool { return !slices.Contains(q.named, t) }), err
}

// openProof begins the proof of a question, and tells it what the ledger knows.
func (h *Hub) openProof(q *question, site share.Site) (share.Proof, error) {
	proof, err := site.Proof(share.Question{
		Position: q.Position, Claim: q.Claim, Version: h.options.Version, Least: h.options.Least, Most: h.options.Most,
		Workers: h.options.Workers, Memory: h.options.Memory, Borrow: h.lend,
	})
	if err != nil {
		return nil, err
	}
	missing, left, err := h.retell(q, site, proof)
	if err = cmp.Or(h.context.Err(), err); err != nil {
		return nil, err
	}
	if left > 0 {
		h.noticeOf(q.from, "%v: results of other questions for which memory is too short, and without which it is searched: %d", q.Question, left)
	}
	if missing > 0 {
		h.noticeOf(q.from, "%v: parts of the ledger that are missing or damaged, and are searched for again: %d", q.Question, missing)
	}
	return proof, h.noteDown(q)
}

// retell tells a proof what the ledger knows of its claim, and how many parts of that are missing. Results of
// other questions, of which nobody knows whether it comes to their positions, are left out where they would take
// too much.
func (h *Hub) retell(q *question, site share.Site, proof share.Proof) (missing, left int, err error) {
	err = h.ledger.Of(h.mayBeAt(q.Setting), func(e ledger.Entry) {
		r := e.Result
		if r == nil || r.Claim != proof.Attack() || r.Tables != site.Tables() || h.setting(r) != q.Setting || h.context.Err() != nil {
			return
		}
		own := r.Question == q.id
		if fits := h.weigh(q, proof.Bytes()); !fits && !own {
			left++
			return
		}
		if r.Verdict != proofnumber.Undecided && !h.whole(h.partPath(r.Part.Digest), r.Part) {
			missing++
			return
		}
		take := proof.TakeOther
		if own {
			take = proof.Take
		}
		_ = take(r.Result) // what makes no sense tells nothing
	})
	return missing, left, err
}

// weigh counts what a question that is being prepared takes by now, beside its tables, and tells whether that is
// less than half of what others leave.
func (h *Hub) weigh(q *question, bytes uint64) (fits bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q.upper = max(q.upper, bytes)
	others := h.used()
	if q.within {
		others -= q.upper
	}
	return h.options.Room == 0 || bytes <= (h.options.Room-min(h.options.Room, others))/2
}

// mayBeAt tells of which questions results may be of a setting: those that are asked at it, and those
// of which the ledger has no question.
func (h *Hub) mayBeAt(at proofs.Setting) func(question string) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	settings := make(map[string]proofs.Setting, len(h.questions))
	for id, q := range h.questions {
		settings[id] = q.Setting
	}
	return func(question string) bool {
		s, asked := settings[question]
		return !asked || s == at
	}
}

// setting is that of a result of the ledger.
func (h *Hub) setting(r *ledger.Result) proofs.Setting {
	if r.Setting != nil {
		return *r.Setting
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if q := h.questions[r.Question]; q != nil {
		return q.Setting
	}
	return proofs.Setting{}
}
