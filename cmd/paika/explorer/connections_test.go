package explorer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paika/internal/origin"
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

// Who sends too slowly, or takes nothing, has so much time and no more.
func TestConnectionsHaveTheirTime(t *testing.T) { inBubble(t, connectionsHaveTheirTime) }

func connectionsHaveTheirTime(t *testing.T) {
	limits := DefaultLimits()
	server := newServer(t, limits)
	s := onWires(t, server)
	defer s.stop()
	for name, want := range map[string]time.Duration{
		"silent": headerTime, "half a request line": headerTime, "half a header": headerTime, "half a body": bodyTime,
		"idle": idleTime, "idle, half the next": headerTime,
	} {
		c := s.connect(t, "127.0.0.1", useless(s)[name])
		began := time.Now()
		io.Copy(io.Discard, c)
		if took := time.Since(began); took < want || took > want+time.Second { // the server waits a little before it closes
			t.Errorf("%s: closed after %v, want %v", name, took, want)
		}
	}
	s.connect(t, "127.0.0.1", "GET /assets/style.css HTTP/1.1\r\n"+s.host()+"\r\n")
	all := bodyTime + limits.Time + writeTime
	for _, c := range []struct {
		after time.Duration
		want  int64
	}{{all - time.Second, 1}, {2 * time.Second, 0}} {
		time.Sleep(c.after)
		synctest.Wait()
		if n := server.atWork.Load(); n != c.want {
			t.Errorf("%d requests are at work whose answers nobody takes, want %d", n, c.want)
		}
	}
}

// halves is a connection that can be closed by halves.
type halves struct {
	net.Conn
	closed, written int // how often
}

func (h *halves) Close() error      { h.closed++; return nil }
func (h *halves) CloseWrite() error { h.written++; return errHalf }

var errHalf = errors.New("half is closed")

// unused is a listener's places with nobody in them, and what makes a connection of a client.
func unused(most, each int) (*connections, func(client string) (*connection, *halves)) {
	m := newMetrics()
	l := &connections{most: most, each: each, open: m.connections, closed: m.closed, all: make(map[netip.Prefix]map[*connection]struct{})}
	return l, func(client string) (*connection, *halves) {
		h := new(halves)
		return &connection{Conn: h, of: l, client: origin.Of(client + ":1"), fresh: true, waiting: true, since: time.Now()}, h
	}
}

// A place is given back once, whoever closes a connection and how often. Of clients that are gone
// nothing is kept.
func TestPlacesAreGivenBackOnce(t *testing.T) {
	l, from := unused(2, 2)
	for i := range 5 {
		client := fmt.Sprintf("192.0.2.%d", i)
		a, _ := from(client)
		b, _ := from(client)
		l.place(a)
		l.place(b)
		for _, c := range []struct {
			close *connection
			left  int
		}{{a, 1}, {a, 1}, {b, 0}, {b, 0}, {a, 0}} {
			if c.close.Close(); l.n != c.left {
				t.Fatalf("%d places are taken, want %d", l.n, c.left)
			}
		}
		if len(l.all) > 0 {
			t.Fatalf("of clients that are gone is kept %v", l.all)
		}
	}
}

// Once the end has begun no connection gets a place, though some are free, and those go from which
// nothing came.
func TestNoConnectionIsTakenAtTheEnd(t *testing.T) {
	l, from := unused(3, 3)
	fresh, closed := from("192.0.2.1")
	used, kept := from("192.0.2.1")
	l.place(fresh)
	l.place(used)
	used.wait(false)
	l.end()
	if closed.closed != 1 || kept.closed != 0 || l.n != 1 {
		t.Errorf("closed %d and %d times, %d are left", closed.closed, kept.closed, l.n)
	}
	late, _ := from("192.0.2.2")
	if victim, taken := l.place(late); victim != late || taken || l.n != 1 {
		t.Errorf("a late connection: taken %v, %d are left", taken, l.n)
	}
}

// Of those that wait, that one gives its place that has waited longest, since its last request and
// not since it was opened.
func TestTheOneThatWaitsLongestGivesItsPlace(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l, from := unused(9, 3)
		var all []*connection
		for range 3 {
			c, _ := from("192.0.2.1")
			l.place(c)
			all = append(all, c)
			time.Sleep(time.Second)
		}
		for _, c := range all[:2] { // a request comes, and is answered
			c.wait(false)
			time.Sleep(time.Second)
			c.wait(true)
			time.Sleep(time.Second)
		}
		all[0].wait(true) // which says nothing new
		for i, want := range []*connection{all[2], all[0], all[1], nil} {
			c, _ := from("192.0.2.1")
			c.waiting = false
			victim, taken := l.place(c)
			if want == nil && (victim != c || taken) || want != nil && (victim != want || !taken) {
				t.Errorf("connection %d: taken %v, in place of the right one %v", i, taken, victim == want)
			}
		}
	})
}

// No client has more than its share, and all together no more than there are. Where all are at work,
// one gives way to a client that then has no more than the other.
func TestConnectionsAreSharedOut(t *testing.T) {
	l, from := unused(5, 3)
	of := make(map[*connection]string)
	place := func(client string, waiting bool) string {
		c, _ := from(client)
		c.waiting = waiting
		of[c] = client
		victim, taken := l.place(c)
		switch {
		case taken && victim == nil:
			return "free"
		case taken:
			return "that of " + of[victim]
		}
		return "none"
	}
	const a, b, c, d = "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"
	for i, step := range []struct {
		client  string
		waiting bool
		want    string
	}{
		{a, false, "free"}, {a, false, "free"}, {a, false, "free"},
		{a, false, "none"}, // though there is room
		{b, false, "free"}, {b, false, "free"},
		{b, false, "none"},         // three would be more than two
		{c, false, "that of " + a}, // three are more than one
		{d, false, "that of " + b},
	} {
		got := place(step.client, step.waiting)
		if step.client == d && got == "that of "+a {
			got = step.want // both have two, and it may be either
		}
		if got != step.want || l.n > 5 {
			t.Fatalf("step %d: %s of %d, want %s", i, got, l.n, step.want)
		}
	}
	if got := place(c, true); got != "none" {
		t.Errorf("who has one gets the place of one of two: %s", got)
	}
}

// One that waits gives way before all at work, that of the client with most before others.
func TestWhoWaitsGivesWayFirst(t *testing.T) {
	l, from := unused(4, 3)
	add := func(client string, waiting bool) *connection {
		c, _ := from(client)
		c.waiting = waiting
		if victim, taken := l.place(c); victim != nil || !taken {
			t.Fatal("there is no room")
		}
		return c
	}
	add("192.0.2.1", false)
	add("192.0.2.1", false)
	light := add("192.0.2.2", true)
	heavy := add("192.0.2.1", true)
	for _, want := range []*connection{heavy, light} {
		c, _ := from("192.0.2.3")
		c.waiting = false
		if victim, taken := l.place(c); victim != want || !taken {
			t.Errorf("taken %v, in place of the right one %v", taken, victim == want)
		}
	}
}

// A connection is closed by halves where it can be: a client takes an answer while it still sends.
func TestConnectionsAreClosedByHalves(t *testing.T) {
	_, from := unused(1, 1)
	c, h := from("192.0.2.1")
	if err := c.CloseWrite(); !errors.Is(err, errHalf) || h.written != 1 {
		t.Errorf("closed %d times, %v", h.written, err)
	}
	c.Conn = struct{ net.Conn }{h}
	if err := c.CloseWrite(); err != nil || h.written != 1 {
		t.Errorf("one that can't: closed %d times, %v", h.written, err)
	}
}

// Where a connection gives its place, or gets none, it is closed at once, and that is counted.
func TestAConnectionWithoutAPlaceIsClosed(t *testing.T) { inBubble(t, withoutAPlace) }

func withoutAPlace(t *testing.T) {
	limits := DefaultLimits()
	limits.Client, limits.Working, limits.Time = 1, 1, time.Hour
	server := newServer(t, limits)
	s := onWires(t, server)
	defer s.stop()
	leave, err := server.working.enter(t.Context(), 1) // so that requests wait
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	closedAtOnce := func(c net.Conn) {
		t.Helper()
		began := time.Now()
		text, err := io.ReadAll(c)
		if took := time.Since(began); len(text) > 0 || err != nil || took > 0 {
			t.Errorf("closed after %v, with %q, %v", took, text, err)
		}
	}
	ask := `{"positions":["start"]}`
	for from, request := range map[string]string{
		"127.0.8.1": "GET " + about("fanorona", "5x5", "turns", "start") + " HTTP/1.1\r\n" + s.host() + "\r\n",
		"127.0.8.2": "POST /api/v1/fanorona/5x5/positions HTTP/1.1\r\n" + s.host() +
			fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(ask), ask),
	} {
		gives := s.connect(t, from, "")
		synctest.Wait()
		s.connect(t, from, request)
		closedAtOnce(gives)
		synctest.Wait() // until the request is at work
		closedAtOnce(s.connect(t, from, ""))
	}
	response, err := s.client(t, "127.0.8.3").Get(s.address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(text), "\npaika_connections_closed_total 4\n") || !strings.Contains(string(text), "\npaika_connections 3\n") {
		t.Errorf("%v in %s", err, text)
	}
}
