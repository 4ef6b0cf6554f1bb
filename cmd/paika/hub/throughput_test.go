package hub

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/worker"
	"paika/solver/jobs"
)

// tireless is a site whose searchers learn nothing, at once: every job is split.
type tireless struct {
	share.Site
	proof share.Proof // that counts turns
}

func (s tireless) Searcher(share.SearcherOptions) (share.Searcher, error) {
	return glance{s.proof}, nil
}

type glance struct{ proof share.Proof }

func (g glance) Search(_ context.Context, task share.Task, _ string, _ int, _ string, _ share.Watch) (share.Found, error) {
	turns := make([]jobs.Turn, g.proof.Turns(task.Position, 1<<10))
	for i := range turns {
		turns[i] = jobs.Turn{Numbers: jobs.Numbers{Proof: 1, Disproof: 1}}
	}
	return share.Found{Nodes: 1, Turns: turns}, nil
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
		if err != nil {
			return nil, err
		}
		proof, err := site.Proof(share.Question{Position: g.start, Claim: "white-wins"})
		return tireless{site, proof}, err
	}
	h, err := Start(b.Context(), Options{Dir: b.TempDir(), Version: version, Open: opener(g), Workers: 1, Memory: 1 << 24, Least: 1, Most: 1})
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
