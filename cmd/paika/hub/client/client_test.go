package client_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

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
	for _, cramped := range []bool{false, true} {
		s := hubtest.Start(t)
		s.Say(wire.SubjectAsk, hubtest.JSON(t, at(wire.State{Stage: wire.Failed, Error: "why", Cramped: cramped})))
		state, err := dialled(t, s).Wait(t.Context(), question, nil)
		if state.Stage != wire.Failed || state.Question != question {
			t.Errorf("cramped %v: %+v", cramped, state)
		}
		if !errors.Is(err, client.ErrFailed) || errors.Is(err, inspection.ErrMemory) != cramped || !strings.Contains(err.Error(), "why") {
			t.Errorf("cramped %v: %v", cramped, err)
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

// TestACertificateComesAsTheHubWroteIt, or not at all: nothing else is taken for it, and no
// more is written than it has.
func TestACertificateComesAsTheHubWroteIt(t *testing.T) {
	whole := strings.Repeat("certificate", 100)
	sum := sha256.Sum256([]byte(whole))
	part := share.Part{Bytes: int64(len(whole)), Digest: hex.EncodeToString(sum[:])}
	negative := part
	negative.Bytes = -1
	for name, c := range map[string]struct {
		part   share.Part
		pieces []string
		want   error
	}{
		"in one piece":   {part, []string{whole}, nil},
		"in two":         {part, []string{whole[:10], whole[10:]}, nil},
		"changed":        {part, []string{"C" + whole[1:]}, client.ErrChanged},
		"too short":      {part, []string{whole[:10], ""}, client.ErrChanged},
		"too long":       {part, []string{whole[:10], whole}, client.ErrChanged},
		"of no size":     {share.Part{}, nil, client.ErrChanged},
		"less than that": {negative, nil, client.ErrChanged},
	} {
		s := hubtest.Start(t)
		if c.pieces != nil {
			s.Say(wire.SubjectFetch, c.pieces...)
		}
		file := bounded{most: len(whole)}
		err := dialled(t, s).Fetch(t.Context(), at(wire.State{Proof: c.part}), &file)
		if !errors.Is(err, c.want) || (err == nil) != (file.String() == whole) {
			t.Errorf("%s: %d bytes, %v; want %v", name, file.Len(), err, c.want)
		}
	}
}

// TestACertificateIsFetchedPieceByPiece, each behind the one before, until all is written. What can't be
// written is no certificate.
func TestACertificateIsFetchedPieceByPiece(t *testing.T) {
	whole := strings.Repeat("certificate", 100)
	sum := sha256.Sum256([]byte(whole))
	state := at(wire.State{Proof: share.Part{Bytes: int64(len(whole)), Digest: hex.EncodeToString(sum[:])}})
	s := hubtest.Start(t)
	s.Answer(wire.SubjectFetch, func(m *nats.Msg) {
		var f wire.Fetch
		if err := json.Unmarshal(m.Data, &f); err != nil || f.Question != question.ID() {
			t.Errorf("%+v, %v", f, err)
		}
		_ = m.Respond([]byte(whole[f.Offset:min(f.Offset+100, int64(len(whole)))])) // who asks has gone
	})
	c := dialled(t, s)
	for _, most := range []int{len(whole), 150, 0} {
		file := bounded{most: most}
		err := c.Fetch(t.Context(), state, &file)
		if (err == nil) != (most == len(whole)) || err == nil && file.String() != whole || errors.Is(err, client.ErrChanged) {
			t.Errorf("%d bytes are written of %d, %v", file.Len(), most, err)
		}
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
