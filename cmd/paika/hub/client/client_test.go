package client_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/hubtest"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/solver/proofnumber"
)

var question = wire.Question{Setting: proofs.Setting{Game: "konane", Board: "4x4"}, Position: "start", Claim: "first-wins"}

// at is how far the question is.
func at(s wire.State) wire.State {
	s.ID, s.Question = question.ID(), question
	return s
}

func dialled(t *testing.T, s *hubtest.Server) *client.Client {
	t.Helper()
	c, err := client.Dial(s.Access())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestWhoDialsNobodyIsTold.
func TestWhoDialsNobodyIsTold(t *testing.T) {
	s := hubtest.Start(t)
	access := s.Access()
	s.Stop()
	if _, err := client.Dial(access); !errors.Is(err, link.ErrAway) {
		t.Errorf("%v", err)
	}
}

// TestAQuestionThatIsNotTakenFails, and so does an answer about another one: it would be shown
// as if it were the one that was asked.
func TestAQuestionThatIsNotTakenFails(t *testing.T) {
	other := wire.State{ID: wire.Question{Claim: "second-wins"}.ID(), Stage: wire.Done, Result: proofnumber.Proved}
	for text, want := range map[string]error{
		`{"error":"the question is too long"}`: client.ErrFailed,
		`{}`:                                   client.ErrFailed,
		`none`:                                 link.ErrAnswer,
		hubtest.JSON(t, other):                 link.ErrAnswer,
	} {
		s := hubtest.Start(t)
		s.Say(wire.SubjectAsk, text)
		c := dialled(t, s)
		if state, err := c.Ask(t.Context(), question); !errors.Is(err, want) || state.Result != proofnumber.Undecided {
			t.Errorf("%s: %+v, %v, want %v", text, state, err, want)
		}
		if state, err := c.Wait(t.Context(), question, nil); !errors.Is(err, want) || state.Result != proofnumber.Undecided {
			t.Errorf("%s: %+v, %v, want %v", text, state, err, want)
		}
	}
}

// TestAClientWaitsUntilAQuestionIsOver, and is told how far it is. It asks anew once alone: a
// question that fails meanwhile is not begun again and again.
func TestAClientWaitsUntilAQuestionIsOver(t *testing.T) {
	s := hubtest.Start(t)
	stages := []wire.Stage{wire.Waiting, wire.Preparing, wire.Searching, wire.Writing, wire.Done}
	anew, answers := make(chan bool, 2*len(stages)), 0
	s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
		var asked wire.Ask
		if err := json.Unmarshal(m.Data, &asked); err != nil || asked.Question != question {
			t.Errorf("%+v, %v", asked, err)
		}
		anew <- asked.Again
		_ = m.Respond([]byte(hubtest.JSON(t, at(wire.State{Stage: stages[min(answers, len(stages)-1)], Result: proofnumber.Proved}))))
		answers++
	})
	var seen []wire.Stage
	state, err := dialled(t, s).Wait(t.Context(), question, func(s wire.State) { seen = append(seen, s.Stage) })
	if err != nil || state.Stage != wire.Done || state.Result != proofnumber.Proved || len(seen) != len(stages)-1 {
		t.Errorf("%+v, %v after %v", state, err, seen)
	}
	for i := range stages {
		if again := <-anew; again != (i == 0) {
			t.Errorf("question %d asks anew: %v", i, again)
		}
	}
}

// TestAQuestionThatFailsSaysWhy: for want of memory, or of anything else.
func TestAQuestionThatFailsSaysWhy(t *testing.T) {
	for code, cramped := range map[string]bool{"": false, "locked": false, wire.CodeMemory: true} {
		s := hubtest.Start(t)
		s.Say(wire.SubjectAsk, hubtest.JSON(t, at(wire.State{Stage: wire.Failed, Error: "why", Code: code})))
		state, err := dialled(t, s).Wait(t.Context(), question, nil)
		if state.Stage != wire.Failed || state.Question != question {
			t.Errorf("%q: %+v", code, state)
		}
		var failed *client.FailedError
		if !errors.As(err, &failed) || failed.Code != code || !errors.Is(err, client.ErrFailed) || errors.Is(err, inspection.ErrMemory) != cramped || !strings.Contains(err.Error(), "why") {
			t.Errorf("%q: %v", code, err)
		}
	}
}

// TestTheLastStateStandsBesideTheEndOfTheContext.
func TestTheLastStateStandsBesideTheEndOfTheContext(t *testing.T) {
	s := hubtest.Start(t)
	s.Say(wire.SubjectAsk, hubtest.JSON(t, at(wire.State{Stage: wire.Searching, Slices: 7})))
	ctx, cancel := context.WithCancel(t.Context())
	state, err := dialled(t, s).Wait(ctx, question, func(wire.State) { cancel() })
	if !errors.Is(err, context.Canceled) || state.Slices != 7 {
		t.Errorf("%+v, %v", state, err)
	}
}

// TestTheQuestionStandsBesideAnErrorBeforeTheFirstAnswer, and the last state after it: nothing of an answer
// about another one.
func TestTheQuestionStandsBesideAnErrorBeforeTheFirstAnswer(t *testing.T) {
	s := hubtest.Start(t)
	other := hubtest.JSON(t, wire.State{ID: wire.Question{Claim: "second-wins"}.ID(), Slices: 9})
	s.Say(wire.SubjectAsk, other, hubtest.JSON(t, at(wire.State{Stage: wire.Searching, Slices: 7})), other)
	c := dialled(t, s)
	for _, slices := range []int{0, 7} {
		state, err := c.Wait(t.Context(), question, nil)
		if !errors.Is(err, link.ErrAnswer) || state.Question != question || state.Slices != slices {
			t.Errorf("%+v, %v, want %d slices", state, err, slices)
		}
	}
}

// TestWhatIsAskedIsSaid: a question, which is taken up anew where it failed, that its answer arrived, and what
// a hub is doing.
func TestWhatIsAskedIsSaid(t *testing.T) {
	s := hubtest.Start(t)
	asked := make(chan wire.Ask, 2)
	s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
		var a wire.Ask
		if err := json.Unmarshal(m.Data, &a); err != nil {
			t.Error(err)
		}
		asked <- a
		_ = m.Respond([]byte(hubtest.JSON(t, at(wire.State{Stage: wire.Done, Slices: 7}))))
	})
	s.Say(wire.SubjectStatus, hubtest.JSON(t, wire.Status{Version: "of the hub"}))
	c := dialled(t, s)
	if state, err := c.Ask(t.Context(), question); err != nil || state.Slices != 7 {
		t.Errorf("%+v, %v", state, err)
	}
	if err := c.Taken(t.Context(), question, nil); err != nil {
		t.Error(err)
	}
	for _, want := range []wire.Ask{{Question: question, Again: true}, {Question: question, Taken: true}} {
		if got := <-asked; got != want {
			t.Errorf("asked %+v, want %+v", got, want)
		}
	}
	if status, err := c.Status(t.Context()); err != nil || status.Version != "of the hub" {
		t.Errorf("%+v, %v", status, err)
	}
	c.Close()
	if _, err := c.Ask(t.Context(), question); err == nil {
		t.Error("a client that is closed asks")
	}
}

// TestAnAnswerThatArrivedIsToldUntilItIsNoted, or refused.
func TestAnAnswerThatArrivedIsToldUntilItIsNoted(t *testing.T) {
	noRoom, noted := hubtest.JSON(t, at(wire.State{Error: "the disk is full"})), hubtest.JSON(t, at(wire.State{Stage: wire.Done}))
	for _, c := range []struct {
		answers []string
		want    error
		told    int
	}{
		{[]string{noted}, nil, 0},
		{[]string{noRoom, noted}, nil, 1},
		{[]string{`{"error":"no such question"}`}, client.ErrFailed, 0},
	} {
		s, told := hubtest.Start(t), 0
		s.Say(wire.SubjectAsk, c.answers...)
		err := dialled(t, s).Taken(t.Context(), question, func(state wire.State) {
			if told++; state.Error != "the disk is full" {
				t.Errorf("%+v", state)
			}
		})
		if !errors.Is(err, c.want) || told != c.told {
			t.Errorf("%s: told %d times, want %d; %v, want %v", c.answers, told, c.told, err, c.want)
		}
	}
	s := hubtest.Start(t)
	s.Say(wire.SubjectAsk, noRoom, noted, noRoom)
	if err := dialled(t, s).Taken(t.Context(), question, nil); err != nil { // nobody wants to hear of it
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := dialled(t, s).Taken(ctx, question, func(wire.State) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// TestAClientOutlivesItsHub: it goes on asking the next one.
func TestAClientOutlivesItsHub(t *testing.T) {
	s := hubtest.Start(t)
	s.Say(wire.SubjectAsk, hubtest.JSON(t, at(wire.State{Stage: wire.Searching})))
	away, next := false, hubtest.JSON(t, at(wire.State{Stage: wire.Done}))
	state, err := dialled(t, s).Wait(t.Context(), question, func(wire.State) {
		if !away {
			away = true
			s.Stop()
			s.Restart()
			s.Say(wire.SubjectAsk, next)
		}
	})
	if err != nil || state.Stage != wire.Done {
		t.Errorf("%+v, %v", state, err)
	}
}

// bounded is a writer that takes no more than a certificate has, and some.
type bounded struct {
	bytes.Buffer
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		return 0, errors.New("more than there is")
	}
	return b.Buffer.Write(p)
}

// certificate is some bytes, and the state of a question whose certificate they are.
func certificate(bytes int) (whole []byte, s wire.State) {
	whole = make([]byte, bytes)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(whole) // it never fails
	sum := sha256.Sum256(whole)
	return whole, at(wire.State{Proof: share.Part{Bytes: int64(bytes), Digest: hex.EncodeToString(sum[:])}})
}

// piece is the piece of a certificate that a message asks for.
func piece(t *testing.T, whole []byte, m *nats.Msg) (from int64, text []byte) {
	var f wire.Fetch
	if err := json.Unmarshal(m.Data, &f); err != nil || f.Question != question.ID() {
		t.Errorf("%+v, %v", f, err)
	}
	return f.Offset, whole[f.Offset:min(f.Offset+wire.PieceBytes, int64(len(whole)))]
}

// TestACertificateComesAsTheHubWroteIt, or not at all: nothing else is taken for it, and no
// more is written than it has.
func TestACertificateComesAsTheHubWroteIt(t *testing.T) {
	const long, short = wire.PieceBytes + 100, 100
	for name, c := range map[string]struct {
		bytes  int64 // that the state has, if not those of the certificate
		size   int
		change func(text []byte) []byte
		want   error
	}{
		"in one piece":            {size: short},
		"in two":                  {size: long},
		"in two whole ones":       {size: 2 * wire.PieceBytes},
		"changed":                 {size: short, change: func(text []byte) []byte { return append([]byte("?"), text[1:]...) }, want: client.ErrChanged},
		"too short":               {size: short, change: func(text []byte) []byte { return text[:10] }, want: client.ErrChanged},
		"empty":                   {size: short, change: func([]byte) []byte { return nil }, want: client.ErrChanged},
		"too long":                {size: short, change: func(text []byte) []byte { return append(text, text...) }, want: client.ErrChanged},
		"too short in the middle": {size: long, change: func(text []byte) []byte { return text[:len(text)-1] }, want: client.ErrChanged},
		"too long in the middle":  {size: long, change: func(text []byte) []byte { return append(text, '?') }, want: client.ErrChanged},
		"of no size":              {size: 0, bytes: 0, want: client.ErrChanged},
		"less than that":          {size: 0, bytes: -1, want: client.ErrChanged},
	} {
		s := hubtest.Start(t)
		whole, state := certificate(c.size)
		if c.size == 0 {
			state.Proof = share.Part{Bytes: c.bytes}
		}
		s.Answer(wire.SubjectFetch, func(m *nats.Msg) {
			_, text := piece(t, whole, m)
			if text = slices.Clone(text); c.change != nil {
				text = c.change(text)
			}
			_ = m.Respond(text) // who asks has gone
		})
		file := bounded{most: c.size}
		err := dialled(t, s).Fetch(t.Context(), state, &file)
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil && bytes.Equal(file.Bytes(), whole)) {
			t.Errorf("%s: %d bytes, %v; want %v", name, file.Len(), err, c.want)
		}
	}
}

// TestACertificateIsFetchedPieceByPiece, each behind the one before, until all is written. What can't be
// written is no certificate.
func TestACertificateIsFetchedPieceByPiece(t *testing.T) {
	whole, state := certificate(3*wire.PieceBytes + 1)
	s := hubtest.Start(t)
	s.Answer(wire.SubjectFetch, func(m *nats.Msg) {
		_, text := piece(t, whole, m)
		_ = m.Respond(text) // who asks has gone
	})
	c := dialled(t, s)
	for _, most := range []int{len(whole), wire.PieceBytes + 1, 0} {
		file := bounded{most: most}
		err := c.Fetch(t.Context(), state, &file)
		if (err == nil) != (most == len(whole)) || err == nil && !bytes.Equal(file.Bytes(), whole) || errors.Is(err, client.ErrChanged) {
			t.Errorf("%d bytes are written of %d, %v", file.Len(), most, err)
		}
	}
}

// TestPiecesAreAskedForAhead: on a line that takes its time the next ones are on their way, no more than there
// may be, and are written in their order however they come.
func TestPiecesAreAskedForAhead(t *testing.T) {
	whole, state := certificate(20*wire.PieceBytes + 1)
	s := hubtest.Start(t)
	var asked, most atomic.Int32
	s.Answer(wire.SubjectFetch, func(m *nats.Msg) {
		most.Store(max(most.Load(), asked.Add(1))) // requests are heard one by one
		from, text := piece(t, whole, m)
		delay := 20 * time.Millisecond
		if from/wire.PieceBytes%2 == 0 {
			delay *= 2 // so that the next one comes first
		}
		time.AfterFunc(delay, func() {
			asked.Add(-1)
			_ = m.Respond(text)
		})
	})
	var file bytes.Buffer
	if err := dialled(t, s).Fetch(t.Context(), state, &file); err != nil || !bytes.Equal(file.Bytes(), whole) {
		t.Errorf("%d bytes, %v", file.Len(), err)
	}
	if got := most.Load(); got != client.MostAhead {
		t.Errorf("%d pieces are asked for at a time, want %d", got, client.MostAhead)
	}
}

// TestTheLineSetsThePace: by pieces that come soon more are asked for at a time, up to a bound, by some that
// come late fewer, and never none.
func TestTheLineSetsThePace(t *testing.T) {
	p := client.NewPace()
	for i, c := range []struct {
		took time.Duration
		want int
	}{
		{time.Millisecond, 2}, {time.Millisecond, 3}, {2 * time.Second, 3}, {5 * time.Second, 1}, {time.Minute, 1}, {0, 2},
	} {
		if p.Note(c.took); p.Most() != c.want {
			t.Errorf("%d: %d pieces at a time after one that took %v, want %d", i, p.Most(), c.took, c.want)
		}
	}
	for range 100 {
		p.Note(0)
	}
	if p.Most() != client.MostAhead {
		t.Errorf("%d pieces at a time, want %d", p.Most(), client.MostAhead)
	}
}

// TestACertificateThatIsNotThereSaysSo.
func TestACertificateThatIsNotThereSaysSo(t *testing.T) {
	s := hubtest.Start(t)
	s.Answer(wire.SubjectFetch, func(m *nats.Msg) {
		out := nats.NewMsg(m.Reply)
		out.Header.Set(wire.HeaderError, "there is none")
		_ = m.RespondMsg(out) // who asks has gone
	})
	err := dialled(t, s).Fetch(t.Context(), at(wire.State{Proof: share.Part{Bytes: 1}}), new(bytes.Buffer))
	if !errors.Is(err, client.ErrFailed) || !strings.Contains(err.Error(), "there is none") {
		t.Errorf("%v", err)
	}
}
