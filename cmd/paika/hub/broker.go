package hub

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
)

// ErrCarrier says that a NATS server does not do what a hub needs.
var ErrCarrier = errors.New("the NATS server carries no jobs")

// connect comes to NATS as the hub: to a server inside, which lets in those with the names, or to
// the one that runs elsewhere.
func (h *Hub) connect(names map[string]string) (own *link.Link, err error) {
	if h.options.NATS == "" {
		c := keys.Credentials{Name: ownName, Secret: rand.Text()}
		if h.server, err = startServer(h.options.Dir, h.options.Address, c, h.worker, names); err != nil {
			return nil, err
		}
		return link.Inside(h.server, c, h.loader).Connect(ownName)
	}
	file, err := h.keys().Own()
	if err != nil {
		return nil, err
	}
	if own, err = (link.Access{URL: h.options.NATS, Credentials: file, Tell: h.options.Notice, NoEcho: true}).Connect(ownName); err != nil {
		return nil, fmt.Errorf("the hub comes to no NATS server: %w", err)
	}
	if err := h.alone(own); err != nil {
		own.Close()
		return nil, err
	}
	return own, nil
}

// heard makes sure that the hub hears what it has subscribed to. A server elsewhere may have the line
// of an older program.
func (h *Hub) heard() error {
	if err := h.own.Flush(); err != nil {
		return err
	}
	if err := h.own.LastError(); errors.Is(err, nats.ErrPermissionViolation) {
		return fmt.Errorf("%w: it needs what paika hub admission prints now: %w", ErrCarrier, err)
	}
	return nil
}

// makeStream makes the stream of jobs with its consumer.
func (h *Hub) makeStream(ctx context.Context) error {
	err := h.remakeStream(ctx)
	if err == nil {
		h.stream, err = h.js.Stream(ctx, wire.Stream)
	}
	if err == nil {
		h.consumer, err = h.stream.Consumer(ctx, wire.Consumer)
	}
	if err != nil {
		return fmt.Errorf("%w: JetStream: %w", ErrCarrier, err)
	}
	return nil
}

// errAnew says that the stream gave a job a place which another had before. A cluster that has lost
// the server with the stream makes it anew by itself, from its first place on. Audits go by places:
// a stream that comes behind them is made once more.
var errAnew = errors.New("the stream has begun anew")

// remakeStream makes the stream without one that is there: of an earlier start of the hub, or one
// that has begun anew. The jobs of that are no longer out, or go out again after an audit.
func (h *Hub) remakeStream(ctx context.Context) error {
	there, err := h.hasStream(ctx)
	if there {
		err = h.js.DeleteStream(ctx, wire.Stream)
	}
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	return h.keepStream(ctx)
}

// hasStream tells whether a hub's stream is there. The error is about another program's stream of that name,
// whose messages a hub must not remove.
func (h *Hub) hasStream(ctx context.Context) (bool, error) {
	s, err := h.js.Stream(ctx, wire.Stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	own, c := jobStream(), s.CachedInfo().Config
	if !slices.Equal(c.Subjects, own.Subjects) || c.Retention != own.Retention || c.Storage != own.Storage {
		return false, fmt.Errorf("the stream %s there is another program's, and is left alone: a hub needs one of that name", wire.Stream)
	}
	return true, nil
}

// jobStream is the stream of jobs: a hub knows it by its subjects, retention and storage.
func jobStream() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: wire.Stream, Subjects: []string{wire.SubjectJobs}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage,
		MaxMsgs: mostMessages, Discard: jetstream.DiscardNew,
	}
}

// keepStream makes the stream and its consumer where they are not there, as where a server that
// runs elsewhere has begun anew. Messages have places of their own then: none had one of them.
func (h *Hub) keepStream(ctx context.Context) error {
	there, err := h.hasStream(ctx)
	if err == nil && !there {
		c := jobStream()
		c.FirstSeq = h.lastPlace() + 1
		_, err = h.js.CreateStream(ctx, c)
	}
	if err != nil {
		return err
	}
	// The hub counts what is handed out in vain: the stream does not know who has had it.
	_, err = h.js.CreateOrUpdateConsumer(ctx, wire.Stream, jetstream.ConsumerConfig{
		Durable: wire.Consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: h.options.Lease, MaxDeliver: -1, MaxAckPending: -1,
	})
	return err
}

// lastPlace is the last place in the stream that a job had.
func (h *Hub) lastPlace() uint64 {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.highest
}

// listens tells whether somebody still waits at a subject. Of a server elsewhere it is not known:
// that says so when a message comes there in vain.
func (h *Hub) listens(subject string) bool {
	return h.server == nil || h.server.GlobalAccount().Interest(subject) > 0
}

// hubPermissions is all that a hub of a name does.
func hubPermissions(name string) *server.Permissions {
	of := wire.Stream
	publishes := []string{
		wire.SubjectHub, wire.SubjectJobs, wire.SubjectCancel, wire.SubjectComing, wire.Inbox(wire.Anybody) + ".>",
		"$JS.API.INFO", "$JS.API.STREAM.*." + of, "$JS.API.STREAM.MSG.*." + of, "$JS.API.CONSUMER.*." + of + ".>",
		"$JS.API.CONSUMER.DURABLE.CREATE." + of + ".>", "$JS.API.CONSUMER.MSG.NEXT." + of + ".>", "$JS.ACK." + of + ".>",
	}
	hears := []string{wire.SubjectHub, wire.Inbox(name) + ".>"}
	for _, subject := range said {
		hears = append(hears, wire.By(subject, wire.Anybody))
	}
	return &server.Permissions{Publish: &server.SubjectPermission{Allow: publishes}, Subscribe: &server.SubjectPermission{Allow: hears}}
}

// natsUser is a user as the configuration of a NATS server has it.
type natsUser struct {
	NKey        string      `json:"nkey"`
	Permissions permissions `json:"permissions"`
}

type permissions struct {
	Publish   []string `json:"publish"`
	Subscribe []string `json:"subscribe"`
}

func permit(key string, p *server.Permissions) natsUser {
	return natsUser{key, permissions{p.Publish.Allow, p.Subscribe.Allow}}
}

// Admission is what "authorization" must be in the configuration of a NATS server that runs
// elsewhere, so that it carries the messages of the hub of a folder: whom it lets in, which are the
// hub and those with a key, and what each may do. The key of the hub is made at its first use.
// Errors wrap keys.ErrNone where the folder has no keys, or are those of its files.
func Admission(dir string) (json.RawMessage, error) {
	k := keys.In(dir)
	file, err := k.Own()
	if err != nil {
		return nil, err
	}
	own, err := keys.Read(file)
	if err != nil {
		return nil, err
	}
	names, err := k.Workers()
	if err != nil {
		return nil, err
	}
	users := []natsUser{permit(own.Name, hubPermissions(own.Name))}
	for _, key := range slices.Sorted(maps.Keys(names)) {
		users = append(users, permit(key, workerPermissions(key)))
	}
	var text bytes.Buffer
	write := json.NewEncoder(&text)
	write.SetEscapeHTML(false) // NATS does not read such escapes
	err = write.Encode(struct {
		Users []natsUser `json:"users"`
	}{users})
	return bytes.TrimSpace(text.Bytes()), err
}
