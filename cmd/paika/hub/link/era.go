package link

import (
	"context"
	"sync"
)

// era is the start of a hub that a link knows of. What was asked of another one is not answered any
// more.
type era struct {
	mutex sync.Mutex
	start int             // 0 before the hub has told
	over  context.Context // ends when another start is known
	end   context.CancelFunc
}

func newEra() *era {
	e := new(era)
	e.over, e.end = context.WithCancel(context.Background())
	return e
}

// now is the start that is known, and a context that ends with it.
func (e *era) now() (start int, over context.Context) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.start, e.over
}

// learn takes up what a hub says of its start.
func (e *era) learn(start int) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if start == e.start {
		return
	}
	e.end()
	e.start = start
	e.over, e.end = context.WithCancel(context.Background())
}
