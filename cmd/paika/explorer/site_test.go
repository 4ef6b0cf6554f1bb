package explorer

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// site is a server that answers as it does for the command, and the way to it.
type site struct {
	address string // http://HOST:PORT
	dial    func(from string) (net.Conn, error)
	stop    func() // waits for the end
}

// onLoopback has a server answer on loopback.
func onLoopback(t testing.TB, s *Server) site {
	t.Helper()
	address, stop := listen(t, s)
	return site{address: address, stop: stop, dial: func(from string) (net.Conn, error) {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		return dialer.Dial("tcp", strings.TrimPrefix(address, "http://"))
	}}
}

// onWires has a server answer over wires, which are in memory. In a bubble of
// testing/synctest nothing but waiting takes time there: it is exact, and passes at once.
func onWires(t testing.TB, s *Server) site {
	t.Helper()
	w := &wires{new: make(chan net.Conn), closed: make(chan struct{})}
	return site{address: "http://" + w.Addr().String(), stop: serveAt(t, s, w), dial: w.dial}
}

// host is the header that names the site.
func (s site) host() string { return "Host: " + strings.TrimPrefix(s.address, "http://") + "\r\n" }

// client asks from an address, over connections of its own.
func (s site) client(t *testing.T, from string) *http.Client {
	t.Helper()
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return s.dial(from) }}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: long}
}

// connect opens a connection from an address, and sends a text.
func (s site) connect(t *testing.T, from, send string) net.Conn {
	t.Helper()
	c, err := s.dial(from)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go io.WriteString(c, send) // the server may answer, or close, before it has read all
	return c
}

// hold keeps a connection open, takes what comes over it, and no more.
func (s site) hold(t *testing.T, from, send string) {
	t.Helper()
	go io.Copy(io.Discard, s.connect(t, from, send))
}

// raw sends a text, and reads all answers.
func (s site) raw(t *testing.T, text string) string {
	t.Helper()
	c := s.connect(t, "127.0.0.1", text)
	defer c.Close()
	c.SetDeadline(time.Now().Add(long))
	answer, _ := io.ReadAll(c) // a connection that was cut has said what it had to say
	return string(answer)
}

// wires is a listener to which connections come in memory.
type wires struct {
	new    chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (w *wires) Accept() (net.Conn, error) {
	select {
	case c := <-w.new:
		return c, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

func (w *wires) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

func (w *wires) Addr() net.Addr { return tcpAt("127.0.0.1", 80) }

func (w *wires) dial(from string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case w.new <- wire{there, w.Addr(), tcpAt(from, 1)}:
		return wire{here, tcpAt(from, 1), w.Addr()}, nil
	case <-w.closed:
		return nil, fmt.Errorf("dial %s: %w", w.Addr(), net.ErrClosed)
	}
}

func tcpAt(address string, port int) net.Addr {
	return &net.TCPAddr{IP: net.ParseIP(address), Port: port}
}

// wire is an end of a connection.
type wire struct {
	net.Conn
	local, remote net.Addr
}

func (w wire) LocalAddr() net.Addr  { return w.local }
func (w wire) RemoteAddr() net.Addr { return w.remote }
