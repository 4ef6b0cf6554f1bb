package hub

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/wire"
	"paika/internal/usage"
)

// ErrAddress says that a hub can't listen where it was told to.
var ErrAddress = errors.New("a hub listens on this machine alone")

// ownName is that of the hub itself, with a secret that no file has.
const ownName = "hub"

// startServer starts NATS with JetStream inside this process. Without an address
// nobody reaches it but by way of the process. With keys in the folder it encrypts, and
// lets in who has one of them, by the public halves that are listed. What it keeps, it keeps
// in memory.
func startServer(dir, address string, own, worker keys.Credentials, public map[string]string) (*server.Server, error) {
	d := newDoor(usage.OpenFiles(), own, worker, public)
	o := &server.Options{
		ServerName: "paika", NoSigs: true, NoLog: true, DontListen: address == "",
		JetStream: true, StoreDir: filepath.Join(dir, natsFolder), PingInterval: wire.PingEvery, MaxSubs: mostSubscriptions,
		MaxConn: d.most, CustomClientAuthentication: d,
		MaxPayload: mostMessage, WriteDeadline: slowWrite, WriteTimeout: server.WriteTimeoutPolicyRetry,
	}
	if address != "" {
		k := keys.In(dir)
		var err error
		if o.Host, o.Port, err = listenAddress(address, k.There()); err != nil {
			return nil, err
		}
		if err := encrypt(o, k); err != nil {
			return nil, err
		}
		// The server itself would say it in words alone.
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
	d.server = s
	words := make(lastWords, 1)
	s.SetLoggerV2(words, false, false, false)
	s.Start()
	why := "it does not start"
	select {
	case why = <-words:
	default:
		if s.ReadyForConnections(time.Minute) {
			err := d.tellFull()
			if err == nil {
				return s, nil
			}
			why = err.Error()
		}
	}
	s.Shutdown()
	return nil, fmt.Errorf("%w: the one inside the hub, in %s: %s", ErrCarrier, o.StoreDir, why)
}

// lastWords has what ends a server, which says so in its log alone, and before its start is over.
type lastWords chan string

func (l lastWords) Fatalf(format string, a ...any) {
	select {
	case l <- fmt.Sprintf(format, a...):
	default:
	}
}
func (lastWords) Errorf(string, ...any)  {}
func (lastWords) Warnf(string, ...any)   {}
func (lastWords) Noticef(string, ...any) {}
func (lastWords) Debugf(string, ...any)  {}
func (lastWords) Tracef(string, ...any)  {}

// encrypt has a server encrypt where there are keys, and give those who come something to sign by theirs.
func encrypt(o *server.Options, k keys.Folder) (err error) {
	if !k.There() {
		return nil
	}
	o.AlwaysEnableNonce = true
	o.TLSConfig, err = k.ServerTLS()
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

// checkAddress looks whether the hub can listen where it is told to. Where NATS runs elsewhere,
// workers fetch files at that very host.
func (h *Hub) checkAddress() error {
	if h.options.Address == "" {
		return nil
	}
	host, _, err := listenAddress(h.options.Address, h.keys().There())
	if ip := net.ParseIP(host); err == nil && h.options.NATS != "" && (host == "" || ip != nil && ip.IsUnspecified()) {
		return fmt.Errorf("%w: %s: want the name or the address by which workers come to this machine for tables", ErrAddress, h.options.Address)
	}
	return err
}

// said are the subjects of what workers and clients say.
var said = []string{
	wire.SubjectHello, wire.SubjectUpload, wire.SubjectResult, wire.SubjectAsk, wire.SubjectFetch, wire.SubjectStatus, wire.SubjectAlive, wire.SubjectStarted, wire.SubjectTables,
	wire.SubjectNext, wire.SubjectKept,
}

// workerPermissions is all that a worker or a client of a name may do. It speaks under that name
// alone.
func workerPermissions(name string) *server.Permissions {
	var allowed []string
	for _, subject := range slices.Concat(said, []string{wire.FoundAbout(wire.Anybody)}) {
		allowed = append(allowed, wire.By(subject, name))
	}
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: allowed},
		Subscribe: &server.SubjectPermission{Allow: []string{wire.Inbox(name) + ".>", wire.SubjectCancel, wire.SubjectComing, wire.SubjectFound + ".>"}},
	}
}

// mostSubscriptions bounds those of a connection: the hub has some twenty, a worker five. What is published is copied
// for each of them.
const mostSubscriptions = 64
