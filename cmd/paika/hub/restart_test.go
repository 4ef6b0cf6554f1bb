package hub

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/hubtest"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/proofs"
	"paika/tablebase/verify"
)

// soon is more than a worker takes to hear that a hub has started anew, and less than a lane waits.
const soon = wire.LaneWaits / 2

// startAgain starts a hub anew at its place.
func (h *Hub) startAgain(t *testing.T, start func(change func(*Options)) *Hub) *Hub {
	t.Helper()
	at, err := url.Parse(h.URL())
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	return start(func(o *Options) { o.Address = at.Host })
}

// TestASearchEndsWithTheHubThatGaveItOut: nobody else can stop it, and the next hub takes no numbers
// of it.
func TestASearchEndsWithTheHubThatGaveItOut(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	h := startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" }, g)
	lazy := *g
	var first sync.Once
	began := make(chan struct{})
	lazy.open = func(ctx context.Context) (share.Site, error) {
		site, err := g.open(ctx)
		return sleepy{site, func(ctx context.Context) {
			first.Do(func() {
				close(began)
				<-ctx.Done()
			})
		}}, err
	}
	work(t, link.Access{URL: h.URL(), Credentials: h.Credentials()}, "w", 1, &lazy)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	<-began
	h = h.startAgain(t, func(change func(*Options)) *Hub { return startHub(t, dir, change, g) })
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if _, err := dial(t, h.Inside()).Wait(ctx, g.question("white-wins"), nil); err != nil {
		t.Errorf("the search goes on: %v", err)
	}
}

// A sleepy site has searchers that do something before each search.
type sleepy struct {
	share.Site
	before func(context.Context)
}

func (s sleepy) Searcher(o share.SearcherOptions) (share.Searcher, error) {
	searcher, err := s.Site.Searcher(o)
	return sleeper{searcher, s}, err
}

type sleeper struct {
	share.Searcher
	site sleepy
}

func (s sleeper) Search(ctx context.Context, task share.Task, version string, workers int, file string, watch share.Watch) (share.Found, error) {
	s.site.before(ctx)
	return s.Searcher.Search(ctx, task, version, workers, file, watch)
}

// TestABuildEndsOnceTheNextHubHasItsGroup, and goes on until then: of the same group, a result is
// taken from whoever comes first.
func TestABuildEndsOnceTheNextHubHasItsGroup(t *testing.T) {
	y, dir := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3}), t.TempDir()
	start := func(change func(*Options)) *Hub { return y.start(t, dir, change) }
	h := start(func(o *Options) { o.Address = "127.0.0.1:0" })
	slow := y.brings(t, link.Access{URL: h.URL(), Credentials: h.Credentials()}, "slow")
	building, ended := make(chan string, 1), make(chan struct{})
	var once sync.Once
	slow.Builds = func(proofs.Setting) (construction.Game, error) {
		return endless{y.game(y.limits(1 << 30)), func(ctx context.Context, job string) {
			once.Do(func() {
				building <- job
				<-ctx.Done()
				close(ended)
			})
		}}, nil
	}
	atWork(t, slow)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	job := <-building
	earlier := h.starts
	h = h.startAgain(t, start)
	for h.Status().Questions[0].Stage != wire.Searching {
		time.Sleep(time.Millisecond)
	}
	if u := h.unwantedOf([]wire.Earlier{{Question: y.question().ID(), Job: job, Start: earlier}}); len(u) > 0 {
		t.Errorf("%s is not wanted before another has built it", u)
	}
	atWork(t, y.brings(t, h.Inside(), "other"))
	y.built(t, dial(t, h.Inside()))
	select {
	case <-ended:
	case <-time.After(soon):
		t.Error("it builds what is stored")
	}
}

// An endless game does something before it builds, which may have no end.
type endless struct {
	construction.Game
	before func(ctx context.Context, job string)
}

func (g endless) Build(ctx context.Context, task construction.Task, load verify.Loader, out io.Writer) (construction.Made, error) {
	g.before(ctx, task.Job)
	return g.Game.Build(ctx, task, load, out)
}

// TestALaneTakesWorkSoonAfterAHubHasStartedAnew, though its connection to a server elsewhere is the
// same, and what it waits for will not come.
func TestALaneTakesWorkSoonAfterAHubHasStartedAnew(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h, e, ann := hubElsewhere(t, time.Minute, g)
	work(t, ann, "w", 1, g)
	waits := func() int {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		return len(h.waiting)
	}
	for waits() == 0 {
		time.Sleep(time.Millisecond)
	}
	h.Close()
	h = startHub(t, h.options.Dir, func(o *Options) { o.NATS = e.url() }, g)
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if _, err := dial(t, ann).Wait(ctx, g.question("white-wins"), nil); err != nil {
		t.Errorf("no lane takes work: %v", err)
	}
}

// TestAWorkerOfAnotherVersionIsToldSoWheneverItSpeaks: it may have come to the hub before, which has
// another version since.
func TestAWorkerOfAnotherVersionIsToldSoWheneverItSpeaks(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	who := wire.Hello{Worker: "old", Version: "older", Lanes: 1}
	if _, err := connected(t, h.Inside()).Attend(t.Context(), who); !errors.Is(err, link.ErrRefused) || !strings.Contains(err.Error(), "this worker older") {
		t.Errorf("%v", err)
	}
	if s := h.Status(); len(s.Workers) > 0 {
		t.Errorf("%+v", s.Workers)
	}
}

// TestAWorkerTellsWhatItIsToldWhenItComes.
func TestAWorkerTellsWhatItIsToldWhenItComes(t *testing.T) {
	s := hubtest.Start(t)
	s.Say(wire.SubjectHello, hubtest.JSON(t, wire.Welcome{Start: 1, Cut: "1 of 2 lanes"}))
	ctx, cancel := context.WithCancel(t.Context())
	var told []string
	notice := func(text string) { told = append(told, text); cancel() }
	err := worker.Work(ctx, worker.Options{Access: s.Access(), Name: "w", Version: version, Lanes: 2, Dir: t.TempDir(), Notice: notice})
	if !errors.Is(err, context.Canceled) || !slices.Equal(told, []string{"1 of 2 lanes"}) {
		t.Errorf("%q, %v", told, err)
	}
}

// TestAWorkerEndsOnceItIsRefused, though it was welcome before.
func TestAWorkerEndsOnceItIsRefused(t *testing.T) {
	s := hubtest.Start(t)
	s.Say(wire.SubjectHello, hubtest.JSON(t, wire.Welcome{Start: 1}))
	s.Say(wire.SubjectAlive, hubtest.JSON(t, wire.Noted{Start: 2, Refusal: wire.Refusal{Error: "the hub has version newer"}}))
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	err := worker.Work(ctx, worker.Options{Access: s.Access(), Name: "old", Version: version, Lanes: 1, Dir: t.TempDir()})
	if !errors.Is(err, link.ErrRefused) || !strings.Contains(err.Error(), "version newer") {
		t.Errorf("%v", err)
	}
}

// TestAHubThatHearsNobodyBeganNothing: however often its address is taken, its ledger stays as it was, and the
// next one goes on in the folder.
func TestAHubThatHearsNobodyBeganNothing(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	o := Options{Dir: filepath.Join(t.TempDir(), "hub"), Address: taken.Addr().String()}
	for range 3 {
		if h, err := Start(t.Context(), o); err == nil {
			h.Close()
			t.Fatal("it listens where somebody else does")
		}
		if text, err := os.ReadFile(filepath.Join(o.Dir, ledgerName)); err != nil || len(text) > 0 {
			t.Errorf("its ledger has %q, %v", text, err)
		}
	}
	o.Address = "127.0.0.1:0"
	h, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if h.starts != 1 {
		t.Errorf("it has begun %d times", h.starts)
	}
}
