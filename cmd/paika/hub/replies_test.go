package hub

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
)

// handled waits until the hub has handled what was sent before on a subject, and what it has
// said of it is at the server.
func (r *rogue) handled(h *Hub, subject string) {
	r.Helper()
	if _, err := r.link.AskMessage(r.Context(), &nats.Msg{Subject: subject}); err != nil {
		r.Fatal(err)
	}
	if err := h.own.Flush(); err != nil {
		r.Fatal(err)
	}
}

// TestAHubAnswersInboxesAlone: what it publishes as an answer nobody denies it. By the reply
// of a request one would do what one may not, be it to delete all jobs.
func TestAHubAnswersInboxesAlone(t *testing.T) {
	h, r := alone(t)
	_, answer := r.receive()
	for _, subject := range []string{wire.SubjectHello, wire.SubjectUpload, wire.SubjectResult, wire.SubjectAsk, wire.SubjectFetch, wire.SubjectStatus, wire.SubjectTables} {
		for _, reply := range []string{wire.SubjectJobs, wire.SubjectCancel, "$JS.API.STREAM.PURGE." + wire.Stream, "$JS.API.STREAM.DELETE." + wire.Stream} {
			if err := r.link.PublishMsg(&nats.Msg{Subject: wire.By(subject, h.worker.Name), Reply: reply, Data: []byte("x")}); err != nil {
				t.Fatal(err)
			}
		}
		r.handled(h, subject)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	info, err := h.stream.Info(ctx)
	if err != nil || info.State.Msgs != 1 {
		t.Fatalf("%+v, %v: want the one job", info, err)
	}
	if got := r.send(answer, ""); got != wire.Accepted {
		t.Errorf("its result: %s, want %s", got, wire.Accepted)
	}
}

// TestStrangeMessagesAreNoJobs: jobs go to inboxes alone.
func TestStrangeMessagesAreNoJobs(t *testing.T) {
	h, r := alone(t)
	_, answer := r.receive()
	h.mutex.Lock()
	lease := h.out[answer.Message].lease.message.Reply()
	h.mutex.Unlock()
	for _, reply := range []string{wire.SubjectJobs, lease, wire.By(wire.SubjectJobs, "x")} {
		ask := &nats.Msg{Subject: wire.By(wire.SubjectNext, h.worker.Name), Reply: reply}
		if err := r.link.PublishMsg(ask); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r.handled(h, wire.SubjectStatus)
	if info, err := h.stream.Info(ctx); err != nil || info.State.Msgs != 1 {
		t.Errorf("%+v, %v: want the one job", info.State, err)
	}
}

// TestEveryLaneMayWaitForAJob: who is turned away asks again at once, and for ever.
func TestEveryLaneMayWaitForAJob(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	r := newRogue(t, h)
	inbox := r.link.NewInbox()
	if _, err := r.link.SubscribeSync(inbox); err != nil {
		t.Fatal(err)
	}
	for range mostLanes {
		if err := r.link.PublishMsg(&nats.Msg{Subject: wire.By(wire.SubjectNext, h.worker.Name), Reply: inbox}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.link.Flush(); err != nil {
		t.Fatal(err)
	}
	for waiting := 0; waiting < mostLanes; {
		h.mutex.Lock()
		waiting = len(h.waiting)
		h.mutex.Unlock()
		runtime.Gosched()
	}
}

// A manifoldProof has so many openings, and counts how often these are told.
type manifoldProof struct {
	share.Proof
	openings int
	told     *atomic.Int32
}

func (p manifoldProof) Openings() []share.Opening {
	p.told.Add(1)
	all := make([]share.Opening, p.openings)
	for i := range all {
		all[i] = share.Opening{Turn: "a1-a2", Position: strings.Repeat(".", 1000)}
	}
	return all
}

// TestAnAnswerFitsAMessage: Phutball has positions with thousands of turns. Who asks about one
// would wait for ever. So it is once the question is over. A status has none of them written.
func TestAnAnswerFitsAMessage(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	for many, want := range map[int]int{10: 10, 10_000: 0} {
		var told atomic.Int32
		wide := *g
		wide.open = func(ctx context.Context) (share.Site, error) {
			site, err := g.open(ctx)
			return changedSite{site, func(p share.Proof) share.Proof { return manifoldProof{p, many, &told} }}, err
		}
		h := startHub(t, t.TempDir(), nil, &wide)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		_, err := dial(t, h.Inside()).Wait(ctx, g.question("white-wins"), func(s wire.State) {
			if s.Stage == wire.Searching {
				if len(s.Openings) != want {
					t.Errorf("of %d openings %d come, want %d", many, len(s.Openings), want)
				}
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d openings: %v", many, err)
		}
		before := told.Load()
		if h.Status(); told.Load() != before {
			t.Errorf("a status asks for %d openings", many)
		}
		work(t, h.Inside(), "w", 1, &wide)
		if s := answered(t, dial(t, h.Inside()), g, "white-wins"); len(s.Openings) != want {
			t.Errorf("of %d openings %d come with the answer, want %d", many, len(s.Openings), want)
		}
	}
}

// Whoever asks for more than fits into a message is told so, and does not wait in vain.
func TestAnAnswerThatDoesNotFitIsARefusal(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	if _, err := h.own.Subscribe(wire.SubjectTables+".test", func(m *nats.Msg) {
		const each = len(`{"slice":"","metric":"","checksum":""}`)
		answer(m, wire.TablesOffer{Tables: make([]proofs.Table, int(h.own.MaxPayload())/each+1)})
	}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var offer wire.TablesOffer
	m, err := h.own.RequestWithContext(ctx, wire.SubjectTables+".test", nil) // others may not
	if err == nil {
		err = json.Unmarshal(m.Data, &offer)
	}
	if err != nil || !strings.Contains(offer.Error, "more than a message") {
		t.Errorf("%+v, %v", offer, err)
	}
}

// A stalled stream removes nothing until it is released.
type stalled struct {
	jetstream.Stream
	release chan struct{}
}

func (s stalled) DeleteMsg(ctx context.Context, number uint64) error {
	<-s.release
	return s.Stream.DeleteMsg(ctx, number)
}

// TestAStalledStreamKeepsNobodyWaiting: results are taken and the status is told, while the
// messages of jobs that are over are still to be removed.
func TestAStalledStreamKeepsNobodyWaiting(t *testing.T) {
	h, r := alone(t)
	_, answer := r.take()
	var sequence uint64
	for sequence == 0 { // where in the stream a job is the hub hears after it is out
		h.mutex.Lock()
		sequence = h.out[answer.Message].sequence
		h.mutex.Unlock()
	}
	s := stalled{h.stream, make(chan struct{})}
	h.stream = s
	told := make(chan struct{})
	go func() {
		h.judge(&result{Result: answer})
		h.Status()
		close(told)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	select {
	case <-told:
	case <-ctx.Done():
		t.Error("a result waits for the stream")
	}
	close(s.release)
	for { // the message of the first job goes in the end
		_, err := s.GetMsg(t.Context(), sequence)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A slow queue takes no job until it is released, and tells when the first one comes.
type slowQueue struct {
	jetstream.JetStream
	came    func()
	release chan struct{}
}

func (q slowQueue) Publish(ctx context.Context, subject string, text []byte, o ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	q.came()
	<-q.release
	return q.JetStream.Publish(ctx, subject, text, o...)
}

// TestASlowQueueKeepsNobodyWaiting: the status is told while jobs are sent. One that is taken
// back meanwhile leaves the queue, and its place to the next one.
func TestASlowQueueKeepsNobodyWaiting(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	r := newRogue(t, h)
	came := make(chan struct{})
	q := slowQueue{h.js, sync.OnceFunc(func() { close(came) }), make(chan struct{})}
	h.mutex.Lock()
	h.js = q
	h.mutex.Unlock()
	release := sync.OnceFunc(func() { close(q.release) })
	defer release()
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	<-came
	told := make(chan wire.Status, 1)
	go func() { told <- h.Status() }()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	select {
	case s := <-told:
		if s.Jobs.Out != 1 {
			t.Fatalf("%+v: want one out", s.Jobs)
		}
	case <-ctx.Done():
		t.Fatal("the status waits for a job to be sent")
	}
	h.mutex.Lock()
	var first uint64
	for _, given := range h.out {
		first = given.message
		h.again(given)
	}
	h.fill()
	h.mutex.Unlock()
	release()
	_, answer := r.take()
	if answer.Message == first { // it was handed out before it was removed
		_, answer = r.take()
	}
	if answer.Message <= first {
		t.Errorf("job %d after %d was taken back", answer.Message, first)
	}
	if got := r.send(answer, ""); got != wire.Accepted {
		t.Errorf("%s, want %s", got, wire.Accepted)
	}
}

// TestAJobThatCantBeSentGoesOutLater, as one of another number. Who asks is told meanwhile.
func TestAJobThatCantBeSentGoesOutLater(t *testing.T) {
	h, r := alone(t)
	_, answer := r.take()
	h.mutex.Lock()
	g := h.out[answer.Message]
	h.mutex.Unlock()
	h.sent(g, 0, jetstream.ErrNoStreamResponse)
	if s := h.Status(); s.Jobs.Out != 0 || s.Questions[0].Unsent != jetstream.ErrNoStreamResponse.Error() {
		t.Errorf("%d jobs are out, unsent: %q", s.Jobs.Out, s.Questions[0].Unsent)
	}
	h.mutex.Lock()
	h.fill()
	h.mutex.Unlock()
	if _, again := r.take(); again.Job != answer.Job || again.Message == answer.Message {
		t.Errorf("%+v, want %s once more", again.Started, answer.Job)
	}
	if s := h.Status(); s.Questions[0].Unsent != "" {
		t.Errorf("sent, and still %q", s.Questions[0].Unsent)
	}
}
