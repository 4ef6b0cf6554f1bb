package explorer

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Connections that are of no use, in every state that a client can leave them in.
func useless(s site) map[string]string {
	host := s.host()
	post := "POST /api/v1/fanorona/5x5/positions HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
	return map[string]string{
		"silent":              "",
		"half a request line": "GET /",
		"half a header":       "GET / HTTP/1.1\r\n" + host + "X: ",
		"half a body":         post,
		"half a body refused": strings.Replace(post, "/json", "/xml", 1),
		"idle":                "GET /healthz HTTP/1.1\r\n" + host + "\r\n",
		"idle, half the next": "GET /healthz HTTP/1.1\r\n" + host + "\r\nGET /",
	}
}

// However many connections are held open, from one address or from many, those who
// ask next are answered, at once.
func TestUselessConnectionsKeepNobodyWaiting(t *testing.T) { inBubble(t, uselessConnections) }

func uselessConnections(t *testing.T) {
	limits := DefaultLimits()
	limits.Connections, limits.Client = 40, 10
	s := onWires(t, newServer(t, limits))
	defer s.stop()
	for name, send := range useless(s) {
		for i := range 60 {
			s.hold(t, fmt.Sprintf("127.0.1.%d", 1+i%6), send)
		}
		synctest.Wait()
		for _, from := range []string{"127.0.1.1", "127.0.2.1"} {
			began := time.Now()
			response, err := s.client(t, from).Get(s.address + about("fanorona", "5x5", "turns", "start"))
			if err != nil {
				t.Fatalf("%s, from %s: %v", name, from, err)
			}
			response.Body.Close()
			if took := time.Since(began); response.StatusCode != http.StatusOK || took > 0 {
				t.Errorf("%s, from %s: status %d after %v", name, from, response.StatusCode, took)
			}
		}
	}
}

func TestDefaultLimitsBearAFloodOfIdleConnections(t *testing.T) {
	s := onLoopback(t, newServer(t, DefaultLimits()))
	defer s.stop()
	for i := range 600 {
		s.connect(t, fmt.Sprintf("127.0.3.%d", 1+i%20), useless(s)["idle"])
	}
	response, err := s.client(t, "127.0.4.1").Get(s.address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

// Requests at work keep their connections, as long as their client has no more
// than others.
func TestConnectionsAtWorkAreKept(t *testing.T) {
	limits := DefaultLimits()
	limits.Connections, limits.Client, limits.Searches = 6, 3, 6
	limits.SearchNodes, limits.SearchTime = 1<<40, time.Hour // to the end of the test
	s := onLoopback(t, newServer(t, limits))
	defer s.stop()
	search := func(from string) *bufio.Scanner {
		body := `{"position":"start"}`
		c := s.connect(t, from, "POST /api/v1/fanorona/9x5/search HTTP/1.1\r\n"+s.host()+
			fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
		c.SetReadDeadline(time.Now().Add(long))
		return bufio.NewScanner(c)
	}
	first := search("127.0.5.1")
	for first.Scan() && !strings.HasPrefix(first.Text(), "{") { // the header, and the length of a line
	}
	for range 30 {
		s.connect(t, "127.0.5.2", "")
		s.connect(t, "127.0.5.3", "")
		s.connect(t, "127.0.5.1", "")
	}
	lines := 0
	for lines < 2 && first.Scan() {
		if strings.HasPrefix(first.Text(), `{"nodes":`) {
			lines++
		}
	}
	if lines < 2 {
		t.Errorf("the search was cut: %v", first.Err())
	}

	// One that has all its places at work gets no more; others get theirs, by the
	// places of those that have most.
	for range 2 {
		second := search("127.0.5.1")
		for second.Scan() && !strings.HasPrefix(second.Text(), "{") {
		}
	}
	if _, err := s.client(t, "127.0.5.1").Get(s.address + "/healthz"); err == nil {
		t.Error("a client has more connections than its share")
	}
	for i := range 8 {
		response, err := s.client(t, fmt.Sprintf("127.0.6.%d", i+1)).Get(s.address + "/healthz")
		if err != nil {
			t.Fatalf("client %d: %v", i, err)
		}
		response.Body.Close()
	}
}

// Where all are at work, a new client takes the place of the one with most.
func TestHeavyClientsGiveWay(t *testing.T) { inBubble(t, heavyClients) }

func heavyClients(t *testing.T) {
	limits := DefaultLimits()
	limits.Connections, limits.Client, limits.Working = 4, 3, 1
	limits.Time = time.Hour // to the end of the test
	server := newServer(t, limits)
	s := onWires(t, server)
	defer s.stop()
	leave, err := server.working.enter(t.Context(), 1) // so that all requests wait
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	turns := "GET " + about("fanorona", "5x5", "turns", "start") + " HTTP/1.1\r\n" + s.host() + "\r\n"
	for _, from := range []string{"127.0.7.1", "127.0.7.1", "127.0.7.1", "127.0.7.2"} {
		s.connect(t, from, turns)
	}
	synctest.Wait()
	if n := server.atWork.Load(); n != 4 {
		t.Fatalf("%d requests are at work, want 4", n)
	}
	response, err := s.client(t, "127.0.7.3").Get(s.address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

// The end is prompt, whatever clients hold open.
func TestStoppingIsPromptWithConnectionsOpen(t *testing.T) { inBubble(t, stoppingIsPrompt) }

func stoppingIsPrompt(t *testing.T) {
	s := onWires(t, newServer(t, DefaultLimits()))
	for name, send := range useless(s) {
		if !strings.HasPrefix(name, "half a body") { // which has until the end of patience
			s.hold(t, "127.0.0.1", send)
		}
	}
	synctest.Wait()
	began := time.Now()
	s.stop()
	if took := time.Since(began); took > patience/2 {
		t.Errorf("stopping took %v", took)
	}
}

// Half a body does not hold up the end for longer than is promised.
func TestStoppingIsBounded(t *testing.T) { inBubble(t, stoppingIsBounded) }

func stoppingIsBounded(t *testing.T) {
	s := onWires(t, newServer(t, DefaultLimits()))
	c := s.connect(t, "127.0.0.1", useless(s)["half a body"])
	synctest.Wait()
	checkEnd(t, s)
	if answer, _ := io.ReadAll(c); len(answer) > 0 {
		t.Errorf("the end has waited for the body: %s", answer)
	}
}

// checkEnd stops a server, which takes no longer than Serve promises.
func checkEnd(t *testing.T, s site) {
	t.Helper()
	began := time.Now()
	s.stop()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("stopping took %v, and Serve promises ten seconds", took)
	}
}
