package link

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// presence tells that nobody hears requests at a server that is there, as where it runs elsewhere and
// the hub does not, and that somebody does again. A hub that starts is not there for a moment.
type presence struct {
	url  string
	tell func(text string) // nil: nobody is told

	mutex sync.Mutex
	since time.Time // nobody heard; zero where somebody does
	told  bool
}

// absentAfter is how long nobody hears before that is told.
const absentAfter = 2 * time.Second

// hear takes what became of a request. One that got no answer in its time was heard, if the
// connection is there.
func (p *presence) hear(err error, connected bool) {
	absent := errors.Is(err, nats.ErrNoResponders)
	heard := err == nil || connected && errors.Is(err, context.DeadlineExceeded)
	if p.tell == nil || !absent && !heard {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch {
	case !absent:
		if p.told {
			p.tell(isBack(p.url))
		}
		p.since, p.told = time.Time{}, false
	case p.since.IsZero():
		p.since = time.Now()
	case !p.told && time.Since(p.since) > absentAfter:
		p.told = true
		p.tell(isAway(p.url))
	}
}

func isAway(url string) string { return fmt.Sprintf("the hub at %s is away, and is waited for", url) }
func isBack(url string) string { return fmt.Sprintf("the hub at %s is back", url) }
