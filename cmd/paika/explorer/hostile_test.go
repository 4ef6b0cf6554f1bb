package explorer

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// listen has a server answer on loopback, as it does for the command, until stop
// is called.
func listen(t testing.TB, s *Server) (address string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	return "http://" + listener.Addr().String(), func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// Connections that send half a header, or nothing, do not keep others from
// their answers.
func TestSlowClientsKeepNobodyWaiting(t *testing.T) {
	address, stop := listen(t, newServer(t, DefaultLimits()))
	defer stop()
	for i := range 200 {
		slow, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Close()
		if i%2 == 0 {
			fmt.Fprintf(slow, "GET / HTTP/1.1\r\nHost: x\r\nX: ")
		} else {
			fmt.Fprintf(slow, "POST /api/v1/fanorona/5x5/positions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
		}
	}
	// The bodies that do not come must not hold the places at work either.
	for range 20 {
		response, err := http.Get(address + about("fanorona", "5x5", "turns", "start"))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Fatalf("status %d", response.StatusCode)
		}
	}
}

// A thousand at once, most of them hostile, get answers that are no failures of
// the server, and it serves on.
func TestThousandsAtOnce(t *testing.T) {
	address, stop := listen(t, newServer(t, DefaultLimits()))
	defer stop()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	targets := []string{
		about("fanorona", "5x5", "position", won),
		about("fanorona", "5x5", "position", "start"),
		about("phutball", "15x19", "turns", dense()),
		about("fanorona", "5x5", "turns", strings.Repeat("B/", 900)),
		"/api/v1/konane/16x16/turns?p=start&rules=" + strings.Repeat("x=y,", 300),
		"/" + strings.Repeat("a", 12<<10), // longer than a header may be
		"/api/v1/%00/%ff/turns?p=%00",
	}
	var failed atomic.Int32
	var group sync.WaitGroup
	for i := range 1000 {
		group.Go(func() {
			response, err := client.Get(address + targets[i%len(targets)])
			if err != nil {
				return // refused, which is as good
			}
			defer response.Body.Close()
			io.Copy(io.Discard, response.Body)
			if response.StatusCode >= 500 && response.StatusCode != http.StatusServiceUnavailable {
				failed.Add(1)
			}
		})
	}
	group.Wait()
	client.CloseIdleConnections()
	if n := failed.Load(); n > 0 {
		t.Errorf("%d answers are failures of the server", n)
	}
	response, err := http.Get(address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

// FuzzQuestions asks about anything; whatever it is, the answer is JSON, and no
// failure of the server.
func FuzzQuestions(f *testing.F) {
	for _, what := range []string{"position", "turns", "play", "random", "longest", "win-in-one", "stats"} {
		f.Add("fanorona", "5x5", what, won, "b2-b3", "")
		f.Add("konane", "4x4", what, "oxox/xoxo/o..x/xoxo b", "b4-b2", "opening=any")
		f.Add("phutball", "3x5", what, "ball=B3 men=B4 to=ohs", "B3-B5", "goal-stop=true")
	}
	h := newServer(f, DefaultLimits()).Handler()
	f.Fuzz(func(t *testing.T, game, board, what, position, turn, rules string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path = "/api/v1/" + game + "/" + board + "/" + what
		query := r.URL.Query()
		query.Set("p", position)
		query.Set("turn", turn)
		query.Set("slice", turn)
		query.Set("rules", rules)
		r.URL.RawQuery = query.Encode()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		if w.Code != http.StatusMovedPermanently && w.Code != http.StatusTemporaryRedirect && !json.Valid(w.Body.Bytes()) {
			t.Errorf("status %d, and no JSON: %q", w.Code, w.Body)
		}
	})
}

// FuzzBodies posts anything.
func FuzzBodies(f *testing.F) {
	f.Add(`{"positions":["` + won + `","start"]}`)
	f.Add(`{"positions":["\ud800","` + strings.Repeat("W", 100) + `"]}`)
	f.Add(`[{}]`)
	h := newServer(f, DefaultLimits()).Handler()
	f.Fuzz(func(t *testing.T, body string) {
		w := post(h, "/api/v1/fanorona/5x5/positions", body)
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	})
}
