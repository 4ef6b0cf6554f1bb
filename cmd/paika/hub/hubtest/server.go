// Package hubtest stands in for a hub in tests of those who talk to one: it answers as a test
// says, also with what no hub would.
package hubtest

import (
	"encoding/json"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
)

// guest is who may come in, and host who answers.
var (
	guest = keys.Credentials{Name: "worker", Secret: "guest"}
	host  = keys.Credentials{Name: "hub", Secret: "host"}
)

// Server is a server of NATS on this machine, which answers as a test says. It is for one
// goroutine.
type Server struct {
	t       *testing.T
	options server.Options
	server  *server.Server
	own     *nats.Conn
}

// Start starts one that lets guests publish on all subjects but those that are denied. It ends
// with the test.
func Start(t *testing.T, denied ...string) *Server {
	t.Helper()
	for i, subject := range denied {
		denied[i] = wire.By(subject, guest.Name)
	}
	s := &Server{t: t, options: server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
		Users: []*server.User{
			{Username: host.Name, Password: host.Secret},
			{Username: guest.Name, Password: guest.Secret, Permissions: &server.Permissions{Publish: &server.SubjectPermission{Deny: denied}}},
		},
	}}
	s.Restart()
	t.Cleanup(s.Stop)
	return s
}

// Restart starts a server that was stopped, at the same port. It knows no answers yet.
func (s *Server) Restart() {
	s.t.Helper()
	o := s.options // the server writes to its own
	var err error
	if s.server, err = server.NewServer(&o); err != nil {
		s.t.Fatal(err)
	}
	s.server.Start()
	if !s.server.ReadyForConnections(time.Minute) {
		s.t.Fatal("the server does not start")
	}
	s.options.Port = s.server.Addr().(*net.TCPAddr).Port
	if s.own, err = nats.Connect(s.server.ClientURL(), nats.UserInfo(host.Name, host.Secret)); err != nil {
		s.t.Fatal(err)
	}
}

// Stop ends the server. It may be called again.
func (s *Server) Stop() {
	s.own.Close()
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// TurnAway lets guests in no more, once the server is restarted.
func (s *Server) TurnAway() { s.options.Users = s.options.Users[:1] }

// Access is how a guest reaches it.
func (s *Server) Access() link.Access { return s.As(guest) }

// As is how somebody would reach it who has credentials.
func (s *Server) As(c keys.Credentials) link.Access {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), keys.CredentialsFile)
	if err := lasting.WriteSecret(path, []byte(c.String())); err != nil {
		s.t.Fatal(err)
	}
	return link.Access{URL: s.server.ClientURL(), Credentials: path}
}

// Link connects a guest. The link ends with the test.
func (s *Server) Link() *link.Link {
	s.t.Helper()
	l, err := s.Access().Connect("test")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(l.Close)
	return l
}

// Answer has requests on a subject handled, one at a time.
func (s *Server) Answer(subject string, handle func(*nats.Msg)) {
	s.t.Helper()
	if _, err := s.own.Subscribe(wire.By(subject, wire.Anybody), handle); err != nil {
		s.t.Fatal(err)
	}
	if err := s.own.Flush(); err != nil {
		s.t.Fatal(err)
	}
}

// Say has each request on a subject answered by the next of these texts, and by the last one
// again and again.
func (s *Server) Say(subject string, texts ...string) {
	s.t.Helper()
	s.Answer(subject, func(m *nats.Msg) {
		_ = m.Respond([]byte(texts[0])) // who asks has gone
		if len(texts) > 1 {
			texts = texts[1:]
		}
	})
}

// JSON is a value as hubs send it.
func JSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
