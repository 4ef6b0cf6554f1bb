package explorer

import (
	"context"
	"errors"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"
)

// Limits bound what requests may take.
type Limits struct {
	Body      int64         // bytes of a request's body
	Positions int           // in a request
	Turns     int           // that the positions of a request have together
	Time      time.Duration // of a request, waiting for its turn included

	SearchNodes  uint64        // positions that a search may visit
	SearchTime   time.Duration // of a search
	SearchMemory uint64        // bytes of a search: its transposition table, and as much for sets of positions

	Survey uint64 // positions of a slice that is looked through

	Working     int // requests at work at once; others wait
	Searches    int // searches at once; others are refused
	Connections int // open at once; a further one takes the place of one that waits
	Client      int // of them, for one client
}

// DefaultLimits suit a machine that does something else besides. With them the
// answers at work take at most some hundred MiB, beside the caches of the tables.
func DefaultLimits() Limits {
	return Limits{
		Body:      512 << 10,
		Positions: 1000,
		Turns:     20_000,
		Time:      10 * time.Second,

		SearchNodes:  5_000_000,
		SearchTime:   30 * time.Second,
		SearchMemory: 128 << 20,

		Survey: 20_000_000,

		Working:     2 * runtime.GOMAXPROCS(0),
		Searches:    2,
		Connections: 256,
		Client:      128,
	}
}

// What a connection is given, apart from the time that its answer takes.
const (
	headerBytes = 8 << 10
	headerTime  = 5 * time.Second  // to send a request's header
	bodyTime    = 10 * time.Second // to send all of a request
	writeTime   = 10 * time.Second // to take the answer
	idleTime    = 15 * time.Second // between two requests
)

// longestPosition bounds the text of one position or turn, in bytes. The longest
// that a game writes, of 19x21 points, has 425.
const longestPosition = 2048

// How long the end takes. Requests at work have patience to finish, then to say
// that they were stopped; then connections are cut, and what still works is left
// behind.
const (
	patience     = 3 * time.Second
	shutdownTime = 5 * time.Second
	leaveTime    = 2 * time.Second
)

// gate lets a number of requests, or of bytes, through at once.
type gate struct {
	size   int64
	places *semaphore.Weighted
}

func newGate(size int64) gate { return gate{size, semaphore.NewWeighted(size)} }

// enter waits for n places, or for all where n is more. It fails when ctx is done.
func (g gate) enter(ctx context.Context, n int64) (leave func(), err error) {
	n = min(n, g.size)
	switch err := g.places.Acquire(ctx, n); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, errBusy
	case err != nil:
		return nil, err
	}
	return func() { g.places.Release(n) }, nil
}

// try takes n places, or all where n is more, if they are free.
func (g gate) try(n int64) (leave func(), err error) {
	n = min(n, g.size)
	if !g.places.TryAcquire(n) {
		return nil, errBusy
	}
	return func() { g.places.Release(n) }, nil
}

// place is one behind a gate that its holder can do without for a while.
type place struct {
	gate  gate
	leave func()
}

// hold waits for a place that is to be left in the end.
func (g gate) hold(ctx context.Context) (*place, error) {
	leave, err := g.enter(ctx, 1)
	return &place{g, leave}, err
}

// enter waits for a place behind another gate. Meanwhile others have this one, which is
// held again when it returns, unless it fails.
func (p *place) enter(ctx context.Context, other gate) (leave func(), err error) {
	p.leave()
	p.leave = func() {}
	leave, err = other.enter(ctx, 1)
	if err != nil {
		return nil, err
	}
	again, err := p.gate.enter(ctx, 1)
	if err != nil {
		leave()
		return nil, err
	}
	p.leave = again
	return leave, nil
}
