package worker

import (
	"context"
	"slices"
	"sync"
	"time"

	"paika/internal/offheap"
)

// memory is what a worker has in memory for its jobs: the site of a game, or the tables of a group,
// one at a time, since either may take all that the worker may. Any number of lanes use it. A lane
// whose job needs another waits until nobody does.
//
// Lanes have what they need in the order in which they came. But as long as it has not stayed for
// some time, what is there serves those first who need it: else tables would be loaded anew for each
// job.
type memory struct {
	mutex   sync.Mutex
	changed chan struct{} // closed when who waits should look again; nil where nobody waits
	waiting []*claim      // in the order in which they came
	there   resident      // nil for none
	key     string        // of what is there
	since   time.Time     // when it came
	users   int
	loading bool // what comes next; nothing is there meanwhile
}

// resident is what is in memory.
type resident interface {
	spent() bool // it is of no use any more but to those who use it
	free()
}

// claim is a lane's that waits.
type claim struct {
	key  string
	came time.Time
}

// stay is how long what is there serves those who need it before others, once these wait.
const stay = 5 * time.Minute

// use gives what has a key, once it is there. What is not there is opened, when nobody uses what else
// is. Who gets it releases it. Errors are that of ctx, and those of open, for who opens alone: others
// who wait open it then.
func (m *memory) use(ctx context.Context, key string, open func() (resident, error)) (resident, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	c := &claim{key, time.Now()}
	m.waiting = append(m.waiting, c)
	defer func() { m.waiting = slices.DeleteFunc(m.waiting, func(other *claim) bool { return other == c }) }()
	for {
		switch {
		case m.loading:
		case m.admits(c):
			m.users++
			return m.there, nil
		case m.users == 0 && m.waiting[0] == c:
			defer m.wake()
			if err := m.load(key, open); err != nil {
				return nil, err
			}
			m.users++
			return m.there, nil
		}
		if err := m.awaitChange(ctx); err != nil {
			m.wake() // who came behind may be the next
			return nil, err
		}
	}
}

// serves tells whether what is there is what a claim is for.
func (m *memory) serves(c *claim) bool { return m.there != nil && m.key == c.key && !m.there.spent() }

// admits tells whether a claim is served by what is there, and none came before that has waited for
// something else as long as it must.
func (m *memory) admits(c *claim) bool {
	if !m.serves(c) {
		return false
	}
	before := m.waiting[:slices.Index(m.waiting, c)]
	for _, other := range before {
		if !m.serves(other) && time.Since(other.came) >= stay && time.Since(m.since) >= stay {
			return false
		}
	}
	return true
}

// load opens what comes next, once what is there is freed. The mutex is let go meanwhile.
func (m *memory) load(key string, open func() (resident, error)) error {
	old := m.there
	m.loading, m.there, m.key = true, nil, ""
	m.mutex.Unlock()
	if old != nil {
		old.free()
	}
	offheap.Collect() // or its tables would be beside what comes
	there, err := open()
	m.mutex.Lock()
	if m.loading = false; err == nil {
		m.there, m.key, m.since = there, key, time.Now()
	}
	return err
}

// awaitChange waits until it is time to look again. The mutex is let go meanwhile.
func (m *memory) awaitChange(ctx context.Context) error {
	if m.changed == nil {
		m.changed = make(chan struct{})
	}
	changed := m.changed
	m.mutex.Unlock()
	defer m.mutex.Lock()
	select {
	case <-changed:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// wake has those look again who wait. The mutex is held.
func (m *memory) wake() {
	if m.changed != nil {
		close(m.changed)
		m.changed = nil
	}
}

// release says that a lane no longer uses what is there.
func (m *memory) release() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.users--; m.users == 0 {
		m.wake()
	}
}

// has tells whether what has a key is there.
func (m *memory) has(key string) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.there != nil && m.key == key
}

// clear frees what is there, if nobody uses it.
func (m *memory) clear() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.there != nil && m.users == 0 {
		m.there.free()
		m.there, m.key = nil, ""
	}
}
