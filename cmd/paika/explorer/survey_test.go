package explorer

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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

// Whoever waits for a survey goes when its time is over, and takes what was found meanwhile. A survey
// gives its place back.
func TestASurveyWaitsForOthers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newServer(t, unhurried())
		v, err := s.views.find(name{"fanorona", "5x5", ""})
		if err != nil {
			t.Fatal(err)
		}
		survey := func(slice string) (any, error) {
			place, err := s.working.hold(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { place.leave() }()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			return s.survey(ctx, question{view: v, parameters: url.Values{"slice": {slice}}, place: place})
		}
		leave, err := s.surveying.try(1) // another slice is looked through
		if err != nil {
			t.Fatal(err)
		}
		if found, err := survey("2v1"); err != errBusy {
			t.Errorf("two slices are looked through: %v, %v", found, err)
		}
		go func() {
			synctest.Wait() // until it waits
			s.surveys.Store(sliceKey{v.instance.Folder(), "1v2"}, "found")
			leave()
		}()
		if found, err := survey("1v2"); found != "found" || err != nil {
			t.Errorf("what was found meanwhile is looked for: %v, %v", found, err)
		}
		for _, slice := range []string{"2v1", "1v1"} {
			if found, err := survey(slice); err != nil || found.(catalogue.SliceStats).Slice != slice {
				t.Errorf("%s: %v, %v", slice, found, err)
			}
		}
	})
}

// A request that gives up waiting for a survey is told so, and every place is there again.
func TestARequestThatGivesUpWaitingIsToldSo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newServer(t, DefaultLimits())
		leave, err := s.surveying.try(1)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		w := get(s.Handler(), "/api/v1/fanorona/5x5/survey?slice=2v1")
		if got := decode[problem](t, w.Body.Bytes()); w.Code != http.StatusServiceUnavailable || got.Code != catalogue.CodeBusy {
			t.Errorf("status %d, %+v", w.Code, got)
		}
		if all, err := s.working.try(s.working.size); err != nil {
			t.Error("a place is missing")
		} else {
			all()
		}
	})
}

// Who wants more places than there are takes all.
func TestNobodyWaitsForMorePlacesThanThereAre(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		g := newGate(3)
		for name, enter := range map[string]func() (func(), error){
			"waiting": func() (func(), error) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				return g.enter(ctx, 4)
			},
			"at once": func() (func(), error) { return g.try(4) },
		} {
			leave, err := enter()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if _, err := g.try(1); err == nil {
				t.Errorf("%s: a place is left", name)
			}
			leave()
		}
	})
}

// Who gives up waiting holds no place any more, behind neither gate, and gives back none that
// another has.
func TestWhoGivesUpWaitingHoldsNoPlace(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		own, other := newGate(1), newGate(1)
		hold := func() *place {
			p, err := own.hold(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		wait := func(p *place) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if leave, err := p.enter(ctx, other); err != errBusy || leave != nil {
				t.Errorf("it has a place: %v", err)
			}
			p.leave() // as it does in the end
		}
		taken := func(g gate) bool {
			leave, err := g.try(1)
			if err == nil {
				leave()
			}
			return err != nil
		}

		// The other gate stays closed.
		leave, err := other.try(1)
		if err != nil {
			t.Fatal(err)
		}
		wait(hold())
		if leave(); taken(own) || taken(other) {
			t.Errorf("its own place is taken: %v, the other: %v", taken(own), taken(other))
		}

		// The other gate is open, and its own is taken meanwhile.
		p, next := hold(), make(chan func())
		go func() {
			leave, err := own.enter(t.Context(), 1)
			if err != nil {
				t.Error(err)
			}
			next <- leave
		}()
		synctest.Wait()
		wait(p)
		leave = <-next
		if !taken(own) || taken(other) {
			t.Errorf("the place of another is taken: %v, and one behind the other gate: %v", taken(own), taken(other))
		}
		if leave(); taken(own) {
			t.Error("the place is not given back")
		}
	})
}
