package hub

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/wire"
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
	_, answer, _ := r.receive()
	for _, subject := range []string{wire.SubjectHello, wire.SubjectUpload, wire.SubjectResult, wire.SubjectAsk, wire.SubjectFetch, wire.SubjectStatus, wire.SubjectTables} {
		for _, reply := range []string{wire.SubjectJobs, wire.SubjectCancel, "$JS.API.STREAM.PURGE." + wire.Stream, "$JS.API.STREAM.DELETE." + wire.Stream} {
			if err := r.link.PublishMsg(&nats.Msg{Subject: subject, Reply: reply, Data: []byte("x")}); err != nil {
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

// TestStrangeMessagesAreBounded: JetStream itself answers whoever asks it, in the stream too.
func TestStrangeMessagesAreBounded(t *testing.T) {
	h, r := alone(t)
	ask := &nats.Msg{Subject: "$JS.API.CONSUMER.INFO." + wire.Stream + "." + wire.Consumer, Reply: wire.SubjectJobs}
	if err := r.link.PublishMsg(ask); err != nil {
		t.Fatal(err)
	}
	for range mostMessages {
		if err := h.own.Publish(wire.SubjectJobs, nil); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if ack, err := h.js.Publish(ctx, wire.SubjectJobs, nil); err == nil {
		t.Errorf("%+v: want the stream to be full", ack)
	}
}

// TestEveryLaneMayWaitForAJob: who is turned away asks again at once, and for ever.
func TestEveryLaneMayWaitForAJob(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	r := newRogue(t, h)
	inbox := r.link.NewInbox()
	turned := make(chan *nats.Msg, mostLanes)
	if _, err := r.link.ChanSubscribe(inbox, turned); err != nil {
		t.Fatal(err)
	}
	for range mostLanes {
		if err := r.link.PublishMsg(&nats.Msg{Subject: "$JS.API.CONSUMER.MSG.NEXT." + wire.Stream + "." + wire.Consumer, Reply: inbox, Data: []byte(`{"batch":1,"expires":60000000000}`)}); err != nil {
			t.Fatal(err)
		}
	}
	for waiting := 0; waiting < mostLanes; {
		select {
		case m := <-turned:
			t.Fatalf("a lane is turned away: %v", m.Header)
		default:
		}
		info, err := h.consumer.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		waiting = info.NumWaiting
	}
}
