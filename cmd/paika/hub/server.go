package hub

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
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
	"github.com/nats-io/nkeys"

	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
)

// ErrAddress says that a hub can't listen where it was told to.
var ErrAddress = errors.New("a hub listens on this machine alone")

// ErrCredentials says that a file holds no name and secret.
var ErrCredentials = errors.New("no credentials of a hub")

// credentials are that by which a hub knows who may talk to it: a name and a secret on
// one machine, a key from elsewhere. With a key goes the authority that vouches for the
// hub.
type credentials struct {
	name, secret string
	key          nkeys.KeyPair
	authority    *x509.CertPool
}

const (
	workerName = "worker"
	ownName    = "hub" // with a secret of its own, which no file has
)

// credentialsFile is their name in the folder of a hub without keys.
const credentialsFile = "worker.creds"

// String is their form in a file: name and secret with a colon between.
func (c credentials) String() string { return c.name + ":" + c.secret + "\n" }

// readCredentials reads a file.
func readCredentials(path string) (c credentials, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	if c.key, c.authority, err = readKey(text); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if c.key != nil {
		c.name, err = c.key.PublicKey()
		return c, err
	}
	var found bool
	c.name, c.secret, found = strings.Cut(strings.TrimSpace(string(text)), ":")
	if !found || c.name == "" || c.secret == "" || strings.ContainsFunc(c.name+c.secret, notPrinted) {
		// Any other file is no secret to be sent to a hub.
		return credentials{}, fmt.Errorf("%s: %w: want NAME:SECRET, or a key", path, ErrCredentials)
	}
	return c, nil
}

// notPrinted tells whether a character is a space, or none that ASCII prints.
func notPrinted(r rune) bool { return r <= ' ' || r > '~' }

// keptCredentials are those of a folder, made at its first use. With keys they are for
// this process alone, and in no file.
func keptCredentials(dir string, keyed bool) (credentials, error) {
	c := credentials{name: workerName, secret: rand.Text()}
	if keyed {
		return c, nil
	}
	path := filepath.Join(dir, credentialsFile)
	kept, err := readCredentials(path)
	if !errors.Is(err, os.ErrNotExist) {
		return kept, err
	}
	return c, lasting.WriteSecret(path, []byte(c.String()))
}

// options are how to connect with credentials.
func (c credentials) options() []nats.Option {
	if c.name == "" { // nobody, whom a hub refuses
		return nil
	}
	o := []nats.Option{nats.CustomInboxPrefix(wire.Inbox(c.name))}
	if c.key == nil {
		return append(o, nats.UserInfo(c.name, c.secret))
	}
	return append(o, nats.Nkey(c.name, c.key.Sign), nats.Secure(&tls.Config{RootCAs: c.authority, MinVersion: tls.VersionTLS13}))
}

// startServer starts NATS with JetStream inside this process. Without an address
// nobody reaches it but by way of the process. With keys in the folder it encrypts, and
// lets in who has one of them. What it keeps, it keeps in memory.
func startServer(dir, address string, worker, own credentials) (*server.Server, error) {
	o := &server.Options{
		ServerName: "paika", NoSigs: true, NoLog: true, DontListen: address == "",
		JetStream: true, StoreDir: filepath.Join(dir, "nats"), PingInterval: wire.PingEvery, MaxSubs: mostSubscriptions,
		Users: []*server.User{
			{Username: own.name, Password: own.secret},
			{Username: worker.name, Password: worker.secret, Permissions: workerPermissions(worker.name)},
		},
	}
	if address != "" {
		k := keys(filepath.Join(dir, keysFolder))
		var err error
		if o.Host, o.Port, err = listenAddress(address, k.there()); err != nil {
			return nil, err
		}
		if err := admit(o, k); err != nil {
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

// admit has a server encrypt and let in those with keys, if there are any.
func admit(o *server.Options, k keys) error {
	if !k.there() {
		return nil
	}
	var err error
	if o.TLSConfig, err = k.serverTLS(); err != nil {
		return err
	}
	public, err := k.workers()
	o.AlwaysEnableNonce = true // so that a key is refused, also where there is none left
	for _, key := range public {
		o.Nkeys = append(o.Nkeys, &server.NkeyUser{Nkey: key, Permissions: workerPermissions(key)})
	}
	return err
}

// listenAddress takes HOST:PORT apart. Port 0 is any that is free. Without keys it is of
// this machine.
func listenAddress(address string, keyed bool) (host string, port int, err error) {
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
	switch {
	case host == "localhost":
		host = "127.0.0.1"
	case !keyed && (ip == nil || !ip.IsLoopback()):
		return "", 0, fmt.Errorf("%w, at 127.0.0.1 or ::1, as long as it has no keys: paika hub init makes them", ErrAddress)
	}
	return host, port, nil
}

// workerPermissions is all that a worker or a client of a name may do.
func workerPermissions(name string) *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			wire.SubjectHello, wire.SubjectUpload, wire.SubjectResult, wire.SubjectAsk, wire.SubjectFetch, wire.SubjectStatus, wire.SubjectAlive, wire.SubjectStarted, wire.SubjectTables,
			"$JS.API.CONSUMER.INFO." + wire.Stream + "." + wire.Consumer,
			"$JS.API.CONSUMER.MSG.NEXT." + wire.Stream + "." + wire.Consumer,
			"$JS.ACK." + wire.Stream + "." + wire.Consumer + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{wire.Inbox(name) + ".>", wire.SubjectCancel}},
	}
}

// mostSubscriptions bounds those of a connection: a worker has one for each lane.
const mostSubscriptions = 2 * mostLanes
