package hub

import (
	"context"
	"sync"
	"testing"

	"paika/cmd/paika/hub/share"
)

// A listener is a site whose searchers begin once they have heard another one.
type listener struct{ share.Site }

func (s listener) Searcher(o share.SearcherOptions) (share.Searcher, error) {
	searcher, err := s.Site.Searcher(o)
	return &hearer{Searcher: searcher, heard: make(map[string]bool), another: make(chan struct{})}, err
}

type hearer struct {
	share.Searcher
	mutex   sync.Mutex
	heard   map[string]bool // names, its own among them
	another chan struct{}   // closed once there are two
}

// Hear makes a note of the name, with which each word begins.
func (s *hearer) Hear(said []byte) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.heard[string(said[:8])] = true; len(s.heard) == 2 && s.another != nil {
		close(s.another)
		s.another = nil
	}
	return s.Searcher.Hear(said)
}

func (s *hearer) Search(ctx context.Context, task share.Task, version string, workers int, file string, watch share.Watch) (share.Found, error) {
	s.mutex.Lock()
	another := s.another
	s.mutex.Unlock()
	if another != nil {
		select {
		case <-another:
		case <-ctx.Done():
			return share.Found{}, ctx.Err()
		}
	}
	return s.Searcher.Search(ctx, task, version, workers, file, watch)
}

// TestWorkersHearEachOther: both are given the only position that there is to search, and each
// hears what the other one says while it is at it.
func TestWorkersHearEachOther(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	hears := *g
	hears.open = func(ctx context.Context) (share.Site, error) {
		site, err := g.open(ctx)
		return listener{site}, err
	}
	h := startHub(t, t.TempDir(), nil, g)
	work(t, h.Inside(), "ann", 1, &hears)
	work(t, h.Inside(), "bob", 1, &hears)
	answered(t, dial(t, h.Inside()), g, "white-wins")
}

// TestOthersHearOfATopicAlone: what is said about other tables is for others.
func TestOthersHearOfATopicAlone(t *testing.T) {
	h := startHub(t, t.TempDir(), nil, fanoronaOn(t, 3, 3))
	here, err := h.Inside().Connect("here")
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	heard := make(chan string, 10)
	stop, err := here.Listen("one", func(said []byte) { heard <- string(said) })
	if err != nil {
		t.Fatal(err)
	}
	here.Spread("another", []byte("not this"))
	here.Spread("one", []byte("this"))
	if got := <-heard; got != "this" {
		t.Errorf("heard %q", got)
	}
	stop()
	here.Spread("one", []byte("nor this"))
	if err := here.Flush(); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-heard:
		t.Errorf("heard %q after the end", got)
	default:
	}
}
