package hub

import (
	"runtime"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/wire"
)

// TestSendersTakeTurns: one who sends much waits for itself, by whatever inboxes it has an answer. Where all
// have one secret, that goes for each process.
func TestSendersTakeTurns(t *testing.T) {
	for _, keys := range [][2]holder{{"greedy", "other"}, {"", ""}} {
		of := &queueing{bytesOf: make(map[sender]int)}
		q := newQueue(of)
		for range 5 {
			q.put(keys[0], &nats.Msg{Reply: "_INBOX.a.1", Data: []byte("a")})
		}
		for range 2 {
			q.put(keys[1], &nats.Msg{Reply: "_INBOX.b.1", Data: []byte("b")})
		}
		order := ""
		for r, there := q.take(); there; r, there = q.take() {
			order += string(r.message.Data)
		}
		if order != "ababaaa" || of.bytes != 0 || len(of.bytesOf) > 0 || len(q.waiting) > 0 || q.many != 0 {
			t.Errorf("%q: order %s, and then %+v, %+v", keys, order, q, of)
		}
	}
}

// TestWhatWaitsOfAKeyIsBounded, in requests and in bytes, and others still find room.
func TestWhatWaitsOfAKeyIsBounded(t *testing.T) {
	small, large := &nats.Msg{}, &nats.Msg{Data: make([]byte, wire.PieceBytes)}
	for m, most := range map[*nats.Msg]int{small: shareOfQueued, large: shareOfQueuedBytes / wire.PieceBytes} {
		of := &queueing{bytesOf: make(map[sender]int)}
		q, another := newQueue(of), newQueue(of)
		for range most + 5 {
			q.put("greedy", m)
		}
		if q.many != most || of.lost() != 5 {
			t.Errorf("%d wait, %d were dropped", q.many, of.lost())
		}
		another.put("greedy", m)
		if taken := another.many == 1; taken != (m == small) {
			t.Errorf("at another subject %d wait of %d bytes", another.many, len(m.Data))
		}
		if q.put("other", m); q.many != most+1 {
			t.Error("another key finds no room")
		}
	}
	of := &queueing{bytesOf: make(map[sender]int)}
	q := newQueue(of)
	for i := range mostQueued / shareOfQueued * 2 {
		for range shareOfQueued {
			q.put(holder(strings.Repeat("x", i+1)), small)
		}
	}
	if q.many != mostQueued {
		t.Errorf("%d wait of all", q.many)
	}
}

// TestAKeyDoesNotSilenceAHub by more requests than it takes: they are dropped and counted, and others are
// answered.
func TestAKeyDoesNotSilenceAHub(t *testing.T) {
	h, greedy, other := besieged(t, nil)
	h.mutex.Lock() // nothing is answered meanwhile
	for range 2 * shareOfQueued {
		if err := greedy.PublishRequest(wire.By(wire.SubjectStatus, greedy.Name()), wire.Inbox(greedy.Name())+".x", nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := greedy.Flush(); err != nil {
		t.Fatal(err)
	}
	for h.queued.lost() < shareOfQueued-1 { // until all have come; one is at work
		progressed(t)
	}
	h.mutex.Unlock()
	var s wire.Status
	if err := other.Ask(t.Context(), wire.SubjectStatus, struct{}{}, &s); err != nil || s.Version != version {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestThoseWhoWaitTogetherHaveOneStatus, and who asks later has another.
func TestThoseWhoWaitTogetherHaveOneStatus(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	q := newQueue(&h.queued)
	teller := &statusTeller{hub: h, waiting: q}
	texts := make(map[string]bool)
	for range 2 {
		for range 3 {
			q.put("ann", new(nats.Msg))
		}
		for r, there := q.take(); there; r, there = q.take() {
			teller.tell(r)
			texts[string(teller.text)] = true // it has the time since the hub began
		}
	}
	if len(texts) != 2 {
		t.Errorf("%d statuses: %v", len(texts), texts)
	}
}

// progressed lets others run.
func progressed(t *testing.T) {
	t.Helper()
	if t.Context().Err() != nil {
		t.Fatal("it takes too long")
	}
	runtime.Gosched()
}
