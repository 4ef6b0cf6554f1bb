package hub

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// metrics is what a hub tells Prometheus.
func (h *Hub) metrics() string {
	seen := httptest.NewRecorder()
	h.Metrics().ServeHTTP(seen, httptest.NewRequest("GET", "/metrics", nil))
	return seen.Body.String()
}

// TestMetricsTellWhatAHubDoes, in the form that Prometheus reads.
func TestMetricsTellWhatAHubDoes(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	stop := work(t, h.Inside(), "w", 1, g) // of two lanes one may have sent a file for nothing, which stays for a while
	answered(t, dial(t, h.Inside()), g, "white-wins")
	if problems, err := testutil.CollectAndLint(collector{h}); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
	stop()
	seen := h.metrics()
	for !strings.Contains(seen, "paika_hub_workers 0\n") { // until the worker's farewell has come
		time.Sleep(time.Millisecond)
		seen = h.metrics()
	}
	for _, line := range []string{
		`paika_hub_questions{stage="done"} 1`, `paika_hub_jobs_out 0`, `paika_hub_results_total{outcome="rejected"} 0`,
		`paika_hub_workers_refuted_total 0`, `paika_hub_requests_dropped_total 0`, `paika_hub_upload_bytes 0`, `paika_hub_ledger_lines_torn 0`,
	} {
		if !strings.Contains(seen, line+"\n") {
			t.Errorf("no line %s in\n%s", line, seen)
		}
	}
	if f := h.figures(); f.parts == 0 || f.partBytes == 0 || f.nodes == 0 || f.lines < 4 {
		t.Errorf("%+v", f)
	}
}
