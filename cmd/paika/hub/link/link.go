package link

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/wire"
	"paika/internal/network"
	"paika/internal/progress"
	"paika/tablebase/verify"
)

// ErrRefused says that a hub does not take a worker, or what is said to it, and why.
var ErrRefused = errors.New("the hub refuses this worker")

// ErrAway says that no hub answers at a URL.
var ErrAway = errors.New("no hub is reached")

// ErrAnswer says that what a hub answers makes no sense, as where its program is another.
var ErrAnswer = errors.New("the answer of the hub can't be read")

// Access is how to reach a hub: by its URL and a file of credentials, or, if it comes of
// Inside, as the hub in this process.
type Access struct {
	URL         string
	Credentials string

	// Tell, if not nil, is told in a sentence that the hub is away, and that it is back.
	Tell func(text string)

	// NoEcho keeps what is said from who says it.
	NoEcho bool

	inside *inside
}

// inside is a hub in this process.
type inside struct {
	server      *server.Server
	credentials keys.Credentials
	lend        func(fingerprint string) verify.Loader
}

// Inside is how to reach the hub of this process with a server: as somebody who has
// credentials. Lend loads the tables of a task there.
func Inside(s *server.Server, c keys.Credentials, lend func(fingerprint string) verify.Loader) Access {
	return Access{inside: &inside{s, c, lend}}
}

// Near tells whether the hub is in this process.
func (a Access) Near() bool { return a.inside != nil }

// Lend loads the tables of a task in this process, where the hub is.
func (a Access) Lend(fingerprint string) verify.Loader { return a.inside.lend(fingerprint) }

// insideURL stands for a server in this process, which encrypts nothing there.
const insideURL = "nats://127.0.0.1"

// Connect connects, as somebody of a name for those who look at the server. The link goes
// on trying when the connection is lost. Errors: ErrAway, and those of the file of
// credentials.
func (a Access) Connect(name string) (*Link, error) {
	c, err := a.credentials()
	if err != nil {
		return nil, err
	}
	return a.link(c, name)
}

// Await is Connect, which waits for a hub that is not there, as when it starts later, and tells that.
// It gives up where who is there does not let anybody in by these credentials. Errors are those of
// Connect, and that of ctx, which ends what is waited for.
func (a Access) Await(ctx context.Context, name string) (*Link, error) {
	c, err := progress.Await(ctx, a.credentials) // the file may be a pipe
	for told := false; err == nil; err = progress.Wait(ctx, Pause) {
		l, err := progress.Await(ctx, func() (*Link, error) { return a.link(c, name) })
		if !unreached(err) {
			if err == nil && told {
				a.Tell(isBack(a.URL))
			}
			return l, err
		}
		if a.Tell != nil && !told {
			told = true
			a.Tell(isAway(a.URL))
		}
	}
	return nil, err
}

// credentials are those by which to come.
func (a Access) credentials() (keys.Credentials, error) {
	switch {
	case a.inside != nil:
		return a.inside.credentials, nil
	case a.Credentials != "":
		return keys.Read(a.Credentials)
	}
	return keys.Credentials{}, nil
}

// link connects.
func (a Access) link(c keys.Credentials, name string) (*Link, error) {
	var server *server.Server
	if a.inside != nil {
		server, a.URL = a.inside.server, insideURL
	}
	denied := new(denials)
	conn, err := a.connect(server, c, name, denied.hear)
	if err != nil {
		return nil, fmt.Errorf("%w at %s: %s%w", ErrAway, a.URL, a.hint(err), err)
	}
	return &Link{conn, denied, c.Name, &presence{url: a.URL, tell: a.Tell}, newEra()}, nil
}

// unreached tells whether an error of connecting is that nobody was there, or went meanwhile: whoever
// forwards connections takes them all the same, and closes them. What somebody there says is none, as
// that he doesn't know the credentials.
func unreached(err error) bool {
	for _, nobody := range []error{nats.ErrNoServers, nats.ErrTimeout, io.EOF} {
		if errors.Is(err, nobody) {
			return true
		}
	}
	var op *net.OpError
	return network.Reset(err) || errors.As(err, &op) && op.Op == "dial"
}

// hint says what is behind an error of connecting, as far as it is known, for a text before it.
func (a Access) hint(err error) string {
	var invalid x509.CertificateInvalidError
	denies, unvouched := errors.Is(err, nats.ErrAuthorization), errors.As(err, new(*tls.CertificateVerificationError))
	switch {
	case (denies || unvouched) && a.Credentials == "":
		return "it wants credentials: --creds names the file, worker.creds in the hub's folder, or keys/NAME.creds there: "
	case errors.As(err, new(x509.HostnameError)):
		return "its certificate is not for that name, which paika hub init --host changes: "
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate is out of date, or a clock is wrong: "
	case unvouched, errors.Is(err, nats.ErrNkeysNotSupported):
		return fmt.Sprintf("the credentials of %s are for another hub: ", a.Credentials)
	case denies:
		return fmt.Sprintf("it does not know the credentials of %s: ", a.Credentials)
	case strings.Contains(err.Error(), nats.MAX_ACCOUNT_CONNECTIONS_ERR):
		return "its credentials have all connections that they are given: "
	case errors.Is(err, nats.ErrSecureConnWanted):
		return "it does not encrypt, like a hub without keys: "
	}
	return ""
}

// connect connects to a server, and goes on trying when the connection is lost.
func (a Access) connect(inside *server.Server, c keys.Credentials, name string, hear nats.ErrHandler) (*nats.Conn, error) {
	o := append(c.Options(),
		nats.Name("paika "+name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.PingInterval(wire.PingEvery),
		nats.ErrorHandler(hear),
	)
	if inside != nil {
		o = append(o, nats.InProcessServer(inside))
	}
	if a.Tell != nil {
		o = append(o, a.tellOfLoss()...)
	}
	if a.NoEcho {
		o = append(o, nats.NoEcho())
	}
	return nats.Connect(a.URL, o...)
}

// tellOfLoss has it told when a connection is lost, and when it is there again.
func (a Access) tellOfLoss() []nats.Option {
	return []nats.Option{
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // else this side has closed it
				a.Tell(isAway(a.URL))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { a.Tell(isBack(a.URL)) }),
	}
}

// Link is a connection to a hub, of a worker or of one who asks. Its methods are safe for
// concurrent use, and wait for a hub that is away until the context ends.
type Link struct {
	*nats.Conn
	denied *denials
	name   string // by which it was let in
	hub    *presence
	era    *era
}

// Name is that by which it was let in.
func (l *Link) Name() string { return l.name }

// Tell says something that needs no answer.
func (l *Link) Tell(subject string, value any) {
	if text, err := json.Marshal(value); err == nil {
		_ = l.Publish(wire.By(subject, l.name), text) // it is said again
	}
}

// Spread tells the others of a topic something. Nobody need hear it.
func (l *Link) Spread(topic string, said []byte) {
	_ = l.Publish(wire.By(wire.FoundAbout(topic), l.name), said)
}

// mostUnheard bounds the words, and their bytes, that wait to be heard. What comes then is lost.
const (
	mostUnheard      = 1 << 10
	mostUnheardBytes = 16 << 20
)

// Listen hears what the others of a topic say, and what is said here, until stop is called.
func (l *Link) Listen(topic string, hear func(said []byte)) (stop func(), err error) {
	s, err := l.Subscribe(wire.By(wire.FoundAbout(topic), wire.Anybody), func(m *nats.Msg) { hear(m.Data) })
	if err != nil {
		return nil, err
	}
	return func() { _ = s.Unsubscribe() }, s.SetPendingLimits(mostUnheard, mostUnheardBytes)
}

// Greet says who comes, and hears what the hub says to that. Errors wrap ErrRefused.
func (l *Link) Greet(ctx context.Context, who wire.Hello) (said wire.Welcome, err error) {
	if err := l.Ask(ctx, wire.SubjectHello, who, &said); err != nil {
		return said, err
	}
	if said.Error != "" {
		return said, fmt.Errorf("%w: %s", ErrRefused, said.Error)
	}
	l.era.learn(said.Start)
	return said, nil
}

// Attend says that a worker is there, and hears what the hub says to that. Who waits for a job of
// another start of the hub waits no longer then. Errors are those of Ask, and wrap ErrRefused where the
// hub takes the worker no more.
func (l *Link) Attend(ctx context.Context, who wire.Hello) (said wire.Noted, err error) {
	if err := l.Ask(ctx, wire.SubjectAlive, who, &said); err != nil {
		return said, err
	}
	if said.Error != "" {
		return said, fmt.Errorf("%w: %s", ErrRefused, said.Error)
	}
	l.era.learn(said.Start)
	return said, nil
}

// Start is that of the hub, as far as it has told.
func (l *Link) Start() int {
	start, _ := l.era.now()
	return start
}

// patience is how long a request may take before it is made again.
const patience = 20 * time.Second

// Ask asks a hub, again and again until it answers or the context ends. Errors: ErrAnswer, and
// those of AskMessage.
func (l *Link) Ask(ctx context.Context, subject string, question, into any) error {
	text, err := json.Marshal(question)
	if err != nil {
		return err
	}
	m, err := l.AskMessage(ctx, &nats.Msg{Subject: subject, Data: text})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(m.Data, into); err != nil {
		return fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	return nil
}

// AskMessage is Ask for a message with headers, to whose subject the name is added. Errors:
// ErrAway where the hub lets nobody in any more, ErrRefused where it denies such messages,
// nats.ErrMaxPayload where it takes no message of that size, and that of ctx.
func (l *Link) AskMessage(ctx context.Context, m *nats.Msg) (*nats.Msg, error) {
	m = &nats.Msg{Subject: wire.By(m.Subject, l.name), Header: m.Header, Data: m.Data}
	for {
		answer, err := l.request(ctx, m)
		switch {
		case err == nil:
			return answer, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrRefused):
			return nil, err
		case errors.Is(err, nats.ErrConnectionClosed):
			return nil, l.Ended()
		case errors.Is(err, nats.ErrMaxPayload):
			return nil, err
		}
		if err := progress.Wait(ctx, Pause); err != nil { // the hub is away
			return nil, err
		}
	}
}

// request asks once, where there is a connection: without one NATS would keep what is asked, to send it later, also
// what nobody waits for any more by then. Errors wrap ErrRefused where the server denies it, or the hub.
func (l *Link) request(ctx context.Context, m *nats.Msg) (*nats.Msg, error) {
	if l.IsReconnecting() {
		return nil, nats.ErrDisconnected
	}
	once, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	once, done := l.denied.watch(once, m.Subject)
	defer done()
	answer, err := l.RequestMsgWithContext(once, m)
	l.hub.hear(err, l.IsConnected())
	if denied := context.Cause(once); errors.Is(denied, ErrRefused) {
		return nil, denied
	}
	if err == nil && answer.Header.Get(wire.HeaderDenied) != "" {
		return nil, fmt.Errorf("%w: %s", ErrRefused, answer.Header.Get(wire.HeaderDenied))
	}
	return answer, err
}

// Ended says why a connection has ended for good.
func (l *Link) Ended() error {
	return fmt.Errorf("%w: %w", ErrAway, cmp.Or(l.LastError(), nats.ErrConnectionClosed))
}

// Pause is the time between two attempts of whoever waits for a hub.
const Pause = time.Second / 4

// Next waits for a job for a worker of a name; nil if there is none for some time, the hub has started
// anew, or ctx ends. Errors wrap ErrRefused.
func (l *Link) Next(ctx context.Context, worker string) (*wire.Delivery, error) {
	once, cancel := context.WithTimeout(ctx, wire.LaneWaits)
	defer cancel()
	start, over := l.era.now()
	defer context.AfterFunc(over, cancel)()
	text, err := json.Marshal(wire.Next{Start: start, Worker: worker})
	if err != nil {
		return nil, err
	}
	m, err := l.request(once, &nats.Msg{Subject: wire.By(wire.SubjectNext, l.name), Data: text})
	switch {
	case errors.Is(err, ErrRefused):
		return nil, err
	case err != nil:
		if once.Err() == nil { // the hub is away
			_ = progress.Wait(ctx, Pause)
		}
		return nil, nil
	}
	d := new(wire.Delivery)
	switch {
	case json.Unmarshal(m.Data, d) != nil: // of another program: the hub sees to it
		return nil, nil
	case d.Name() == "":
		l.era.learn(d.Start)
		return nil, nil
	}
	return d, nil
}

// crowdedPause is the time between two attempts to send a piece for which there is no room.
const crowdedPause = 4 * Pause

// once tells the first of what it is told.
func once(tell func(string)) func(string) {
	told := false
	return func(text string) {
		if !told {
			told = true
			tell(text)
		}
	}
}

// ErrNotTaken says that the hub does not take a file.
var ErrNotTaken = errors.New("the hub does not take the part")

// Upload sends a file in pieces, by a name that nobody else has. It may be written meanwhile, and is whole once a
// channel is closed; nil where it is. The hub tells where it wants the next piece from: after a new start it may be
// the first again. Where it has no room now, tell is told why, once, and the file waits. Errors: ErrNotTaken,
// ErrAnswer, and those of the file and of AskMessage.
func (l *Link) Upload(ctx context.Context, name, path string, whole <-chan struct{}, tell func(why string)) error {
	tell = once(tell)
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	piece := make([]byte, wire.PieceBytes)
	for at := int64(0); ; {
		grows := !closed(whole) // before it is read: what is read then is all
		n, err := file.ReadAt(piece, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if grows && n < len(piece) {
			if err := awaitGrowth(ctx, whole); err != nil {
				return err
			}
			continue
		}
		if n == 0 {
			return nil
		}
		m := nats.NewMsg(wire.SubjectUpload)
		m.Header.Set(wire.HeaderUpload, name)
		m.Header.Set(wire.HeaderOffset, strconv.FormatInt(at, 10))
		m.Data = piece[:n]
		answer, err := l.AskMessage(ctx, m)
		if err != nil {
			return err
		}
		if refused := answer.Header.Get(wire.HeaderError); refused != "" {
			return fmt.Errorf("%w: %s", ErrNotTaken, refused)
		}
		next, err := strconv.ParseInt(answer.Header.Get(wire.HeaderSize), 10, 64)
		if err != nil || next < 0 || next > at+int64(n) {
			return fmt.Errorf("%w: it has %q bytes of %d", ErrAnswer, answer.Header.Get(wire.HeaderSize), at+int64(n))
		}
		pause := time.Duration(0)
		why := answer.Header.Get(wire.HeaderWait)
		switch {
		case why != "":
			tell(why)
			pause = crowdedPause
		case next <= at: // it has lost some
			pause = Pause
		}
		if err := progress.Wait(ctx, pause); err != nil {
			return err
		}
		at = next
	}
}

// closed tells whether a channel is closed, or there is none.
func closed(whole <-chan struct{}) bool {
	if whole == nil {
		return true
	}
	select {
	case <-whole:
		return true
	default:
		return false
	}
}

// growthPause is the time between two looks at how far a file is written.
const growthPause = 50 * time.Millisecond

// awaitGrowth waits until there may be more of a file.
func awaitGrowth(ctx context.Context, whole <-chan struct{}) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-whole:
	case <-time.After(growthPause):
	}
	return nil
}

// Tables asks the hub about tables. Errors wrap wire.ErrNotOffered, or
// ErrRefused.
func (l *Link) Tables(ctx context.Context, asked wire.TablesAsk) (offer wire.TablesOffer, err error) {
	if err := l.Ask(ctx, wire.SubjectTables, asked, &offer); err != nil {
		return offer, err
	}
	switch {
	case offer.Error != "":
		return offer, fmt.Errorf("%w its tables: %s", ErrRefused, offer.Error)
	case !offer.Offered:
		return offer, wire.ErrNotOffered
	}
	return offer, nil
}
