package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
	"paika/proofs"
)

// besieged is a hub with two keys, and how to reach it with one and the other. Its questions
// are prepared for ever.
func besieged(t *testing.T, change func(*Options)) (h *Hub, greedy, other *link.Link) {
	t.Helper()
	dir, files := madeKeys(t, "greedy", "other")
	h = startHub(t, dir, func(o *Options) {
		o.Address = "127.0.0.1:0"
		o.Open = func(ctx context.Context, _ proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		if change != nil {
			change(o)
		}
	})
	return h, connected(t, keyed(h, files[0])), connected(t, keyed(h, files[1]))
}

// sends sends the first piece of a file, and tells what the hub says of it.
func sends(t *testing.T, l *link.Link, name, text string) (wait, refused string) {
	t.Helper()
	return sendsOn(t, l, name, 0, text)
}

// sendsOn sends the piece at a place.
func sendsOn(t *testing.T, l *link.Link, name string, at int, text string) (wait, refused string) {
	t.Helper()
	m := nats.NewMsg(wire.SubjectUpload)
	m.Header.Set(wire.HeaderUpload, name)
	m.Header.Set(wire.HeaderOffset, strconv.Itoa(at))
	m.Data = []byte(text)
	answer, err := l.AskMessage(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Header.Get(wire.HeaderWait), answer.Header.Get(wire.HeaderError)
}

// TestOneKeySendsItsShareOfFiles, and is told of it; others send theirs.
func TestOneKeySendsItsShareOfFiles(t *testing.T) {
	_, greedy, other := besieged(t, nil)
	for i := range mostUploads {
		wait, refused := sends(t, greedy, wire.NewName(), "x")
		if i < shareOfUploads && wait != "" || i >= shareOfUploads && !strings.Contains(wait, fmt.Sprint("greedy has ", shareOfUploads, " files")) || refused != "" {
			t.Fatalf("file %d: %q, %q", i, wait, refused)
		}
	}
	if wait, refused := sends(t, other, wire.NewName(), "x"); wait+refused != "" {
		t.Errorf("another key: %s%s", wait, refused)
	}
}

// TestOneKeySendsItsShareOfBytes likewise.
func TestOneKeySendsItsShareOfBytes(t *testing.T) {
	h, greedy, other := besieged(t, func(o *Options) { o.MostPart = 10 })
	part := strings.Repeat("x", 10)
	large, small := wire.NewName(), wire.NewName()
	for _, c := range []struct {
		name string
		at   int
		text string
		full bool
	}{
		{large, 0, "123456", false}, {small, 0, "1234", false}, {small, 4, "5", true}, {wire.NewName(), 0, "1", true},
		{large, 6, "7890", false}, {small, 4, "5", true},
	} {
		wait, refused := sendsOn(t, greedy, c.name, c.at, c.text)
		if (wait != "") != c.full || c.full && !strings.Contains(wait, "greedy has 10 bytes") || refused != "" {
			t.Fatalf("%+v: %q, %q", c, wait, refused)
		}
	}
	for range 2 {
		if wait, refused := sends(t, other, wire.NewName(), part[:5]); wait+refused != "" {
			t.Errorf("another key: %s%s", wait, refused)
		}
	}
	h.mutex.Lock()
	for name, u := range h.uploads {
		if u.from == "greedy" && u.size > 0 {
			h.forget(name)
		}
	}
	h.mutex.Unlock()
	if wait, refused := sends(t, greedy, wire.NewName(), part); wait+refused != "" {
		t.Errorf("with room: %s%s", wait, refused)
	}
}

// TestAFileIsItsSenders: others add nothing to it, and make it no part of theirs.
func TestAFileIsItsSenders(t *testing.T) {
	h, greedy, other := besieged(t, nil)
	name := wire.NewName()
	sends(t, other, name, "whole")
	if wait, refused := sends(t, greedy, name, ""); wait != "" || !strings.Contains(refused, "another's") {
		t.Errorf("a piece of another: %q, %q", wait, refused)
	}
	r := result{wire.Result{Started: wire.Started{Worker: "w"}, Version: version, Question: "?", Upload: name}, "greedy"}
	if what := h.judge(&r); what.Outcome != wire.Unknown || r.Upload != "" {
		t.Errorf("a result of another: %+v", what)
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if u := h.uploads[name]; u == nil || u.size != 5 {
		t.Errorf("%+v is left of the file", u)
	}
}

// TestOneKeyAsksItsShareOfQuestions, and is told of it; others ask theirs. A hub that starts again
// knows whose they are.
func TestOneKeyAsksItsShareOfQuestions(t *testing.T) {
	ask := func(l *link.Link, i int) (s wire.State) {
		t.Helper()
		q := wire.Question{Setting: proofs.Setting{Game: fmt.Sprint(i)}, Position: "x", Claim: "x"}
		if err := l.Ask(t.Context(), wire.SubjectAsk, wire.Ask{Question: q}, &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	_, greedy, other := besieged(t, nil)
	for i := range mostUnanswered {
		s := ask(greedy, i)
		if (s.ID == "") != (i >= shareOfUnanswered) || s.ID == "" && !strings.Contains(s.Error, fmt.Sprint("greedy has ", shareOfUnanswered, " questions")) {
			t.Fatalf("question %d: %+v", i, s)
		}
	}
	if s := ask(greedy, 0); s.ID == "" {
		t.Errorf("how far one is that was asked: %+v", s)
	}
	if s := ask(other, mostUnanswered); s.ID == "" {
		t.Errorf("another key: %+v", s)
	}
}

// TestAQuestionIsOfWhoAskedIt, also for a hub that starts again, until another asks it anew.
func TestAQuestionIsOfWhoAskedIt(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	q := g.question("white-wins")
	for range 2 {
		h := startHub(t, dir, nil, g)
		if _, err := h.ask("ann", wire.Ask{Question: q}); err != nil {
			t.Fatal(err)
		}
		h.mutex.Lock()
		from := h.questions[q.ID()].from
		h.mutex.Unlock()
		if from != "ann" {
			t.Errorf("it is of %q", from)
		}
		stop := work(t, h.Inside(), "w", 1, g)
		answered(t, dial(t, h.Inside()), g, "white-wins") // the second time by what is known, sooner than the worker comes
		stop()
		h.Close()
	}
	h := startHub(t, t.TempDir(), nil)
	done := wire.Question{Setting: g.setting, Kind: wire.Verification}
	h.mutex.Lock()
	h.note(&question{Question: done, id: done.ID(), from: "ann", stage: wire.Done})
	for i := range shareOfUnanswered {
		h.note(&question{id: fmt.Sprint(i), from: "bob", stage: wire.Preparing})
	}
	h.mutex.Unlock()
	if _, err := h.ask("bob", wire.Ask{Question: done, Again: true}); !errors.Is(err, errShare) {
		t.Errorf("asked anew by who has asked enough: %v", err)
	}
}

// TestAShareOfQuestionsIsOfThoseThatGoOn: those that failed make room.
func TestAShareOfQuestionsIsOfThoseThatGoOn(t *testing.T) {
	dir, files := madeKeys(t, "ann")
	h := startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" })
	c := dial(t, keyed(h, files[0]))
	for i := range 2 * mostUnanswered {
		q := wire.Question{Setting: proofs.Setting{Game: fmt.Sprint(i)}, Position: "x", Claim: "x"}
		if _, err := c.Wait(t.Context(), q, nil); !errors.Is(err, client.ErrFailed) || strings.Contains(err.Error(), errShare.Error()) {
			t.Fatal(err)
		}
	}
	if got := len(h.Status().Questions); got > shareOfUnanswered {
		t.Errorf("%d questions are listed", got)
	}
}

// TestQuestionsThatFailedAtWorkTakeNoPlace of those that go on. One that is asked again takes one.
func TestQuestionsThatFailedAtWorkTakeNoPlace(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	h.mutex.Lock()
	failed := wire.Question{Setting: proofs.Setting{Game: "failed"}, Position: "x", Claim: "x"}
	h.note(&question{Question: failed, id: failed.ID(), from: "ann", stage: wire.Failed, noted: true})
	for i := range 2 * mostUnanswered {
		h.note(&question{id: fmt.Sprint(i), from: "ann", stage: wire.Failed, noted: true})
	}
	h.mutex.Unlock()
	fresh := wire.Question{Setting: proofs.Setting{Game: "new"}, Position: "x", Claim: "x"}
	if _, err := h.ask("ann", wire.Ask{Question: fresh}); err != nil {
		t.Fatalf("one more question: %v", err)
	}
	h.mutex.Lock()
	h.questions[fresh.ID()].noted = true // it fails soon, and is not to be forgotten then
	for i := range shareOfUnanswered {
		h.note(&question{id: fmt.Sprint(i), from: "ann", stage: wire.Preparing, noted: true})
	}
	h.mutex.Unlock()
	if _, err := h.ask("ann", wire.Ask{Question: failed, Again: true}); !errors.Is(err, errShare) {
		t.Errorf("one that failed, of who has asked enough: %v", err)
	}
}

// TestWhoAsksAgainForAQuestionThatFailedHasIt: it counts among those of that key, and no longer among the other's.
func TestWhoAsksAgainForAQuestionThatFailedHasIt(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	q := wire.Question{Setting: proofs.Setting{Game: "chess"}, Position: "x", Claim: "x"}
	h.mutex.Lock()
	h.note(&question{Question: q, id: q.ID(), from: "ann", stage: wire.Failed, noted: true})
	h.mutex.Unlock()
	_, err := h.ask("bob", wire.Ask{Question: q, Again: true})
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if from := h.questions[q.ID()].from; from != "bob" || err != nil {
		t.Errorf("it is of %q, %v", from, err)
	}
}

// TestOthersHearTheEndOfAQuestionBeforeItIsDoneAgain: who asks again and again can't keep it from them, but for a
// moment alone.
func TestOthersHearTheEndOfAQuestionBeforeItIsDoneAgain(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	q := wire.Question{Setting: proofs.Setting{Game: "chess"}, Kind: wire.Verification}
	at := &question{Question: q, id: q.ID(), from: "ann", noted: true, stage: wire.Preparing}
	h.mutex.Lock()
	h.note(at)
	h.mutex.Unlock()
	set := func(stage wire.Stage, ago time.Duration) {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		at.stage, at.ended = stage, time.Now().Add(-ago)
	}
	ask := func(key holder, of wire.Ask) wire.Stage {
		t.Helper()
		of.Question = q
		s, err := h.ask(key, of)
		if err != nil {
			t.Fatal(err)
		}
		return s.Stage
	}
	redone := func(what string) { // it fails then: the game is none
		t.Helper()
		if got := ask("bob", wire.Ask{Again: true}); got != wire.Preparing {
			t.Errorf("%s: %s when it is asked again, want %s", what, got, wire.Preparing)
		}
		for began := time.Now(); ask("bob", wire.Ask{}) != wire.Failed; time.Sleep(time.Millisecond) {
			if time.Since(began) > patience {
				t.Fatal("it goes on")
			}
		}
	}
	for _, stage := range []wire.Stage{wire.Done, wire.Failed} {
		set(wire.Preparing, 0)
		ask("ann", wire.Ask{})
		ask("bob", wire.Ask{Again: true})
		set(stage, 0)
		for range 3 {
			if stage == wire.Done {
				ask("bob", wire.Ask{Taken: true})
			}
			if got := ask("bob", wire.Ask{Again: true}); got != stage {
				t.Errorf("%s, and not all have heard it: %s when it is asked again", stage, got)
			}
		}
		if got := ask("ann", wire.Ask{}); got != stage {
			t.Errorf("who has asked first hears %s, want %s", got, stage)
		}
		redone(string(stage) + ", and all have heard it")
	}
	set(wire.Preparing, 0)
	ask("ann", wire.Ask{})
	set(wire.Done, heardWithin)
	redone("somebody never came back")
}

// TestOneKeyBringsItsShareOfWorkers, and of lanes.
func TestOneKeyBringsItsShareOfWorkers(t *testing.T) {
	h, greedy, other := besieged(t, nil)
	who := func(i int) wire.Hello {
		return wire.Hello{Worker: fmt.Sprint("w", i), Version: version, Lanes: mostLanes / shareOfWorkers}
	}
	for i := range shareOfWorkers {
		if _, err := greedy.Greet(t.Context(), who(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := greedy.Greet(t.Context(), who(shareOfWorkers)); !errors.Is(err, link.ErrRefused) || !strings.Contains(err.Error(), fmt.Sprint("greedy has ", shareOfWorkers, " workers")) {
		t.Errorf("one more: %v", err)
	}
	if _, err := greedy.Greet(t.Context(), who(0)); err != nil {
		t.Errorf("one that is there: %v", err)
	}
	if _, err := other.Greet(t.Context(), wire.Hello{Worker: "w", Version: version, Lanes: mostLanes}); err != nil {
		t.Errorf("another key: %v", err)
	}
	lanes := make(map[string]int)
	for _, w := range h.Status().Workers {
		lanes[w.Key] += w.Lanes
	}
	if lanes["greedy"] != mostLanes || lanes["other"] != mostLanes {
		t.Errorf("lanes %v, want at most %d of a key", lanes, mostLanes)
	}
}

// TestWhoBringsMoreLanesThanItsKeyMayIsTold: how many of them have jobs, and who has none is refused. One
// that is there is none of those for whom it leaves no room.
func TestWhoBringsMoreLanesThanItsKeyMayIsTold(t *testing.T) {
	_, greedy, other := besieged(t, nil)
	comes := func(l *link.Link, name string, lanes int) (cut string, err error) {
		said, err := l.Greet(t.Context(), wire.Hello{Worker: name, Version: version, Lanes: lanes})
		return said.Cut, err
	}
	for _, c := range []struct {
		name       string
		lanes      int
		cut, fails string
	}{
		{"first", mostLanes - 24, "", ""},
		{"cut", 128, "has jobs for 24 of the 128 lanes", ""},
		{"none", 128, "", fmt.Sprint("greedy has ", mostLanes, " lanes")},
		{"cut", 128, "has jobs for 24 of the 128 lanes", ""},
		{"cut", 24, "", ""},
	} {
		cut, err := comes(greedy, c.name, c.lanes)
		if !strings.Contains(cut, c.cut) || (cut == "") != (c.cut == "") {
			t.Errorf("%s: told %q, want %q", c.name, cut, c.cut)
		}
		if errors.Is(err, link.ErrRefused) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %v, want %q", c.name, err, c.fails)
		}
	}
	if cut, err := comes(other, "w", mostLanes); cut != "" || err != nil {
		t.Errorf("another key: %q, %v", cut, err)
	}
}

// TestOneKeyHasItsShareOfResultsJudged: others need not wait until its checks are over.
func TestOneKeyHasItsShareOfResultsJudged(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	many := func(key holder) (begun int) {
		for h.beginJudging(key) {
			begun++
		}
		return begun
	}
	if got := many("greedy"); got != shareOfResults {
		t.Errorf("%d results of one key, want %d", got, shareOfResults)
	}
	if !h.beginJudging("other") {
		t.Error("another has no room")
	}
	if got := many(""); got != mostResults-shareOfResults-1 {
		t.Errorf("%d without a key, want all that is left", got)
	}
	h.endJudging("greedy")
	if !h.beginJudging("greedy") {
		t.Error("there is no room where a result was judged")
	}
}

// TestAJobIsItsHoldersAlone: another key gives back nothing of it, and has no say in who has it, nor in
// what came of it.
func TestAJobIsItsHoldersAlone(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	dir, files := madeKeys(t, "greedy", "other")
	h := startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" }, g)
	other := enlist(t, keyed(h, files[1]), version)
	if _, err := dial(t, keyed(h, files[1])).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	_, answer := other.take()
	h.onStarted("greedy", told(t, answer.Started))
	h.onKept("greedy", told(t, wire.Kept{Started: answer.Started, Back: true}))
	if got := enlist(t, keyed(h, files[0]), version).send(answer, ""); got != wire.Stale {
		t.Errorf("an answer of another: %s, want %s", got, wire.Stale)
	}
	h.mutex.Lock()
	if j := h.out[answer.Message]; j == nil || j.worker.key == "greedy" || j.kept.IsZero() {
		t.Errorf("%+v: want the job to be who has it", j)
	}
	h.mutex.Unlock()
	if got := other.send(answer, ""); got != wire.Accepted {
		t.Errorf("an answer of its holder: %s, want %s", got, wire.Accepted)
	}
}

// told is a message that says something.
func told(t *testing.T, what any) *nats.Msg {
	t.Helper()
	text, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	return &nats.Msg{Data: text}
}

// takers are so many workers with a key, each by a connection of its own, that take all jobs which
// they get, say so, and never answer. It tells of each job.
func takers(t *testing.T, a link.Access, many int) (taken chan struct{}) {
	t.Helper()
	taken = make(chan struct{}, mostOut)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	t.Cleanup(func() { cancel(); group.Wait() })
	for i := range many {
		l, who := connected(t, a), wire.Hello{Worker: fmt.Sprint("taker", i), Version: version, Lanes: 1}
		if _, err := l.Greet(ctx, who); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(progress.Every(ctx, wire.Alive, func(context.Context) { l.Tell(wire.SubjectAlive, who) }))
		group.Go(func() {
			for ctx.Err() == nil {
				if d, _ := l.Next(ctx, who.Worker); d != nil {
					l.Tell(wire.SubjectKept, wire.Kept{Started: startedBy(who.Worker, d)})
					taken <- struct{}{}
				}
			}
		})
	}
	return taken
}

// TestOneKeyTakesItsShareOfJobs: its workers take what they get and never answer. The lone worker
// of another key proves alone what was asked.
func TestOneKeyTakesItsShareOfJobs(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	dir, files := madeKeys(t, "greedy", "other")
	h := startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" }, g)
	taken := takers(t, keyed(h, files[0]), shareOfWorkers)
	c := dial(t, keyed(h, files[1]))
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	for range shareOfWorkers {
		<-taken
	}
	work(t, keyed(h, files[1]), "lone", 1, g)
	answered(t, c, g, "white-wins")
}

// TestSharesOfAKeyThatAnswersNothingGoToOthers, long before the hub derives them itself.
func TestSharesOfAKeyThatAnswersNothingGoToOthers(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	dir, files := madeKeys(t, "greedy", "other")
	h := s.start(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" })
	taken := takers(t, keyed(h, files[0]), 8)
	c := dial(t, keyed(h, files[1]))
	if _, err := c.Ask(t.Context(), s.question()); err != nil {
		t.Fatal(err)
	}
	for range 8 {
		<-taken
	}
	t.Cleanup(progress.Every(t.Context(), time.Millisecond, func(context.Context) {
		h.mutex.Lock()
		for _, g := range h.out {
			if g.lane.key == "greedy" && !g.taken.IsZero() {
				g.taken = time.Now().Add(-2 * mostAlone * h.options.Lease)
			}
		}
		h.mutex.Unlock()
		h.Audit()
	}))
	atWork(t, s.brings(t, keyed(h, files[1]), "lone"))
	s.verified(t, c)
	if status := h.Status().Jobs; status.GivenUp != 0 || status.Lost < 8 {
		t.Errorf("%+v: want all shares derived by the other", status)
	}
}
