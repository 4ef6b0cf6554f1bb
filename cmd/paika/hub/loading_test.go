package hub

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
)

// A laden site counts how often its tables are wanted, which waits until they come, or fails.
type laden struct {
	share.Site
	wanted atomic.Int32
	come   chan error // closed: they are there
}

func (s *laden) Load(ctx context.Context) error {
	s.wanted.Add(1)
	select {
	case err := <-s.come:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ladenHub is a hub whose tables come as the test says. They are loaded after a sixth of the lease
// at the latest.
func ladenHub(t *testing.T, g *game, lease time.Duration) (h *Hub, s *laden) {
	t.Helper()
	site, err := g.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s = &laden{Site: site, come: make(chan error)}
	return startHub(t, t.TempDir(), func(o *Options) {
		o.Lease = lease
		o.Open = func(context.Context, proofs.Setting, string, *share.Supply) (share.Site, error) { return s, nil }
	}), s
}

// becomes waits for something to be so.
func becomes(what func() bool) {
	for !what() {
		time.Sleep(time.Millisecond)
	}
}

// TestJobsGoOutBeforeTheTablesOfTheHubAreThere, and what comes back waits for them.
func TestJobsGoOutBeforeTheTablesOfTheHubAreThere(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h, s := ladenHub(t, g, time.Hour)
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	r := newRogue(t, h)
	_, answer := r.take()
	if many := s.wanted.Load(); many > 0 {
		t.Errorf("the tables were wanted %d times before there was a result", many)
	}
	r.giveBack(answer)
	work(t, h.Inside(), "w", 1, g)
	becomes(func() bool { return s.wanted.Load() > 0 })
	if jobs := h.Status().Jobs; jobs.Accepted > 0 {
		t.Errorf("%+v: want no result to be taken up yet", jobs)
	}
	close(s.come)
	answered(t, c, g, "white-wins")
}

// TestTablesAreLoadedWhereTheyWillBeNeeded: while a part is put together, and else after a while.
func TestTablesAreLoadedWhereTheyWillBeNeeded(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h, s := ladenHub(t, g, time.Hour)
	close(s.come)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	r := newRogue(t, h)
	_, answer := r.take()
	r.link.Tell(wire.SubjectKept, wire.Kept{Started: answer.Started, Shows: true})
	becomes(func() bool { return s.wanted.Load() > 0 })

	h, s = ladenHub(t, g, 60*time.Millisecond)
	close(s.come)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	becomes(func() bool { return s.wanted.Load() > 0 })
}

// TestAQuestionWhoseTablesCantBeLoadedFails, and is asked again.
func TestAQuestionWhoseTablesCantBeLoadedFails(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h, s := ladenHub(t, g, 60*time.Millisecond)
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	s.come <- errors.New("the disk is gone")
	becomes(func() bool { return h.Status().Questions[0].Stage == wire.Failed })
	if got := h.Status().Questions[0].Error; got != "the disk is gone" {
		t.Errorf("it failed for %q", got)
	}
	close(s.come)
	work(t, h.Inside(), "w", 1, g)
	answered(t, c, g, "white-wins")
}

// TestAQuestionThatGoesOnHasItsTablesFirst: what the ledger knows lets it look further.
func TestAQuestionThatGoesOnHasItsTablesFirst(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h, s := ladenHub(t, g, time.Hour)
	close(s.come)
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	stop := work(t, h.Inside(), "w", 1, g)
	becomes(func() bool { return h.Status().Jobs.Accepted > 0 })
	stop()
	h.mutex.Lock()
	q := h.questions[g.question("white-wins").ID()]
	searched := q.stage == wire.Searching
	if searched {
		s.wanted.Store(0)
		h.suspend(q)
		h.admit()
	}
	h.mutex.Unlock()
	if !searched {
		t.Fatal("want a question that takes more than a job")
	}
	becomes(func() bool { return h.Status().Questions[0].Stage == wire.Searching })
	if s.wanted.Load() == 0 {
		t.Error("jobs go out, and no tables are loaded")
	}
}
