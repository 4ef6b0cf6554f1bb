package explorer

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// clientAt asks from an address of loopback, over connections of its own.
func clientAt(t *testing.T, from string) *http.Client {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	transport := &http.Transport{DialContext: dialer.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: long}
}

// connectFrom opens a connection from an address of loopback, and sends a text.
func connectFrom(t *testing.T, from, to, send string) net.Conn {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := dialer.Dial("tcp", strings.TrimPrefix(to, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	fmt.Fprint(c, send)
	return c
}

// Connections that are of no use, in every state that a client can leave them in.
func useless(address string) map[string]string {
	host := "Host: " + strings.TrimPrefix(address, "http://") + "\r\n"
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
func TestUselessConnectionsKeepNobodyWaiting(t *testing.T) {
	limits := DefaultLimits()
	limits.Connections, limits.Client = 40, 10
	address, stop := listen(t, newServer(t, limits))
	defer stop()
	for name, send := range useless(address) {
		for i := range 60 {
			connectFrom(t, fmt.Sprintf("127.0.1.%d", 1+i%6), address, send)
		}
		for _, from := range []string{"127.0.1.1", "127.0.2.1"} {
			const enough = headerTime / 2 // sooner than the first of them ends by itself
			took := quickest(enough, func() time.Duration {
				began := time.Now()
				response, err := clientAt(t, from).Get(address + about("fanorona", "5x5", "turns", "start"))
				if err != nil {
					t.Fatalf("%s, from %s: %v", name, from, err)
				}
				response.Body.Close()
				if response.StatusCode != http.StatusOK {
					t.Errorf("%s, from %s: status %d", name, from, response.StatusCode)
				}
				return time.Since(began)
			})
			if took > enough {
				t.Errorf("%s, from %s: answered after %v", name, from, took)
			}
		}
	}
}

func TestDefaultLimitsBearAFloodOfIdleConnections(t *testing.T) {
	address, stop := listen(t, newServer(t, DefaultLimits()))
	defer stop()
	for i := range 600 {
		connectFrom(t, fmt.Sprintf("127.0.3.%d", 1+i%20), address, useless(address)["idle"])
	}
	response, err := clientAt(t, "127.0.4.1").Get(address + "/healthz")
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
	address, stop := listen(t, newServer(t, limits))
	defer stop()
	search := func(from string) *bufio.Scanner {
		body := `{"position":"start"}`
		c := connectFrom(t, from, address, "POST /api/v1/fanorona/9x5/search HTTP/1.1\r\nHost: "+strings.TrimPrefix(address, "http://")+
			fmt.Sprintf("\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
		c.SetReadDeadline(time.Now().Add(long))
		return bufio.NewScanner(c)
	}
	first := search("127.0.5.1")
	for first.Scan() && !strings.HasPrefix(first.Text(), "{") { // the header, and the length of a line
	}
	for range 30 {
		connectFrom(t, "127.0.5.2", address, "")
		connectFrom(t, "127.0.5.3", address, "")
		connectFrom(t, "127.0.5.1", address, "")
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
	if _, err := clientAt(t, "127.0.5.1").Get(address + "/healthz"); err == nil {
		t.Error("a client has more connections than its share")
	}
	for i := range 8 {
		response, err := clientAt(t, fmt.Sprintf("127.0.6.%d", i+1)).Get(address + "/healthz")
		if err != nil {
			t.Fatalf("client %d: %v", i, err)
		}
		response.Body.Close()
	}
}

// Where all are at work, a new client takes the place of the one with most.
func TestHeavyClientsGiveWay(t *testing.T) {
	limits := DefaultLimits()
	limits.Connections, limits.Client, limits.Working = 4, 3, 1
	limits.Time = time.Hour // to the end of the test
	s := newServer(t, limits)
	address, stop := listen(t, s)
	defer stop()
	leave, err := s.working.enter(t.Context(), 1) // so that all requests wait
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	turns := "GET " + about("fanorona", "5x5", "turns", "start") + " HTTP/1.1\r\nHost: " + strings.TrimPrefix(address, "http://") + "\r\n\r\n"
	for _, from := range []string{"127.0.7.1", "127.0.7.1", "127.0.7.1", "127.0.7.2"} {
		connectFrom(t, from, address, turns)
	}
	for s.atWork.Load() < 4 {
		time.Sleep(time.Millisecond)
	}
	response, err := clientAt(t, "127.0.7.3").Get(address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

// A client of IPv6 is its network: it has addresses without end.
func TestClientsByAddress(t *testing.T) {
	at := func(text string) string {
		address, err := net.ResolveTCPAddr("tcp", text)
		if err != nil {
			t.Fatal(err)
		}
		return clientOf(address).String()
	}
	for address, want := range map[string]string{
		"192.0.2.7:5":               "192.0.2.7/32",
		"[::ffff:192.0.2.7]:5":      "192.0.2.7/32",
		"[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64",
		"[fe80::1%lo]:80":           "fe80::/64",
	} {
		if got := at(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// The end is prompt, whatever clients hold open.
func TestStoppingIsPromptWithConnectionsOpen(t *testing.T) {
	const enough = patience * 2 / 3
	took := quickest(enough, func() time.Duration {
		s := newServer(t, DefaultLimits())
		address, stop := listen(t, s)
		opened := 0
		for name, send := range useless(address) {
			if strings.HasPrefix(name, "half a body") {
				continue // which has until the end of patience
			}
			connectFrom(t, "127.0.0.1", address, send)
			opened++
		}
		for testutil.ToFloat64(s.metrics.connections) < float64(opened) {
			time.Sleep(time.Millisecond)
		}
		began := time.Now()
		stop()
		return time.Since(began)
	})
	if took > enough {
		t.Errorf("stopping took %v", took)
	}
}

// Half a body does not hold up the end for longer than is promised.
func TestStoppingIsBounded(t *testing.T) {
	t.Parallel()
	if shutdownTime+leaveTime > 10*time.Second {
		t.Errorf("Serve returns after %v at the latest, and promises ten seconds", shutdownTime+leaveTime)
	}
	s := newServer(t, DefaultLimits())
	address, stop := listen(t, s)
	c := connectFrom(t, "127.0.0.1", address, useless(address)["half a body"])
	for s.atWork.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	stop()
	if answer, _ := io.ReadAll(c); len(answer) > 0 {
		t.Errorf("the end has waited for the body: %s", answer)
	}
}
