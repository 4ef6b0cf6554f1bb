package explorer

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"paika/cmd/paika/catalogue"
)

// searchAt starts a search over HTTP and gives the lines of its answer.
func searchAt(t *testing.T, ctx context.Context, address, path, body string) (int, *bufio.Scanner) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/api/v1/"+path+"/search", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response.StatusCode, bufio.NewScanner(response.Body)
}

// lastLine reads an answer to its end.
func lastLine(t *testing.T, lines *bufio.Scanner) (last string) {
	t.Helper()
	for lines.Scan() {
		last = lines.Text()
	}
	return last
}

func TestSearchAgreesWithTables(t *testing.T) {
	address := serve(t, unhurried())
	for _, c := range []struct{ path, position, value, by string }{
		{"fanorona/5x5", "start", "draw", catalogue.BySearch},
		{"fanorona/5x5", won, "win", catalogue.ByTables},
		{"fanorona/3x3", "start", "win", catalogue.BySearch},
		{"konane/4x4", "start", "loss", catalogue.ByTables},
		{"konane/5x4", "start", "loss", catalogue.BySearch},
		{"phutball/3x7", "start", "win", catalogue.BySearch},
		{"phutball/3x5", ".@./.../.../.../... eks", "loss", catalogue.ByRules},
	} {
		_, lines := searchAt(t, t.Context(), address, c.path, asCommands(t, searchRequest{Position: c.position}))
		last := lastLine(t, lines)
		got := decode[catalogue.Searched](t, []byte(last))
		if got.Value == nil || *got.Value != c.value || got.By != c.by {
			t.Errorf("%s %s: %s, want %s by %s", c.path, c.position, last, c.value, c.by)
		}
	}
}

func TestSearchEndsAtItsLimit(t *testing.T) {
	address := serve(t, unhurried())
	for _, path := range []string{"fanorona/9x5", "konane/8x8", "phutball/15x19"} {
		_, lines := searchAt(t, t.Context(), address, path, `{"position":"start","nodes":2000}`)
		got := decode[catalogue.Searched](t, []byte(lastLine(t, lines)))
		if got.Value != nil || got.Nodes < 2000 || got.Nodes > 20_000 {
			t.Errorf("%s: %+v, want nothing after 2000 nodes", path, got)
		}
	}
}

func TestSearchStopsWithItsClientAndLeavesItsPlace(t *testing.T) {
	limits := DefaultLimits()
	limits.Searches, limits.SearchNodes, limits.SearchTime = 1, 1<<40, time.Hour
	address, stop := listen(t, newServer(t, limits))
	defer stop()
	ctx, cancel := context.WithCancel(t.Context())
	_, lines := searchAt(t, ctx, address, "fanorona/9x5", `{"position":"start"}`)
	if !lines.Scan() || !json.Valid(lines.Bytes()) {
		t.Fatalf("first line %q", lines.Text())
	}
	if status, _ := searchAt(t, t.Context(), address, "fanorona/9x5", `{"position":"start"}`); status != http.StatusServiceUnavailable {
		t.Errorf("a second search: status %d, want 503", status)
	}
	cancel()
	for end := time.Now().Add(long); ; time.Sleep(5 * time.Millisecond) {
		status, lines := searchAt(t, t.Context(), address, "fanorona/9x5", `{"position":"start","nodes":1000}`)
		if status == http.StatusOK && lastLine(t, lines) != "" {
			return
		}
		if status != http.StatusServiceUnavailable || time.Now().After(end) {
			t.Fatalf("status %d: the search goes on without its client", status)
		}
	}
}

// When the server stops, a search says so in its last line, and is at work no more.
func TestStoppedSearchesSayIt(t *testing.T) { inBubble(t, stoppedSearches) }

func stoppedSearches(t *testing.T) {
	limits := unhurried()
	limits.SearchNodes = 1 << 40 // to the end of the test
	server := newServer(t, limits)
	s := onWires(t, server)
	client := s.client(t, "127.0.0.1")
	response, err := client.Post(s.address+"/api/v1/fanorona/9x5/search", "application/json", strings.NewReader(`{"position":"start"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Scan()
	ended := make(chan struct{})
	go func() { s.stop(); close(ended) }()
	last := lastLine(t, lines)
	<-ended
	if got := decode[struct{ Problem problem }](t, []byte(last)).Problem; lines.Err() != nil || got.Code != catalogue.CodeStopped || got.Status != http.StatusServiceUnavailable {
		t.Errorf("the last line is %s, %v", last, lines.Err())
	}
	if n := server.atWork.Load(); n > 0 {
		t.Errorf("%d searches go on", n)
	}
	if _, err := client.Get(s.address + "/healthz"); err == nil {
		t.Error("it still answers")
	}
}

// A recorded answer, with the time until which it may be written, and until which the client may
// send: zero for ever.
type deadlined struct {
	*httptest.ResponseRecorder
	until time.Time
	sends *time.Time
}

func (d *deadlined) SetReadDeadline(until time.Time) error {
	d.sends = &until
	return nil
}

func (d *deadlined) SetWriteDeadline(until time.Time) error {
	d.until = until
	return nil
}

// A late body tells when it was read to its end.
type late struct {
	io.Reader
	ended time.Time
}

func (l *late) Read(p []byte) (n int, err error) {
	if n, err = l.Reader.Read(p); err == io.EOF {
		l.ended = time.Now()
	}
	return n, err
}

// What a search waits for before it begins takes nothing from the time that its answer has.
func TestASearchThatWaitedHasItsTime(t *testing.T) {
	limits := unhurried()
	body := &late{Reader: strings.NewReader(`{"position":"start","nodes":1000}`)}
	r := httptest.NewRequest(http.MethodPost, "/api/v1/fanorona/9x5/search", body)
	r.Header.Set("Content-Type", "application/json")
	w := &deadlined{ResponseRecorder: httptest.NewRecorder()}
	newServer(t, limits).Handler().ServeHTTP(w, r)
	if least := body.ended.Add(limits.SearchTime + writeTime); w.Code != http.StatusOK || body.ended.IsZero() || w.until.Before(least) {
		t.Errorf("status %d, may be written until %v, want %v at least", w.Code, w.until, least)
	}
	if stored := w.Header().Get("Cache-Control"); stored != notStored {
		t.Errorf("Cache-Control %q", stored)
	}
	if w.sends == nil || !w.sends.IsZero() {
		t.Errorf("its connection ends with the time for requests: %v", w.sends)
	}
}
