package hub

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
)

// answer replies to a request. Who does not wait any more asks again, and would do so for ever
// where the answer does not fit a message.
func answer(m *nats.Msg, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		return
	}
	if err := m.Respond(text); errors.Is(err, nats.ErrMaxPayload) {
		answer(m, wire.Refusal{Error: fmt.Sprintf("the answer has %d bytes: that is more than a message", len(text))})
	}
}

// onAsk takes a question up, if it is new, and tells how far it has come. What can't be taken up because the
// disk is full is at no stage, and asked again.
func (h *Hub) onAsk(key holder, m *nats.Msg) {
	var q wire.Ask
	if err := json.Unmarshal(m.Data, &q); err != nil {
		answer(m, wire.Refusal{Error: "no question"})
		return
	}
	state, err := h.ask(key, q)
	switch {
	case err == nil:
		answer(m, state)
	case diskFull(err):
		h.noticeOf(key, "%v: it waits for room: %v", q.Question, err)
		answer(m, wire.State{ID: q.ID(), Question: q.Question, Full: fmt.Sprintf("a line of the ledger (%s)", whyFull(err))})
	default:
		answer(m, wire.Refusal{Error: err.Error()})
	}
}

// mostUnanswered bounds the questions without an answer.
const mostUnanswered = 64

var (
	errTooLong  = errors.New("the question is too long")
	errSameName = errors.New("another question has the same name")
	errTooMany  = fmt.Errorf("the hub has %d questions without an answer: want it to answer those first", mostUnanswered)
)

// ask takes a question up, or what else is said of it, and tells how far it has come. What it has written
// for that is on disk then.
func (h *Hub) ask(key holder, of wire.Ask) (wire.State, error) {
	if of.TooLong() {
		return wire.State{}, errTooLong
	}
	if !of.Sound() {
		return wire.State{}, wire.ErrKind
	}
	h.mutex.Lock()
	state, err := h.askAtOnce(key, of)
	h.mutex.Unlock()
	if err == nil && (of.Taken || of.Again) {
		err = h.syncLedger() // also where it is said twice, and the line was written before
	}
	if err != nil {
		return wire.State{}, err
	}
	return state, nil
}

// askAtOnce is ask, but for what takes time. The mutex is held.
func (h *Hub) askAtOnce(key holder, of wire.Ask) (wire.State, error) {
	q := h.questions[of.ID()]
	switch {
	case of.Taken:
		return h.takeAway(q)
	case q != nil && q.Question != of.Question:
		return wire.State{}, errSameName
	case q == nil:
		if err := h.roomForQuestion(key); err != nil {
			return wire.State{}, err
		}
		q = &question{Question: of.Question, id: of.ID(), from: key}
		h.note(q)
		h.beginAsked(q)
	case q.waits:
		h.beginAsked(q)
	case q.isNews(key): // others are to hear it before anything is done again
	case q.stage == wire.Failed && of.Again:
		if !q.unanswered() && !q.certified() {
			if err := h.roomForQuestion(key); err != nil {
				return wire.State{}, err
			}
			q.from = key
		}
		h.beginAsked(q)
	case q.stage == wire.Done && (of.Again || q.recalled):
		if err := h.askAgain(key, q); err != nil {
			return wire.State{}, err
		}
	}
	q.hears(key)
	return h.stateAsked(q), nil
}

// heardWithin is how long the end of a question stays for those who wait for it, and ask again in less than a
// second. Someone might have all done again as soon as it is over, again and again, and they would wait for ever.
const heardWithin = 10 * time.Second

// isNews tells whether a question was over a moment ago, and others than a key have not heard it. The mutex is held.
func (q *question) isNews(key holder) bool {
	others := len(q.awaited)
	if q.awaited[key] {
		others--
	}
	return q.isOver() && others > 0 && time.Since(q.ended) < heardWithin
}

// hears notes what a key is told. The mutex is held.
func (q *question) hears(key holder) {
	switch {
	case q.isOver():
		delete(q.awaited, key)
	case q.awaited == nil:
		q.awaited = map[holder]bool{key: true}
	default:
		q.awaited[key] = true
	}
}

// isOver tells whether nothing is done for a question. The mutex is held.
func (q *question) isOver() bool { return q.stage == wire.Done || q.stage == wire.Failed }

// stateAsked is the state of a question, with its openings as far as they fit the answer. The mutex is held.
func (h *Hub) stateAsked(q *question) wire.State {
	s := h.state(q)
	if q.stage == wire.Searching {
		s.Openings = q.openings()
	}
	if !shown(s.Openings) {
		s.Openings = nil
	}
	return s
}

// askAgain takes up a question that has its answer. The tables may be others by now: as long as the answer
// stands it is given again, and else there is another one. The mutex is held.
func (h *Hub) askAgain(key holder, q *question) error {
	if q.Kind != wire.Proof {
		if err := h.roomForQuestion(key); err != nil {
			return err
		}
		if q.taken {
			if err := h.addQuestion(q, key); err != nil { // else a hub that starts again has it for taken
				return err
			}
			q.answer = ledger.Answer{}
		}
		q.taken, q.last = false, wire.Standing{}
	}
	q.from = key
	h.beginAsked(q)
	return nil
}

// forgetFailed forgets a question that failed and is in no ledger, if there is one of those that
// are meant.
func (h *Hub) forgetFailed(meant func(*question) bool) bool {
	failed := slices.IndexFunc(h.order, func(id string) bool {
		q := h.questions[id]
		return q.stage == wire.Failed && !q.noted && meant(q)
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
	return h.unanswered(anyOf)
}

// unanswered is the same, of those that are meant. The mutex is held.
func (h *Hub) unanswered(meant func(*question) bool) (many int) {
	for _, q := range h.questions {
		if q.unanswered() && meant(q) {
			many++
		}
	}
	return many
}

// workersCome is how long workers have to come, before who asks is told that none is there: where a
// hub starts anew, or they start together with who asks.
const workersCome = 2 * wire.Alive

// state tells how far a question has come, without the openings of a search. The mutex is held.
func (h *Hub) state(q *question) wire.State {
	s := wire.State{ID: q.id, Question: q.Question, Stage: q.stage, Error: q.err, Code: q.code, Busy: q.busy, Slices: q.slices, Resumed: q.resumed, Standing: q.last}
	switch q.stage {
	case wire.Preparing:
		s.Completing = q.completing
	case wire.Searching:
		s.Standing, s.AtHand = q.standing(), h.atHand(q)
	case wire.Done:
		s.Result, s.Seconds, s.Proof, s.Nodes, s.Resumed = q.answer.Verdict, q.answer.Seconds, q.answer.Proof, q.answer.Nodes, q.answer.Resumed
		s.Report, s.Built = q.answer.Report, q.answer.Built
		return s
	}
	lasts := time.Since(q.began)
	if q.stage == wire.Failed {
		lasts = q.ended.Sub(q.began)
	}
	s.Seconds, s.NoWorker = lasts.Seconds(), q.stage == wire.Searching && len(h.workers) == 0 && lasts > workersCome
	if q.stage != wire.Failed {
		s.Full, s.Unsent = q.short.told(h.options.Lease), q.unsent.told(h.options.Lease)
	}
	return s
}

// openingBytes is what an opening takes in a message, beside its turn and its position.
const openingBytes = 200

// shown tells whether openings fit the answer about a question.
func shown(openings []share.Opening) bool {
	bytes := 0
	for _, o := range openings {
		bytes += len(o.Turn) + len(o.Position) + openingBytes
	}
	return bytes <= mostListed
}

// lastQuestions are the states of the last questions. The mutex is held.
func (h *Hub) lastQuestions() (states []wire.State) {
	for _, id := range h.order[max(0, len(h.order)-mostShown):] {
		states = append(states, h.state(h.questions[id]))
	}
	return states
}

// fitting lists the last of some states, as many as there is room for, in bytes.
func fitting(states []wire.State, room int) []wire.State {
	list := []wire.State{}
	for _, state := range slices.Backward(states) {
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
		state.Error = beginning(state.Error)
		text, err := json.Marshal(state)
		if room -= len(text) + 1; err != nil || room < 0 {
			break
		}
		list = append(list, state)
	}
	slices.Reverse(list)
	return list
}

// beginning is that of a long text which was made to be shown: it is not escaped once more.
func beginning(text string) string {
	if len(text) <= bitboard.MostEchoed {
		return text
	}
	end := bitboard.MostEchoed
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

// onFetch sends a piece of the certificate of a question.
func (h *Hub) onFetch(_ holder, m *nats.Msg) {
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
	certified := q != nil && q.certified()
	h.mutex.Unlock()
	if !certified {
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

// statusTeller answers with what the hub is doing. Those who wait together have one answer.
type statusTeller struct {
	hub     *Hub
	waiting *queue
	text    []byte
	upTo    uint64 // the last request that was there when the text was made
}

func (s *statusTeller) tell(r request) {
	if r.number > s.upTo {
		s.upTo = s.waiting.last()
		s.text, _ = json.Marshal(s.hub.Status())
	}
	_ = r.message.Respond(s.text)
}

// mostMessage bounds a message, in bytes, where the server is inside: a result with all its turns has as many,
// and so has a status.
const mostMessage = 1 << 20

// mostShown bounds the questions, the last ones, that a status lists, and mostListed the
// bytes of what these say. With all workers they fit a message of mostStatus: where these have
// long names, there are fewer. The openings of a question have as many bytes.
const (
	mostShown  = 256
	mostListed = 512 << 10
	mostStatus = mostMessage - 4<<10 // and all else
)

// Status tells what the hub is doing.
func (h *Hub) Status() wire.Status {
	s, states := h.statusNow()
	slices.SortFunc(s.Workers, func(a, b wire.WorkerStatus) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Name, b.Name))
	})
	workers, _ := json.Marshal(s.Workers) // they are names and numbers
	s.Questions = fitting(states, min(mostListed, mostStatus-len(workers)))
	return s
}

// statusNow is what a status is made of: that takes its time, in which the mutex is not held.
func (h *Hub) statusNow() (s wire.Status, states []wire.State) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	s = wire.Status{Version: h.options.Version, Jobs: h.counts, Workers: []wire.WorkerStatus{}, Nodes: h.nodes, Memory: h.used(), Room: h.options.Room, Seconds: time.Since(h.began).Seconds()}
	s.Jobs.Out = len(h.out)
	for who, w := range h.workers {
		s.Workers = append(s.Workers, wire.WorkerStatus{Name: who.name, Key: string(who.key), Lanes: w.Lanes, Busy: w.Busy, Nodes: w.Nodes, Rate: w.rate, Rejected: w.rejected})
		s.Rate += w.rate
	}
	return s, h.lastQuestions()
}
