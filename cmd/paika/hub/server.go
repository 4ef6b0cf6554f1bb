package hub

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"paika/internal/lasting"
)

// ErrAddress says that a hub can't listen where it was told to.
var ErrAddress = errors.New("a hub listens on this machine alone")

// ErrCredentials says that a file holds no name and secret.
var ErrCredentials = errors.New("no credentials of a hub")

// credentials are a name and a secret by which a hub knows who may talk to it.
type credentials struct{ name, secret string }

const (
	workerName = "worker"
	ownName    = "hub" // with a secret of its own, which no file has
)

// credentialsFile is their name in the folder of a hub.
const credentialsFile = "worker.creds"

// String is their form in a file: name and secret with a colon between.
func (c credentials) String() string { return c.name + ":" + c.secret + "\n" }

// readCredentials reads a file.
func readCredentials(path string) (c credentials, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	name, secret, found := strings.Cut(strings.TrimSpace(string(text)), ":")
	if !found || name == "" || secret == "" {
		return c, fmt.Errorf("%s: %w: want NAME:SECRET", path, ErrCredentials)
	}
	return credentials{name, secret}, nil
}

// keptCredentials are those of a folder, made at its first use.
func keptCredentials(dir string) (credentials, error) {
	path := filepath.Join(dir, credentialsFile)
	c, err := readCredentials(path)
	if !errors.Is(err, os.ErrNotExist) {
		return c, err
	}
	c = credentials{workerName, rand.Text()}
	return c, lasting.WriteSecret(path, []byte(c.String()))
}

// startServer starts NATS with JetStream inside this process. Without an address
// nobody reaches it but by way of the process. What it keeps, it keeps in memory.
func startServer(dir, address string, worker, own credentials) (*server.Server, error) {
	o := &server.Options{
		ServerName: "paika", NoSigs: true, NoLog: true, DontListen: address == "",
		JetStream: true, StoreDir: filepath.Join(dir, "nats"),
		Users: []*server.User{
			{Username: own.name, Password: own.secret},
			{Username: worker.name, Password: worker.secret, Permissions: workerPermissions()},
		},
	}
	if address != "" {
		var err error
		if o.Host, o.Port, err = listenAddress(address); err != nil {
			return nil, err
		}
		// The server itself would say no more than that it did not start.
		probe, err := net.Listen("tcp", net.JoinHostPort(o.Host, strconv.Itoa(max(o.Port, 0))))
		if err != nil {
			return nil, err
		}
		probe.Close()
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		s.Shutdown()
		return nil, errors.New("the NATS server inside the hub does not start")
	}
	return s, nil
}

// listenAddress takes HOST:PORT apart. Port 0 is any that is free.
func listenAddress(address string) (host string, port int, err error) {
	host, digits, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, fmt.Errorf("%w: %w", ErrAddress, err)
	}
	if port, err = strconv.Atoi(digits); err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%w: port %s: want 0 to 65535", ErrAddress, digits)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	ip := net.ParseIP(host)
	if host == "localhost" {
		return "127.0.0.1", port, nil
	}
	if ip == nil || !ip.IsLoopback() {
		return "", 0, fmt.Errorf("%w, at 127.0.0.1 or ::1, since connections are not encrypted: to reach it from elsewhere, forward the port over ssh", ErrAddress)
	}
	return host, port, nil
}

// workerPermissions is all that a worker or a client may do.
func workerPermissions() *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			subjectHello, subjectUpload, subjectResult, subjectAsk, subjectFetch, subjectStatus, subjectAlive, subjectStarted,
			"$JS.API.CONSUMER.INFO." + streamName + "." + consumerName,
			"$JS.API.CONSUMER.MSG.NEXT." + streamName + "." + consumerName,
			"$JS.ACK." + streamName + "." + consumerName + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>", subjectCancel}},
	}
}

// connect connects to a server, and goes on trying when the connection is lost.
func connect(url string, inside *server.Server, c credentials, name string) (*nats.Conn, error) {
	o := []nats.Option{
		nats.Name("paika " + name), nats.UserInfo(c.name, c.secret), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // requests have errors of their own
	}
	if inside != nil {
		o = append(o, nats.InProcessServer(inside))
	}
	return nats.Connect(url, o...)
}
