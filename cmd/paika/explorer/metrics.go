package explorer

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what /metrics tells, in a registry of the server's own.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	seconds   *prometheus.HistogramVec
	positions prometheus.Counter
	nodes     prometheus.Counter
	searches  prometheus.Gauge

	connections prometheus.Gauge
	closed      prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "paika_http_requests_total", Help: "Requests answered, by route and status.",
		}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "paika_http_request_seconds", Help: "Time from a request's header to the end of its answer, by route.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 9),
		}, []string{"route"}),
		positions: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "paika_positions_total", Help: "Positions asked about, those of bulk requests one by one.",
		}),
		nodes: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "paika_search_nodes_total", Help: "Positions visited by bounded searches.",
		}),
		searches: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "paika_searches", Help: "Searches at work.",
		}),
		connections: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "paika_connections", Help: "Connections open.",
		}),
		closed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "paika_connections_closed_total", Help: "Connections closed because too many were open.",
		}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.positions, m.nodes, m.searches, m.connections, m.closed,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// request counts a request. Routes are the server's patterns, so that nobody
// can make more of them.
func (m *metrics) request(r *http.Request, status int, took time.Duration) {
	m.requests.WithLabelValues(r.Pattern, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(r.Pattern).Observe(took.Seconds())
}
