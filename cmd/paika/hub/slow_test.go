package hub

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
)

// hears connects somebody of a name who asks so many times to hear what workers tell each other, and says and reads
// nothing more. The connection ends with the test.
func hears(t *testing.T, h *Hub, name string, times int) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL(), "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	text := fmt.Sprintf("CONNECT {\"user\":%q,\"pass\":%q,\"verbose\":false,\"name\":%q}\r\n", h.worker.Name, h.worker.Secret, name)
	for i := range times {
		text += fmt.Sprintf("SUB %s.> %d\r\n", wire.SubjectFound, i+1)
	}
	if _, err := conn.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// TestAConnectionHearsAWordFewTimes: for each of its subscriptions the server has a copy in memory.
func TestAConnectionHearsAWordFewTimes(t *testing.T) {
	h := startHub(t, t.TempDir(), func(o *Options) { o.Address = "127.0.0.1:0" })
	conn := hears(t, h, "greedy", 100)
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(conn)
	for said.Scan() && !strings.Contains(said.Text(), "maximum subscriptions exceeded") {
		continue
	}
	if said.Err() != nil {
		t.Errorf("it may listen a hundred times: %v", said.Err())
	}
}

// TestWhoDoesNotReadIsCutOff before much waits for it in memory.
func TestWhoDoesNotReadIsCutOff(t *testing.T) {
	h := startHub(t, t.TempDir(), func(o *Options) { o.Address = "127.0.0.1:0" })
	hears(t, h, "deaf", 1)
	there := func(state server.ConnState) *server.ConnInfo {
		all, err := h.server.Connz(&server.ConnzOptions{State: state, Subscriptions: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all.Conns {
			if c.Name == "deaf" && (state == server.ConnClosed || len(c.Subs) > 0) {
				return c
			}
		}
		return nil
	}
	for there(server.ConnOpen) == nil { // until it listens
		progressed(t)
	}
	l := connected(t, link.Access{URL: h.URL(), Credentials: h.Credentials()})
	for range 5 * mostPending / mostMessage {
		l.Spread("0", make([]byte, mostMessage))
	}
	ended := there(server.ConnClosed)
	for ; ended == nil; ended = there(server.ConnClosed) {
		progressed(t)
	}
	kicked, late := server.Kicked.String(), server.SlowConsumerWriteDeadline.String() // by the hub, or by the server before it looks
	if ended.Reason != kicked && ended.Reason != late {
		t.Error(ended.Reason)
	}
}
