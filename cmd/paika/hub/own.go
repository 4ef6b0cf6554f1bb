package hub

import (
	"context"
	"reflect"
	"sync"

	"paika/cmd/paika/hub/inspection"
	"paika/internal/offheap"
	"paika/tablebase/verify"
)

// ownWork is what a hub does itself for a question, beside its workers: one chore after the
// other, in one goroutine.
type ownWork struct {
	context context.Context // of the question
	cancel  context.CancelFunc
	over    chan struct{} // closed when the work ends; nil before it begins
	nudge   chan struct{} // there may be something to be done

	group  *verify.Group // whose pieces are at hand
	pieces inspection.Pieces
}

func newOwnWork(ctx context.Context) ownWork {
	o := ownWork{nudge: make(chan struct{}, 1)}
	o.context, o.cancel = context.WithCancel(ctx)
	return o
}

// begin has work done in the background, whose error fails the question, unless that is
// over already. The hub's mutex is held.
func (o *ownWork) begin(h *Hub, q *question, work func() error) {
	over := make(chan struct{})
	o.over = over
	end := sync.OnceFunc(func() { close(over) })
	begun := h.spawn(func() {
		defer end()
		if err := work(); err != nil && o.context.Err() == nil {
			end()
			h.fail(q, err)
		}
	})
	if !begun {
		end()
	}
}

// chores does what next tells, which waits for a nudge where that is nothing, until it is
// over.
func (o *ownWork) chores(h *Hub, q *question, next func() (over bool, do func() error)) error {
	for {
		over, do := next()
		if over {
			return nil
		}
		if do != nil {
			if err := h.untilRoom(q, do); err != nil {
				return err
			}
			continue
		}
		select {
		case <-o.nudge:
		case <-o.context.Done():
			return nil
		}
	}
}

// wake has chores look whether there is something to do.
func (o *ownWork) wake() {
	signal(o.nudge)
}

// end waits until the work is over, which it is once the question is no longer at work or
// its context has ended, and lets pieces go.
func (o *ownWork) end() {
	if o.over != nil {
		<-o.over
	}
	o.group, o.pieces = nil, nil
}

// bring has the pieces of a group at hand, and of no other. It is for chores.
func (o *ownWork) bring(group verify.Group, load verify.Loader, of interface {
	Pieces(context.Context, verify.Group, verify.Loader) (inspection.Pieces, error)
}) error {
	if o.group != nil && reflect.DeepEqual(*o.group, group) && !o.pieces.Spent() {
		return nil
	}
	o.group, o.pieces = nil, nil
	offheap.Collect() // or the tables would be beside the others
	pieces, err := of.Pieces(o.context, group, load)
	if err == nil {
		o.group, o.pieces = &group, pieces
	}
	return err
}
