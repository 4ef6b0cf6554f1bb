package explorer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"paika/cmd/paika/catalogue"
)

// BenchmarkLoad asks a server on loopback, over connections that stay open, and
// reports positions a second and the 99th percentile of the time to an answer.
// Client and server share the machine. Every answer is checked to be one.
func BenchmarkLoad(b *testing.B) {
	address, stop := listen(b, newServer(b, DefaultLimits()))
	defer stop()
	var positions []string
	for range 500 {
		response, err := http.Get(address + "/api/v1/fanorona/5x5/random?slice=2v2")
		if err != nil {
			b.Fatal(err)
		}
		var probe catalogue.Probe
		err = json.NewDecoder(response.Body).Decode(&probe)
		response.Body.Close()
		if err != nil {
			b.Fatal(err)
		}
		positions = append(positions, probe.Position)
	}
	body, err := json.Marshal(bulk{positions})
	if err != nil {
		b.Fatal(err)
	}
	one := func(path string) func(client *http.Client, i int) (*http.Response, error) {
		return func(client *http.Client, i int) (*http.Response, error) {
			return client.Get(address + about("fanorona", "5x5", path, positions[i%len(positions)]))
		}
	}
	many := func(detail string) func(client *http.Client, i int) (*http.Response, error) {
		return func(client *http.Client, _ int) (*http.Response, error) {
			return client.Post(address+"/api/v1/fanorona/5x5/positions?detail="+detail, "application/json", bytes.NewReader(body))
		}
	}
	for _, c := range []struct {
		name string
		each int // positions a request
		ask  func(client *http.Client, i int) (*http.Response, error)
	}{
		{"turns", 1, one("turns")},
		{"position", 1, one("position")},
		{"bulk-value", len(positions), many("value")},
		{"bulk-turns", len(positions), many("turns")},
		{"bulk-query", len(positions), many("query")},
	} {
		for _, clients := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("%s/clients=%d", c.name, clients), func(b *testing.B) {
				load(b, clients, c.each, c.ask)
			})
		}
	}
}

func load(b *testing.B, clients, each int, ask func(client *http.Client, i int) (*http.Response, error)) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}}
	defer client.CloseIdleConnections()
	times := make([]time.Duration, b.N)
	next := make(chan int, b.N)
	for i := range b.N {
		next <- i
	}
	close(next)
	var group sync.WaitGroup
	b.ResetTimer()
	for range clients {
		group.Go(func() {
			for i := range next {
				began := time.Now()
				response, err := ask(client, i)
				if err != nil {
					b.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, response.Body)
				response.Body.Close()
				if err != nil || response.StatusCode != http.StatusOK {
					b.Errorf("status %d, %v", response.StatusCode, err)
					return
				}
				times[i] = time.Since(began)
			}
		})
	}
	group.Wait()
	b.StopTimer()
	slices.Sort(times)
	p99 := times[int(math.Ceil(0.99*float64(b.N)))-1]
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(b.N*each)/b.Elapsed().Seconds(), "positions/s")
	b.ReportMetric(float64(p99.Microseconds())/1000, "p99-ms")
}
