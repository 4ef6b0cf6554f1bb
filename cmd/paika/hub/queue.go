package hub

import (
	"context"
	"sync"

	"github.com/nats-io/nats.go"
)

// What waits of the requests of a subject, and of the bytes of all requests, and the share that each sender has.
// What is more is dropped, and asked again. A worker has a request for each of its lanes, and a piece of
// each of its files.
const (
	mostQueued         = mostOut
	shareOfQueued      = mostLanes
	mostQueuedBytes    = 128 << 20
	shareOfQueuedBytes = mostQueuedBytes / 4
)

// request is one that waits.
type request struct {
	key     holder
	message *nats.Msg
	bytes   int
	number  uint64 // of those of its subject that were queued
}

// sender is whose requests wait in line: a key or, where all have one secret, a process by its inbox.
type sender struct {
	key   holder
	inbox string
}

func senderOf(key holder, m *nats.Msg) sender {
	if key != "" {
		return sender{key: key}
	}
	return sender{inbox: processOf(m.Reply)}
}

// hasShare tells whether a sender is known: by one secret workers say, too, what has no reply.
func (s sender) hasShare() bool { return s != sender{} }

// queueing is what the queues of all subjects have in common. Its methods are safe for concurrent use.
type queueing struct {
	mutex   sync.Mutex
	bytes   int
	bytesOf map[sender]int
	dropped uint64
}

// queue has the requests of a subject that wait, and gives them out by turns of their senders: who sends many
// waits for itself. Its methods are safe for concurrent use.
type queue struct {
	*queueing
	waiting map[sender][]request
	turns   []sender // of whom requests wait, the next first
	many    int      // requests that wait
	number  uint64   // of the last request
	filled  chan struct{}
}

func newQueue(of *queueing) *queue {
	return &queue{queueing: of, waiting: make(map[sender][]request), filled: make(chan struct{}, 1)}
}

// put has a request wait, or drops it.
func (q *queue) put(key holder, m *nats.Msg) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	from, bytes := senderOf(key, m), m.Size()
	theirs := q.waiting[from]
	greedy := from.hasShare() && (len(theirs) >= shareOfQueued || q.bytesOf[from]+bytes > shareOfQueuedBytes)
	if greedy || q.many >= mostQueued || q.bytes+bytes > mostQueuedBytes {
		q.dropped++
		return
	}
	if len(theirs) == 0 {
		q.turns = append(q.turns, from)
	}
	q.number++
	q.waiting[from] = append(theirs, request{key, m, bytes, q.number})
	q.many++
	q.account(from, bytes)
	signal(q.filled)
}

// account counts bytes that come, or go. The mutex is held.
func (c *queueing) account(from sender, bytes int) {
	c.bytes += bytes
	if c.bytesOf[from] += bytes; c.bytesOf[from] == 0 {
		delete(c.bytesOf, from)
	}
}

// take gives the next request, if there is one. Its sender's next one waits until all others have had a turn.
func (q *queue) take() (r request, there bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if len(q.turns) == 0 {
		return r, false
	}
	from := q.turns[0]
	q.turns = q.turns[1:]
	theirs := q.waiting[from]
	r, theirs[0] = theirs[0], request{} // it is kept no longer
	if len(theirs) > 1 {
		q.waiting[from] = theirs[1:]
		q.turns = append(q.turns, from)
	} else {
		delete(q.waiting, from)
	}
	q.many--
	q.account(from, -r.bytes)
	return r, true
}

// last is the number of the last request that was queued.
func (q *queue) last() uint64 {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.number
}

// serve handles requests one after the other until the context ends.
func (q *queue) serve(ctx context.Context, handle func(request)) {
	for ctx.Err() == nil {
		if r, there := q.take(); there {
			handle(r)
			continue
		}
		select {
		case <-ctx.Done():
		case <-q.filled:
		}
	}
}

// lost is how many requests were dropped.
func (c *queueing) lost() uint64 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.dropped
}
