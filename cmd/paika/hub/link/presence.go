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
// the hub does not, or that nobody answers them, and that somebody does again. A hub that starts is
// not there for a moment, and one answer may be lost with a connection.
type presence struct {
	url  string
	tell func(text string) // nil: nobody is told

	mutex sync.Mutex
	since time.Time // no request was answered; zero where one was
	told  bool
}

// absentAfter is how long nobody hears requests before that is told, silentAfter how long nobody answers
// them. A hub may be at work, or wait for its disk.
const (
	absentAfter = 2 * time.Second
	silentAfter = 20 * time.Second
)

// hear takes what became of a request. One that got no answer in its time was heard, or lost, if the
// connection is there.
func (p *presence) hear(err error, connected bool) {
	absent := errors.Is(err, nats.ErrNoResponders)
	silent := connected && errors.Is(err, context.DeadlineExceeded)
	if p.tell == nil || err != nil && !absent && !silent {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch {
	case err == nil:
		if p.told {
			p.tell(isBack(p.url))
		}
		p.since, p.told = time.Time{}, false
	case p.since.IsZero():
		p.since = time.Now()
	case p.told:
	case absent && time.Since(p.since) > absentAfter:
		p.told = true
		p.tell(isAway(p.url))
	case silent && time.Since(p.since) > silentAfter:
		p.told = true
		p.tell(isSilent(p.url))
	}
}

func isAway(url string) string { return fmt.Sprintf("the hub at %s is away, and is waited for", url) }
func isSilent(url string) string {
	return fmt.Sprintf("the hub at %s does not answer, and is waited for", url)
}
func isBack(url string) string { return fmt.Sprintf("the hub at %s is back", url) }
