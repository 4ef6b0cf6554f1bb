package hub

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
)

// ErrTaken says that another hub is at a NATS server already: it has the stream.
var ErrTaken = errors.New("another hub is there already")

// presence is what other hubs at a NATS server hear of one. Each listens first, and then asks whether
// others do. It is there once the server says that nobody does. Of two that begin at once, the one
// that asks later finds the other one listening, so that they can't both be there.
//
// They might both refuse the other. So each has a name by chance as long as it comes, and the lower
// one goes first: the other gives way, and finds it there when it asks again.
type presence struct {
	mutex sync.Mutex
	name  string // empty once the hub is there: it gives way to nobody
}

// givesWay is the answer of a hub that comes to one that goes first. All others refuse.
const givesWay = "after you"

// hear answers another hub, which tells its name.
func (p *presence) hear(m *nats.Msg) {
	if string(m.Data) < p.said() {
		_ = m.Respond([]byte(givesWay))
	} else {
		_ = m.Respond(nil)
	}
}

// said is the name that it tells others.
func (p *presence) said() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.name
}

func (p *presence) stay() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.name = ""
}

// answerWithin is how long another hub has to say that it is there, and goneWithin how long one that
// does not has to be gone: a server may hear late that its connection has ended.
const (
	answerWithin = time.Second
	goneWithin   = 10 * time.Second
)

// looks is how often nobody has to be found, with a pause in between: servers of a cluster hear a
// moment later who listens at another.
const looks = 2

// alone makes sure that no other hub is at NATS, and stays so. Its stream would be this one's, too. The
// link must not hear what it says itself.
func (h *Hub) alone(own *link.Link) error {
	p := &presence{name: rand.Text()}
	if _, err := own.Subscribe(wire.SubjectHub, p.hear); err != nil {
		return err
	}
	back := own.StatusChanged(nats.CONNECTED)
	if err := h.nobodyElse(own, p, goneWithin); err != nil {
		return err
	}
	p.stay()
	h.spawn(func() { h.stayAlone(own, p, back) })
	return nil
}

// stayAlone ends a hub that finds another one at NATS when it comes back there. What does not answer
// may be its own connection of before.
func (h *Hub) stayAlone(own *link.Link, p *presence, back <-chan nats.Status) {
	for {
		select {
		case <-h.context.Done():
			return
		case <-back:
		}
		if err := h.nobodyElse(own, p, math.MaxInt64); errors.Is(err, ErrTaken) {
			h.cancel(err)
		}
	}
}

// nobodyElse asks until no other hub listens. The server hears that this one does before it hears the
// question. Within some time another one has to be gone that does not answer.
func (h *Hub) nobodyElse(own *link.Link, p *presence, within time.Duration) error {
	nobody := 0
	for began := time.Now(); ; {
		ctx, cancel := context.WithTimeout(h.context, answerWithin)
		said, err := own.RequestWithContext(ctx, wire.SubjectHub, []byte(p.said()))
		cancel()
		switch {
		case err == nil && string(said.Data) != givesWay:
			return fmt.Errorf("%s: %w", h.options.NATS, ErrTaken)
		case errors.Is(err, nats.ErrNoResponders):
			if nobody++; nobody == looks {
				return nil
			}
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			return fmt.Errorf("%s: %w", h.options.NATS, err)
		case time.Since(began) > within:
			return fmt.Errorf("%s: %w, or the server has not noticed yet that it is gone", h.options.NATS, ErrTaken)
		default:
			nobody = 0
		}
		if err := progress.Wait(h.context, link.Pause); err != nil {
			return err
		}
	}
}
