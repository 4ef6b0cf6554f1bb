package hub

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"paika/cmd/paika/hub/wire"
)

// Metrics answers with what the hub is doing, for Prometheus.
func (h *Hub) Metrics() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector{h}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// collector reads a hub's figures whenever it is asked.
type collector struct{ *Hub }

// What the metrics are called. Totals count since the hub began.
var (
	questionsMetric = newMetric("questions", "Questions, by stage.", "stage")
	resultsMetric   = newMetric("results_total", "Results of jobs, by what the hub made of them.", "outcome")
	outMetric       = newMetric("jobs_out", "Jobs given out, taken by a worker or not.")
	lostMetric      = newMetric("jobs_lost_total", "Jobs whose messages were gone without a result.")
	givenUpMetric   = newMetric("jobs_given_up_total", "Jobs that were split, or done by the hub, since nothing came of them.")
	refutedMetric   = newMetric("workers_refuted_total", "Workers whose accepted results the hub found wrong.")
	workersMetric   = newMetric("workers", "Workers that are there.")
	lanesMetric     = newMetric("lanes", "Cores that the workers bring.")
	busyMetric      = newMetric("lanes_busy", "Cores that the workers say are at work.")
	nodesMetric     = newMetric("nodes_total", "Nodes of all results that were accepted, and indices of tables that workers derived again.")
	rateMetric      = newMetric("nodes_per_second", "Nodes a second that the workers tell of.")
	memoryMetric    = newMetric("memory_bytes", "Bytes of the tables and upper positions of all questions, and of what checks borrow.")
	partsMetric     = newMetric("parts", "Parts that the ledger names.")
	partBytesMetric = newMetric("part_bytes", "Bytes of these parts.")
	uploadsMetric   = newMetric("uploads", "Files that workers are sending: certificates, and groups of tables that they have built.")
	incomingMetric  = newMetric("upload_bytes", "Bytes of these files so far.")
	linesMetric     = newMetric("ledger_lines", "Lines of the ledger that are whole.")
	droppedMetric   = newMetric("requests_dropped_total", "Requests that were dropped, since too many of one key, or of all, waited.")
	tornMetric      = newMetric("ledger_lines_torn", "Lines of the ledger that are not whole.")
)

func newMetric(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("paika_hub_"+name, help, labels, nil)
}

// Describe is of prometheus.Collector.
func (c collector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

// Collect is of prometheus.Collector.
func (c collector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	total := func(d *prometheus.Desc, value uint64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	f := c.figures()
	for stage, many := range f.stages {
		gauge(questionsMetric, float64(many), string(stage))
	}
	j := f.jobs
	for what, many := range map[wire.Outcome]uint64{wire.Accepted: j.Accepted, wire.Copied: j.Copied, wire.Stale: j.Stale, wire.Rejected: j.Rejected, wire.Refused: j.Refused, wire.Unknown: j.Unknown} {
		total(resultsMetric, many, string(what))
	}
	gauge(outMetric, float64(j.Out))
	total(lostMetric, j.Lost)
	total(givenUpMetric, j.GivenUp)
	total(refutedMetric, j.Refuted)
	gauge(workersMetric, float64(f.workers))
	gauge(lanesMetric, float64(f.lanes))
	gauge(busyMetric, float64(f.busy))
	total(nodesMetric, f.nodes)
	gauge(rateMetric, f.rate)
	gauge(memoryMetric, float64(f.memory))
	gauge(partsMetric, float64(f.parts))
	gauge(partBytesMetric, float64(f.partBytes))
	gauge(uploadsMetric, float64(f.uploads))
	gauge(incomingMetric, float64(f.incoming))
	gauge(linesMetric, float64(f.lines))
	total(droppedMetric, f.dropped)
	gauge(tornMetric, float64(j.Torn))
}

// figures are what the metrics tell.
type figures struct {
	stages               map[wire.Stage]int
	jobs                 wire.Jobs
	workers, lanes, busy int
	nodes                uint64
	rate                 float64
	memory               uint64
	parts                uint64
	partBytes            int64
	uploads              int
	incoming             int64
	lines                uint64
	dropped              uint64
}

func (h *Hub) figures() figures {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	f := figures{
		stages: map[wire.Stage]int{wire.Waiting: 0, wire.Preparing: 0, wire.Searching: 0, wire.Writing: 0, wire.Done: 0, wire.Failed: 0},
		jobs:   h.counts, workers: len(h.workers), nodes: h.nodes, memory: h.used(), parts: h.parts, partBytes: h.partBytes,
		uploads: len(h.uploads), incoming: h.incoming, lines: h.recalled + h.ledger.Lines(), dropped: h.queued.lost(),
	}
	f.jobs.Out = len(h.out)
	for _, q := range h.questions {
		f.stages[q.stage]++
	}
	for _, w := range h.workers {
		f.lanes += w.Lanes
		f.busy += w.Busy
		f.rate += w.rate
	}
	return f
}
