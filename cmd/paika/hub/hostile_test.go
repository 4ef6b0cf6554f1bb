package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/proofs"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// askBoth asks two questions that are searched by the same jobs, until they are.
func askBoth(t *testing.T, c *client.Client, g *game) {
	t.Helper()
	for _, claim := range []string{"white-wins", "black-not-lost"} {
		for stage := wire.Preparing; stage == wire.Preparing; {
			s, err := c.Ask(t.Context(), g.question(claim))
			if err != nil {
				t.Fatal(err)
			}
			stage = s.Stage
		}
	}
}

// TestAnAnswerCountsForItsOwnQuestionAlone: by the name of another one a job would be
// taken from a question that never learns what became of it.
func TestAnAnswerCountsForItsOwnQuestionAlone(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	r := newRogue(t, h)
	askBoth(t, dial(t, h.Inside()), g)
	_, answer := r.take()
	wrong := answer
	for _, claim := range []string{"white-wins", "black-not-lost"} {
		if id := g.question(claim).ID(); id != answer.Question {
			wrong.Question = id
		}
	}
	if got := r.send(wrong, ""); got != wire.Stale {
		t.Errorf("of another question: %s, want %s", got, wire.Stale)
	}
	if got := r.send(answer, ""); got != wire.Accepted {
		t.Errorf("of its own: %s, want %s", got, wire.Accepted)
	}
}

// TestAWordOfALeaseThatCantBeIsNotHeard: every true answer would be stale.
func TestAWordOfALeaseThatCantBeIsNotHeard(t *testing.T) {
	_, r := alone(t)
	_, answer := r.take()
	lie := answer.Started
	lie.Delivery = 1 << 60
	r.link.Tell(wire.SubjectStarted, lie)
	r.link.Tell(wire.SubjectStarted, answer.Started)
	if err := r.link.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := r.send(answer, ""); got != wire.Accepted {
		t.Errorf("%s, want %s", got, wire.Accepted)
	}
}

// TestWhatAWorkerSaysOfItselfIsBounded: the hub keeps it in memory, adds it up and shows it.
func TestWhatAWorkerSaysOfItselfIsBounded(t *testing.T) {
	h, r := alone(t)
	for _, busy := range []int{-1, 1 << 60} {
		h.seen("", wire.Hello{Worker: "boaster", Version: version, Lanes: 1 << 40, Busy: busy, Searches: make([]wire.Search, 1000), Earlier: make([]wire.Earlier, 1000)})
		for _, w := range h.Status().Workers {
			if w.Lanes > mostLanes || w.Busy < 0 || w.Busy > w.Lanes {
				t.Errorf("%+v", w)
			}
		}
	}
	_, answer := r.receive()
	lie := answer.Started
	lie.Worker = strings.Repeat("x", wire.MostName+1)
	h.onStarted("", told(t, lie))
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if g := h.out[answer.Message]; g == nil || g.worker != (speaker{}) {
		t.Errorf("%+v is taken by somebody without a name", g)
	}
	if w := h.workers[speaker{name: "boaster"}]; len(w.Searches)+len(w.Earlier) > 0 {
		t.Errorf("%d searches and %d earlier jobs are kept", len(w.Searches), len(w.Earlier))
	}
}

// TestAFileWhoseCheckGoesOnIsNotForgotten, however long that takes.
func TestAFileWhoseCheckGoesOnIsNotForgotten(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	long := time.Now().Add(-100 * h.options.Lease)
	h.mutex.Lock()
	h.uploads["checked"] = &upload{seen: long, checked: true}
	h.uploads["left"] = &upload{seen: long}
	h.mutex.Unlock()
	h.Audit()
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.uploads["checked"] == nil || h.uploads["left"] != nil {
		t.Errorf("uploads after an audit: %v", h.uploads)
	}
}

// TestAJobThatIsHeldForEverIsSplit: who has it says again and again that it goes on.
func TestAJobThatIsHeldForEverIsSplit(t *testing.T) {
	h, r := alone(t)
	_, answer := r.take()
	h.mutex.Lock()
	g := h.out[answer.Message]
	g.taken = g.taken.Add(-2 * mostHeld * h.options.Lease)
	h.mutex.Unlock()
	h.Audit()
	if s := h.Status(); s.Jobs.GivenUp != 1 || s.Questions[0].Splits != 1 {
		t.Errorf("%+v: want the root split", s)
	}
}

// TestAWorkerWhoseKeyIsTakenBackEnds, and says why.
func TestAWorkerWhoseKeyIsTakenBackEnds(t *testing.T) {
	dir, files := madeKeys(t, "ann")
	h := startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" })
	at, err := url.Parse(h.URL())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		ended <- worker.Work(t.Context(), worker.Options{Access: link.Access{URL: h.URL(), Credentials: files[0]}, Name: "ann", Version: version, Lanes: 1, Open: opener()})
	}()
	for len(h.Status().Workers) == 0 {
		time.Sleep(time.Millisecond)
	}
	h.Close()
	if err := os.WriteFile(filepath.Join(h.Credentials(), "workers"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	startHub(t, dir, func(o *Options) { o.Address = at.Host })
	if err := <-ended; !errors.Is(err, link.ErrAway) || !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("%v", err)
	}
}

// TestAWorkerOutlivesTheHubOfItsJob: the next hub takes the result, and knows nothing of the lease.
func TestAWorkerOutlivesTheHubOfItsJob(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	one := func(o *Options) { o.Address, o.Least = "127.0.0.1:0", 1_000_000 }
	h := startHub(t, dir, one, g)
	at, err := url.Parse(h.URL())
	if err != nil {
		t.Fatal(err)
	}
	opening, goOn := make(chan struct{}), make(chan struct{})
	opens := sync.OnceFunc(func() { close(opening) })
	slow := *g
	slow.open = func(ctx context.Context) (share.Site, error) {
		opens()
		<-goOn
		return g.open(ctx)
	}
	work(t, link.Access{URL: h.URL(), Credentials: h.Credentials()}, "w", 1, &slow)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	<-opening
	h.Close()
	h = startHub(t, dir, func(o *Options) { one(o); o.Address = at.Host }, g)
	close(goOn)
	for _, claim := range []string{"white-wins", "white-not-lost"} {
		answered(t, dial(t, h.Inside()), g, claim)
	}
}

// TestAJobThatIsNoLongerWantedLeavesTheTablesToOthers, which wait for them.
func TestAJobThatIsNoLongerWantedLeavesTheTablesToOthers(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	c := dial(t, h.Inside())
	opening, stopped := make(chan struct{}), make(chan struct{})
	slow := *g
	slow.open = func(ctx context.Context) (share.Site, error) {
		close(opening)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-stopped:
			return g.open(t.Context())
		}
	}
	ended := make(chan error, 1)
	go func() {
		ended <- worker.Work(t.Context(), worker.Options{Access: h.Inside(), Name: "w", Version: version, Lanes: wire.MostTeam + 1, Table: 1 << 20, Sets: 1 << 20, Dir: t.TempDir(), Open: opener(&slow)})
	}()
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	<-opening
	first := jobsStarted(h, 1)
	askBoth(t, c, g)
	jobsStarted(h, 2)
	if err := h.own.Publish(wire.SubjectCancel, []byte(wire.MessageName(h.starts, first[0]))); err != nil {
		t.Fatal(err)
	}
	for h.Status().Workers[0].Busy > 1 { // the first is left
		time.Sleep(time.Millisecond)
	}
	close(stopped)
	done := make(chan error, 1)
	go func() {
		_, err := c.Wait(t.Context(), g.question("black-not-lost"), nil)
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case err := <-ended:
		t.Errorf("the worker ends: %v", err)
	}
}

// jobsStarted waits until workers have said of so many jobs that they are at them.
func jobsStarted(h *Hub, many int) (messages []uint64) {
	for {
		h.mutex.Lock()
		messages = nil
		for number, g := range h.out {
			if g.delivery > 0 {
				messages = append(messages, number)
			}
		}
		h.mutex.Unlock()
		if len(messages) >= many {
			return messages
		}
		time.Sleep(time.Millisecond)
	}
}

// TestAStatusFitsAMessage, whatever was asked.
func TestAStatusFitsAMessage(t *testing.T) {
	h := startHub(t, t.TempDir(), func(o *Options) { o.Notice = func(string) {} })
	c := dial(t, h.Inside())
	for i := range mostUnanswered {
		q := wire.Question{Setting: proofs.Setting{Game: fmt.Sprint(i)}, Position: strings.Repeat("\x01", wire.MostText), Claim: strings.Repeat("\x02", wire.MostText/2)}
		if _, err := c.Wait(t.Context(), q, nil); !errors.Is(err, client.ErrFailed) {
			t.Fatal(err)
		}
	}
	for i := range mostWorkers { // with characters that JSON writes as six
		h.seen("", wire.Hello{Worker: strings.Repeat("<", wire.MostName-4) + fmt.Sprintf("%04d", i), Lanes: 1})
	}
	text, err := json.Marshal(h.Status())
	if most := connected(t, h.Inside()).MaxPayload(); err != nil || int64(len(text)) > most {
		t.Errorf("a status of %d bytes, %v: want at most %d", len(text), err, most)
	}
}

// TestANameIsText that a terminal can show.
func TestANameIsText(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	for _, name := range []string{"", "a b", "\x1b[2J", "a\n", "ä", strings.Repeat("x", wire.MostName+1)} {
		if _, err := connected(t, h.Inside()).Greet(t.Context(), wire.Hello{Worker: name, Version: version, Lanes: 1}); !errors.Is(err, link.ErrRefused) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestAQuestionIsMoreThanItsName: two with one name are not taken for one.
func TestAQuestionIsMoreThanItsName(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	q := g.question("white-wins")
	h.mutex.Lock()
	h.note(&question{Question: g.question("black-wins"), id: q.ID(), stage: wire.Done})
	h.mutex.Unlock()
	if _, err := h.ask("", wire.Ask{Question: q, Again: true}); !errors.Is(err, errSameName) {
		t.Errorf("%v", err)
	}
}

// TestAPieceThatFindsNoRoomIsSentAgain: the worker has nothing better to send.
func TestAPieceThatFindsNoRoomIsSentAgain(t *testing.T) {
	h := startHub(t, t.TempDir(), func(o *Options) { o.MostPart = 10 })
	for i := range mostUploads {
		if _, err := h.addPiece("", fmt.Sprintf("%032x", i), "0", nil); err != nil {
			t.Fatal(err)
		}
	}
	name := strings.Repeat("f", 32)
	if _, err := h.addPiece("", name, "0", []byte("part")); !errors.Is(err, errCrowded) {
		t.Errorf("too many files: %v", err)
	}
	for i := range mostIncoming {
		if _, err := h.addPiece("", fmt.Sprintf("%032x", i), "0", make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.addPiece("", fmt.Sprintf("%032x", mostIncoming), "0", []byte("part")); !errors.Is(err, errCrowded) {
		t.Errorf("too many bytes: %v", err)
	}
	h.mutex.Lock()
	h.forget(fmt.Sprintf("%032x", 0))
	h.mutex.Unlock()
	if size, err := h.addPiece("", name, "0", []byte("part")); size != 4 || err != nil {
		t.Errorf("with room: %d, %v", size, err)
	}
}

// TestFilesThatAreSentSideBySideComeToTheirEnd, one after the other: together they are more than the
// hub takes at a time, and it never takes more.
func TestFilesThatAreSentSideBySideComeToTheirEnd(t *testing.T) {
	h := startHub(t, t.TempDir(), func(o *Options) { o.MostPart = 10 })
	files := make(map[string]int64) // what the hub has of each
	for range 2 * mostIncoming {
		files[wire.NewName()] = 0
	}
	for moved := true; moved; {
		moved = false
		for name, at := range files {
			size, err := h.addPiece("", name, fmt.Sprint(at), make([]byte, 2))
			switch {
			case err == nil && size == at+2:
				files[name], moved = size, true
			case !errors.Is(err, errCrowded):
				t.Fatalf("%d bytes after %d, %v", size, at, err)
			}
			if h.incoming > mostIncoming*10 {
				t.Fatalf("it takes %d bytes", h.incoming)
			}
			if size == 10 {
				delete(files, name)
				h.mutex.Lock()
				h.forget(name) // it is judged
				h.mutex.Unlock()
			}
		}
	}
	if len(files) > 0 {
		t.Errorf("%d files wait for each other", len(files))
	}
}

// TestAPieceThatCantBeWrittenIsSentAgain: on a full disk the hub has nothing of it.
func TestAPieceThatCantBeWrittenIsSentAgain(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	name := strings.Repeat("f", 32)
	if err := os.Mkdir(h.uploadPath(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if size, err := h.addPiece("", name, "0", []byte("part")); size != 0 || err == nil || errors.Is(err, errUpload) {
		t.Errorf("%d bytes, %v", size, err)
	}
	if err := os.Remove(h.uploadPath(name)); err != nil {
		t.Fatal(err)
	}
	if size, err := h.addPiece("", name, "0", []byte("part")); size != 4 || err != nil || h.incoming != 4 {
		t.Errorf("again: %d bytes of %d, %v", size, h.incoming, err)
	}
}

// TestAClosedHubHearsNothing: its folder may be another's already.
func TestAClosedHubHearsNothing(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	h.Close()
	h.whileOpen(func(*nats.Msg) { t.Error("a message is handled") })(nil)
}

// TestAPartForAnEarlierSearchIsSentAgain: its tables may have been others.
func TestAPartForAnEarlierSearchIsSentAgain(t *testing.T) {
	q, earlier := &question{stage: wire.Searching, underway: new(underway)}, new(underway)
	if got := q.wantsPart(&checking{underway: earlier}, new(result)); got != wire.Failing {
		t.Errorf("%s, want %s", got, wire.Failing)
	}
}

// A crowdedProof is on a disk without room for so many certificates.
type crowdedProof struct {
	share.Proof
	full *atomic.Int32
}

func (p crowdedProof) Write(ctx context.Context, file string, path func(string) string) (share.Part, error) {
	if p.full.Add(-1) >= 0 {
		return share.Part{}, &os.PathError{Op: "write", Path: file, Err: syscall.ENOSPC}
	}
	return p.Proof.Write(ctx, file, path)
}

// TestACertificateWaitsForRoom: a question does not fail because the disk is full.
func TestACertificateWaitsForRoom(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	tight := *g
	var full atomic.Int32
	tight.open = func(ctx context.Context) (share.Site, error) {
		site, err := g.open(ctx)
		return changedSite{site, func(p share.Proof) share.Proof { return crowdedProof{p, &full} }}, err
	}
	full.Store(2)
	var told atomic.Int32
	h := startHub(t, t.TempDir(), func(o *Options) {
		o.Lease = time.Second
		o.Notice = func(text string) {
			if strings.Contains(text, "waits for room") {
				told.Add(1)
			}
		}
	}, &tight)
	work(t, h.Inside(), "w", 1, g)
	answered(t, dial(t, h.Inside()), g, "white-wins")
	if told := told.Load(); told != 2 {
		t.Errorf("told %d times that the disk is full, want 2", told)
	}
}

// A slowProof lets a test act while a part is checked.
type slowProof struct {
	share.Proof
	checking, goOn chan struct{}
}

func (p slowProof) Check(ctx context.Context, position string, v proofnumber.Verdict, at io.ReaderAt, size int64) (share.Part, error) {
	part, err := p.Proof.Check(ctx, position, v, at, size)
	p.checking <- struct{}{}
	<-p.goOn
	return part, err
}

// TestAPartStaysAsItWasChecked: whoever sent it says meanwhile that it belongs to another
// question, and sends other bytes by its name. A file that is named for a part and is
// another one would end the question when its certificate is written.
func TestAPartStaysAsItWasChecked(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	truth := certificateFromElsewhere(t, g)
	checking, goOn := make(chan struct{}), make(chan struct{})
	patient := *g
	patient.open = func(ctx context.Context) (share.Site, error) {
		site, err := g.open(ctx)
		return changedSite{site, func(p share.Proof) share.Proof { return slowProof{p, checking, goOn} }}, err
	}
	h := startHub(t, t.TempDir(), nil, &patient)
	r := newRogue(t, h)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	_, answer := r.take()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, truth.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	answer.Verdict, answer.Upload = proofnumber.Proved, wire.NewName()
	if err := r.link.Upload(t.Context(), answer.Upload, path, nil, func(why string) { t.Log(why) }); err != nil {
		t.Fatal(err)
	}
	became := make(chan wire.Reply)
	go func() { became <- h.judge(&result{Result: answer}) }()
	<-checking
	lie := answer
	lie.Question = "?"
	if got := h.judge(&result{Result: lie}); got.Outcome != wire.Pending {
		t.Errorf("the same file for another question: %s, want no answer yet", got.Outcome)
	}
	for _, at := range []int{0, truth.Len()} {
		size, err := h.addPiece("", answer.Upload, fmt.Sprint(at), []byte("garbage"))
		if err != nil || size != int64(truth.Len()) {
			t.Errorf("a piece at %d: %d bytes, %v; want %d as before", at, size, err, truth.Len())
		}
	}
	close(goOn)
	if got := <-became; got.Outcome != wire.Accepted {
		t.Errorf("%+v, want %s", got, wire.Accepted)
	}
	parts, err := filepath.Glob(filepath.Join(h.path("parts"), "*"))
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	if kept, err := os.ReadFile(parts[0]); err != nil || !bytes.Equal(kept, truth.Bytes()) {
		t.Errorf("the part that is kept has %d bytes, %v: want those that were checked, %d", len(kept), err, truth.Len())
	}
}

// TestAFileThatIsBeingWrittenIsNotChecked: its last piece would come into the part that was
// found to be valid.
func TestAFileThatIsBeingWrittenIsNotChecked(t *testing.T) {
	h, r := alone(t)
	_, answer := r.take()
	answer.Verdict, answer.Upload = proofnumber.Proved, wire.NewName()
	if _, err := h.addPiece("", answer.Upload, "0", []byte("part")); err != nil {
		t.Fatal(err)
	}
	if u, _, err := h.expect("", answer.Upload, 4, 4); u == nil || err != nil {
		t.Fatal(u, err)
	}
	if got := h.judge(&result{Result: answer}); got.Outcome != wire.Pending {
		t.Fatalf("%+v, want no answer yet", got)
	}
	h.mutex.Lock()
	h.uploads[answer.Upload].writing = false
	h.mutex.Unlock()
	if got := h.judge(&result{Result: answer}); got.Outcome != wire.Rejected {
		t.Errorf("once it is written: %+v, want %s", got, wire.Rejected)
	}
}

// TestAPartIsRejectedOnce: its check may take longer than who sent it waits for an answer. Asked again,
// the hub says what it came to, and wants no other copy of the file.
func TestAPartIsRejectedOnce(t *testing.T) {
	h, r := alone(t)
	_, answer := r.take()
	answer.Verdict, answer.Upload = proofnumber.Proved, wire.NewName()
	if _, err := h.addPiece("", answer.Upload, "0", []byte("part")); err != nil {
		t.Fatal(err)
	}
	first := h.judge(&result{Result: answer})
	if again := h.judge(&result{Result: answer}); first.Outcome != wire.Rejected || again.Outcome != first.Outcome {
		t.Errorf("%+v, then %+v", first, again)
	}
	if stranger := h.judge(&result{Result: answer, from: "bob"}); stranger.Outcome == wire.Rejected {
		t.Errorf("another hears %+v", stranger)
	}
	for range 2 * mostUploads {
		answer.Upload = wire.NewName()
		h.remember(&result{Result: answer}, first)
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if many := len(h.rejected); many > mostUploads {
		t.Errorf("%d are remembered", many)
	}
}

// TestAResultThatWaitsForItsCheckTakesLittleMemory: many do, and what they say is a claim.
func TestAResultThatWaitsForItsCheckTakesLittleMemory(t *testing.T) {
	h, r := alone(t)
	_, answer := r.take()
	answer.Verdict, answer.Upload = proofnumber.Proved, wire.NewName()
	answer.Turns, answer.Piece, answer.Built = make([]jobs.Turn, wire.MostTurns), new(inspection.Answer), new(construction.Made)
	if _, err := h.addPiece("", answer.Upload, "0", []byte("part")); err != nil {
		t.Fatal(err)
	}
	said := &result{Result: answer}
	if got := h.judge(said); got.Outcome != wire.Rejected || said.Turns != nil || said.Piece != nil || said.Built != nil {
		t.Errorf("%+v with %d turns, %v, %v", got, len(said.Turns), said.Piece, said.Built)
	}
	many := answer
	many.Turns = make([]jobs.Turn, wire.MostTurns+1)
	if got := h.judge(&result{Result: many}); got.Outcome != wire.Rejected {
		t.Errorf("with too many turns: %+v", got)
	}
}

// TestAResultThatCantBeSentGivesItsLeaseBack: the hub takes no part of that size. The job is not
// left until its lease is over.
func TestAResultThatCantBeSentGivesItsLeaseBack(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), func(o *Options) { o.MostPart, o.Least, o.Lease = 10, 1<<20, time.Hour }, g)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	work(t, h.Inside(), "w", 1, g)
	again := func() bool {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		for _, g := range h.out {
			if g.delivery > 1 {
				return true
			}
		}
		return false
	}
	for !again() {
		time.Sleep(time.Millisecond)
	}
}

// TestAnErrorIsListedAsItIsAnswered: it was made to be shown, and is not escaped once more.
func TestAnErrorIsListedAsItIsAnswered(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	c := dial(t, h.Inside())
	q := g.question("white-wins")
	q.Position = "\x1b"
	asked, _ := c.Wait(t.Context(), q, nil)
	listed := h.Status().Questions
	if len(listed) != 1 || asked.Error == "" || !strings.ContainsAny(asked.Error, `"\`) || listed[0].Error != asked.Error {
		t.Errorf("%q is listed as %+v", asked.Error, listed)
	}
}
