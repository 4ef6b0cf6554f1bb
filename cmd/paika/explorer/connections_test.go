package explorer

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// clientAt asks from an address of loopback, over connections of its own.
func clientAt(t *testing.T, from string) *http.Client {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	transport := &http.Transport{DialContext: dialer.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 3 * time.Second}
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
			client := clientAt(t, from)
			for range 3 {
				began := time.Now()
				response, err := client.Get(address + about("fanorona", "5x5", "turns", "start"))
				if err != nil {
					t.Errorf("%s, from %s: %v", name, from, err)
					continue
				}
				response.Body.Close()
				if took := time.Since(began); response.StatusCode != http.StatusOK || took > 2*time.Second {
					t.Errorf("%s, from %s: status %d after %v", name, from, response.StatusCode, took)
				}
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
	address, stop := listen(t, newServer(t, limits))
	defer stop()
	search := func(from string) *bufio.Scanner {
		body := `{"position":"start"}`
		c := connectFrom(t, from, address, "POST /api/v1/fanorona/9x5/search HTTP/1.1\r\nHost: "+strings.TrimPrefix(address, "http://")+
			fmt.Sprintf("\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
		c.SetReadDeadline(time.Now().Add(5 * time.Second))
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
	for end := time.Now().Add(5 * time.Second); s.atWork.Load() < 4; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the requests do not come in")
		}
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
	address, stop := listen(t, newServer(t, DefaultLimits()))
	for name, send := range useless(address) {
		if strings.HasPrefix(name, "half a body") {
			continue // which has until the end of patience
		}
		connectFrom(t, "127.0.0.1", address, send)
	}
	time.Sleep(50 * time.Millisecond)
	began := time.Now()
	stop()
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("stopping took %v", took)
	}
}

// Half a body does not hold up the end for longer than is promised.
func TestStoppingIsBounded(t *testing.T) {
	t.Parallel()
	address, stop := listen(t, newServer(t, DefaultLimits()))
	connectFrom(t, "127.0.0.1", address, useless(address)["half a body"])
	time.Sleep(50 * time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), shutdownTime+leaveTime+time.Second)
	defer cancel()
	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()
	select {
	case <-stopped:
	case <-ctx.Done():
		t.Error("the server does not stop")
	}
}
