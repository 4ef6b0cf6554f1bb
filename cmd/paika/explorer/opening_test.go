package explorer

import (
	"context"
	"testing"

	"paika/cmd/paika/catalogue"
)

// Who waits for somebody else's look at the tables goes when it likes.
func TestWhoWaitsForTheOpeningCanGo(t *testing.T) {
	s := newServer(t, unhurried())
	leave, err := s.opening.one.enter(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	tables := s.views.all()[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if text := s.openingOf(ctx, tables); text != catalogue.Start {
		t.Errorf("without a look: %s", text)
	}
	leave()
	if text := s.openingOf(t.Context(), tables); text == catalogue.Start {
		t.Error("the start, though tables have wins")
	}
}
