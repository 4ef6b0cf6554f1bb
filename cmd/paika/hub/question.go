package hub

import (
	"errors"
	"slices"
	"sync"
	"time"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
	"paika/proofs"
	"paika/tablebase"
)

// question is one that was asked, with how far it is.
type question struct {
	wire.Question
	id     string
	from   holder // who asked it
	noted  bool   // in the ledger
	waits  bool   // to be asked again
	taken  bool   // its answer has arrived, and counts no longer
	stage  wire.Stage
	err    string
	code   string // of that, to programs
	slices int
	began  time.Time
	ended  time.Time     // when it was over, by an answer or because it failed
	answer ledger.Answer // the last, as long as it may stand; without a question there is none

	resumed  uint64 // nodes that the ledger had of it when it was taken up
	reckoned bool   // those are, since it began
	recalled bool   // that is by a line from before the hub began, and nobody has asked since

	awaited map[holder]bool // by those who have asked, and have not heard that it is over

	out     int           // jobs
	lastJob uint64        // the message of the last one
	last    wire.Standing // when nobody may ask the pursuit

	completing *construction.Completing // what is completed before a construction, if anything
	*underway

	measured bool
	tables   uint64         // bytes of its tables, once they are measured
	named    []proofs.Table // which those are
	upper    uint64         // of its upper positions, when it was last at work, or as far as they are told by now
	within   bool           // it has a place in memory
	busy     bool           // somebody else has its tables, for which it waits
	short    shortOfRoom
	unsent   *setback // why the last job could not go out; nil where it did
}

// underway is what a question has while it is at work: nil before and after. One that is
// taken up anew has another.
type underway struct {
	pursuit
	showing
	checks sync.WaitGroup // of its parts, and loans of its tables, that go on
	inTurn []*inTurn      // parts that are checked
	split  map[string]int // positions, by identity, that somebody had split by its word since it sent a part
}

// unanswered tells whether a question takes a place among those without an answer. One that failed and
// is in no ledger takes one until it is forgotten. That any other one failed is its answer. A proof whose
// answer is looked at has one.
func (q *question) unanswered() bool {
	return q.stage != wire.Done && !q.certified() && (q.stage != wire.Failed || !q.noted)
}

// certified tells whether a question has an answer with a certificate.
func (q *question) certified() bool { return q.answer.Question != "" && q.answer.Certified() }

// is tells whether an ID is the question's.
func (q *question) is(id string) bool { return q.id == id }

// pursuedBy tells whether a question is at work by a pursuit of its own.
func (q *question) pursuedBy(p pursuit) bool {
	return q.underway != nil && q.pursuit == p && q.stage == wire.Searching
}

// constructed is the pursuit of a construction that is at work.
func (q *question) constructed() (b *building, is bool) {
	if q.underway == nil {
		return nil, false
	}
	b, is = q.pursuit.(*building)
	return b, is
}

// asker is who asked a question, or asked it again since.
func (h *Hub) asker(q *question) holder {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return q.from
}

// release leaves the memory of a question that is no longer searched, once nobody is at
// work on it. One that is over is open no more. The mutex is held.
func (h *Hub) release(q *question) {
	if q.stage.Over() {
		h.open = slices.DeleteFunc(slices.Clone(h.open), func(other *question) bool { return other == q }) // a copy: somebody may go through the list
	}
	s := q.underway
	q.underway, q.within = nil, false
	if s != nil {
		if h.early != nil && h.early.of == s {
			h.early.cancel()
		}
		h.group.Go(func() { // from within the group: Close waits
			s.checks.Wait()
			h.dropFiles()
			s.close()
		})
	}
}

// beginAsked begins a question because somebody asks it. The mutex is held.
func (h *Hub) beginAsked(q *question) { h.prepareSoon(q, q.answer.Question == "") }

// begin begins a question that nobody needs to ask: it goes on by itself. The mutex is held.
func (h *Hub) begin(q *question) { h.prepareSoon(q, false) }

// prepareSoon prepares a question, and has it searched. Anew: somebody asks it who is told at once that
// another process has its tables. The mutex is held.
func (h *Hub) prepareSoon(q *question, anew bool) {
	if q.stage != wire.Waiting {
		q.began, q.measured, q.resumed, q.reckoned = time.Now(), false, 0, false
	}
	if !slices.Contains(h.open, q) {
		h.open = append(h.open, q)
	}
	q.stage, q.err, q.code, q.waits, q.recalled, q.completing = wire.Preparing, "", "", false, false, nil
	h.spawn(func() {
		err := h.untilFree(q, anew, func() error {
			return h.untilRoom(q, func() error { return h.prepare(q) })
		})
		if err != nil && h.context.Err() == nil {
			h.fail(q, err)
		}
	})
}

// fail gives a question up, until it is asked again.
func (h *Hub) fail(q *question, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.failed(q, err)
}

// failed is fail. The mutex is held.
func (h *Hub) failed(q *question, err error) {
	q.stage, q.err, q.code, q.ended = wire.Failed, err.Error(), "", time.Now()
	if h.options.Fault != nil {
		q.code, q.err = h.options.Fault(q.Setting, err)
	}
	if errors.Is(err, inspection.ErrMemory) {
		q.code = wire.CodeMemory
	}
	h.withdrawAll(q)
	h.release(q)
	if !h.options.OneProcess { // there who asks is told, and nobody else is there
		h.noticeOf(q.from, "%v: %s", q.Question, q.err)
	}
}

// prepare has a question ready to be worked at, with what the ledger knows of it. One that fails leaves its
// place in memory: it may be tried again, and would count twice.
func (h *Hub) prepare(q *question) error {
	err := h.prepareByKind(q)
	if err != nil {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		q.within = false
		h.admit()
	}
	return err
}

func (h *Hub) prepareByKind(q *question) error {
	switch q.Kind {
	case wire.Verification:
		return h.prepareVerification(q)
	case wire.Construction:
		return h.prepareConstruction(q)
	}
	return h.prepareProof(q)
}

// noteDown has a question in the ledger, to stay.
func (h *Hub) noteDown(q *question) error {
	if q.noted {
		return nil
	}
	err := h.addQuestion(q, q.from)
	if err == nil {
		err = h.syncLedger()
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q.noted = err == nil
	return err
}

// restore gives the last answer of a question again.
func (h *Hub) restore(q *question) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q.stage, q.slices, q.ended = wire.Done, q.answer.Tables, time.Now()
	h.release(q)
}

// forgo has the last answer of a question count no more, if there is one. It is noted down that it is asked
// anew: a hub that starts again would have that answer. The mutex is held.
func (h *Hub) forgo(q *question) {
	if q.answer.Question != "" {
		q.answer, q.last, q.noted = ledger.Answer{}, wire.Standing{}, false
	}
}

// addQuestion adds to the ledger that somebody asks a question.
func (h *Hub) addQuestion(q *question, by holder) error {
	return h.ledger.Add(ledger.Entry{Question: &ledger.Question{ID: q.id, By: string(by), Question: q.Question}})
}

// endWork ends the search of a question, whose jobs are taken back. How far it has come is
// told from then on as it is now. The mutex is held.
func (h *Hub) endWork(q *question, to wire.Stage) {
	q.stage, q.last, q.upper = to, q.standing(), q.bytes()
	q.last.InFlight, q.last.Openings = 0, q.openings()
	h.withdrawAll(q)
	h.mayTidy()
}

// finish has the answer to a question put together, of which all is known.
func (h *Hub) finish(q *question) {
	h.endWork(q, wire.Writing)
	at := q.pursuit
	h.spawn(func() {
		err := h.untilRoom(q, func() error { return h.conclude(q, at) })
		if err != nil && h.context.Err() == nil {
			h.fail(q, err)
		}
	})
}

// fullPauses is how often within a lease a hub looks whether its disk has room again.
const fullPauses = 12

// untilRoom does something for a question, again and again as long as the disk is full: the
// work of days should not end by it. Who asks is told so meanwhile.
func (h *Hub) untilRoom(q *question, do func() error) error {
	for waited := false; ; waited = true {
		err := do()
		if !diskFull(err) {
			if waited {
				q.short.note(itsWork, nil)
			}
			return err
		}
		q.short.note(itsWork, err)
		h.noticeOf(h.asker(q), "%v: it waits for room: %v", q.Question, err)
		if err := progress.Wait(h.context, h.options.Lease/fullPauses); err != nil {
			return err
		}
	}
}

// busyPause is the time between two looks at whether tables are free.
const busyPause = time.Second

// untilFree prepares a question, again and again as long as somebody else has its tables: who builds
// some has the folder alone. After a new start of the hub questions may come in any order; a construction
// lets proofs have their tables first, for whom it is a moment. Where another process has them, the
// error is given at once of what is asked anew, as without a hub. Other questions wait: they would be given up
// for what passes.
func (h *Hub) untilFree(q *question, anew bool, prepare func() error) error {
	defer h.setBusy(q, nil)
	for lately := false; ; {
		contested, first := h.contested(q)
		if !first {
			err := prepare()
			after, _ := h.contested(q)
			if !errors.Is(err, tablebase.ErrLocked) || anew && !contested && !after && !lately {
				return err
			}
			lately = contested || after // the other one may be over, and not have closed them yet
			h.setBusy(q, err)
		}
		if err := progress.Wait(h.context, busyPause); err != nil {
			return err
		}
	}
}

// setBusy notes why a question waits for tables, nil if it doesn't, and says so when that begins.
func (h *Hub) setBusy(q *question, why error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if why != nil && !q.busy {
		h.noticeOf(q.from, "%v: it waits for its tables, which are in use: %v", q.Question, why)
	}
	q.busy = why != nil
}

// contested tells whether another question may have the tables of one so that it can't have them,
// and whether it is to leave them to that first.
func (h *Hub) contested(q *question) (by, first bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, other := range h.open {
		building := q.Kind == wire.Construction || other.Kind == wire.Construction
		if other == q || other.Setting != q.Setting || !building {
			continue
		}
		switch other.stage {
		case wire.Preparing, wire.Searching, wire.Writing:
			by = by || !other.waits
			first = first || q.Kind == wire.Construction && other.Kind == wire.Proof && other.stage == wire.Preparing && !other.waits && !other.busy
		}
	}
	return by, first
}

// conclude puts the answer to a question together, then writes its line.
func (h *Hub) conclude(q *question, at pursuit) error {
	line, err := at.conclude(h.context, h.proofPath(q.id), h.partPath)
	if err != nil {
		return err
	}
	line.Question, line.Seconds, line.Tables, line.Resumed = q.id, time.Since(q.began).Seconds(), q.slices, q.resumed
	if err := h.ledger.Add(ledger.Entry{Answer: &line}); err != nil {
		return err
	}
	if err := h.syncLedger(); err != nil {
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.answers[q.id] = line
	q.stage, q.ended, q.answer, q.last.Openings = wire.Done, time.Now(), line, at.openings() // by the certificate more is known of them
	h.release(q)
	return nil
}
