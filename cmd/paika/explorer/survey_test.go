package explorer

import (
	"net/url"
	"sync"
	"testing"

	"paika/cmd/paika/catalogue"
)

// However many ask about a slice at the same time, it is looked through once.
func TestASliceIsLookedThroughOnce(t *testing.T) {
	s := newServer(t, DefaultLimits())
	v, err := s.views.find(name{"fanorona", "5x5", ""})
	if err != nil {
		t.Fatal(err)
	}
	found := make([]any, 8)
	var work sync.WaitGroup
	for i := range found {
		work.Go(func() {
			var err error
			if found[i], err = s.survey(t.Context(), question{view: v, parameters: url.Values{"slice": {"2v1"}}}); err != nil {
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
