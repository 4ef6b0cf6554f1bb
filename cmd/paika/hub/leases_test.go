package hub

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
)

// TestTheLastLeaseAloneIsHeard: what is said of one before, or of a job of a hub before, may come late.
func TestTheLastLeaseAloneIsHeard(t *testing.T) {
	g := &outJob{Job: wire.Job{Task: &share.Task{Job: "job"}}, lease: lease{lane: lane{speaker: speaker{key: "key"}}, delivery: 2}}
	h := &Hub{starts: 5, out: map[uint64]*outJob{3: g, 4: {Job: g.Job}}}
	last := wire.Started{Job: "job", Start: 5, Message: 3, Delivery: 2}
	if h.leased("key", last) != g {
		t.Error("the last lease is not heard")
	}
	for name, change := range map[string]func(*wire.Started) holder{
		"another key":          func(*wire.Started) holder { return "other" },
		"another job":          func(s *wire.Started) holder { s.Job = "other"; return "key" },
		"another message":      func(s *wire.Started) holder { s.Message = 9; return "key" },
		"the delivery before":  func(s *wire.Started) holder { s.Delivery--; return "key" },
		"the start before":     func(s *wire.Started) holder { s.Start--; return "key" },
		"one never handed out": func(s *wire.Started) holder { s.Message, s.Delivery = 4, 0; return "" },
	} {
		said := last
		if key := change(&said); h.leased(key, said) != nil {
			t.Errorf("%s is heard", name)
		}
	}
}

// returned is a message of the stream that is given back.
type returned struct {
	jetstream.Msg
	times int
}

func (r *returned) NakWithDelay(time.Duration) error { r.times++; return nil }

// TestAnOldDeliveryThatNobodyHearsIsNoReason to give the job back, which somebody else has by now.
func TestAnOldDeliveryThatNobodyHearsIsNoReason(t *testing.T) {
	m := new(returned)
	g := &outJob{lease: lease{delivery: 2, message: m}, kept: time.Now()}
	h := &Hub{own: new(link.Link), out: map[uint64]*outJob{3: g}, deal: make(chan struct{}, 1)}
	for _, c := range []struct {
		delivery uint64
		times    int
	}{{1, 0}, {2, 1}} {
		h.onUnheard(&nats.Msg{Subject: h.unheardAt(wire.Delivery{Message: 3, Delivery: c.delivery})})
		if m.times != c.times || g.kept.IsZero() != (c.times > 0) {
			t.Errorf("delivery %d: given back %d times, want %d", c.delivery, m.times, c.times)
		}
	}
}
