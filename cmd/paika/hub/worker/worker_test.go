package worker

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/hubtest"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
)

// tracked is a site and its searcher, of which it is counted how many are open.
type tracked struct {
	share.Site
	open *atomic.Int32
}

func (s tracked) Close() { s.open.Add(-1) }

func (tracked) Searcher(share.SearcherOptions) (share.Searcher, error) { return idle{}, nil }

// idle is a searcher that has nothing.
type idle struct{ share.Searcher }

func (idle) Close() {}

// TestAWorkerThatIsRefusedLeavesNoSite: it may have one by then, since it hears before of tables that come.
func TestAWorkerThatIsRefusedLeavesNoSite(t *testing.T) {
	s := hubtest.Start(t)
	hub := s.Link()
	var open atomic.Int32
	opened := make(chan struct{})
	s.Answer(wire.SubjectHello, func(m *nats.Msg) {
		if err := hub.Publish(wire.SubjectComing, []byte(hubtest.JSON(t, wire.Coming{}))); err != nil {
			t.Error(err)
		}
		<-opened
		_ = m.Respond([]byte(hubtest.JSON(t, wire.Refusal{Error: "a test"})))
	})
	err := Work(t.Context(), Options{Access: s.Access(), Name: "w", Lanes: 1, Dir: t.TempDir(), Open: func(context.Context, proofs.Setting, string, *share.Supply) (share.Site, error) {
		open.Add(1)
		close(opened)
		return tracked{open: &open}, nil
	}})
	if left := open.Load(); !errors.Is(err, link.ErrRefused) || left != 0 {
		t.Errorf("%v, and %d sites are open", err, left)
	}
}

// TestAWorkerThatIsTurnedAwayUngreetedSaysWhy: the hub goes before it has answered, and who comes in its place
// does not know the worker's credentials.
func TestAWorkerThatIsTurnedAwayUngreetedSaysWhy(t *testing.T) {
	s := hubtest.Start(t)
	heard := make(chan struct{}, 1)
	s.Answer(wire.SubjectHello, func(*nats.Msg) { heard <- struct{}{} })
	ended := make(chan error)
	go func() {
		ended <- Work(t.Context(), Options{Access: s.Access(), Name: "w", Lanes: 1, Dir: t.TempDir()})
	}()
	<-heard
	s.Stop()
	s.TurnAway()
	s.Restart()
	if err := <-ended; !errors.Is(err, link.ErrAway) || !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("%v", err)
	}
}
