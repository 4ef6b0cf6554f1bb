package link

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
)

// denials ends requests that a server denies. It says so of a connection, not in answer to a
// request, which would be made again for ever.
type denials struct {
	mutex   sync.Mutex
	waiting map[*request]bool
}

// request is one that waits for an answer.
type request struct {
	subject string
	end     context.CancelCauseFunc
}

// watch gives the context of a request, which ends when that is denied. Its cause wraps
// ErrRefused then.
func (d *denials) watch(ctx context.Context, subject string) (watched context.Context, done func()) {
	watched, end := context.WithCancelCause(ctx)
	r := &request{subject, end}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.waiting == nil {
		d.waiting = make(map[*request]bool)
	}
	d.waiting[r] = true
	return watched, func() {
		end(nil)
		d.mutex.Lock()
		defer d.mutex.Unlock()
		delete(d.waiting, r)
	}
}

// hear takes what a server says of a connection.
func (d *denials) hear(_ *nats.Conn, _ *nats.Subscription, err error) {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for r := range d.waiting {
		if strings.Contains(err.Error(), strconv.Quote(r.subject)) {
			r.end(fmt.Errorf("%w: %w", ErrRefused, err))
		}
	}
}
