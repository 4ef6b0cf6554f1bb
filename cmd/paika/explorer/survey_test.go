package explorer

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"paika/cmd/paika/catalogue"
)

// However many ask about a slice at the same time, it is looked through once.
func TestASliceIsLookedThroughOnce(t *testing.T) {
	s := newServer(t, unhurried())
	v, err := s.views.find(name{"fanorona", "5x5", ""})
	if err != nil {
		t.Fatal(err)
	}
	found := make([]any, 8)
	var work sync.WaitGroup
	for i := range found {
		work.Go(func() {
			place, err := s.working.hold(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { place.leave() }()
			q := question{view: v, parameters: url.Values{"slice": {"2v1"}}, place: place}
			if found[i], err = s.survey(t.Context(), q); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	if t.Failed() {
		return
	}
	first := found[0].(catalogue.SliceStats).Longest
	for _, other := range found {
		if other.(catalogue.SliceStats).Longest != first {
			t.Error("the slice was looked through again for one who waited")
		}
	}
}

// However many wait for a survey, others are answered.
func TestWhoWaitsForASurveyTakesNobodysPlace(t *testing.T) {
	limits := DefaultLimits()
	limits.Working, limits.Time = 1, long
	s := newServer(t, limits)
	v, err := s.views.find(name{"fanorona", "5x5", ""})
	if err != nil {
		t.Fatal(err)
	}
	done, err := s.surveying.enter(t.Context(), 1) // another slice is looked through
	if err != nil {
		t.Fatal(err)
	}
	place, err := s.working.hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	surveyed := make(chan error)
	go func() {
		_, err := s.survey(t.Context(), question{view: v, parameters: url.Values{"slice": {"2v1"}}, place: place})
		place.leave()
		surveyed <- err
	}()
	if w := get(s.Handler(), about("fanorona", "5x5", "turns", "start")); w.Code != http.StatusOK {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	done()
	if err := <-surveyed; err != nil {
		t.Error(err)
	}
}
