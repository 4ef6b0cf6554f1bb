package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A crowd is lanes that share a memory. What is in it is told: "+a" that it was opened, "-a" that it
// was freed, "a" that a lane has it.
type crowd struct {
	memory
	telling sync.Mutex
	told    []string
}

func (c *crowd) tell(what string) {
	c.telling.Lock()
	defer c.telling.Unlock()
	c.told = append(c.told, what)
}

type thing struct {
	name string
	of   *crowd
	gone bool
}

func (t *thing) spent() bool { return t.gone }
func (t *thing) free()       { t.of.tell("-" + t.name) }

// lane is one that wants something, until it has it or its context ends.
func (c *crowd) lane(ctx context.Context, name string) {
	go func() {
		_, err := c.use(ctx, name, func() (resident, error) {
			c.tell("+" + name)
			return &thing{name: name, of: c}, nil
		})
		if err == nil {
			c.tell(name)
		}
	}()
	synctest.Wait()
}

// releases has a lane release what it has.
func (c *crowd) releases() {
	c.release()
	synctest.Wait()
}

// wants wants this to be told since it was called before.
func (c *crowd) wants(t *testing.T, told ...string) {
	t.Helper()
	if !slices.Equal(c.told, told) {
		t.Errorf("%q, want %q", c.told, told)
	}
	c.told = nil
}

// TestOneThingIsInMemory: what comes next is opened once nobody uses what was there, and that is freed.
// It stays when nobody uses it, until something else comes.
func TestOneThingIsInMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := new(crowd)
		c.lane(t.Context(), "a")
		c.wants(t, "+a", "a")
		c.lane(t.Context(), "b")
		c.lane(t.Context(), "b")
		c.wants(t)
		c.clear() // somebody uses it
		c.releases()
		c.wants(t, "-a", "+b", "b", "b")
		c.releases()
		c.releases()
		c.lane(t.Context(), "b")
		c.wants(t, "b")
		c.releases()
		c.clear()
		c.wants(t, "-b")
	})
}

// TestWhatIsThereServesFirstForSomeTime: who came before and waits for something else has it then, and
// as long as that again nobody else.
func TestWhatIsThereServesFirstForSomeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := new(crowd)
		c.lane(t.Context(), "a")
		c.lane(t.Context(), "b")
		c.lane(t.Context(), "a")
		c.releases()
		c.wants(t, "+a", "a", "a")
		time.Sleep(stay)
		c.lane(t.Context(), "a")
		c.lane(t.Context(), "b")
		c.wants(t)
		c.releases()
		c.wants(t, "-a", "+b", "b", "b")
		time.Sleep(stay - 1)
		c.lane(t.Context(), "b")
		c.wants(t, "b")
		for range 3 {
			c.releases()
		}
		c.wants(t, "-b", "+a", "a")
		c.releases()
	})
}

// TestALaneThatWaitsNoMoreHoldsNobodyUp.
func TestALaneThatWaitsNoMoreHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := new(crowd)
		c.lane(t.Context(), "a")
		unwanted, cancel := context.WithCancel(t.Context())
		c.lane(unwanted, "b")
		time.Sleep(stay)
		c.lane(t.Context(), "a")
		c.wants(t, "+a", "a")
		cancel()
		synctest.Wait()
		c.wants(t, "a")
		c.releases()
		c.releases()
	})
}

// TestWhatIsSpentIsOpenedAnew, once nobody uses it.
func TestWhatIsSpentIsOpenedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := new(crowd)
		c.lane(t.Context(), "a")
		c.there.(*thing).gone = true
		c.lane(t.Context(), "a")
		c.wants(t, "+a", "a")
		c.releases()
		c.wants(t, "-a", "+a", "a")
		c.releases()
	})
}

// TestWhoWaitsForWhatIsNotOpenedOpensItItself, and hears no error but its own.
func TestWhoWaitsForWhatIsNotOpenedOpensItItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, opens, heard := new(crowd), make(chan struct{}), make(chan error, 3)
		for i := range 3 {
			go func() {
				_, err := c.use(t.Context(), "a", func() (resident, error) {
					<-opens
					return nil, fmt.Errorf("%w: %d", errOpened, i)
				})
				heard <- err
			}()
		}
		synctest.Wait()
		close(opens)
		seen := make(map[string]bool)
		for range 3 {
			err := <-heard
			if seen[err.Error()] = true; !errors.Is(err, errOpened) {
				t.Error(err)
			}
		}
		if len(seen) != 3 || c.users != 0 || len(c.waiting) > 0 {
			t.Errorf("%v, %d lanes use it and %d wait", seen, c.users, len(c.waiting))
		}
	})
}
