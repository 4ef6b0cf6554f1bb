package explorer

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"paika/internal/origin"
)

// connections accepts connections within limits, in all and for each client, and
// never keeps a new client waiting. Where a limit is reached, it closes the
// connection that has waited longest for its client: idle, or with a request that
// has not come in whole. A client that has all its places at work gets no more. A
// client with fewer connections than another takes a place from that one even
// where it is at work.
type connections struct {
	net.Listener
	most, each int                // in all, and for one client
	closed     prometheus.Counter // for the limits
	open       prometheus.Gauge

	mu    sync.Mutex
	all   map[netip.Prefix]map[*connection]struct{} // by client
	n     int
	ended bool // no more are wanted
}

// connection is one of them. Its fields are the listener's.
type connection struct {
	net.Conn
	of      *connections
	client  netip.Prefix
	fresh   bool      // no request has come yet
	waiting bool      // for the client
	since   time.Time // when it began to wait, or to work
}

// Accept gives the next connection that has a place.
func (l *connections) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &connection{Conn: accepted, of: l, client: origin.Of(accepted.RemoteAddr().String()), fresh: true, waiting: true, since: time.Now()}
		victim, taken := l.place(c)
		if victim != nil {
			l.closed.Inc()
			victim.Close()
		}
		if taken {
			return c, nil
		}
	}
}

// place finds a place for a connection, if there is one. The victim, if any, is to
// be closed: the one whose place it takes, or itself.
func (l *connections) place(c *connection) (victim *connection, taken bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.all[c.client]
	switch {
	case l.ended:
	case len(own) >= l.each:
		victim = oldest(own, true)
	case l.n >= l.most:
		victim = l.spare(len(own))
	default:
		l.add(c)
		return nil, true
	}
	if victim == nil {
		return c, false
	}
	l.drop(victim)
	l.add(c)
	return victim, true
}

// spare is the connection that a client with so many of its own takes the place
// of: of the client with most connections that wait. Where none waits, it is of
// the client with most connections, if that has more.
func (l *connections) spare(own int) *connection {
	var waiting, working *connection
	mostWaiting, most := 0, own+1
	for _, of := range l.all {
		if c := oldest(of, true); c != nil && len(of) > mostWaiting {
			waiting, mostWaiting = c, len(of)
		}
		if len(of) > most {
			working, most = oldest(of, false), len(of)
		}
	}
	if waiting != nil {
		return waiting
	}
	return working
}

// oldest is the connection of a client that has waited, or worked, for longest;
// nil if there is none.
func oldest(of map[*connection]struct{}, waiting bool) (found *connection) {
	for c := range of {
		if c.waiting == waiting && (found == nil || c.since.Before(found.since)) {
			found = c
		}
	}
	return found
}

// add and drop count a connection. Dropping one that is not counted does nothing.
func (l *connections) add(c *connection) {
	if l.all[c.client] == nil {
		l.all[c.client] = make(map[*connection]struct{})
	}
	l.all[c.client][c] = struct{}{}
	l.n++
	l.open.Set(float64(l.n))
}

func (l *connections) drop(c *connection) {
	own := l.all[c.client]
	if _, counted := own[c]; !counted {
		return
	}
	if delete(own, c); len(own) == 0 {
		delete(l.all, c.client)
	}
	l.n--
	l.open.Set(float64(l.n))
}

// end refuses further connections, and closes those from which no request has come.
func (l *connections) end() {
	l.mu.Lock()
	l.ended = true
	var fresh []*connection
	for _, of := range l.all {
		for c := range of {
			if c.fresh {
				fresh = append(fresh, c)
			}
		}
	}
	l.mu.Unlock()
	for _, c := range fresh {
		c.Close()
	}
}

// Close gives the place back.
func (c *connection) Close() error {
	c.of.mu.Lock()
	c.of.drop(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets the server say that an answer is over before it stops reading,
// so that a client that still sends can take it.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// wait says whether the connection waits for its client.
func (c *connection) wait(waiting bool) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.fresh = false
	if c.waiting != waiting {
		c.waiting, c.since = waiting, time.Now()
	}
}

// changed follows the state that the server sees a connection in. A connection is
// active from the end of a request's header on.
func changed(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateIdle:
		c.(*connection).wait(true)
	case http.StateActive:
		c.(*connection).wait(false)
	}
}

// connectionKey is where a request's context has its connection.
type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// waits says whether the request's connection waits for its client to send.
func waits(r *http.Request, waiting bool) {
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		c.wait(waiting)
	}
}
