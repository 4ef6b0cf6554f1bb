package hub

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/worker"
)

// tireless is a site whose searchers learn nothing, at once: every job is split.
type tireless struct{ share.Site }

func (s tireless) Searcher(share.SearcherOptions) (share.Searcher, error) { return glance{}, nil }

type glance struct{}

func (glance) Search(context.Context, share.Task, string, int, string, share.Watch) (share.Found, error) {
	return share.Found{Nodes: 1}, nil
}

func (glance) Say(dst []byte) []byte { return dst }
func (glance) Hear([]byte) error     { return nil }
func (glance) Close()                {}

// BenchmarkThroughput measures how many jobs a hub gives out and takes back in a second,
// if jobs take no time: questions, queue, ledger and messages are the real ones. The
// question is about 9x5, whose tree grows without end.
func BenchmarkThroughput(b *testing.B) {
	g := fanoronaOn(b, 9, 5)
	open := g.open
	g.open = func(ctx context.Context) (share.Site, error) {
		site, err := open(ctx)
		return tireless{site}, err
	}
	h, err := Start(b.Context(), Options{Dir: b.TempDir(), Version: version, Open: opener(g), Workers: 1, Memory: 1 << 24})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	c, err := client.Dial(h.Inside())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Ask(b.Context(), g.question("white-wins")); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() {
		done <- worker.Work(ctx, worker.Options{Access: h.Inside(), Name: "bench", Version: version, Lanes: 16, Dir: b.TempDir(), Open: opener(g)})
	}()
	defer func() { cancel(); <-done }()
	before := messages(b, h)
	b.ResetTimer()
	for h.Status().Jobs.Accepted < uint64(b.N) {
		time.Sleep(time.Millisecond)
	}
	b.StopTimer()
	accepted := float64(h.Status().Jobs.Accepted)
	b.ReportMetric(accepted/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(messages(b, h)-before)/accepted, "messages/job")
}

// messages counts those that came to the server of a hub.
func messages(b *testing.B, h *Hub) int64 {
	b.Helper()
	figures, err := h.server.Varz(&server.VarzOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return figures.InMsgs
}
